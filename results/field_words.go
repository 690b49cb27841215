package results

import (
	"fmt"
	"strconv"
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

// groupCell is the number of the group that a rating is in, "-" of none.
func groupCell(r stats.Rating) string {
	if r.Group == 0 {
		return "-"
	}
	return strconv.Itoa(r.Group)
}

// ratedField is the rating of a field, with what it comes from.
type ratedField struct {
	stats.Field
	names  []string     // of the players, by index
	games  []stats.Game // that count, those of a unit next to each other
	anchor int          // the player whose rating is given; less than 0: none
}

// words says in plain words what the rating of a field could not tell, and how much moving first is
// worth; a line each.
func (f ratedField) words() []string {
	if f.Groups == 0 {
		if len(f.games) == 0 {
			return []string{"nobody can be rated: there is no game that counts"}
		}
		return []string{"nobody can be rated: that takes players who each took points from each other, directly or by way of others"}
	}
	lines := f.groupWords()
	lines = append(lines, f.unratedWords()...)
	lines = append(lines, f.errorWords()...)
	return append(lines, firstMoverWords(f.FirstMover))
}

// name is that of a player, for people.
func (f ratedField) name(player int) string { return printable(f.names[player]) }

// groupWords lists the groups, where there are several.
func (f ratedField) groupWords() []string {
	if f.Groups < 2 {
		return nil
	}
	members := make([][]string, f.Groups)
	for i, player := range f.Players {
		if player.Rating != nil {
			members[player.Group-1] = append(members[player.Group-1], f.name(i))
		}
	}
	lines := []string{fmt.Sprintf("%d groups rated apart, as results do not connect them both ways; their ratings do not compare:", f.Groups)}
	for i, names := range members {
		lines = append(lines, fmt.Sprintf("  group %d: %s", i+1, listNames(names)))
	}
	return lines
}

// unratedWords says why players have no rating.
func (f ratedField) unratedWords() []string {
	played := make([]bool, len(f.Players))
	for _, game := range f.games {
		played[game.First], played[game.Second] = true, true
	}
	var why reasons
	for i, player := range f.Players {
		switch {
		case player.Rating != nil:
		case player.Low != nil:
			why.add(0, "won everything against the rated: only a lower bound can be told", f.name(i))
		case player.High != nil:
			why.add(1, "lost everything against the rated: only an upper bound can be told", f.name(i))
		case played[i]:
			why.add(2, "no rating, as results do not connect them with others both ways", f.name(i))
		default:
			why.add(3, "no game that counts", f.name(i))
		}
	}
	return why.lines()
}

// reasons are what is said of some players each, by where it is said.
type reasons [5]struct {
	what  string
	names []string
}

func (r *reasons) add(place int, what, name string) {
	r[place].what = what
	r[place].names = append(r[place].names, name)
}

// lines leaves out what is said of nobody.
func (r *reasons) lines() []string {
	var lines []string
	for _, reason := range r {
		if len(reason.names) > 0 {
			lines = append(lines, listNames(reason.names)+": "+reason.what)
		}
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
