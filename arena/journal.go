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
	keptBytes    = 16 << 10
	keptLines    = 40
	keptLine     = 1 << 10 // bytes of one line
	keptQuestion = 3       // lines to a bot, where all others that are kept are from it
)

// journal notes what is said on the wire of one bot: the end of it for
// evidence, all of it where the user wants a log. It is used by the goroutine
// of the bot's match. That it only copies bytes and counts lines while a match
// is played, and takes them apart when somebody asks, is for the sake of instant
// bots.
type journal struct {
	Bot  // the wire
	name string
	told side
	said side
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
	first mark   // that the first line in text began in, which may be before text
	ended int    // lines that have ended
	open  bool   // one more has begun
	line  []byte // the line that is on its way, all of it; only for a log
}

// mark is where in the text a write or read began, and when it was.
type mark struct {
	start  int
	others int // lines on the other side that had begun by then
	at     time.Time
}

// begun is how many lines have begun.
func (s *side) begun() int {
	if s.open {
		return s.ended + 1
	}
	return s.ended
}

func newJournal(name string, b Bot) *journal { return &journal{Bot: b, name: name} }

// begin forgets what was said in the match before.
func (j *journal) begin(s session) {
	j.session = s
	j.told.forget()
	j.said.forget()
	if s.log != nil {
		j.Bot.Watch(func(text []byte) { s.log.stderr(j.name, text) })
	}
}

func (j *journal) Write(b []byte) (int, error) {
	at := time.Now() // a bot may have answered before the write returns
	n, err := j.Bot.Write(b)
	j.note(&j.told, mark{others: j.said.begun(), at: at}, b[:n])
	return n, err
}

func (j *journal) Read(b []byte) (int, error) {
	n, err := j.Bot.Read(b)
	j.note(&j.said, mark{others: j.told.begun(), at: j.Bot.Arrived()}, b[:n])
	return n, err
}

func (j *journal) note(s *side, m mark, text []byte) {
	if len(text) == 0 {
		return
	}
	s.add(m, text)
	if j.log == nil {
		return
	}
	for line := range bytes.Lines(text) {
		s.line = append(s.line, line...)
		if line[len(line)-1] == '\n' {
			j.log.line(m.at.Sub(j.since), j.name, s == &j.said, s.line)
			s.line = s.line[:0]
		}
	}
}

// add keeps a text, and drops the oldest where there is too much.
func (s *side) add(m mark, text []byte) {
	m.start = len(s.text)
	if m.start == 0 {
		s.first = m
	}
	s.text = append(s.text, text...)
	s.marks = append(s.marks, m)
	s.ended += bytes.Count(text, []byte{'\n'})
	s.open = text[len(text)-1] != '\n'
	if len(s.text) > 2*keptBytes {
		s.drop(len(s.text) - keptBytes)
	}
}

// drop drops the first n bytes, which are not all.
func (s *side) drop(n int) {
	if end := bytes.LastIndexByte(s.text[:n], '\n'); end >= 0 {
		s.first = s.marks[s.markAt(end+1)]
	}
	s.text = append(s.text[:0], s.text[n:]...)
	s.marks = append(s.marks[:0], s.marks[s.markAt(n):]...)
	for i := range s.marks {
		s.marks[i].start = max(0, s.marks[i].start-n)
	}
}

// markAt returns the place of the mark that a byte of the text came with.
func (s *side) markAt(n int) int {
	after, found := slices.BinarySearchFunc(s.marks, n, func(m mark, n int) int { return m.start - n })
	if found {
		return after
	}
	return after - 1
}

func (s *side) forget() { *s = side{text: s.text[:0], marks: s.marks[:0], line: s.line[:0]} }

// placed is a line with its place among all lines both ways, from 0.
type placed struct {
	place int
	results.TalkLine
}

// lines takes the last lines out of the text.
func (s *side) lines(since time.Time, said bool) (lines []placed, left int) {
	gone := s.ended - bytes.Count(s.text, []byte{'\n'})
	at, i := 0, 0
	for line := range bytes.Lines(s.text) {
		for i+1 < len(s.marks) && s.marks[i+1].start <= at {
			i++
		}
		began := s.marks[i]
		if at == 0 {
			began = s.first
		}
		at += len(line)
		line = bytes.TrimSuffix(line, []byte{'\n'})
		kept := line[:min(len(line), keptLine)]
		lines = append(lines, placed{gone + len(lines) + began.others, results.TalkLine{
			At: began.at.Sub(since), Said: said, Text: slices.Clone(kept), Cut: len(line) - len(kept),
		}})
	}
	over := max(0, len(lines)-keptLines)
	return lines[over:], gone + over
}

// talk is the evidence of the conversation: the end of it without a gap. Where
// a bot has flooded even what it was asked last out of that, the question is
// there too, and the lines that are missing after it are counted.
func (j *journal) talk() results.Talk {
	told, toldLeft := j.told.lines(j.since, false)
	said, saidLeft := j.said.lines(j.since, true)
	begin := 0 // place of the first line of that end
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

// split splits lines at a place.
func split(lines []placed, place int) (before, after []placed) {
	at := 0
	for at < len(lines) && lines[at].place < place {
		at++
	}
	return lines[:at], lines[at:]
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
