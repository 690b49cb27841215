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
)

// The bounds of the evidence of one conversation, in each direction.
const (
	keptBytes    = 16 << 10
	keptLines    = 40
	keptLine     = 1 << 10 // bytes of one line
	keptQuestion = 3       // lines to the bot, if all other kept lines are from it
)

// journal notes what is said on the wire of one bot. It keeps the end as
// evidence, and writes everything to the log if there is one. Only the goroutine
// of the bot's match uses it.
type Journal struct {
	Bot     // the wire
	name    string
	told    side
	said    side
	session Session
}

// session is the match to which a conversation belongs.
type Session struct {
	Since time.Time // when it began
	Log   *Log      // nil: none
}

// side is what went over the wire in one direction.
type side struct {
	begun int  // number of lines that have begun
	open  bool // whether the last of them has no end yet
	last  [keptLines]placed
}

// placed is a line with its place among the lines of both sides, from 0.
type placed struct {
	place int
	began time.Time
	results.TalkLine
}

func newJournal(name string, b Bot) *Journal { return &Journal{Bot: b, name: name} }

// begin forgets the match before and begins a session.
func (j *Journal) Begin(s Session) {
	j.session = s
	j.told.forget()
	j.said.forget()
	if s.Log != nil {
		j.Bot.Watch(func(at time.Time, text []byte) { s.Log.stderr(at, j.name, text) })
	}
}

func (j *Journal) Write(b []byte) (int, error) {
	at := time.Now() // the bot may answer before the write returns
	n, err := j.Bot.Write(b)
	j.note(&j.told, &j.said, at, b[:n])
	return n, err
}

func (j *Journal) Read(b []byte) (int, error) {
	n, err := j.Bot.Read(b)
	if j.session.Log != nil { // what the bot wrote to standard error before this comes before it in the log
		j.Bot.Drain(j.Bot.Arrived())
	}
	j.note(&j.said, &j.told, j.Bot.Arrived(), b[:n])
	return n, err
}

func (j *Journal) note(s, other *side, at time.Time, text []byte) {
	s.add(other.begun, at, text)
	if j.session.Log == nil {
		return
	}
	mark := toBot
	if s == &j.said {
		mark = fromBot
	}
	j.session.Log.wire(at, j.name, mark, text)
}

// add keeps the last lines. A text may begin and end within a line. others is
// the number of lines that had begun on the other side by then.
func (s *side) add(others int, at time.Time, text []byte) {
	for line := range bytes.Lines(text) {
		if !s.open {
			p := &s.last[s.begun%keptLines]
			*p = placed{place: s.begun + others, began: at, TalkLine: results.TalkLine{Text: p.Text[:0]}}
			s.begun++
		}
		p := &s.last[(s.begun-1)%keptLines]
		line, ended := bytes.CutSuffix(line, []byte{'\n'})
		fits := min(len(line), keptLine-len(p.Text))
		p.Text = append(p.Text, line[:fits]...)
		p.Cut += len(line) - fits
		s.open = !ended
	}
}

func (s *side) forget() { s.begun, s.open = 0, false }

// lines returns the last lines, and the number of lines before them.
func (s *side) lines(since time.Time, said bool) (lines []placed, left int) {
	left, size := s.begun, 0
	for left > max(0, s.begun-keptLines) {
		p := s.last[(left-1)%keptLines]
		if size += len(p.Text); size > keptBytes {
			break
		}
		p.At, p.Said, p.Text = p.began.Sub(since), said, slices.Clone(p.Text)
		lines = append(lines, p)
		left--
	}
	slices.Reverse(lines)
	return lines, left
}

// talk returns the end of the conversation as evidence, without a gap. If the bot
// wrote so much that the last question is not in it, the question comes first,
// with the number of the missing lines after it.
func (j *Journal) Talk() results.Talk {
	told, toldLeft := j.told.lines(j.session.Since, false)
	said, saidLeft := j.said.lines(j.session.Since, true)
	begin := 0 // place of the first line
	if toldLeft > 0 {
		begin = told[0].place
	}
	if saidLeft > 0 {
		begin = max(begin, said[0].place)
	}
	asked, told := split(told, begin)
	_, said = split(said, begin)
	if len(said) == 0 || len(told) > 0 && told[0].place < said[len(said)-1].place {
		asked = nil
	}
	lines := slices.Concat(asked[max(0, len(asked)-keptQuestion):], told, said)
	slices.SortFunc(lines, func(a, b placed) int { return a.place - b.place })
	var talk results.Talk
	for i, line := range lines {
		if i == 0 {
			talk.Left = line.place
		} else {
			line.Left = line.place - lines[i-1].place - 1
		}
		talk.Lines = append(talk.Lines, line.TalkLine)
	}
	talk.Stderr, talk.StderrLeft = j.Bot.Log()
	return talk
}

// split splits lines at a place among all lines.
func split(lines []placed, place int) (before, after []placed) {
	at := 0
	for at < len(lines) && lines[at].place < place {
		at++
	}
	return lines[:at], lines[at:]
}

// end ends the log of the session, if there is one.
func (j *Journal) End() {
	if j.session.Log == nil {
		return
	}
	j.Bot.Drain(time.Now())
	j.Bot.Watch(nil)
	j.session.Log.end(j.name)
	j.session.Log = nil
}

// matchLog writes what is said in a match and the standard error of its bots, as
// lines for people.
type Log struct {
	mu    sync.Mutex
	to    io.Writer // it handles its own errors
	since time.Time
	lines map[string][]byte // incomplete lines, by bot and mark
	left  map[string]int    // number of bytes of standard error that each bot may still write
	over  bool              // whether the log is closed
}

// Marks of lines in a log.
const (
	toBot   = ">"
	fromBot = "<"
	ofError = "!" // on standard error
)

const (
	mostStderr  = 16 << 20 // bytes from one bot's standard error in the log of one match
	mostLogLine = 1 << 20  // bytes; a longer line is written in pieces
)

func NewLog(to io.Writer, since time.Time) *Log {
	return &Log{to: to, since: since, lines: make(map[string][]byte), left: make(map[string]int)}
}

// wire writes a part of what goes over the wire.
func (l *Log) wire(at time.Time, bot, mark string, text []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write(at, bot+mark, text)
}

// stderr writes a part of a bot's standard error.
func (l *Log) stderr(at time.Time, bot string, text []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	left, known := l.left[bot]
	if !known {
		left = mostStderr
	}
	l.left[bot] = left - len(text)
	if left > 0 && len(text) > left {
		text = []byte("(the rest of its standard error is left out)\n")
	}
	if left > 0 {
		l.write(at, bot+ofError, text)
	}
}

// talk writes a conversation that was before the match.
func (l *Log) Talk(bot string, talk results.Talk) {
	for _, line := range talk.Lines {
		mark := toBot
		if line.Said {
			mark = fromBot
		}
		l.wire(l.since.Add(line.At), bot, mark, append(slices.Clip(line.Text), '\n'))
	}
	l.stderr(time.Now(), bot, talk.Stderr)
	l.end(bot)
}

// options writes how the bot was configured when it was started, for a match before
// this one. So the log of each match has all lines that make the bot play the match
// again.
func (l *Log) Options(bot string, values []protocol.OptionValue) {
	for _, value := range values {
		l.wire(l.since, bot, toBot, value.AppendTo(nil))
	}
}

// write writes the lines that are complete.
func (l *Log) write(at time.Time, who string, text []byte) {
	if l.over {
		return
	}
	for part := range bytes.Lines(text) {
		line := append(l.lines[who], part...)
		if len(line) > mostLogLine || line[len(line)-1] == '\n' {
			fmt.Fprintf(l.to, "%12.6f %s %s\n", at.Sub(l.since).Seconds(), who, results.Visible(line, 0))
			line = line[:0]
		}
		l.lines[who] = line
	}
}

// end writes the incomplete lines of a bot.
func (l *Log) end(bot string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, mark := range []struct{ mark, end string }{{toBot, "…\n"}, {fromBot, "…\n"}, {ofError, "\n"}} {
		if who := bot + mark.mark; len(l.lines[who]) > 0 {
			l.write(time.Now(), who, []byte(mark.end))
		}
	}
}

// close ends the log. Its writer knows whether there were errors.
func (l *Log) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
}
