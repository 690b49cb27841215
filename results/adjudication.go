package results

import (
	"fmt"
	"slices"
	"strconv"

	"sembra/engine"
)

// Adjudication is a rule that ends matches before the rules of the game end them. The zero value ends none. It can
// contain a limit of plies and agreements of the bots. If both apply after the same ply, the limit comes first,
// so the summary of a match shows which of them ended it.
type Adjudication struct {
	Plies int    `json:"plies,omitempty"` // passes included, after which a match ends if it is not over
	By    string `json:"by,omitempty"`    // who wins then: one of Decisions

	// A bot wins when both have reported its lead of at least WinScore for WinPlies plies in a row.
	WinScore float64 `json:"win_score,omitempty"`
	WinPlies int     `json:"win_plies,omitempty"`

	// A match is drawn when both bots have reported scores from -DrawScore to DrawScore for DrawPlies plies in a row,
	// but not before DrawAfter plies.
	DrawScore float64 `json:"draw_score,omitempty"`
	DrawPlies int     `json:"draw_plies,omitempty"`
	DrawAfter int     `json:"draw_after,omitempty"`
}

// Decisions returns who can win a match that reaches its limit of plies, the default first: by "stores", the bot that
// is owed more donkeys, then the bot with the larger store; by "draw", nobody.
func (Adjudication) Decisions() []string { return []string{"stores", "draw"} }

// Check returns what is wrong with the rule: a number out of its range, a score that is both a win and a draw, or a
// condition that cannot be met before the limit of plies. The key, which the error begins with, is that of the
// tournament file.
func (a Adjudication) Check() (key string, err error) {
	const both = "must be at least 2, because both bots must report a score"
	fewer := fmt.Sprintf("must be fewer than adjudication.plies (%d), or it has no effect", a.Plies)
	beyond := func(plies int) bool { return a.Plies > 0 && plies >= a.Plies }
	for _, rule := range []struct {
		broken bool
		key    string
		value  any
		must   string
	}{
		{a.Plies < 0, "plies", a.Plies, "must be 0 or more"},
		{a.Plies > 0 && !slices.Contains(a.Decisions(), a.By), "by", strconv.Quote(a.By), `must be "stores" or "draw"`},

		{a.WinPlies != 0 && a.WinPlies < 2, "win_plies", a.WinPlies, both},
		{a.WinPlies > 0 && !(a.WinScore > 0), "win_score", a.WinScore, "must be more than 0"},
		{beyond(a.WinPlies), "win_plies", a.WinPlies, fewer},

		{a.DrawPlies != 0 && a.DrawPlies < 2, "draw_plies", a.DrawPlies, both},
		{!(a.DrawScore >= 0), "draw_score", a.DrawScore, "must be 0 or more"},
		{a.DrawAfter < 0, "draw_after", a.DrawAfter, "must be 0 or more"},
		{beyond(a.DrawPlies), "draw_plies", a.DrawPlies, fewer},
		{beyond(a.DrawAfter), "draw_after", a.DrawAfter, fewer},
		{
			a.WinPlies > 0 && a.DrawPlies > 0 && a.WinScore <= a.DrawScore, "win_score", a.WinScore,
			fmt.Sprintf("must be more than adjudication.draw_score (%v)", a.DrawScore),
		},
	} {
		if rule.broken {
			return wrongKey("adjudication."+rule.key, "is %v; it %s", rule.value, rule.must)
		}
	}
	return "", nil
}

// Reason says in two words why a match was adjudicated: "ply limit", "agreed win" or "agreed draw". It is "" if
// the match was not adjudicated, or not by this rule.
func (a *Adjudication) Reason(match Summary) string {
	switch {
	case a == nil || match.Ending != EndAdjudicated:
		return ""
	case a.Plies > 0 && match.Plies >= a.Plies:
		return "ply limit"
	case match.Result == Draw && a.DrawPlies > 0:
		return "agreed draw"
	case match.Result != Draw && a.WinPlies > 0:
		return "agreed win"
	}
	return ""
}

// ReasonWithNumbers returns the reason with the numbers of the rule.
func (a *Adjudication) ReasonWithNumbers(match Summary) string {
	reason := a.Reason(match)
	switch {
	case reason == "":
		return ""
	case reason == "agreed win":
		return fmt.Sprintf("%s: both bots reported a score of %v or more for the winner, %d plies in a row",
			reason, a.WinScore, a.WinPlies)
	case reason == "agreed draw":
		return fmt.Sprintf("%s: both bots reported a score of at most %v for either, %d plies in a row",
			reason, a.DrawScore, a.DrawPlies)
	case a.By == "draw":
		return fmt.Sprintf("%s: after %d plies a match is drawn", reason, a.Plies)
	}
	return fmt.Sprintf("%s: after %d plies the larger store wins, donkeys first", reason, a.Plies)
}

// Adjudicator applies an Adjudication to one match, ply by ply.
type Adjudicator struct {
	rule  Adjudication
	plies int
	ahead engine.Seat // the seat for which the bots told a win
	win   agreement
	level agreement
}

// agreement is a row of plies in which the bots told the same. Forced passes, for which no bot is asked, neither
// count nor end the row.
type agreement struct {
	plies int
	told  [2]bool // by seat: its bot told a score in the row
}

// Begin returns an Adjudicator for a match that begins. If there is no rule, both are nil, and the Adjudicator
// never decides.
func (a *Adjudication) Begin() *Adjudicator {
	if a == nil {
		return nil
	}
	return &Adjudicator{rule: *a}
}

// Ply takes a ply that did not end the match: its seat, whether the bot was asked for it, the score that the bot
// told, in seeds from its own side (nil: none), and the position after it. If the rule ends the match, Ply
// returns the result; do not call it again then.
func (a *Adjudicator) Ply(
	seat engine.Seat, asked bool, score *float64, after engine.Position,
) (result Result, decided bool) {
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
		return WinOf(a.ahead), true
	case rule.DrawPlies > 0 && a.plies >= rule.DrawAfter && a.level.lasts(rule.DrawPlies):
		return Draw, true
	}
	return 0, false
}

// hear takes the score that a bot told.
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

// hearWin takes a told win of a seat.
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

// lasts reports whether the row has so many plies, and some from each bot. A row can be from one bot alone if a
// turn takes several plies, or if the other side can only pass.
func (r *agreement) lasts(plies int) bool {
	return r.plies >= plies && r.told[engine.South] && r.told[engine.North]
}

// atLimit returns the result of a match that the limit of plies ends. A player with an empty store is not out,
// because the round is not over.
func (a *Adjudication) atLimit(p engine.Position) Result {
	if a.By == "draw" {
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
