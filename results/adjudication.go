package results

import (
	"fmt"
	"strconv"
)

// Adjudication is the rule by which matches are ended that the rules of the game have not ended yet.
// The zero value ends none. A limit of plies and agreement may be given together; where both hold
// after one ply, the limit goes first, so that the summary of a match tells which it was.
type Adjudication struct {
	// Plies is how many plies a match may have, passes too, from 1; 0: any number. By says who has won
	// then.
	Plies int      `json:"plies,omitempty"`
	By    Decision `json:"by,omitempty"`

	// A match is won when the bots have told WinScore seeds or more for the same side in a row of
	// WinPlies plies, from 2; 0: never. Each tells it from its own side, so the one at least +WinScore
	// and the other at most -WinScore.
	WinScore float64 `json:"win_score,omitempty"`
	WinPlies int     `json:"win_plies,omitempty"`

	// A match is drawn when the bots have told scores from -DrawScore to +DrawScore, in seeds, in a row
	// of DrawPlies plies, from 2, but not before it has DrawAfter plies; DrawPlies 0: never.
	DrawScore float64 `json:"draw_score,omitempty"`
	DrawPlies int     `json:"draw_plies,omitempty"`
	DrawAfter int     `json:"draw_after,omitempty"`
}

// Decision is who has won a match that has reached its limit of plies.
type Decision string

// The decisions.
const (
	ByStores Decision = "stores" // who is owed more donkeys, else who has the larger store, as they stand; else a draw
	ByDraw   Decision = "draw"   // nobody
)

// Decisions lists all of them, the default first.
func Decisions() []Decision { return []Decision{ByStores, ByDraw} }

// AdjudicationError is what is wrong with an Adjudication.
type AdjudicationError struct {
	Key     string // as a tournament file has it, without its table: "win_score"
	Problem string
}

func (e *AdjudicationError) Error() string { return "adjudication." + e.Key + " " + e.Problem }

// Check says what is wrong with the rule, as an *AdjudicationError: a number out of its range, one of
// a pair without the other, a win that would be a draw as well, or a condition that the limit of plies
// never lets come true.
func (a Adjudication) Check() error {
	wrong := func(key, format string, args ...any) error {
		return &AdjudicationError{key, fmt.Sprintf(format, args...)}
	}
	beyond := func(plies int) bool { return a.Plies > 0 && plies >= a.Plies }
	switch {
	case a.Plies < 0:
		return wrong("plies", "is %d; it must be 0 or more", a.Plies)
	case a.Plies == 0 && a.By != "":
		return wrong("by", "is given without adjudication.plies")
	case a.Plies > 0 && a.By != ByStores && a.By != ByDraw:
		return wrong("by", "is %q; it must be %q or %q", a.By, ByStores, ByDraw)

	case a.WinPlies != 0 && a.WinPlies < 2:
		return wrong("win_plies", "is %d; it must be at least 2, because both bots must report a score", a.WinPlies)
	case a.WinPlies == 0 && a.WinScore != 0:
		return wrong("win_score", "is given without adjudication.win_plies")
	case a.WinPlies > 0 && !(a.WinScore > 0):
		return wrong("win_score", "is %v; it must be more than 0", a.WinScore)
	case beyond(a.WinPlies):
		return wrong("win_plies", "is %d; it must be fewer than adjudication.plies (%d), or it has no effect", a.WinPlies, a.Plies)

	case a.DrawPlies != 0 && a.DrawPlies < 2:
		return wrong("draw_plies", "is %d; it must be at least 2, because both bots must report a score", a.DrawPlies)
	case a.DrawPlies == 0 && a.DrawScore != 0:
		return wrong("draw_score", "is given without adjudication.draw_plies")
	case a.DrawPlies == 0 && a.DrawAfter != 0:
		return wrong("draw_after", "is given without adjudication.draw_plies")
	case !(a.DrawScore >= 0):
		return wrong("draw_score", "is %v; it must be 0 or more", a.DrawScore)
	case a.DrawAfter < 0:
		return wrong("draw_after", "is %d; it must be 0 or more", a.DrawAfter)
	case beyond(a.DrawPlies):
		return wrong("draw_plies", "is %d; it must be fewer than adjudication.plies (%d), or it has no effect", a.DrawPlies, a.Plies)
	case beyond(a.DrawAfter):
		return wrong("draw_after", "is %d; it must be fewer than adjudication.plies (%d), or no match is drawn by agreement", a.DrawAfter, a.Plies)
	case a.WinPlies > 0 && a.DrawPlies > 0 && a.WinScore <= a.DrawScore:
		return wrong("win_score", "is %v; it must be more than adjudication.draw_score (%v)", a.WinScore, a.DrawScore)
	}
	return nil
}

// Reason says in two words why a match was adjudicated: "ply limit", "agreed win" or "agreed draw".
// It is "" for a match that was not, and without a rule that could have.
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

// Explain is the reason with the numbers of the rule.
func (a *Adjudication) Explain(match Summary) string {
	reason := a.Reason(match)
	switch reason {
	case "ply limit":
		if a.By == ByDraw {
			return fmt.Sprintf("%s: after %d plies a match is drawn", reason, a.Plies)
		}
		return fmt.Sprintf("%s: after %d plies the larger store wins, donkeys first", reason, a.Plies)
	case "agreed win":
		winner := "South"
		if match.Result == NorthWins {
			winner = "North"
		}
		return fmt.Sprintf("%s: both bots told a score of %s or more for %s, %d plies in a row", reason, exact(a.WinScore), winner, a.WinPlies)
	case "agreed draw":
		return fmt.Sprintf("%s: both bots told a score of at most %s for either, %d plies in a row", reason, exact(a.DrawScore), a.DrawPlies)
	}
	return ""
}

// changedAdjudication lists what differs between two rules, of which either may be nil.
func changedAdjudication(before, now *Adjudication) []Change {
	var changes []Change
	was, is := before.settings(), now.settings()
	for i, setting := range was {
		if setting.Value != is[i].Value {
			changes = append(changes, Change{setting.Name, setting.Value, is[i].Value})
		}
	}
	return changes
}

// settings gives all numbers of the rule by name, "" for one that is not given.
func (a *Adjudication) settings() []Setting {
	if a == nil {
		a = new(Adjudication)
	}
	given := func(is bool, value string) string {
		if !is {
			return ""
		}
		return value
	}
	win, draw := a.WinPlies > 0, a.DrawPlies > 0
	return []Setting{
		{Name: "adjudication.plies", Value: given(a.Plies > 0, strconv.Itoa(a.Plies))},
		{Name: "adjudication.by", Value: string(a.By)},
		{Name: "adjudication.win_score", Value: given(win, exact(a.WinScore))},
		{Name: "adjudication.win_plies", Value: given(win, strconv.Itoa(a.WinPlies))},
		{Name: "adjudication.draw_score", Value: given(draw, exact(a.DrawScore))},
		{Name: "adjudication.draw_plies", Value: given(draw, strconv.Itoa(a.DrawPlies))},
		{Name: "adjudication.draw_after", Value: given(draw, strconv.Itoa(a.DrawAfter))},
	}
}
