package arena

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"sembra/results"
)

// The bounds of what is kept as evidence of one conversation, each way.
const (
	keptBytes = 16 << 10
	keptLines = 40
	keptLine  = 1 << 10 // bytes of one line
)

// journal notes what is said on the wire of one bot: the end of it for
// evidence, all of it where the user wants a log. It is used by the goroutine
// of the bot's match. That it only copies bytes while a match is played, and
// takes them apart when somebody asks, is for the sake of instant bots.
type journal struct {
	Bot  // the wire
	name string
	told side
	said side
	next int // number of the next write or read
	session
}

// session is the match that what is said belongs to.
type session struct {
	since time.Time // when it began
	log   *matchLog // nil: none
}

// side is the end of what went over the wire in one direction.
type side struct {
	text  []byte // at least the last keptBytes, at most twice as many
	marks []mark // where each write or read that is in text began
	gone  int    // lines that ended before text
	line  []byte // the line that is on its way, all of it; only for a log
}

// mark is where in the text a write or read began, and when it was.
type mark struct {
	start, number int
	at            time.Time
}

func newJournal(name string, b Bot) *journal { return &journal{Bot: b, name: name} }

// begin forgets what was said in the match before.
func (j *journal) begin(s session) {
	j.session, j.next = s, 0
	j.told.forget()
	j.said.forget()
	if s.log != nil {
		j.Bot.Watch(func(text []byte) { s.log.stderr(j.name, text) })
	}
}

func (j *journal) Write(b []byte) (int, error) {
	at := time.Now() // a bot may have answered before the write returns
	n, err := j.Bot.Write(b)
	j.note(&j.told, at, b[:n])
	return n, err
}

func (j *journal) Read(b []byte) (int, error) {
	n, err := j.Bot.Read(b)
	j.note(&j.said, j.Bot.Arrived(), b[:n])
	return n, err
}

func (j *journal) note(s *side, at time.Time, text []byte) {
	if len(text) == 0 {
		return
	}
	s.add(mark{number: j.next, at: at}, text)
	j.next++
	if j.log == nil {
		return
	}
	for line := range bytes.Lines(text) {
		s.line = append(s.line, line...)
		if line[len(line)-1] == '\n' {
			j.log.line(at.Sub(j.since), j.name, s == &j.said, s.line)
			s.line = s.line[:0]
		}
	}
}

// add keeps a text, and drops the oldest where there is too much.
func (s *side) add(m mark, text []byte) {
	if over := len(text) - keptBytes; over > 0 {
		s.gone += bytes.Count(s.text, []byte{'\n'}) + bytes.Count(text[:over], []byte{'\n'})
		s.text, s.marks, text = s.text[:0], s.marks[:0], text[over:]
	}
	if len(s.text)+len(text) > 2*keptBytes {
		s.drop(len(s.text) - keptBytes)
	}
	m.start = len(s.text)
	s.text = append(s.text, text...)
	s.marks = append(s.marks, m)
}

// drop drops the first n bytes.
func (s *side) drop(n int) {
	s.gone += bytes.Count(s.text[:n], []byte{'\n'})
	s.text = append(s.text[:0], s.text[n:]...)
	first := 0
	for first+1 < len(s.marks) && s.marks[first+1].start <= n {
		first++
	}
	s.marks = append(s.marks[:0], s.marks[first:]...)
	for i := range s.marks {
		s.marks[i].start = max(0, s.marks[i].start-n)
	}
}

func (s *side) forget() { *s = side{text: s.text[:0], marks: s.marks[:0], line: s.line[:0]} }

// numbered is a line with the number of the write or read that it began in.
type numbered struct {
	number int
	results.TalkLine
}

// lines takes the last lines out of the text.
func (s *side) lines(since time.Time, said bool) (lines []numbered, left int) {
	at, i := 0, 0
	for line := range bytes.Lines(s.text) {
		for i+1 < len(s.marks) && s.marks[i+1].start <= at {
			i++
		}
		at += len(line)
		line = bytes.TrimSuffix(line, []byte{'\n'})
		kept := line[:min(len(line), keptLine)]
		lines = append(lines, numbered{s.marks[i].number, results.TalkLine{
			At: s.marks[i].at.Sub(since), Said: said, Text: slices.Clone(kept), Cut: len(line) - len(kept),
		}})
	}
	over := max(0, len(lines)-keptLines)
	return lines[over:], s.gone + over
}

// talk is the evidence of the conversation.
func (j *journal) talk() results.Talk {
	told, toldLeft := j.told.lines(j.since, false)
	said, saidLeft := j.said.lines(j.since, true)
	lines := append(told, said...)
	slices.SortStableFunc(lines, func(a, b numbered) int { return a.number - b.number })
	talk := results.Talk{Left: toldLeft + saidLeft}
	for _, line := range lines {
		talk.Lines = append(talk.Lines, line.TalkLine)
	}
	talk.Stderr, talk.StderrLeft = j.Bot.Log()
	return talk
}

// end ends the log of the match, if there is one.
func (j *journal) end() {
	if j.log == nil {
		return
	}
	j.Bot.Watch(nil)
	for _, s := range []*side{&j.told, &j.said} {
		if len(s.line) > 0 {
			j.log.line(time.Since(j.since), j.name, s == &j.said, append(s.line, "…"...))
		}
	}
	j.log = nil
}

// matchLog writes all that is said in a match, and the standard error of its
// bots, as lines for people. A nil one writes nothing.
type matchLog struct {
	mu    sync.Mutex
	to    io.Writer // that keeps its errors to itself
	since time.Time
	left  map[string]int // bytes of standard error that each bot may still write
	over  bool           // nothing more is written
}

// mostStderr is how much of one bot's standard error goes into the log of one
// match.
const mostStderr = 16 << 20

func newMatchLog(to io.Writer, since time.Time) *matchLog {
	return &matchLog{to: to, since: since, left: make(map[string]int)}
}

// line writes a line on the wire.
func (l *matchLog) line(at time.Duration, bot string, said bool, text []byte) {
	if l == nil {
		return
	}
	mark := ">"
	if said {
		mark = "<"
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write(at, bot, mark, text)
}

// close ends the log. What went wrong with it the writer knows.
func (l *matchLog) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
}

// stderr writes what a bot wrote to its standard error.
func (l *matchLog) stderr(bot string, text []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	left, known := l.left[bot]
	if !known {
		left = mostStderr
	}
	l.left[bot] = left - len(text)
	at := time.Since(l.since)
	switch {
	case left <= 0:
	case len(text) > left:
		l.write(at, bot, "!", []byte("(no more of its standard error is kept)"))
	default:
		for line := range bytes.Lines(text) {
			l.write(at, bot, "!", line)
		}
	}
}

func (l *matchLog) write(at time.Duration, bot, mark string, text []byte) {
	if l.over {
		return
	}
	fmt.Fprintf(l.to, "%12.6f %s%s %s\n", at.Seconds(), bot, mark, results.Visible(text, 0))
}
