package sandboxinit

import "syscall"

// Word is the first argument of a program that is executed to be an init.
const Word = "__jail"

// The open files of an init beside the standard ones, which are those of the bot.
const (
	FromRunner = 3
	ToRunner   = 4
	EmptyNet   = 5 // a network namespace, if the task enters one
)

// Task says how a bot is started.
type Task struct {
	Init   []Step // for the init, before it starts the bot
	Bot    []Step // for the thread that starts the bot
	Gone   []Step // for the init, when the runner is gone
	Limits []Limit

	Program   string // to be executed
	Args, Env []string
	User      uint64 // the bot's own user and group id; 0: those of the init
	Alone     bool   // the init is the first process of its own namespace
}

// Limit is a limit of the bot that the init does not have.
type Limit struct {
	Resource uint64 // as setrlimit(2) numbers it
	Most     uint64
	Threads  bool // the limit also counts the threads of the init
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
	Refused             // the error number with which the system refused to start the program
	Failed              // which step failed, counted through both lists, and its error number
	Answered            // the number of the question
	Exited              // the bot's wait status; the processor time of all descendants of the init, and its own, in nanoseconds
)

// A question of the runner has two numbers. The first is a signal that the init
// sends to all processes of its namespace. The second is the number of the question.

// Encode returns the task as an init reads it.
func (t *Task) Encode() []byte {
	const usual = 16 << 10
	c := coder{data: make([]byte, numberSize, usual)}
	c.task(t)
	putNumber(c.data, uint64(len(c.data)-numberSize))
	return c.data
}

// A number in a message has eight bytes, the lowest first.
const numberSize = 8

func numberAt(b []byte) (n uint64) {
	for i := range numberSize {
		n |= uint64(b[i]) << (8 * i)
	}
	return n
}

func putNumber(b []byte, n uint64) {
	for i := range numberSize {
		b[i] = byte(n >> (8 * i))
	}
}

// coder writes the values that it is given, and leaves them alone because other tasks
// may share them, or reads into them.
type coder struct {
	data    []byte
	reading bool
}

func (c *coder) task(t *Task) {
	for _, steps := range []*[]Step{&t.Init, &t.Bot, &t.Gone} {
		list(c, steps, (*coder).step)
	}
	list(c, &t.Limits, (*coder).limit)
	c.text(&t.Program)
	list(c, &t.Args, (*coder).text)
	list(c, &t.Env, (*coder).text)
	c.number(&t.User)
	c.truth(&t.Alone)
}

func (c *coder) limit(l *Limit) {
	c.number(&l.Resource)
	c.number(&l.Most)
	c.truth(&l.Threads)
}

func (c *coder) truth(b *bool) {
	n := uint64(0)
	if *b {
		n = 1
	}
	c.number(&n)
	if c.reading {
		*b = n == 1
	}
}

func (c *coder) text(s *string) {
	b := []byte(*s)
	c.bytes(&b)
	if c.reading {
		*s = string(b)
	}
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
	if c.reading && size > 0 {
		*values = make([]T, size)
	}
	for i := range *values {
		value(c, &(*values)[i])
	}
}

// accepts reports whether the start of the bot goes on after an error.
func (s *Step) accepts(err syscall.Errno) bool {
	for _, may := range s.May {
		if may == uint64(err) || may == AnyError {
			return true
		}
	}
	return false
}
