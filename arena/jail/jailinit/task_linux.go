package jailinit

import "syscall"

// Word is the first argument of a program that is executed to be a fork server.
const Word = "__jail"

// The open files of an init beside the standard ones, which are those of the bot.
const (
	FromRunner = 3
	ToRunner   = 4
	EmptyNet   = 5 // a network namespace, if the task enters one

	mostFiles = 6
)

// Server is the open file of a fork server over which the runner sends tasks: a
// socket of bytes. With the first eight bytes of a task come the files of its
// init, in the order of their numbers. The answer has two numbers: the number of
// the process that is the init, and, if it is 0, the error number of fork.
const Server = 3

// AnswerSize is the number of bytes of an answer of a fork server.
const AnswerSize = 2 * numberSize

// Task says how a bot is started.
type Task struct {
	Flags uint64 // the flags of clone(2) for the namespaces of the init
	Init  []Step // for the init, before it forks the bot
	Bot   []Step // for the process of the bot, before it executes the program
	Gone  []Step // for the init, when the runner is gone
	Group uint64 // the place of the folder of a control group, version 2, in which the bot is born; 0: that of the init

	Program   []byte   // to be executed; each of these texts ends with a zero byte
	Args, Env [][]byte // of the program
	User      uint64   // the bot's own user and group id; 0: those of the init
	Alone     bool     // the init is the first process of its own namespace
}

// Step is one system call.
type Step struct {
	Means string // what an error means; the init does not get it
	Call  uint64 // its number, or Address
	Args  []Arg
	Keep  uint64   // the place that keeps the result, from First to Last; 0: none
	May   []uint64 // error numbers that are accepted, or AnyError
	Skip  uint64   // number of the following steps that are left out after an accepted error
}

// Arg is an argument of a system call: a number, or the address of data.
type Arg struct {
	Number uint64
	Data   []byte
	Add    uint64 // a place: its value is added to the number, or to the 8 bytes of the data at At; 0: none
	At     uint64
}

const (
	Address  = 1<<64 - 1 // in place of a system call: the result is the address of the first argument's data
	AnyError = 1<<64 - 1
)

// The places that keep results. The bot's steps find what the init's steps kept.
const (
	First = 1
	Last  = 7
)

// A message of an init has four numbers: one of these, and then what is said beside it.
const (
	Started  = 1 + iota // the init's own processor time in nanoseconds
	Refused             // the error number with which the system refused to execute the program
	Failed              // which step failed, counted through both lists, or after them the fork of the bot; and its error number
	Answered            // the number of the question
	Exited              // the bot's wait status; the processor time of all descendants of the init, and its own, in nanoseconds
)

// A question of the runner has two numbers. The first is a signal that the init
// sends to all processes of its namespace. The second is the number of the question.

// Encode returns the task as a fork server reads it.
func (t *Task) Encode() []byte {
	const usual = 16 << 10
	c := coder{data: make([]byte, numberSize, usual)}
	c.task(t)
	putNumber(c.data, uint64(len(c.data)-numberSize))
	return c.data
}

// A number in a message has eight bytes, the lowest first.
const numberSize = 8

//go:norace
//go:nosplit
func numberAt(b []byte) (n uint64) {
	for i := range numberSize {
		n |= uint64(b[i]) << (8 * i)
	}
	return n
}

//go:norace
//go:nosplit
func putNumber(b []byte, n uint64) {
	for i := range numberSize {
		b[i] = byte(n >> (8 * i))
	}
}

// coder writes the values that it is given, or reads into them. A value that it
// reads keeps no part of what it was before, but uses its memory.
type coder struct {
	data    []byte
	reading bool
}

func (c *coder) task(t *Task) {
	c.number(&t.Flags)
	for _, steps := range []*[]Step{&t.Init, &t.Bot, &t.Gone} {
		list(c, steps, (*coder).step)
	}
	c.number(&t.Group)
	c.bytes(&t.Program)
	list(c, &t.Args, (*coder).bytes)
	list(c, &t.Env, (*coder).bytes)
	c.number(&t.User)
	alone := uint64(0)
	if t.Alone {
		alone = 1
	}
	c.number(&alone)
	t.Alone = alone == 1
}

func (c *coder) step(s *Step) {
	c.number(&s.Call)
	list(c, &s.Args, (*coder).arg)
	c.number(&s.Keep)
	list(c, &s.May, (*coder).number)
	c.number(&s.Skip)
}

func (c *coder) arg(a *Arg) {
	c.number(&a.Number)
	c.bytes(&a.Data)
	c.number(&a.Add)
	c.number(&a.At)
}

// number codes a number with seven bits in each byte, the lowest first. The highest
// bit of a byte says that more bytes follow.
func (c *coder) number(n *uint64) {
	if !c.reading {
		rest := *n
		for ; rest >= 1<<7; rest >>= 7 {
			c.data = append(c.data, byte(rest)|1<<7)
		}
		c.data = append(c.data, byte(rest))
		return
	}
	*n = 0
	for shift := 0; ; shift += 7 {
		b := c.data[0]
		c.data = c.data[1:]
		*n |= uint64(b&^(1<<7)) << shift
		if b < 1<<7 {
			return
		}
	}
}

func (c *coder) bytes(b *[]byte) {
	size := uint64(len(*b))
	c.number(&size)
	if !c.reading {
		c.data = append(c.data, *b...)
		return
	}
	*b = nil
	if size > 0 {
		*b, c.data = c.data[:size:size], c.data[size:]
	}
}

func list[T any](c *coder, values *[]T, value func(*coder, *T)) {
	size := uint64(len(*values))
	c.number(&size)
	if c.reading && size > uint64(cap(*values)) {
		*values = make([]T, size)
	}
	*values = (*values)[:size]
	for i := range *values {
		value(c, &(*values)[i])
	}
}

// accepts reports whether the start of the bot goes on after an error.
//
//go:norace
//go:nosplit
func (s *Step) accepts(err syscall.Errno) bool {
	for _, may := range s.May {
		if may == uint64(err) || may == AnyError {
			return true
		}
	}
	return false
}
