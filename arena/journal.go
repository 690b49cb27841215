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

// The bounds of the evidence of one conversation, in each direction.
const (
	keptBytes    = 16 << 10
	keptLines    = 40
	keptLine     = 1 << 10 // bytes of one line
	keptQuestion = 3       // lines to the bot, if all other kept lines are from it
)

// journal notes what is said on the wire of one bot. It keeps the end as
// evidence, and writes everything to the log if there is one. Only the goroutine
// of the bot's match uses it. To be cheap, it only copies bytes and counts lines
// during a match. It splits them into lines when somebody asks.
type journal struct {
	Bot  // the wire
	name string
	told side
	said side
	session
}

// session is the match to which a conversation belongs.
type session struct {
	since time.Time // when it began
	log   *matchLog // nil: none
}

// side is the end of the text that went over the wire in one direction.
type side struct {
	text  []byte // at least the last keptBytes, at most twice as many
	marks []mark // the beginnings of the writes or reads in text
	first mark   // where the first line of text began; this may be before text
	ended int    // number of complete lines
	open  bool   // whether another line has begun
	line  []byte // the incomplete line from its beginning; only for a log
}

// mark is the place in the text where a write or read began, and its time.
type mark struct {
	start  int
	others int // number of lines that had begun on the other side by then
	at     time.Time
}

// begun returns how many lines have begun.
func (s *side) begun() int {
	if s.open {
		return s.ended + 1
	}
	return s.ended
}

func newJournal(name string, b Bot) *journal { return &journal{Bot: b, name: name} }

// begin forgets the match before and begins a session.
func (j *journal) begin(s session) {
	j.session = s
	j.told.forget()
	j.said.forget()
	if s.log != nil {
		j.Bot.Watch(func(text []byte) { s.log.stderr(j.name, text) })
	}
}

func (j *journal) Write(b []byte) (int, error) {
	at := time.Now() // the bot may answer before the write returns
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

// add keeps a text. It drops the oldest text if there is too much.
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

// drop drops the first n bytes, but never all of the text.
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

// markAt returns the index of the mark of a byte in the text.
func (s *side) markAt(n int) int {
	after, found := slices.BinarySearchFunc(s.marks, n, func(m mark, n int) int { return m.start - n })
	if found {
		return after
	}
	return after - 1
}

func (s *side) forget() { *s = side{text: s.text[:0], marks: s.marks[:0], line: s.line[:0]} }

// placed is a line with its place among the lines of both sides, from 0.
type placed struct {
	place int
	results.TalkLine
}

// lines returns the last lines of the text, and the number of lines before them.
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

// talk returns the end of the conversation as evidence, without a gap. If the bot
// wrote so much that the last question is not in it, the question comes first,
// with the number of the missing lines after it.
func (j *journal) talk() results.Talk {
	told, toldLeft := j.told.lines(j.since, false)
	said, saidLeft := j.said.lines(j.since, true)
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

// matchLog writes what is said in a match and the standard error of its bots, as
// lines for people. A nil log writes nothing.
type matchLog struct {
	mu    sync.Mutex
	to    io.Writer // it handles its own errors
	since time.Time
	left  map[string]int // number of bytes of standard error that each bot may still write
	over  bool           // whether the log is closed
}

// mostStderr is the largest number of bytes from one bot's standard error in the
// log of one match.
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

// close ends the log. Its writer knows whether there were errors.
func (l *matchLog) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
}

// stderr writes a part of a bot's standard error.
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
		l.write(at, bot, "!", []byte("(the rest of its standard error is left out)"))
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
