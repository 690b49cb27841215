package guest

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"sembra/arena/protocol"
	"sembra/results"
	"sembra/results/safe"
)

// The bounds of the evidence of one conversation.
const (
	keptLines = 40      // lines in each direction
	keptLine  = 1 << 10 // bytes of one line
)

// Journal notes what is said on the wire of one bot. It keeps the end as
// evidence, and writes everything to the log if there is one. Only the goroutine
// of the bot's match uses it.
type Journal struct {
	Bot     // the wire
	name    string
	session Session
	count   int // of all lines
	toBot   side
	fromBot side
}

// side is what goes over the wire in one direction.
type side struct {
	lines [keptLines]line // the last ones; line n stands at n modulo their number
	count int             // of all lines
	open  bool            // the last one has no end yet
}

// kept returns the lines that are kept, in no order.
func (s *side) kept() []line { return s.lines[:min(s.count, keptLines)] }

// Session is the match to which a conversation belongs.
type Session struct {
	Since time.Time // when it began
	Log   *Log      // nil: none
}

// line is a line of a talk, with its number among all of them.
type line struct {
	number int
	results.TalkLine
}

func newJournal(name string, b Bot) *Journal { return &Journal{Bot: b, name: name} }

// Begin forgets the match before and begins a session.
func (j *Journal) Begin(s Session) {
	j.session, j.count = s, 0
	for _, s := range []*side{&j.toBot, &j.fromBot} {
		s.count, s.open = 0, false
	}
	if s.Log != nil {
		j.Bot.Watch(func(at time.Time, text []byte) { s.Log.add(at, j.name, markStderr, text) })
	}
}

func (j *Journal) Write(b []byte) (int, error) {
	at := time.Now() // the bot may answer before the write returns
	n, err := j.Bot.Write(b)
	j.note(false, at, b[:n])
	return n, err
}

func (j *Journal) Read(b []byte) (int, error) {
	n, err := j.Bot.Read(b)
	if j.session.Log != nil { // what the bot wrote to standard error before this comes before it in the log
		j.Bot.Drain(j.Bot.Arrived())
	}
	j.note(true, j.Bot.Arrived(), b[:n])
	return n, err
}

// note keeps what goes over the wire. A text may begin and end within a line.
func (j *Journal) note(fromBot bool, at time.Time, text []byte) {
	s, mark := &j.toBot, markToBot
	if fromBot {
		s, mark = &j.fromBot, markFromBot
	}
	for part := range bytes.Lines(text) {
		if !s.open {
			l := &s.lines[s.count%keptLines]
			again := l.Text[:0] // the memory of the line that this one replaces
			*l = line{j.count, results.TalkLine{At: at.Sub(j.session.Since), FromBot: fromBot, Text: again}}
			s.count, j.count = s.count+1, j.count+1
		}
		l := &s.lines[(s.count-1)%keptLines]
		part, ended := bytes.CutSuffix(part, []byte{'\n'})
		fits := min(len(part), keptLine-len(l.Text))
		l.Text, l.Cut = append(l.Text, part[:fits]...), l.Cut+len(part)-fits
		s.open = !ended
	}
	if j.session.Log != nil {
		j.session.Log.add(at, j.name, mark, text)
	}
}

// Talk returns the end of the conversation as evidence. Each line has the number of those that are missing before it.
func (j *Journal) Talk() results.Talk {
	var talk results.Talk
	all := slices.Concat(j.toBot.kept(), j.fromBot.kept())
	slices.SortFunc(all, func(a, b line) int { return a.number - b.number })
	if j.toBot.count > keptLines { // what the bot wrote to earlier questions says little
		all = all[slices.IndexFunc(all, func(l line) bool { return !l.FromBot }):]
	}
	next := 0
	if len(all) > 0 {
		talk.Left = all[0].number
		next = all[0].number
	}
	for _, l := range all {
		l.Left, l.Text = l.number-next, slices.Clone(l.Text)
		talk.Lines = append(talk.Lines, l.TalkLine)
		next = l.number + 1
	}
	talk.Stderr, talk.StderrLeft = j.Bot.Stderr()
	return talk
}

// End ends the log of the session, if there is one.
func (j *Journal) End() {
	if j.session.Log == nil {
		return
	}
	j.Bot.Drain(time.Now())
	j.Bot.Watch(nil)
	j.session.Log.end(j.name)
	j.session.Log = nil
}

// Log writes what is said in a match and the standard error of its bots, as
// lines for people.
type Log struct {
	mu    sync.Mutex // guards the fields below: both bots and their standard errors write
	to    io.Writer  // it handles its own errors
	since time.Time
	lines map[string][]byte // incomplete lines, by bot and mark
	sizes map[string]int    // number of bytes in the log or in incomplete lines, by bot and mark
	over  bool              // whether the log is closed
}

// Marks of lines in a log.
const (
	markToBot   = ">"
	markFromBot = "<"
	markStderr  = "!"
)

// mostLogged is about the most bytes of a bot's output, and of its standard error, in the log of one match. An empty
// line has about 20 there.
const mostLogged = 16 << 20

// NewLog returns a log of what is said from that time on.
func NewLog(to io.Writer, since time.Time) *Log {
	return &Log{to: to, since: since, lines: make(map[string][]byte), sizes: make(map[string]int)}
}

// add writes a part of what goes over a bot's wire, or of its standard error.
func (l *Log) add(at time.Time, bot, mark string, text []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	who := bot + mark
	if mark == markToBot {
		l.write(at, who, text)
		return
	}
	if l.sizes[who] > mostLogged {
		return
	}
	l.write(at, who, text)
	if l.sizes[who] > mostLogged {
		what := "output"
		if mark == markStderr {
			what = "standard error"
		}
		l.write(at, who, []byte("(the rest of its "+what+" is left out)\n"))
	}
}

// Options writes how the bot was configured when it was started, for a match before
// this one. So the log of each match has all lines that make the bot play the match
// again.
func (l *Log) Options(bot string, values []protocol.OptionValue) {
	for _, value := range values {
		l.add(l.since, bot, markToBot, value.AppendTo(nil))
	}
}

// write writes the lines that are complete.
func (l *Log) write(at time.Time, who string, text []byte) {
	if l.over {
		return
	}
	for part := range bytes.Lines(text) {
		line := append(l.lines[who], part...)
		l.sizes[who] += len(part)
		if line[len(line)-1] == '\n' {
			wrote, _ := fmt.Fprintf(l.to, "%12.6f %s %s\n", at.Sub(l.since).Seconds(), who, safe.Line(string(bytes.TrimSpace(line))))
			l.sizes[who] += wrote - len(line)
			line = line[:0]
		}
		l.lines[who] = line
	}
}

// end writes the incomplete lines of a bot.
func (l *Log) end(bot string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, mark := range []string{markToBot, markFromBot, markStderr} {
		if len(l.lines[bot+mark]) > 0 {
			l.write(time.Now(), bot+mark, []byte("…\n"))
		}
	}
}

// Close ends the log. Its writer knows whether there were errors.
func (l *Log) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
}
