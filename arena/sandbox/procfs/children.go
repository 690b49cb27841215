package procfs

import (
	"strconv"
	"strings"
)

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
