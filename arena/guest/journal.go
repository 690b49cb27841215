package guest

import (
	"bytes"
	"slices"
	"time"

	"sembra/results"
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
	count   int     // of all lines
	sides   [2]side // what the bot was told, and what it said
}

// side is what goes over the wire in one direction.
type side struct {
	lines [keptLines]line // the last ones; line n stands at n modulo their number
	count int             // of all lines
	open  bool            // the last one has no end yet
}

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
	for i := range j.sides {
		j.sides[i].count, j.sides[i].open = 0, false
	}
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
	s, mark := &j.sides[0], toBot
	if said {
		s, mark = &j.sides[1], fromBot
	}
	for part := range bytes.Lines(text) {
		if !s.open {
			l := &s.lines[s.count%keptLines]
			*l = line{j.count, results.TalkLine{At: at.Sub(j.session.Since), Said: said, Text: l.Text[:0]}}
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
func (j *Journal) Talk() (talk results.Talk) {
	var all []line
	for i := range j.sides {
		all = append(all, j.sides[i].lines[:min(j.sides[i].count, keptLines)]...)
	}
	slices.SortFunc(all, func(a, b line) int { return a.number - b.number })
	if j.sides[0].count > keptLines { // what the bot said to earlier questions says little
		all = all[slices.IndexFunc(all, func(l line) bool { return !l.Said }):]
	}
	next := 0
	for _, l := range all {
		l.Left, l.Text = l.number-next, slices.Clone(l.Text)
		talk.Lines, next = append(talk.Lines, l.TalkLine), l.number+1
	}
	if len(all) > 0 {
		talk.Left, talk.Lines[0].Left = talk.Lines[0].Left, 0
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
