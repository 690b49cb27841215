//go:build !linux

package sandbox

// bind does nothing on this system.
func bind(pid int, itself bool, processors []int) {}
