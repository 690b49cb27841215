package procfs

import (
	"slices"
	"syscall"
	"time"
	"unsafe"
)

// clock returns the CPU time of a living process, without its children.
func clock(pid int) (time.Duration, bool) {
	var used syscall.Timespec
	id := uintptr(int32(^pid)<<3 | 2) // as clock_getcpuclockid(3) makes it
	_, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, id, uintptr(unsafe.Pointer(&used)), 0)
	return time.Duration(used.Nano()), errno == 0
}

// contents reads a file of /proc by a third of the system calls of [os.ReadFile], which first tries to poll it. The
// kernel fills what it is given if that is much less than a page, so less than that is the rest of the file.
func contents(path string) ([]byte, error) {
	file, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer syscall.Close(file)
	const most = 2 << 10
	var text []byte
	for {
		text = slices.Grow(text, 512)
		room := min(most, cap(text)-len(text))
		n, err := syscall.Read(file, text[len(text):len(text)+room])
		if n > 0 {
			text = text[:len(text)+n]
		}
		if n < room {
			return text, err
		}
	}
}
