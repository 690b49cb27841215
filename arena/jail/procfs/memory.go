package procfs

import (
	"os"
	"strconv"
)

// Memory returns the memory in bytes that a process and all its descendants hold
// in RAM, without what files back, such as the code of programs. It is not known
// where the kernel does not list children.
func Memory(pid int) (bytes int64, known bool) {
	known = Walk(pid, func(p Process, _ []int) {
		text, err := os.ReadFile("/proc/" + strconv.Itoa(p.PID) + "/statm")
		const resident, shared = 1, 2 // of the fields, in pages
		pages := fields(string(text))
		if err != nil || len(pages) <= shared {
			return // it has ended
		}
		for i, sign := range map[int]int64{resident: 1, shared: -1} {
			n, _ := strconv.ParseInt(pages[i], 10, 64) // the kernel writes numbers
			bytes += sign * n * int64(os.Getpagesize())
		}
	})
	return bytes, known && bytes > 0
}
