package procfs

import (
	"os"
	"strconv"
)

// Memory returns the memory in bytes that a process and all its descendants hold
// in RAM, without what files back, such as the code of programs. It returns false
// where that is not known.
func Memory(pid int) (bytes int64, known bool) {
	folder := "/proc/" + strconv.Itoa(pid)
	text, err := os.ReadFile(folder + "/statm")
	if err != nil {
		return 0, false
	}
	const resident, shared = 1, 2 // of the fields, in pages
	pages := fields(string(text))
	if len(pages) <= shared {
		return 0, false
	}
	for i, sign := range map[int]int64{resident: 1, shared: -1} {
		n, _ := strconv.ParseInt(pages[i], 10, 64) // the kernel writes numbers
		bytes += sign * n * int64(os.Getpagesize())
	}
	threads, err := os.ReadDir(folder + "/task")
	if err != nil {
		return 0, false
	}
	for _, thread := range threads {
		children, err := os.ReadFile(folder + "/task/" + thread.Name() + "/children")
		if err != nil {
			return 0, false // the kernel does not tell of children
		}
		for _, child := range fields(string(children)) {
			pid, _ := strconv.Atoi(child)
			below, _ := Memory(pid) // it may just have ended
			bytes += below
		}
	}
	return bytes, true
}
