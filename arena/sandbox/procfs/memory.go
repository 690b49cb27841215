package procfs

import (
	"os"
	"strconv"
)

// Memory returns the memory in bytes that all descendants of a process, and if asked
// the process itself, hold in RAM, without what files back, such as the code of
// programs. It is not known where the kernel does not list children.
func Memory(pid int, itself bool) (bytes int64, known bool) {
	known = Walk(pid, func(p Process, _ []int) {
		if p.PID == pid && !itself {
			return
		}
		text, err := readFile("/proc/" + strconv.Itoa(p.PID) + "/statm")
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

// Held returns the memory in bytes that all processes below a living one hold in
// RAM and in swap, without what files back. The exact figure is slow to get, so
// Held looks for it only if the processes may hold more than enough; what they
// share counts once then. Held returns 0 where that is not known.
func Held(pid int, enough int64) (bytes int64) {
	var below []int
	known := Walk(pid, func(p Process, _ []int) {
		if p.PID != pid {
			below = append(below, p.PID)
			bytes += sizes(p.PID, "status", "RssAnon", "RssShmem", "VmSwap")
		}
	})
	if !known {
		return 0
	}
	if bytes <= enough {
		return bytes
	}
	exact := int64(0)
	for _, p := range below {
		one := sizes(p, "smaps_rollup", "Pss_Anon", "Pss_Shmem", "SwapPss")
		if one == 0 { // an old kernel, or the process has ended
			one = sizes(p, "status", "RssAnon", "RssShmem", "VmSwap")
		}
		exact += one
	}
	return exact
}

// sizes returns the sum of lines NAME: NUMBER kB of a file of a process, in bytes.
func sizes(pid int, file string, names ...string) (sum int64) {
	text, err := readFile("/proc/" + strconv.Itoa(pid) + "/" + file)
	if err != nil {
		return 0
	}
	return sumOf(string(text), names)
}

// sumOf adds up the lines with one of these names. Only the beginning of a line is a
// name: a bot chooses what stands in the line of its own name.
func sumOf(text string, names []string) (sum int64) {
	start := 0
	for i := range len(text) {
		if text[i] != '\n' {
			continue
		}
		words := fields(text[start:i])
		start = i + 1
		for _, name := range names {
			if len(words) > 1 && words[0] == name+":" {
				n, _ := strconv.ParseInt(words[1], 10, 64) // the kernel writes numbers
				sum += n << 10
			}
		}
	}
	return sum
}
