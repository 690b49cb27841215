package guest

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// AllowedProcessors returns the numbers of the processors on which this program
// may run; none on systems where bots cannot be bound to processors.
func AllowedProcessors() []int {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil
	}
	var all []int
	for n := 0; len(all) < set.Count(); n++ {
		if set.IsSet(n) {
			all = append(all, n)
		}
	}
	return all
}

// claimProcessor claims a processor for one table of one run on this machine. It binds a socket to an abstract name,
// which nobody else can have at the same time. No file stands for the name. The claim ends with the process, however
// that ends.
func claimProcessor(n int) (release func(), ok bool) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, false
	}
	if err := unix.Bind(fd, &unix.SockaddrUnix{Name: fmt.Sprint("@sembra-processor-", n)}); err != nil {
		unix.Close(fd)
		return nil, false
	}
	return func() { unix.Close(fd) }, true
}

// bindThread lets the thread of this goroutine run only on those processors.
func bindThread(processors []int) {
	var set unix.CPUSet
	for _, n := range processors {
		set.Set(n)
	}
	_ = unix.SchedSetaffinity(0, &set) // without this, only speed is lost
}
