//go:build linux && !amd64 && !arm64

package sandbox

// restrictCalls has no rules for this architecture.
func restrictCalls(*spec, *steps) {}

func filters() bool { return false }
