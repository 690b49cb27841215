//go:build !linux

package arena

// leases is never called: no sandbox of this system refuses a lease.
func leases() bool { return false }

// uncounted is never called: no sandbox of this system limits memory.
func uncounted() bool { return false }
