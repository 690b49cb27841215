package results

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"sembra/results/stats"
)

// FieldReport is the rating of a whole field of players.
type FieldReport struct {
	Players []FieldLine // best first
	Field   stats.Field
	Games   int
	Wrap    int // columns of the words below a table or chart; 0: a line each. The caller's to set

	rated ratedField
}

// FieldLine is one line of a FieldReport.
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
// rating of that player; groups that cannot be compared have a mean each. The error lists the players where
// the anchor is none of them.
func RateGames(list GameList, anchor string, mean float64) (FieldReport, error) {
	at := stats.Anchor{Player: -1, At: mean}
	if anchor != "" {
		at.Player = slices.Index(list.Players, anchor)
		if at.Player < 0 {
			return FieldReport{}, fmt.Errorf("unknown player %q to anchor ratings on (known: %s)", anchor, knownNames(list.Players))
		}
	}
	field, err := stats.Rate(list.Games, len(list.Players), at)
	if err != nil {
		return FieldReport{}, err
	}
	rated := ratedField{field, list.Players, list.Games, at.Player}
	if at.Player >= 0 && field.Players[at.Player].Rating == nil {
		return FieldReport{}, fmt.Errorf("ratings cannot be anchored on %q, as the games do not rate it: %s",
			anchor, strings.Join(rated.words(), "; "))
	}
	lines := fieldLines(list, field)
	slices.SortStableFunc(lines, compareFieldLines)
	rankField(lines)
	return FieldReport{Players: lines, Field: field, Games: len(list.Games), rated: rated}, nil
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

// knownNames lists names for an error, some of many.
func knownNames(names []string) string {
	clipped := make([]string, len(names))
	for i, name := range names {
		clipped[i] = clip(printable(name))
	}
	return listNames(clipped)
}
