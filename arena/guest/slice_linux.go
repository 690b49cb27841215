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

// usualSlice gives the usual slice back to the thread of this goroutine, so that no bot inherits a short one.
func usualSlice() { setSlice(0, 0) }

// setSlice sets the slice of a thread, 0 for the calling one; 0 is the usual slice. It changes nothing else.
func setSlice(thread int, slice time.Duration) {
	attr, err := unix.SchedGetAttr(thread, 0)
	if err != nil || attr.Policy != unix.SCHED_NORMAL {
		return
	}
	attr.Runtime = uint64(slice.Nanoseconds())
	_ = unix.SchedSetAttr(thread, attr, 0) // it may have ended
}
