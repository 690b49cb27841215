package results

import (
	"slices"

	"sembra/engine"
)

// BotFaults is how often one bot of a tournament was at fault, and how.
type BotFaults struct {
	Bot      string
	Matches  int            // recorded matches of the bot
	Faults   int            // matches in which it was at fault, with those that it forfeited
	Endings  map[Ending]int // the number of Faults by their ending
	Forfeits int            // matches that nobody played because the bot was disqualified; their ending is EndStart
	Numbers  []int          // all faults but the forfeits, even against bots that have withdrawn, in schedule order

	// About the last fault other than a forfeit, if Report has read it: what the bot did, in one sentence that is not
	// safe to print, and the match to look at, whose conversation was kept. They are "" and 0 if that was not kept.
	Last   string
	Number int
}

// Faults counts the faults of each bot in the summaries of a tournament's recorded matches, which are in schedule
// order. Those from which a bot has withdrawn only disqualify and explain. It leaves out bots without a fault. The bot
// with the most faults comes first; bots with equally many are in the order of the tournament.
func (t Tournament) Faults(summaries []Numbered) []BotFaults {
	all, of := make([]BotFaults, len(t.Bots)), make(map[string]*BotFaults, len(t.Bots))
	for i, bot := range t.Bots {
		all[i] = BotFaults{Bot: bot, Endings: make(map[Ending]int)}
		of[bot] = &all[i]
	}
	for _, match := range summaries {
		for seat, bot := range [2]string{match.South, match.North} {
			if line := of[bot]; line != nil {
				line.add(match, engine.Seat(seat), !match.Of(t.Withdrawn))
			}
		}
	}
	all = slices.DeleteFunc(all, func(line BotFaults) bool { return line.Faults == 0 })
	slices.SortStableFunc(all, func(a, b BotFaults) int { return b.Faults - a.Faults })
	return all
}

// add takes a match of the bot, which counts if nobody has withdrawn from it.
func (f *BotFaults) add(match Numbered, seat engine.Seat, counts bool) {
	blamed, forfeit := match.Fault.Blames(seat), match.Forfeit.Disqualified(seat)
	if blamed && !forfeit {
		f.Numbers = append(f.Numbers, match.Number)
	}
	if !counts {
		return
	}
	f.Matches++
	if blamed {
		f.Faults++
		f.Endings[match.Ending]++
	}
	if blamed && forfeit {
		f.Forfeits++
	}
}

// Report returns the faults with what their evidence tells. read returns the record of a match with its evidence, which
// is nil if none was kept.
//
// The arena keeps what a bot said before a failed start with only one of the matches that the bot lost by it. If the
// last match lacks a conversation, Report takes the first match that has one and the same reason.
func (f BotFaults) Report(read func(number int) (Record, error)) (BotFaults, error) {
	last := len(f.Numbers) - 1
	if last < 0 {
		return f, nil
	}
	record, err := read(f.Numbers[last])
	if err != nil {
		return f, err
	}
	f.Last = record.Blame(f.Bot)
	if f.Last == "" {
		return f, nil
	}
	for _, number := range append([]int{f.Numbers[last]}, f.Numbers[:last]...) {
		if record, err = read(number); err != nil {
			return f, err
		}
		if record.talked(f.Bot) && record.Blame(f.Bot) == f.Last {
			f.Number = number
			return f, nil
		}
	}
	return f, nil
}

// Blame returns what a bot at fault did in the match; "" if that was not kept. It is not safe to print.
func (r Record) Blame(bot string) string {
	e := r.Evidence
	switch {
	case e == nil:
		return ""
	case r.Fault == BothFault && bot == r.South && e.South.What != "":
		return e.South.What
	case r.Fault == BothFault && bot == r.North && e.North.What != "":
		return e.North.What
	default:
		return e.What
	}
}

// talked reports whether the evidence holds a conversation with a bot.
func (r Record) talked(bot string) bool {
	if r.Evidence == nil {
		return false
	}
	talk := r.Evidence.South
	if bot == r.North {
		talk = r.Evidence.North
	}
	return len(talk.Lines) > 0 || len(talk.Stderr) > 0
}

// Disqualifications says which bots of a tournament forfeit a match, because they were at fault in each of their last
// matches before it, in schedule order. Tournament.DisqualifyAfter is the number of these matches. A match that nobody
// played is none of them. Records may come in any order.
type Disqualifications struct {
	after int
	bots  map[string]*faultRow
}

// faultRow is the matches of one bot, in schedule order.
type faultRow struct {
	numbers []int32
	states  []faultState
}

// faultState is the state of a bot in one match.
type faultState uint8

const (
	noRecord faultState = iota
	faultless
	atFault
)

// NewDisqualifications returns a fold without matches. A bot forfeits a match after the given number of faults in a
// row; it never does if the number is not positive.
func NewDisqualifications(after int) *Disqualifications {
	return &Disqualifications{after: after, bots: make(map[string]*faultRow)}
}

// Plan adds a match without a record, which costs least if its number is the greatest so far.
func (w *Disqualifications) Plan(number int, k Key) {
	if w.after <= 0 {
		return
	}
	for _, bot := range [2]string{k.South, k.North} {
		row := w.bots[bot]
		if row == nil {
			row = new(faultRow)
			w.bots[bot] = row
		}
		at := row.before(number)
		row.numbers, row.states = slices.Insert(row.numbers, at, int32(number)), slices.Insert(row.states, at, noRecord)
	}
}

// Add adds the record of a planned match.
func (w *Disqualifications) Add(m Numbered) {
	if w.after <= 0 {
		return
	}
	for seat, bot := range [2]string{m.South, m.North} {
		row, blamed := w.bots[bot], m.Fault.Blames(engine.Seat(seat))
		at := row.before(m.Number)
		switch {
		case m.Forfeit != 0 || m.Ending == EndStart && !blamed: // the bot has shown nothing
			row.numbers, row.states = slices.Delete(row.numbers, at, at+1), slices.Delete(row.states, at, at+1)
		case blamed:
			row.states[at] = atFault
		default:
			row.states[at] = faultless
		}
	}
}

// before returns the number of the bot's matches before the one with a number.
func (r *faultRow) before(number int) int {
	n, _ := slices.BinarySearch(r.numbers, int32(number))
	return n
}

// Disqualified returns the number of the match whose fault makes a bot forfeit a match; 0: it does not forfeit it. That
// is undecided while it depends on planned matches without a record.
func (w *Disqualifications) Disqualified(bot string, number int) (cause int, decided bool) {
	row := w.bots[bot]
	if row == nil {
		return 0, true
	}
	n := row.before(number)
	if n < w.after {
		return 0, true
	}
	last := row.states[n-w.after : n]
	switch {
	case slices.Contains(last, faultless):
		return 0, true
	case slices.Contains(last, noRecord):
		return 0, false
	}
	return int(row.numbers[n-1]), true
}

// TimedOutBuiltin returns the built-in bot that lost a match on time; "" if none did. Built-in bots keep to their clocks, so
// the machine was too busy.
func (t Tournament) TimedOutBuiltin(s Summary) string {
	if bot := s.FaultName(); s.Ending == EndTime && t.Programs[bot].Builtin != "" {
		return bot
	}
	return ""
}
