package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"sembra/engine"
	"sembra/engine/show"
	"sembra/results"
	"sembra/results/safe"
)

// Match is a recorded match with its place in the schedule.
type Match struct {
	Tournament results.Tournament
	Number     int // of the match in the schedule, from 1
	Matches    int // in the schedule; 0: not known
	Record     results.Record
}

// Title returns the name of the match in one line.
func (r Match) Title() string {
	return fmt.Sprintf("%s, match %s: %s - %s, pair %d", safe.Line(r.Tournament.Name),
		r.place(), safe.Line(r.Record.South), safe.Line(r.Record.North), r.Record.Pair)
}

// place returns where the match stands: "3 of 12".
func (r Match) place() string {
	if r.Matches == 0 {
		return strconv.Itoa(r.Number)
	}
	return fmt.Sprintf("%d of %d", r.Number, r.Matches)
}

// Outcome returns in one line who won, and how.
func (r Match) Outcome() string {
	record := r.Record
	var stores, donkeys, reason, fault string
	if record.Fault != results.NoFault || record.Ending == results.EndResign { // the winner may have the smaller store
		stores = "stores "
	}
	if record.Donkeys[0]+record.Donkeys[1] > 0 {
		donkeys = ", donkeys " + versus(record.Donkeys)
	}
	if why := r.Tournament.Adjudication.Reason(record.Summary); why != "" {
		reason = ": " + why
	}
	if record.Fault != results.NoFault {
		fault = "; at fault: " + r.culprit()
	}
	return fmt.Sprintf("%s, %s%s%s (%s%s)%s",
		r.winner(), stores, versus(record.Stores), donkeys, record.Ending, reason, fault)
}

// Explain says in whole sentences how the match ended; "" if a bot was at fault. The replay is that of the record.
func (r Match) Explain(replay results.Replay) string {
	record := r.Record
	if reason := r.Tournament.Adjudication.ReasonWithNumbers(record.Summary); reason != "" {
		return "Sembra ended the match before the rules did: " + reason + "."
	}
	n := len(replay.Plies)
	switch {
	case record.Ending == results.EndResign:
		return "A player resigned."
	case n == 0 || !replay.Over():
		return ""
	}
	last := replay.Plies[n-1].Ply
	_, ended, _ := strings.Cut(show.Describe(replay.Rules(), last), "\n")
	if !replay.Rules().Info().Single {
		ended += " " + show.WhyOver(replay.Rules(), last.After)
	}
	return ended
}

func (r Match) winner() string {
	switch r.Record.Result {
	case results.SouthWins:
		return r.bot(engine.South) + " has won"
	case results.NorthWins:
		return r.bot(engine.North) + " has won"
	case results.Draw:
		return "a draw"
	}
	return "no result"
}

// culprit returns who was at fault.
func (r Match) culprit() string {
	switch r.Record.Fault {
	case results.SouthFault:
		return r.bot(engine.South)
	case results.NorthFault:
		return r.bot(engine.North)
	case results.BothFault:
		return "both"
	}
	return "nobody"
}

// bot returns the name of the bot of a seat, with the seat.
func (r Match) bot(seat engine.Seat) string {
	if seat == engine.South {
		return safe.Line(r.Record.South) + " (South)"
	}
	return safe.Line(r.Record.North) + " (North)"
}

// Line returns in one line whose ply it is, and what the record says about it.
func (r Match) Line(ply results.Ply) string {
	line := fmt.Sprintf("%s  %s", r.bot(ply.Before.Side()), safe.Line(ply.Token))
	if ply.Asked {
		line += "  " + seconds(ply.Elapsed)
	}
	if ply.Score != nil {
		line += fmt.Sprintf("  score %+.6g", *ply.Score)
	}
	return line
}

// WriteBoards writes all boards of the match.
func (r Match) WriteBoards(w io.Writer, replay results.Replay, style show.Style) error {
	var b bytes.Buffer
	entries := func(facts ...Fact) {
		for _, fact := range facts {
			if fact.Text != "" {
				fmt.Fprintf(&b, "%-11s %s\n", fact.Name, fact.Text)
			}
		}
	}
	endRound := func(index int, p engine.Position) {
		round := r.Record.Body.Rounds[index]
		fmt.Fprintf(&b, "\nend of round %d: %s, stores %d-%d, %s\n", p.Round(), safe.Line(round.Reason),
			round.South, round.North, show.Count(round.Plies, "ply", "plies"))
	}
	info := replay.Rules().Info()
	rounds, opening, seeds := "", "", ""
	if !info.Single {
		rounds = fmt.Sprintf("at most %d", info.Rounds)
	}
	if replay.Start != replay.Rules().Start() {
		opening = safe.Line(r.Record.Opening)
	}
	if r.Record.Seeds != [2]uint64{} {
		seeds = fmt.Sprintf("South %d, North %d", r.Record.Seeds[engine.South], r.Record.Seeds[engine.North])
	}
	entries(
		Fact{"tournament", safe.Line(r.Tournament.Name)}, Fact{"match", fmt.Sprintf("%s, pair %d", r.place(), r.Record.Pair)},
		Fact{"ruleset", info.Name}, Fact{"rounds", rounds}, Fact{"clock", r.Tournament.Time.String()},
		Fact{"south", safe.Line(r.Record.South)}, Fact{"north", safe.Line(r.Record.North)},
		Fact{"opening", opening}, Fact{"seeds", seeds},
	)
	last, legend := replay.Start, ""
	for plies := range len(replay.Plies) + 1 {
		d := Draw(replay, plies, style)
		if info.Single {
			d.Title = "start"
		}
		begins := true // a round
		if plies > 0 {
			ply := replay.Plies[plies-1]
			fmt.Fprintf(&b, "\nply %d  %s\n%s\n", plies, r.Line(ply), d.Description)
			begins = ply.After.Round() != ply.Before.Round()
			if begins {
				endRound(ply.Round, ply.Before)
			}
			last = ply.After
		}
		if begins {
			fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(d.Title))
		}
		b.WriteString(d.Board + "\n")
		if plies == len(replay.Plies) { // the next ply shows the status of the other boards
			b.WriteString(d.Status + "\n")
		}
		if d.Legend != "" && d.Legend != legend {
			b.WriteString(d.Legend + "\n")
			legend = d.Legend
		}
	}
	if !info.Single {
		endRound(len(r.Record.Body.Rounds)-1, last)
	}
	b.WriteByte('\n')
	entries(r.Facts()...)
	_, err := b.WriteTo(w)
	return err
}

// Fact is a line about a match.
type Fact struct{ Name, Text string }

// Facts returns how the match ended and what it took, and which worker played it, with the beginning of the hashes of
// the files that it got for the bots.
func (r Match) Facts() []Fact {
	record := r.Record
	donkeys, processor, files := "", "", ""
	if record.Donkeys != [2]int{} {
		donkeys = bySeat(record.Donkeys, strconv.Itoa)
	}
	if record.CPU[0] >= 0 || record.CPU[1] >= 0 {
		processor = bySeat(record.CPU, processorTime)
	}
	if record.Files != [2]string{} {
		files = bySeat(record.Files, filesCell)
	}
	return slices.DeleteFunc([]Fact{
		{"result", r.winner()},
		{"stores", bySeat(record.Stores, strconv.Itoa)},
		{"donkeys", donkeys},
		{"ending", record.Ending.String()},
		{"reason", r.Tournament.Adjudication.ReasonWithNumbers(record.Summary)},
		{"fault", r.culprit()},
		{"what", briefly(whatOf(record.Evidence))},
		{"plies", strconv.Itoa(record.Plies)},
		{"time", bySeat(record.Times, seconds)},
		{"processor", processor},
		{"worker", safe.Line(record.Worker)},
		{"files", files},
	}, func(fact Fact) bool { return fact.Text == "" })
}

// bySeat writes what each seat has.
func bySeat[T any](values [2]T, text func(T) string) string {
	return "South " + text(values[engine.South]) + ", North " + text(values[engine.North])
}

// filesCell writes the beginning of a hash of files.
func filesCell(hash string) string {
	const enough = 12
	return cmp.Or(safe.Line(hash[:min(len(hash), enough)]), "none")
}

// WriteLog writes what the arena and the bots said to each other at the end of the match. The bot at fault comes last,
// where a terminal ends.
func (r Match) WriteLog(w io.Writer, e results.Evidence) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n%s\n", r.Title(), r.Outcome())
	what := e.What
	if len(e.South.Stderr)+len(e.North.Stderr) > 0 { // the standard error follows below
		what, _, _ = strings.Cut(what, "; it wrote: ")
	}
	if what != "" {
		fmt.Fprintf(&b, "%s\n", safe.Line(strings.TrimSpace(what)))
	}
	if r.Record.Fault == results.SouthFault {
		writeTalk(&b, r.bot(engine.North), e.North)
		writeTalk(&b, r.bot(engine.South), e.South)
	} else {
		writeTalk(&b, r.bot(engine.South), e.South)
		writeTalk(&b, r.bot(engine.North), e.North)
	}
	_, err := b.WriteTo(w)
	return err
}

// writeTalk writes the conversation with one bot, and the end of its standard error.
func writeTalk(b *bytes.Buffer, bot string, talk results.Talk) {
	fmt.Fprintf(b, "\n%s: input (>) and output (<), with the time since the match began\n", bot)
	if talk.Left > 0 {
		fmt.Fprintf(b, "(lines before, not kept: %d)\n", talk.Left)
	}
	if len(talk.Lines) == 0 && talk.Left == 0 {
		b.WriteString("(nothing)\n")
	}
	for i, line := range talk.Lines {
		if i > 0 && line.Left > 0 {
			fmt.Fprintf(b, "(lines here, not kept: %d)\n", line.Left)
		}
		arrow, cut := '>', ""
		if line.FromBot {
			arrow = '<'
		}
		if line.Cut > 0 {
			cut = fmt.Sprintf(" (and %d bytes more)", line.Cut)
		}
		fmt.Fprintf(b, "+%s %c %s%s\n", seconds(line.At), arrow, safe.Line(string(line.Text)), cut)
	}
	said := bytes.TrimRight(talk.Stderr, "\r\n")
	if len(said) == 0 {
		return
	}
	fmt.Fprintf(b, "standard error of %s\n", bot)
	if talk.StderrLeft > 0 {
		fmt.Fprintf(b, "(bytes before, not kept: %d)\n", talk.StderrLeft)
	}
	for line := range strings.SplitSeq(string(said), "\n") {
		b.WriteString(strings.TrimRight("  "+safe.Line(strings.TrimSuffix(line, "\r")), " ") + "\n")
	}
}

// whatOf returns what the bot at fault did; "" if it is not known.
func whatOf(e *results.Evidence) string {
	if e == nil {
		return ""
	}
	return safe.Line(strings.TrimSpace(e.What))
}

// briefly leaves of the standard error that a text quotes only its last line.
func briefly(what string) string {
	before, quote, _ := strings.Cut(what, "; it wrote: ")
	if last := strings.LastIndex(quote, "⏎"); last >= 0 {
		return before + "; it wrote: … " + quote[last+len("⏎"):]
	}
	return what
}

// seconds writes a time to the microsecond.
func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 6, 64) + "s" }

// processorTime writes a CPU time; negative: not known.
func processorTime(d time.Duration) string {
	if d < 0 {
		return "not known"
	}
	return seconds(d)
}

// Draw draws the board after a number of plies; 0: the first board of the match.
func Draw(r results.Replay, plies int, style show.Style) show.Drawing {
	if plies == 0 {
		return show.Board(r.Rules(), r.Start, style)
	}
	return show.BoardAfter(r.Rules(), r.Plies[plies-1].Ply, style)
}
