package report

import (
	"fmt"

	"sembra/results"
	"sembra/results/stats"
)

// fieldNotes returns in words which ratings and errors are not known, and how much moving first is worth. The text
// calls those who are rated by the word in who, "bots" or "players". prior is the command or the flag that gives a
// field a prior; "" if there is none.
func fieldNotes(f results.RatedPlayers, who, prior string) notes {
	var n notes
	switch {
	case f.Groups == 0 && len(f.Games) == 0:
		return notes{"nobody can be rated: there is no game that counts"}
	case f.Groups == 0:
		return notes{sweepNote(f, who, prior)}
	case f.Groups > 1:
		n.add("%d groups are rated separately, because the results do not connect them in both directions; "+
			"ratings of different groups cannot be compared:", f.Groups)
		for group := range f.Groups {
			members := namesOf(f, func(_ int, r stats.Rating) bool { return r.Rating != nil && r.Group == group+1 })
			n.add("  group %d: %s", group+1, listNames(members))
		}
	}
	n = append(n, unratedNotes(f, who)...)
	n.about(namesOf(f, func(i int, r stats.Rating) bool { return r.Rating != nil && r.Error == nil && i != f.Anchor }),
		"the error is not known, because there are too few results, or they are exactly as the ratings predict")
	n.when(f.Prior > 0, "each of the %s has %s virtual draws with its opponents, which bring ratings closer together; "+
		"the errors are those of the model", who, exact(f.Prior))
	first := f.FirstMover
	switch {
	case !first.Fitted:
		n.add("the results do not show whether moving first helps, so it counts as 0 Elo")
	case first.Error == nil:
		n.add("moving first is worth %s Elo; the error is not known", signedWhole(first.Elo))
	default:
		n.add("moving first is worth %s ±%s Elo", signedWhole(first.Elo), whole(*first.Error))
	}
	return n
}

// namesOf returns the names of the players of whom something is true; nil if there are none.
func namesOf(f results.RatedPlayers, is func(player int, r stats.Rating) bool) []string {
	var names []string
	for i, r := range f.Players {
		if is(i, r) {
			names = append(names, f.Names[i])
		}
	}
	return names
}

// unratedNotes returns why bots or players have no rating.
func unratedNotes(f results.RatedPlayers, who string) notes {
	var n notes
	for _, why := range []struct {
		low, high bool // what is known of the players
		text      string
	}{
		{true, false, "won all points against rated " + who + ", so only a lower bound of the rating is known"},
		{false, true, "won no points against rated " + who + ", so only an upper bound of the rating is known"},
		{false, false, "no rating, because no chain of results leads to the rated " + who},
	} {
		names := namesOf(f, func(_ int, r stats.Rating) bool {
			return r.Rating == nil && (r.Low != nil) == why.low && (r.High != nil) == why.high
		})
		n.about(names, why.text)
	}
	return n
}

// sweepNote returns why nobody in a field can be rated; the table shows the order. For two players it also has the lead
// that is certain.
func sweepNote(f results.RatedPlayers, who, prior string) string {
	why := "no two " + who + " took points off each other, even indirectly"
	if len(f.Players) == 2 {
		for _, d := range f.Differences([]int{0, 1}) {
			switch {
			case d.Low != nil && *d.Low > 0:
				lead := signedWhole(*d.Low)
				why = fmt.Sprintf("%s took all points: a lead of more than %s Elo (95%%)", d.Player, lead)
			case d.Low != nil:
				why = d.Player + " took all points"
			}
		}
	}
	if prior != "" {
		why += " (hint: " + prior + " rates such a field)"
	}
	return "no ratings: " + why
}
