package arena

import (
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// thinksOn is a bot that thinks all the time, and writes to a file that it does. Its timers wake it if it is stopped.
func thinksOn(mark string) {
	woken := make(chan os.Signal, 1)
	signal.Notify(woken, unix.SIGCONT) // Linux does not start the timer of an ignored signal again
	timers := make([]int32, 40)
	event := [16]int32{2: int32(unix.SIGCONT)} // struct sigevent: eight bytes for a value, then the signal
	for n := range timers {
		_, _, _ = syscall.Syscall(unix.SYS_TIMER_CREATE, unix.CLOCK_MONOTONIC,
			uintptr(unsafe.Pointer(&event)), uintptr(unsafe.Pointer(&timers[n])))
	}
	set := func() { // again after each stop, which takes those timers that have just gone off
		for n, id := range timers {
			first := time.Duration(n+1) * time.Millisecond
			again := time.Duration(len(timers)) * time.Millisecond
			spec := [2]unix.Timespec{unix.NsecToTimespec(again.Nanoseconds()), unix.NsecToTimespec(first.Nanoseconds())}
			_, _, _ = syscall.Syscall6(unix.SYS_TIMER_SETTIME, uintptr(id), 0, uintptr(unsafe.Pointer(&spec)), 0, 0, 0)
		}
	}
	set()
	go func() {
		for range woken {
			set()
		}
	}()
	go func() {
		file, err := os.OpenFile(thoughts(mark), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		need(err)
		for {
			work(10 * time.Millisecond)
			_, _ = file.Write([]byte{'.'})
		}
	}()
}

// thoughts is the file in which a bot counts its thoughts of 10 ms.
func thoughts(mark string) string { return filepath.Join(mark, "thoughts") }

// thought returns the number of thoughts so far.
func thought(mark string) int64 {
	stat, err := os.Stat(thoughts(mark))
	if err != nil {
		return 0
	}
	return stat.Size()
}

// letsThink waits until the opponent has thought for a while, or a second if it does not.
func letsThink(mark string) {
	const many = 10
	begun := thought(mark)
	for end := time.Now().Add(time.Second); begun > 0 && thought(mark) < begun+many && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
}

// eat holds that much memory from now on, in bytes. It is not Go's, of which a build
// with the race detector needs several times as much.
func eat(size int) {
	b, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	need(err)
	for n := 0; n < len(b); n += os.Getpagesize() {
		b[n] = 1
	}
}

// unbind tries all ways in which a thread changes where and how it runs. It returns nil if one of them works.
func unbind() error {
	var all unix.CPUSet
	for n := range 64 {
		all.Set(n)
	}
	attr := &unix.SchedAttr{Size: unix.SizeofSchedAttr, Runtime: 1_000_000}
	var param int32
	_, _, scheduler := unix.Syscall(unix.SYS_SCHED_SETSCHEDULER, 0, unix.SCHED_BATCH, uintptr(unsafe.Pointer(&param)))
	_, _, parameter := unix.Syscall(unix.SYS_SCHED_SETPARAM, 0, uintptr(unsafe.Pointer(&param)), 0)
	for _, err := range []error{unix.SchedSetaffinity(0, &all), unix.SchedSetAttr(0, attr, 0), scheduler, parameter} {
		if err == nil || err == unix.Errno(0) {
			return nil
		}
	}
	return unix.EPERM
}
