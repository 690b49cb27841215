package results

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"sembra/results/stats"
)

// GameRatings are the ratings of all players of a list of games.
type GameRatings struct {
	Lines []FieldLine // best first
	Field RatedField
}

// FieldLine is what a list of games says of one player.
type FieldLine struct {
	Rank   int // from 1, in the player's group; equal ones share a rank, and the next rank is left out. 0: no rating
	Player string
	stats.Rating
	Played              int // games
	Points              float64
	Wins, Draws, Losses int
}

// Score is the share of the possible points, from 0 to 1. A player of a list of games has played at least one.
func (l FieldLine) Score() float64 { return l.Points / float64(l.Played) }

// RateGames rates all players of a list at once. The mean of their ratings is at mean or, with an anchor, the
// rating of that player is; groups that cannot be compared have a mean each. The error lists the players where
// the anchor is none of them, or says why the anchor has no rating.
func RateGames(list GameList, anchor string, mean float64) (GameRatings, error) {
	at := stats.Anchor{Player: -1, At: mean}
	if anchor != "" {
		at.Player = slices.Index(list.Players, anchor)
		if at.Player < 0 {
			return GameRatings{}, fmt.Errorf("unknown player %q to anchor ratings on (known: %s)",
				anchor, knownNames(list.Players))
		}
	}
	field, err := stats.Rate(list.Games, len(list.Players), at)
	if err != nil {
		return GameRatings{}, err
	}
	if at.Player >= 0 && field.Players[at.Player].Rating == nil {
		return GameRatings{}, fmt.Errorf("ratings cannot be anchored on %q, as the games do not rate it: %s",
			anchor, unrated(field, at.Player))
	}
	lines := fieldLines(list, field)
	slices.SortStableFunc(lines, compareFieldLines)
	rankField(lines)
	return GameRatings{lines, RatedField{field, list.Players, list.Games, at.Player, mean}}, nil
}

// unrated says why a player has no rating.
func unrated(field stats.Field, player int) string {
	switch rating := field.Players[player]; {
	case field.Groups == 0:
		return "they rate nobody"
	case rating.Low != nil:
		return "it won all points against rated players, so only a lower bound of its rating is known"
	case rating.High != nil:
		return "it won no points against rated players, so only an upper bound of its rating is known"
	}
	return "the results do not connect it with the rated players"
}

// fieldLines counts the games by players, in the order of the list.
func fieldLines(list GameList, field stats.Field) []FieldLine {
	lines := make([]FieldLine, len(list.Players))
	for i, player := range list.Players {
		lines[i].Player, lines[i].Rating = player, field.Players[i]
	}
	for _, game := range list.Games {
		lines[game.First].add(game.Score)
		lines[game.Second].add(1 - game.Score)
	}
	return lines
}

func (l *FieldLine) add(score float64) {
	l.Played++
	l.Points += score
	switch score {
	case 1:
		l.Wins++
	case 0:
		l.Losses++
	default:
		l.Draws++
	}
}

// likeliest is the rating that makes the games likeliest, which for a player with a bound on one side alone is
// without end on the other; false where nothing can be said. It is rounded, so that players with like results
// are equal.
func (l FieldLine) likeliest() (rating float64, ok bool) {
	switch {
	case l.Rating.Rating != nil:
		const digits = 1e6 // to 1/digits of an Elo
		return math.Round(*l.Rating.Rating*digits) / digits, true
	case l.Low != nil:
		return math.Inf(1), true
	case l.High != nil:
		return math.Inf(-1), true
	}
	return 0, false
}

// compareFieldLines orders the groups, inside of each the best first, and last those without a rating.
func compareFieldLines(a, b FieldLine) int {
	ratingA, okA := a.likeliest()
	ratingB, okB := b.likeliest()
	switch {
	case okA != okB:
		if okA {
			return -1
		}
		return 1
	case !okA:
		return cmp.Or(cmp.Compare(b.Score(), a.Score()), cmp.Compare(a.Player, b.Player))
	}
	return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(ratingB, ratingA), cmp.Compare(a.Player, b.Player))
}

// rankField gives sorted lines their ranks.
func rankField(lines []FieldLine) {
	group, place := -1, 0
	for i := range lines {
		rating, ok := lines[i].likeliest()
		if !ok {
			return // nor have those after it
		}
		if lines[i].Group != group {
			group, place = lines[i].Group, 0
		}
		place++
		lines[i].Rank = place
		if place > 1 {
			if before, _ := lines[i-1].likeliest(); before == rating {
				lines[i].Rank = lines[i-1].Rank
			}
		}
	}
}

// knownNames lists names for an error, the first ten of many.
func knownNames(names []string) string {
	var known []string
	for _, name := range names[:min(10, len(names))] {
		known = append(known, clip(Visible([]byte(name), 0)))
	}
	text := strings.Join(known, ", ")
	if more := len(names) - len(known); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
