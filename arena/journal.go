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

// The bounds of what is kept as evidence of one conversation.
const (
	keptLines = 40      // the last, of each way
	keptLine  = 1 << 10 // bytes of one line
)

// journal notes what is said on the wire of one bot: the last lines for
// evidence, all of them where the user wants a log. It is used by the
// goroutine of the bot's match.
type journal struct {
	Bot  // the wire
	name string
	told side
	said side
	next int // number of the next line, either way

	session
}

// session is the match that what is said belongs to.
type session struct {
	since time.Time // when it began
	log   *matchLog // nil: none
}

// side is one direction of a wire.
type side struct {
	lines [keptLines]journalLine // a ring
	noted int                    // lines, those that are not in the ring any more too
	whole []byte                 // the line that is on its way, all of it; only for a log
}

type journalLine struct {
	number int
	coming bool // its end has not come yet
	results.TalkLine
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
	n, err := j.Bot.Write(b)
	j.note(&j.told, false, time.Now(), b[:n])
	return n, err
}

func (j *journal) Read(b []byte) (int, error) {
	n, err := j.Bot.Read(b)
	j.note(&j.said, true, j.Bot.Arrived(), b[:n])
	return n, err
}

// note takes what went over the wire apart into lines.
func (j *journal) note(s *side, said bool, at time.Time, text []byte) {
	for len(text) > 0 {
		line := s.coming()
		if line == nil {
			line = s.add()
			line.number, line.coming, line.Said, line.At = j.next, true, said, at.Sub(j.since)
			j.next++
		}
		part, rest, ended := bytes.Cut(text, []byte{'\n'})
		kept := part[:min(len(part), keptLine-len(line.Text))]
		line.Text = append(line.Text, kept...)
		line.Cut += len(part) - len(kept)
		if j.log != nil {
			s.whole = append(s.whole, part...)
		}
		if ended {
			line.coming = false
			j.log.line(line.At, j.name, said, s.whole)
			s.whole = s.whole[:0]
		}
		text = rest
	}
}

// coming is the line whose end has not come yet, nil where there is none.
func (s *side) coming() *journalLine {
	if newest := &s.lines[(s.noted+keptLines-1)%keptLines]; s.noted > 0 && newest.coming {
		return newest
	}
	return nil
}

// add returns the place of one more line, which may have been another's.
func (s *side) add() *journalLine {
	line := &s.lines[s.noted%keptLines]
	*line = journalLine{TalkLine: results.TalkLine{Text: line.Text[:0]}}
	s.noted++
	return line
}

// kept returns the lines that are left, in some order.
func (s *side) kept() []journalLine { return s.lines[:min(s.noted, keptLines)] }

func (s *side) forget() { s.noted, s.whole = 0, s.whole[:0] }

// talk is the evidence of the conversation.
func (j *journal) talk() results.Talk {
	lines := slices.Concat(j.told.kept(), j.said.kept())
	slices.SortFunc(lines, func(a, b journalLine) int { return a.number - b.number })
	talk := results.Talk{Left: j.told.noted + j.said.noted - len(lines)}
	for _, line := range lines {
		line.Text = slices.Clone(line.Text)
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
		if line := s.coming(); line != nil {
			j.log.line(line.At, j.name, line.Said, append(s.whole, "…"...))
		}
	}
	j.log = nil
}

// matchLog writes all that is said in a match, and the standard error of its
// bots, as lines for people. A nil one writes nothing.
type matchLog struct {
	mu    sync.Mutex
	to    io.Writer
	since time.Time
	left  map[string]int // bytes of standard error that each bot may still write
	err   error          // the first
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

// close ends the log, and returns what went wrong with it.
func (l *matchLog) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	return l.err
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
	_, err := fmt.Fprintf(l.to, "%12.6f %s%s %s\n", at.Seconds(), bot, mark, results.Visible(text, 0))
	if l.err == nil {
		l.err = err
	}
}
