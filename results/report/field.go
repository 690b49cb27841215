package report

import (
	"fmt"
	"slices"

	"sembra/engine/show"
	"sembra/results"
	"sembra/results/stats"
)

// fieldNotes returns in words which ratings and errors are not known, and how much moving first is worth. The text
// calls those who are rated by the word in who, "bots" or "players". prior is the command or the flag that gives a
// field a prior; "" if there is none.
func fieldNotes(f results.RatedPlayers, who, prior string) []string {
	var n notes
	switch {
	case f.Groups == 0 && len(f.Games) == 0:
		return []string{"nobody can be rated: there is no game that counts"}
	case f.Groups == 0:
		return orderNotes(f, who, prior)
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
	switch first := f.FirstMover; {
	case !first.Fitted:
		n.add("the results do not show whether moving first helps, so it counts as 0 Elo")
	case first.Error == nil:
		n.add("moving first is worth %s Elo; the error is not known", signedWhole(first.Elo))
	default:
		n.add("moving first is worth %s %s Elo", signedWhole(first.Elo), marginCell(*first.Error, 1, whole))
	}
	return n
}

// namesOf returns the names of the players of whom something is true; nil if there are none.
func namesOf(f results.RatedPlayers, is func(player int, r stats.Rating) bool) (names []string) {
	for i, r := range f.Players {
		if is(i, r) {
			names = append(names, f.Names[i])
		}
	}
	return names
}

// unratedNotes returns why bots or players have no rating.
func unratedNotes(f results.RatedPlayers, who string) []string {
	played := make([]bool, len(f.Players))
	for _, game := range f.Games {
		played[game.First], played[game.Second] = true, true
	}
	var n notes
	for _, why := range []struct {
		low, high, played bool // what is known of the players
		text              string
	}{
		{true, false, true, "won all points against rated " + who + ", so only a lower bound of the rating is known"},
		{false, true, true, "won no points against rated " + who + ", so only an upper bound of the rating is known"},
		{false, false, true, "no rating, because the results do not connect them with the rated " + who},
		{false, false, false, "no rating, because no game counts"},
	} {
		n.about(namesOf(f, func(i int, r stats.Rating) bool {
			return r.Rating == nil && played[i] == why.played && (r.Low != nil) == why.low && (r.High != nil) == why.high
		}), why.text)
	}
	return n
}

// orderNotes returns the order of a field in which nobody can be rated, with bounds between neighbours who met.
func orderNotes(f results.RatedPlayers, who, prior string) []string {
	const most = 20
	if prior != "" {
		prior = " (hint: " + prior + " rates such a field)"
	}
	lead := func(first, second int, format string, args ...any) string { // "" if none is known
		d := f.Differences([]int{first, second})[0]
		if d.Low == nil || *d.Low <= 0 {
			return ""
		}
		return fmt.Sprintf(format, append([]any{signedWhole(*d.Low)}, args...)...)
	}
	var n notes
	order := f.Order()
	if len(f.Players) == 2 && len(order) == 2 { // the table shows the order
		first, second := order[0][0], order[1][0]
		n.add("the results give no ratings, because %s took all points%s%s", shortName(f.Names[first]),
			lead(first, second, ": a lead of more than %s Elo (95 %%)"), prior)
		return n
	}
	n.add("the results give no ratings, because no two %s took points from each other, directly "+
		"or through others; they give this order, in which nobody lost to anybody below%s:", who, prior)
	for i, players := range order[:min(most, len(order))] {
		ahead := ""
		if i+1 < len(order) && len(players) == 1 && len(order[i+1]) == 1 {
			next := order[i+1][0]
			ahead = lead(players[0], next, ", with a lead of more than %s Elo over %s (95 %%)", shortName(f.Names[next]))
		}
		inLine := func(player int, _ stats.Rating) bool { return slices.Contains(players, player) }
		n.add("  %d. %s%s", i+1, listNames(namesOf(f, inLine)), ahead)
	}
	n.when(len(order) > most, "  and %s more", show.Count(len(order)-most, "line", "lines"))
	return n
}
