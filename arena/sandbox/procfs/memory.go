package procfs

import (
	"strconv"
	"strings"
)

// Memory returns the memory in bytes that all descendants of a process, and if asked
// the process itself, hold in RAM, without what files back, such as the code of
// programs. It is not known where the kernel does not list children.
func Memory(pid int, itself bool) (bytes int64, known bool) {
	known = Walk(pid, func(p Process, _ []int) {
		if p.PID != pid || itself {
			bytes += sizes(p.PID, "status", "RssAnon")
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

// sizes returns the sum of lines NAME: NUMBER kB of a file of a process, in bytes; 0 if
// it has ended.
func sizes(pid int, file string, names ...string) int64 {
	text, _ := readFile("/proc/" + strconv.Itoa(pid) + "/" + file)
	return sumOf(string(text), names)
}

// sumOf adds up the lines with one of these names. Only the beginning of a line is a
// name: a bot chooses what stands in the line of its own name.
func sumOf(text string, names []string) (sum int64) {
	for line := range strings.Lines(text) {
		for _, name := range names {
			if rest, ok := strings.CutPrefix(line, name+":"); ok {
				kib, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
				sum += kib << 10
			}
		}
	}
	return sum
}
