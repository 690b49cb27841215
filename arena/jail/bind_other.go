//go:build !linux

package jail

// bind does nothing on this system.
func bind(pid int, itself bool, processors []int) {}
