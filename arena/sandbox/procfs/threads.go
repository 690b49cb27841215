package procfs

import (
	"strconv"
	"strings"
	"time"
)

// Thread is what a thread has had of the processors since it began.
type Thread struct {
	Ran    time.Duration // how long it ran
	Waited time.Duration // how long it was ready to run, and another thread had the processor
	Turns  int64         // how often it began to run
}

// Threads returns all threads of a living process and of its descendants, by
// their numbers. It misses some where the kernel does not list children, and all
// where the kernel does not count these times.
func Threads(pid int) map[int]Thread {
	all := make(map[int]Thread)
	Walk(pid, func(p Process, threads []int) {
		for _, thread := range threads {
			text, err := readFile("/proc/" + strconv.Itoa(p.PID) + "/task/" + strconv.Itoa(thread) + "/schedstat")
			times := strings.Fields(string(text))
			if err != nil || len(times) < 3 {
				continue // it has ended
			}
			number := func(i int) int64 {
				n, _ := strconv.ParseInt(times[i], 10, 64) // the kernel writes numbers
				return n
			}
			all[thread] = Thread{Ran: time.Duration(number(0)), Waited: time.Duration(number(1)), Turns: number(2)}
		}
	})
	return all
}

// IgnoresChildren reports whether a living process or one of its descendants ignores
// SIGCHLD, so that the kernel forgets the processor time of its dead children.
func IgnoresChildren(pid int) (ignores bool) {
	Walk(pid, func(p Process, _ []int) {
		text, _ := readFile("/proc/" + strconv.Itoa(p.PID) + "/status") // it may have ended
		for line := range strings.Lines(string(text)) {
			if mask, found := strings.CutPrefix(line, "SigIgn:"); found {
				bits, _ := strconv.ParseUint(strings.TrimSpace(mask), 16, 64) // the kernel writes a number
				const sigchld = 17
				ignores = ignores || bits&(1<<(sigchld-1)) != 0
			}
		}
	})
	return ignores
}
