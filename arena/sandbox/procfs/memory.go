package procfs

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// Memory returns the memory in bytes that all descendants of a process, and if asked
// the process itself, hold in RAM and in swap, without what files back, such as the code
// of programs. What they share counts more than once, unless that is more than enough: then
// it counts once, which is slow to find out, and Memory stops at more than enough. It is not
// known where the kernel does not list children. Once it has taken more than a millisecond,
// it calls long, unless that is nil.
func Memory(pid int, itself bool, enough int64, long func()) (bytes int64, known bool) {
	begun := time.Now()
	notice := func() {
		if long != nil && time.Since(begun) > time.Millisecond {
			long()
			long = nil
		}
	}
	var all []int
	known = Walk(pid, itself, func(p Process, _ []int) {
		notice()
		if p.PID != pid || itself {
			all = append(all, p.PID)
			bytes += sizes(p.PID, "status", "RssAnon", "RssShmem", "VmSwap")
		}
	})
	if bytes > enough {
		bytes = 0
		for _, p := range all {
			notice()
			one := sizes(p, "smaps_rollup", "Pss_Anon", "Pss_Shmem", "SwapPss")
			if one == 0 { // an old kernel, or the process has ended
				one = sizes(p, "status", "RssAnon", "RssShmem", "VmSwap")
			}
			if bytes += one; bytes > enough {
				break
			}
		}
	}
	return bytes, known && bytes > 0
}

// sizes returns the sum of lines NAME: NUMBER kB of a file of a process, in bytes; 0 if
// it has ended.
func sizes(pid int, file string, names ...string) int64 {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/" + file)
	return sumOf(text, names)
}

func sumOf(text []byte, names []string) (sum int64) {
	for _, name := range names {
		kib, _ := Figure(text, name+":", 10)
		sum += kib << 10
	}
	return sum
}

// Figure returns the number after a word in a text that the kernel has written; ok is false
// if there is none. Only the beginning of a line is such a word: a bot chooses what stands
// in the line of its own name.
func Figure(text []byte, word string, base int) (n int64, ok bool) {
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == word {
			n, err := strconv.ParseUint(words[1], base, 64)
			return int64(n), err == nil
		}
	}
	return 0, false
}
