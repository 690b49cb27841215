package results

import (
	"fmt"
	"strings"

	"sembra/results/stats"
)

// ratingCell is a rating of a field for people: "1523", a one-sided bound as "> 1710" or "< 1290", and
// "-" where nothing can be said.
func ratingCell(r stats.Rating) string {
	return ChartRow{Value: r.Rating, Low: r.Low, High: r.High}.number()
}

// marginCell is half of the interval of a number for people: "±41", and "-" where it is not known.
func marginCell(margin *float64) string {
	if margin == nil {
		return "-"
	}
	if *margin < 0.5 {
		return "±<1" // only no width looks like none
	}
	return "±" + whole(*margin)
}

// fieldWords says in plain words what the rating of a field could not tell, and how much moving first
// is worth; a line each. The names are those of the players, by index.
func fieldWords(field stats.Field, names []string) []string {
	var lines []string
	members := make([][]string, field.Groups+1) // by group; 0: those of whom nothing can be said
	var winners, losers, mixed []string
	for i, player := range field.Players {
		name := printable(names[i])
		switch {
		case player.Rating != nil:
			members[player.Group] = append(members[player.Group], name)
		case player.Low != nil:
			winners = append(winners, name)
		case player.High != nil:
			losers = append(losers, name)
		case player.Games > 0:
			mixed = append(mixed, name)
		default:
			members[0] = append(members[0], name)
		}
	}
	if field.Groups == 0 {
		lines = append(lines, "nobody can be rated: that takes players who each took points from each other, directly or by way of others")
	}
	if field.Groups > 1 {
		lines = append(lines, fmt.Sprintf("%d groups rated apart, as results do not connect them both ways; their ratings do not compare:", field.Groups))
		for group, names := range members[1:] {
			lines = append(lines, fmt.Sprintf("  group %d: %s", group+1, listNames(names)))
		}
	}
	for _, unbounded := range []struct {
		names []string
		what  string
	}{
		{winners, "won everything against the rated: only a lower bound can be told"},
		{losers, "lost everything against the rated: only an upper bound can be told"},
		{mixed, "no rating, as results do not connect them with others both ways"},
		{members[0], "no game that counts"},
	} {
		if len(unbounded.names) > 0 && (field.Groups > 0 || unbounded.what == "no game that counts") {
			lines = append(lines, listNames(unbounded.names)+": "+unbounded.what)
		}
	}
	if field.Groups > 0 {
		lines = append(lines, firstMoverWords(field.FirstMover))
	}
	return lines
}

// firstMoverWords says how much moving first is worth.
func firstMoverWords(f stats.FirstMover) string {
	switch {
	case !f.Fitted:
		return "how much moving first is worth the games do not tell: it is taken as 0 Elo"
	case f.Error == nil:
		return fmt.Sprintf("moving first is worth %s Elo, with no error that could be told", signedWhole(f.Elo))
	}
	return fmt.Sprintf("moving first is worth %s %s Elo", signedWhole(f.Elo), marginCell(f.Error))
}

// signedWhole rounds a difference to a whole number, with its sign.
func signedWhole(number float64) string {
	text := whole(number)
	if !strings.HasPrefix(text, "-") && text != "0" {
		text = "+" + text
	}
	return text
}

// listNames lists names, some of many.
func listNames(names []string) string {
	const most = 10
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}
