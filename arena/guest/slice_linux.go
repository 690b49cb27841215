package guest

import (
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// shortSlice is how long a thread of this program runs at a time while others wait. Since Linux 6.12, a thread that runs
// for less gets a processor sooner. Otherwise the freezer waits up to 300 ms for one beside a bot that starts 250 busy
// threads, and their opponent waits with it.
const shortSlice = 100 * time.Microsecond

// ShortenSlices lets this program get a processor soon, however many threads the bots have. It gives short slices to all
// of its threads, and they pass them on to those that they start. It is called once, before the first bot starts.
func ShortenSlices() {
	threads, _ := os.ReadDir("/proc/self/task") // without it, only time is lost
	for _, thread := range threads {
		if number, err := strconv.Atoi(thread.Name()); err == nil {
			setSlice(number, shortSlice)
		}
	}
}

// withUsualSlice calls a function while the thread of this goroutine has the usual slice, which bots inherit from it.
func withUsualSlice(do func()) {
	before := setSlice(0, 0)
	do()
	setSlice(0, before)
}

// setSlice sets the slice of a thread, 0 for the calling one, and returns that before; 0 is the usual slice. It changes
// nothing else.
func setSlice(thread int, slice time.Duration) (before time.Duration) {
	attr, err := unix.SchedGetAttr(thread, 0)
	if err != nil || attr.Policy != unix.SCHED_NORMAL {
		return 0
	}
	before = time.Duration(attr.Runtime)
	attr.Runtime = uint64(slice.Nanoseconds())
	_ = unix.SchedSetAttr(thread, attr, 0) // it may have ended
	return before
}
