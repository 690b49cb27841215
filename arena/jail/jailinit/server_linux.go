package jailinit

import (
	"os"
	"syscall"
	"unsafe"
)

// init serves in a process that is a fork server. The package comment says why that is not left to main.
func init() {
	if len(os.Args) > 1 && os.Args[1] == Word {
		os.Exit(serve())
	}
}

// serve runs the fork server until the runner closes its socket or dies. It
// returns the exit status.
//
// A fork server allocates nothing once it has read a task of the usual size,
// because its garbage collector is off: an init has to find all in its place.
func serve() int {
	blockSignals()
	closeFiles()
	p := new(process)
	for {
		switch errno := p.receive(); {
		case errno == 0:
		case p.served: // the runner is gone
			return 0
		default:
			_, _ = os.Stderr.WriteString(Word + " is not a command: the program executes itself with it to isolate bots\n")
			return 2
		}
		pid, errno := p.fork(uintptr(p.task.Flags) | syscall.CLONE_PARENT | uintptr(syscall.SIGCHLD))
		for _, file := range p.files[:p.given] {
			_ = syscall.Close(int(file))
		}
		putNumber(p.text[:], uint64(pid))
		putNumber(p.text[numberSize:], uint64(errno))
		p.served = true
		if _, err := syscall.Write(Server, p.text[:AnswerSize]); err != nil {
			return 0 // the runner is gone, and the init notices it too
		}
	}
}

// blockSignals keeps all signals from this thread, and from the inits, which it
// forks: they would run the handlers of Go's runtime. Nothing can keep SIGKILL away.
func blockSignals() {
	all := ^uint64(0)
	_, _, _ = syscall.RawSyscall6(syscall.SYS_RT_SIGPROCMASK, setMask, uintptr(unsafe.Pointer(&all)), 0, unsafe.Sizeof(all), 0, 0)
}

const setMask = 2 // SIG_SETMASK

// closeFiles closes the files that the runner has inherited from its parent. An
// init would pass them on.
func closeFiles() {
	const closeRange, first, last = 436, Server + 1, 1<<32 - 1 // the same number on every architecture
	if _, _, errno := syscall.RawSyscall(closeRange, first, last, 0); errno == 0 {
		return
	}
	const many = 4096
	for fd := first; fd < many; fd++ { // before Linux 5.9
		_ = syscall.Close(fd) // most are not open
	}
}

// receive reads a task and the files of its init.
func (p *process) receive() syscall.Errno {
	var length [numberSize]byte
	var control [64]byte // a header and six numbers need 40
	part := syscall.Iovec{Base: &length[0]}
	part.SetLen(len(length))
	message := syscall.Msghdr{Iov: &part, Iovlen: 1, Control: &control[0]}
	message.SetControllen(len(control))
	n, errno := uintptr(0), syscall.EINTR
	for errno == syscall.EINTR {
		n, _, errno = syscall.Syscall(sysRecvmsg, Server, uintptr(unsafe.Pointer(&message)), syscall.MSG_CMSG_CLOEXEC)
	}
	switch {
	case errno != 0:
		return errno
	case n < numberSize: // the end
		p.served = true
		return syscall.EPIPE
	}
	header := (*syscall.Cmsghdr)(unsafe.Pointer(&control))
	begin := syscall.CmsgLen(0)
	p.given = 0
	for at := begin; at+4 <= int(header.Len) && p.given < mostFiles; at += 4 {
		p.files[p.given] = *(*int32)(unsafe.Pointer(&control[at]))
		p.given++
	}
	size := int(numberAt(length[:]))
	if size > cap(p.input) {
		p.input = make([]byte, size)
	}
	p.input = p.input[:size]
	for rest := p.input; len(rest) > 0; {
		n, err := syscall.Read(Server, rest)
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n == 0 {
			return syscall.EPIPE
		}
		rest = rest[n:]
	}
	p.decode()
	return 0
}

// decode makes the task of the input.
func (p *process) decode() {
	p.coder = coder{data: p.input, reading: true}
	p.coder.task(&p.task)
	p.args, p.env = pointers(p.args, p.task.Args), pointers(p.env, p.task.Env)
}

// pointers returns texts as execve wants them. It uses the memory of a list.
func pointers(list []*byte, texts [][]byte) []*byte {
	list = list[:0]
	for _, text := range texts {
		list = append(list, &text[0])
	}
	return append(list, nil)
}
