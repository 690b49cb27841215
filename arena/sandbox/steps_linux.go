package sandbox

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"sembra/arena/sandbox/sandboxinit"
)

// steps collects system calls for the init.
type steps []sandboxinit.Step

// do adds a system call. means says what an error of it means. An argument is a
// number, a [sandboxinit.Arg], or a text or bytes, whose address is passed. The
// returned step may be changed until the next one is added.
func (s *steps) do(means string, call uint64, args ...any) *sandboxinit.Step {
	step := sandboxinit.Step{Means: means, Call: call, Args: make([]sandboxinit.Arg, 0, len(args))}
	for _, value := range args {
		var a sandboxinit.Arg
		switch value := value.(type) {
		case int:
			a.Number = uint64(value)
		case uint64:
			a.Number = value
		case string:
			a.Data = text(value)
		case []byte:
			a.Data = value
		case sandboxinit.Arg:
			a = value
		}
		step.Args = append(step.Args, a)
	}
	*s = append(*s, step)
	return &(*s)[len(*s)-1]
}

// accept accepts these errors of a step. After one of them the start of the bot
// goes on, but leaves out the given number of steps.
func accept(s *sandboxinit.Step, skip uint64, errors ...syscall.Errno) {
	for _, e := range errors {
		s.May = append(s.May, uint64(e))
	}
	s.Skip = skip
}

// acceptAny accepts all errors of a step.
func acceptAny(s *sandboxinit.Step, skip uint64) {
	s.May, s.Skip = []uint64{sandboxinit.AnyError}, skip
}

// kept returns an argument: the value that a step has kept in a place.
func kept(place uint64) sandboxinit.Arg { return sandboxinit.Arg{Add: place} }

// bytesOf returns the bytes of a value without pointers.
func bytesOf[T any](value *T) []byte {
	return append([]byte(nil), unsafe.Slice((*byte)(unsafe.Pointer(value)), unsafe.Sizeof(*value))...)
}

func (s *steps) mkdir(means, path string, mode int) *sandboxinit.Step {
	return s.do(means, unix.SYS_MKDIRAT, unix.AT_FDCWD, path, mode)
}

// create makes an empty file.
func (s *steps) create(means, path string, mode int) *sandboxinit.Step {
	return s.do(means, unix.SYS_MKNODAT, unix.AT_FDCWD, path, unix.S_IFREG|mode, 0)
}

func (s *steps) symlink(means, target, path string) *sandboxinit.Step {
	return s.do(means, unix.SYS_SYMLINKAT, target, unix.AT_FDCWD, path)
}

func (s *steps) mount(means, source, target, kind string, flags int, data string) *sandboxinit.Step {
	var options any = data
	if data == "" {
		options = 0 // some file systems refuse an empty text
	}
	return s.do(means, unix.SYS_MOUNT, source, target, kind, flags, options)
}

// open keeps the file in a place.
func (s *steps) open(means, path string, flags int, place uint64) *sandboxinit.Step {
	step := s.do(means, unix.SYS_OPENAT, unix.AT_FDCWD, path, flags|unix.O_CLOEXEC, 0)
	step.Keep = place
	return step
}

// write writes to a file of the kernel.
func (s *steps) write(means, path, what string) {
	const file = sandboxinit.First
	s.open(means, path, unix.O_WRONLY, file)
	s.do(means, unix.SYS_WRITE, kept(file), what, len(what))
	s.do("", unix.SYS_CLOSE, kept(file))
}

// text returns a text with a zero byte at its end.
func text(s string) []byte { return append([]byte(s), 0) }
