package results

// Withdrawals tells which bots of a tournament forfeit the rest of their matches, because they were at
// fault in so many of their matches in a row. It is a fold over summaries in schedule order: what it
// says depends on nothing but those that it was given.
type Withdrawals struct {
	after int
	bots  map[string]*faultRow
}

// faultRow is what is known of one bot.
type faultRow struct {
	faults    int // in a row, up to the bot's last match
	withdrawn bool
}

// NewWithdrawals begins the fold for the bots of a tournament. A bot is withdrawn with its fault of
// that number in a row; never if the number is 0. See Tournament.WithdrawAfter.
func NewWithdrawals(after int, bots []string) *Withdrawals {
	w := &Withdrawals{after: after, bots: make(map[string]*faultRow, len(bots))}
	for _, bot := range bots {
		w.bots[bot] = new(faultRow)
	}
	return w
}

// Add counts the next match of the schedule for both its bots: one more in a row for a bot at fault, and
// both may be, and an end of its row for the other. Bots that are not in the tournament are passed over.
func (w *Withdrawals) Add(s Summary) {
	w.count(s.South, s.Fault == SouthFault || s.Fault == BothFault)
	w.count(s.North, s.Fault == NorthFault || s.Fault == BothFault)
}

func (w *Withdrawals) count(bot string, fault bool) {
	row := w.bots[bot]
	switch {
	case row == nil:
	case !fault:
		row.faults = 0
	default:
		row.faults++
		row.withdrawn = row.withdrawn || w.after > 0 && row.faults >= w.after
	}
}

// Withdrawn says whether a bot has had as many faults in a row as withdraw it. It stays so, whatever
// matches come then.
func (w *Withdrawals) Withdrawn(bot string) bool {
	row := w.bots[bot]
	return row != nil && row.withdrawn
}

// InARow is the number of faults that a bot has had in a row, up to its last match.
func (w *Withdrawals) InARow(bot string) int {
	if row := w.bots[bot]; row != nil {
		return row.faults
	}
	return 0
}
