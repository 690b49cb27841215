package results

import "sembra/engine"

// Adjudicator applies an Adjudication to one match, ply after ply. What it costs does not grow with
// the match.
type Adjudicator struct {
	rule  Adjudication
	plies int
	ahead engine.Seat // for whom the bots told a win in the row
	win   agreement
	level agreement // neither is ahead
}

// agreement is a row of plies in which the bots told the same. Forced passes in between, for which
// nobody is asked, are not counted and do not end it.
type agreement struct {
	plies int
	told  [2]bool // has the bot of this seat had its say
}

// Begin begins a match. Without a rule, which is nil, the Adjudicator is nil too and never decides.
func (a *Adjudication) Begin() *Adjudicator {
	if a == nil {
		return nil
	}
	return &Adjudicator{rule: *a}
}

// Ply takes a ply that did not end the match: whose it was, whether its bot was asked for it, the
// score that the bot told of it, in seeds from its side (nil: none), and the position after it. It
// returns the result that the match is given with it, if it is; then it is not called again.
func (a *Adjudicator) Ply(seat engine.Seat, asked bool, score *float64, after engine.Position) (result Result, decided bool) {
	if a == nil {
		return 0, false
	}
	a.plies++
	if asked {
		a.hear(seat, score)
	}
	rule := &a.rule
	switch {
	case rule.Plies > 0 && a.plies >= rule.Plies:
		return rule.atLimit(after), true
	case rule.WinPlies > 0 && a.win.lasts(rule.WinPlies):
		return winOf(a.ahead), true
	case rule.DrawPlies > 0 && a.plies >= rule.DrawAfter && a.level.lasts(rule.DrawPlies):
		return Draw, true
	}
	return 0, false
}

// hear takes what a bot told.
func (a *Adjudicator) hear(seat engine.Seat, score *float64) {
	if score == nil {
		a.win, a.level = agreement{}, agreement{}
		return
	}
	switch {
	case *score >= a.rule.WinScore:
		a.hearWin(seat, seat)
	case *score <= -a.rule.WinScore:
		a.hearWin(seat, seat.Other())
	default:
		a.win = agreement{}
	}
	if -a.rule.DrawScore <= *score && *score <= a.rule.DrawScore {
		a.level.add(seat)
	} else {
		a.level = agreement{}
	}
}

// hearWin takes that a bot told a win for a seat.
func (a *Adjudicator) hearWin(seat, ahead engine.Seat) {
	if a.ahead != ahead {
		a.win = agreement{}
	}
	a.ahead = ahead
	a.win.add(seat)
}

func (r *agreement) add(seat engine.Seat) {
	r.plies++
	r.told[seat] = true
}

// lasts says that the row has so many plies, and some of each bot: in games in which a turn takes
// several plies, or in which one side only passes, a row can be one bot's alone.
func (r *agreement) lasts(plies int) bool {
	return r.plies >= plies && r.told[engine.South] && r.told[engine.North]
}

// atLimit is the result of a match that ends at a position by the limit of plies. A player without
// seeds in store is not out here, as at the end of a round: the round is not over.
func (a *Adjudication) atLimit(p engine.Position) Result {
	if a.By == ByDraw {
		return Draw
	}
	south, north := p.Donkeys(engine.South), p.Donkeys(engine.North)
	if south == north {
		south, north = p.Store(engine.South), p.Store(engine.North)
	}
	switch {
	case south > north:
		return SouthWins
	case south < north:
		return NorthWins
	}
	return Draw
}

func winOf(seat engine.Seat) Result {
	if seat == engine.South {
		return SouthWins
	}
	return NorthWins
}
