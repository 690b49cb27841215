package results

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"sembra/engine"
	"sembra/results/stats"
)

// RatedPlayers is the rating of all players of a field, with its input.
type RatedPlayers struct {
	stats.Field              // players by their index in Names
	Names       []string     // of the players
	Games       []stats.Game // the games that count; those of one unit are adjacent
	Anchor      int          // the player whose rating is Mean; -1: none, and the mean of each group is Mean
	Mean        float64      // Elo
	Prior       float64      // virtual draws of each player; 0: none
}

// rateField rates players. anchor is the name of the player whose rating is mean; "": none.
func rateField(names []string, games []stats.Game, anchor string, mean, draws float64) (RatedPlayers, error) {
	field := RatedPlayers{Names: names, Games: games, Anchor: slices.Index(names, anchor), Mean: mean}
	if anchor != "" && field.Anchor < 0 {
		return field, &engine.UnknownError{Kind: "player", Name: anchor, Known: names}
	}
	return field.rate(draws)
}

// rate returns the field with its players rated, with so many virtual draws for each; see [stats.Rate].
func (f RatedPlayers) rate(draws float64) (RatedPlayers, error) {
	field, err := stats.Rate(f.Games, len(f.Names), stats.Anchor{Player: f.Anchor, At: f.Mean}, draws)
	f.Field, f.Prior = field, draws
	return f, err
}

// GameRatings is the rating of all players of a list of games.
type GameRatings struct {
	Lines []PlayerLine // best first
	Field RatedPlayers
}

// PlayerLine is the line of one player.
type PlayerLine struct {
	Rank   int // from 1, in the player's group; equal players share a rank, and the next rank is left out. 0: no rating
	Player string
	stats.Rating
	Tally
}

// Score returns the share of the possible points, from 0 to 1. Each player of a list has played at least one game.
func (l PlayerLine) Score() float64 { return l.Points / float64(l.Matches) }

// Rate rates all players of the list. The mean of each group that can be compared is at mean or, with an
// anchor, the rating of that player is. prior is the number of virtual draws of each player, see
// [stats.Rate]; 0: none. The error lists the players if the anchor is not one of them, or says why the
// anchor has no rating.
func (list GameList) Rate(anchor string, mean, prior float64) (GameRatings, error) {
	field, err := rateField(list.Players, list.Games, anchor, mean, prior)
	if err != nil {
		return GameRatings{}, err
	}
	if field.Anchor >= 0 && field.Players[field.Anchor].Rating == nil {
		return GameRatings{}, fmt.Errorf("ratings cannot be anchored on %q, because the games do not rate it "+
			"(hint: without an anchor, the notes below the table say why)", anchor)
	}
	lines := make([]PlayerLine, len(list.Players))
	for i, player := range list.Players {
		lines[i].Player, lines[i].Rating = player, field.Players[i]
	}
	for _, game := range list.Games {
		lines[game.First].add(game.Score, true)
		lines[game.Second].add(1-game.Score, true)
	}
	slices.SortStableFunc(lines, func(a, b PlayerLine) int {
		byRating := compareRatings(a.Rating, b.Rating)
		if _, rated := likeliest(a.Rating); byRating == 0 && !rated {
			byRating = cmp.Compare(b.Score(), a.Score())
		}
		return cmp.Or(byRating, cmp.Compare(a.Player, b.Player))
	})
	rankField(lines)
	return GameRatings{lines, field}, nil
}

// likeliest returns the rating that makes the games most likely. It is infinite if only a bound is known, and ok is
// false if nothing is known. It is rounded to a millionth of an Elo, so players with equal results are equal.
func likeliest(r stats.Rating) (rating float64, ok bool) {
	switch {
	case r.Rating != nil:
		return math.Round(*r.Rating*1e6) / 1e6, true
	case r.Low != nil:
		return math.Inf(1), true
	}
	return math.Inf(-1), r.High != nil
}

// Compare orders two players by their ratings: one group after another, in each the best first, and at the end the
// players of whom nothing is known.
func (f RatedPlayers) Compare(a, b int) int { return compareRatings(f.Players[a], f.Players[b]) }

func compareRatings(a, b stats.Rating) int {
	ratingA, knownA := likeliest(a)
	ratingB, knownB := likeliest(b)
	switch {
	case knownA && knownB:
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(ratingB, ratingA))
	case knownA:
		return -1
	case knownB:
		return 1
	}
	return 0
}

// rankField sets the ranks of sorted lines.
func rankField(lines []PlayerLine) {
	first := 0 // the first line of the group
	for i := range lines {
		rating, ok := likeliest(lines[i].Rating)
		if !ok {
			return // the lines after it have no rating either
		}
		if lines[i].Group != lines[first].Group {
			first = i
		}
		lines[i].Rank = i - first + 1
		if i == first {
			continue
		}
		if before, _ := likeliest(lines[i-1].Rating); before == rating {
			lines[i].Rank = lines[i-1].Rank
		}
	}
}

// Difference compares two players of a field, from the view of one of them.
type Difference struct {
	Player, Opponent string
	stats.Difference
}

// Differences compares each player with each other one, in the order of the given players, which are indexes. Players
// of one group are compared by their ratings. If two others have met and one of them won everything, the result has
// the bound that these games give, and the probability of superiority. Nothing is known about other players.
func (f RatedPlayers) Differences(order []int) []Difference {
	direct := stats.DirectResults(f.Games)
	var all []Difference
	for _, a := range order {
		for _, b := range order {
			if a != b {
				all = append(all, Difference{f.Names[a], f.Names[b], f.difference(direct, a, b)})
			}
		}
	}
	return all
}

// difference compares two players. direct is the games of each two, the lesser one first.
func (f RatedPlayers) difference(direct map[[2]int]stats.Direct, a, b int) stats.Difference {
	if d := f.Field.Difference(a, b); d.Elo != nil {
		return d
	}
	match := direct[[2]int{min(a, b), max(a, b)}]
	if a > b {
		match = match.Swap()
	}
	figures, _ := match.Figures()
	if figures.Score == nil || figures.Elo != nil {
		return stats.Difference{}
	}
	return stats.Difference{Low: figures.EloLow, High: figures.EloHigh, Superiority: figures.Superiority}
}
