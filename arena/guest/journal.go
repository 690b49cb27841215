package guest

import (
	"bytes"
	"slices"
	"time"

	"sembra/results"
)

// The bounds of the evidence of one conversation.
const (
	keptLines = 40      // lines that the bot says one after another; twice as many in both directions
	keptLine  = 1 << 10 // bytes of one line
)

// Journal notes what is said on the wire of one bot. It keeps the end as
// evidence, and writes everything to the log if there is one. Only the goroutine
// of the bot's match uses it.
type Journal struct {
	Bot     // the wire
	name    string
	session Session
	lines   []*line  // the last ones
	run     int      // how many of these the bot has said since it was told something
	open    [2]*line // the last line that was told, and the last one that was said, if it has no end yet
	spare   []*line  // are used again
}

// Session is the match to which a conversation belongs.
type Session struct {
	Since time.Time // when it began
	Log   *Log      // nil: none
}

// line is what a talk has of a line, without its time.
type line struct {
	began time.Time
	results.TalkLine
}

func newJournal(name string, b Bot) *Journal { return &Journal{Bot: b, name: name} }

// Begin forgets the match before and begins a session.
func (j *Journal) Begin(s Session) {
	j.session, j.run, j.open = s, 0, [2]*line{}
	j.spare, j.lines = append(j.spare, j.lines...), j.lines[:0]
	if s.Log != nil {
		j.Bot.Watch(func(at time.Time, text []byte) { s.Log.add(at, j.name, ofError, text) })
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
func (j *Journal) note(said bool, at time.Time, text []byte) {
	side, mark := 0, toBot
	if said {
		side, mark = 1, fromBot
	}
	for part := range bytes.Lines(text) {
		l := j.open[side]
		if l == nil {
			l = j.begin(said, at)
		}
		part, ended := bytes.CutSuffix(part, []byte{'\n'})
		fits := min(len(part), keptLine-len(l.Text))
		l.Text = append(l.Text, part[:fits]...)
		l.Cut += len(part) - fits
		if j.open[side] = l; ended {
			j.open[side] = nil
		}
	}
	if j.session.Log != nil {
		j.session.Log.add(at, j.name, mark, text)
	}
}

// begin adds a line. If the bot says too much, the lines go that it said first since it was told something: the last
// question stays.
func (j *Journal) begin(said bool, at time.Time) *line {
	if !said {
		j.run = 0
	} else if j.run++; j.run > keptLines {
		j.run = keptLines
		j.drop(len(j.lines) - keptLines)
	}
	if len(j.lines) == 2*keptLines {
		j.drop(0)
	}
	l := new(line)
	if n := len(j.spare); n > 0 {
		l, j.spare = j.spare[n-1], j.spare[:n-1]
	}
	*l = line{began: at, TalkLine: results.TalkLine{Said: said, Text: l.Text[:0]}}
	j.lines = append(j.lines, l)
	return l
}

// drop leaves out a line that is not the last one.
func (j *Journal) drop(i int) {
	l := j.lines[i]
	j.lines[i+1].Left += l.Left + 1
	j.lines = slices.Delete(j.lines, i, i+1)
	if l != j.open[0] && l != j.open[1] {
		j.spare = append(j.spare, l)
	}
}

// Talk returns the end of the conversation as evidence. Each line has the number of those that are missing before it.
func (j *Journal) Talk() (talk results.Talk) {
	for i, l := range j.lines {
		line := l.TalkLine
		line.At, line.Text = l.began.Sub(j.session.Since), slices.Clone(l.Text)
		if i == 0 {
			talk.Left, line.Left = line.Left, 0
		}
		talk.Lines = append(talk.Lines, line)
	}
	talk.Stderr, talk.StderrLeft = j.Bot.Log()
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
