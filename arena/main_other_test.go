//go:build !linux

package arena

// leases is never called: no jail of this system refuses a lease.
func leases() bool { return false }

// uncounted is never called: no jail of this system limits memory.
func uncounted() bool { return false }
