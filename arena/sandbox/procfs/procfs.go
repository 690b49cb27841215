// Package procfs reads from Linux's /proc what processes use. It changes nothing, and
// knows nothing elsewhere. A bot can choose its name, but no figure.
package procfs

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// Process is what /proc/PID/stat says of one process.
type Process struct {
	PID, Parent, Group int
	State              byte          // such as 'R' running, 'T' stopped and 'Z' dead
	Exiting            bool          // it runs no more code of its program
	Used               time.Duration // CPU time of its own
	Reaped             time.Duration // CPU time of its dead children for which it has waited
	Threads            int
}

// read reads one process; ok is false after its end.
func read(pid string) (p Process, ok bool) {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return Process{}, false
	}
	return parse(string(stat))
}

// Walk visits a living process and all below it, each with the numbers of its
// threads. It returns false where the kernel does not list the children of a
// process. A process that ends meanwhile may be left out.
//
// Itself says whether the process belongs to those that are asked for, here and in the other functions. One that does
// not is an init, whose main thread has all of its children, so that the others need not be looked at.
func Walk(pid int, itself bool, visit func(p Process, threads []int)) bool {
	return walk(strconv.Itoa(pid), 0, itself, visit)
}

// walk visits a process if its parent is that one, as the number may have become
// another's; 0 is any parent.
func walk(name string, parent int, itself bool, visit func(Process, []int)) bool {
	p, alive := read(name)
	if !alive || parent != 0 && p.Parent != parent {
		return true
	}
	folder := "/proc/" + name + "/task/"
	threads := []int{p.PID} // the number of the main thread
	if p.Threads != 1 && itself {
		entries, _ := os.ReadDir(folder) // the process may have ended
		threads = make([]int, len(entries))
		for i, thread := range entries {
			threads[i] = number(thread.Name())
		}
	}
	visit(p, threads)
	for _, thread := range threads {
		path := folder + strconv.Itoa(thread)
		children, err := os.ReadFile(path + "/children")
		if err != nil {
			if _, gone := os.Stat(path); gone == nil {
				return false
			}
		}
		for _, child := range strings.Fields(string(children)) {
			if !walk(child, p.PID, true, visit) {
				return false
			}
		}
	}
	return true
}

// CPU returns the CPU time of all processes below a living one, and if asked of
// that one: of the living, and of the dead that were waited for, these to 20 ms. It is
// not known where the kernel does not list children.
func CPU(pid int, itself bool) (used time.Duration, known bool) {
	listed := Walk(pid, itself, func(p Process, _ []int) {
		known = true
		used += p.Reaped
		if p.PID == pid && !itself {
			return
		}
		if exact, ok := clock(p.PID); ok {
			used += exact
		} else {
			used += p.Used
		}
	})
	return used, known && (listed || itself)
}

// Exiting reports whether all processes below one, and if asked that one, are gone or run no more code of their
// programs, in any thread. It is true where the system does not say.
func Exiting(pid int, itself bool) bool {
	exiting := true
	Walk(pid, itself, func(p Process, threads []int) {
		for _, thread := range threads {
			one, alive := read(strconv.Itoa(p.PID) + "/task/" + strconv.Itoa(thread))
			exiting = exiting && (!alive || one.Exiting || p.PID == pid && !itself)
		}
	})
	return exiting
}

// parse reads PID (NAME) STATE PARENT GROUP …; the name may hold anything.
func parse(stat string) (Process, bool) {
	end := strings.LastIndexByte(stat, ')')
	pid, _, _ := strings.Cut(stat, " ")
	after := strings.Fields(stat[end+1:])
	const state, parent, group, flags, user, reapedUser, threads = 0, 1, 2, 6, 11, 13, 17 // after the name
	if end < 0 || len(after) <= threads {
		return Process{}, false
	}
	const tick = 10 * time.Millisecond
	spent := func(field int) time.Duration { // user time, followed by system time
		return tick * time.Duration(number(after[field])+number(after[field+1]))
	}
	const exiting = 0x4 // PF_EXITING
	return Process{
		PID: number(pid), Parent: number(after[parent]), Group: number(after[group]),
		State: after[state][0], Exiting: number(after[flags])&exiting != 0,
		Used: spent(user), Reaped: spent(reapedUser), Threads: number(after[threads]),
	}, true
}

// number reads a number that the kernel has written.
func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

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

func sumOf(text []byte, names []string) int64 {
	var sum int64
	for _, name := range names {
		kib, _ := NumberAfter(text, name+":")
		sum += kib << 10
	}
	return sum
}

// NumberAfter returns the number after a word in a text that the kernel has written; ok is false
// if there is none. Only the beginning of a line is such a word: a bot chooses what stands
// in the line of its own name.
func NumberAfter(text []byte, word string) (n int64, ok bool) {
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == word {
			n, err := strconv.ParseUint(words[1], 10, 64)
			return int64(n), err == nil
		}
	}
	return 0, false
}
