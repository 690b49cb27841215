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
	if counts {
		f.Matches++
	}
	if counts && blamed {
		f.Faults++
		f.Endings[match.Ending]++
	}
	if counts && blamed && forfeit {
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
	if f.Last = record.Blame(f.Bot); f.Last == "" {
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
	switch e := r.Evidence; {
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
