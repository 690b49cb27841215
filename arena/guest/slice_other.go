//go:build !linux

package guest

// ShortenSlices lets this program get a processor soon, if the system can.
func ShortenSlices() {}

func withUsualSlice(do func()) { do() }
