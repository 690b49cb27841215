package stats

import (
	"fmt"
	"iter"
	"math"
	"slices"
)

// Game is one game for the rating of a field.
type Game struct {
	First, Second int     // players, by index; First moved first
	Score         float64 // of First: 1, 1/2 or 0

	// Unit marks games that are one observation, such as the two of a pair. Games with the same unit must be
	// adjacent and have the same two players.
	Unit int
}

// units yields the games of each unit.
func units(games []Game) iter.Seq[[]Game] {
	return func(yield func([]Game) bool) {
		start := 0
		for i, g := range games {
			if g.Unit != games[start].Unit {
				if !yield(games[start:i]) {
					return
				}
				start = i
			}
		}
		if start < len(games) {
			yield(games[start:])
		}
	}
}

// Anchor fixes the scale of the ratings.
type Anchor struct {
	Player int     // the player whose rating is At; less than 0: none, and the mean of each group is At
	At     float64 // Elo
}

// Field is the rating of a whole field.
type Field struct {
	Players    []Rating // by index
	Groups     int      // number of groups of players that can be compared
	FirstMover FirstMover

	spread *spread            // nil if there is no group
	duels  map[int]Difference // by group from 0: the lesser player against the other; see [fit.duels]
}

// Rating is the rating of one player.
type Rating struct {
	Group     int      // from 1, the largest first; only ratings of one group compare. 0: no rating is possible
	Games     int      // the games that count: those inside the group, or against it
	Rating    *float64 // Elo; nil if it is unbounded or not possible
	Error     *float64 // half of the 95% interval; nil if there are too few units, and for the anchor
	Low, High *float64 // the ends of the 95% interval; or one of them is a one-sided 95% bound and the other nil
}

// FirstMover is the advantage of moving first, in Elo.
type FirstMover struct {
	Fitted bool     `json:"fitted"` // the games show the advantage; otherwise it counts as 0
	Elo    float64  `json:"elo"`    // 0 if it is not fitted
	Error  *float64 `json:"error"`  // half of the 95% interval; nil if the games do not show it
}

// Rate rates a field of players, whose indexes are from 0 to players-1. It finds the maximum likelihood in
// the model of Bradley and Terry. A draw counts as half a win and half a loss, and the advantage of moving
// first is one more parameter. At the maximum, the expected points of every player equal its points, and so
// do those of all first movers together.
//
// Players who took points from each other, directly or through others, form a group. Groups are rated
// separately, and from their inner games alone. A player who won all its games against a group, or lost
// all, gets a one-sided bound instead of a rating, from the group that it met most often. The advantage of
// moving first counts as 0 if no finite value is the likeliest one, for example if no second player wins.
//
// Errors are those of a 95% interval. They come from the scatter of the units around their expected
// results, with the mean of a group, or the anchor, as fixed. Two players who are a group have the interval of
// their match, see [Pentanomial.Figures].
//
// An error says that a number is not finite, or that results are too uneven to be rated.
//
// Sources: E. Zermelo, Die Berechnung der Turnier-Ergebnisse (1929); R. A. Bradley and M. E. Terry, Rank
// analysis of incomplete block designs (1952).
//
// With draws greater than 0, so many virtual draws are added for each player, so that even players who won or lost all
// games have a rating. Half of them come from each player. They are split among its opponents by the number of games,
// and evenly between both seats. All players that are connected by games form a group. Errors are those of the model
// alone, because clean sweeps show no scatter. Source: R. Coulom, BayesElo (2005), prior.
func Rate(games []Game, players int, anchor Anchor, draws float64) (Field, error) {
	if !(draws >= 0) || math.IsInf(draws, 1) || math.IsNaN(anchor.At) || math.IsInf(anchor.At, 0) {
		return Field{}, fmt.Errorf("%v virtual draws and an anchor at %v: both must be finite", draws, anchor.At)
	}
	return rate(games, players, anchor, draws, nil)
}

// rate does the same as Rate. If the advantage of moving first is given, in Elo, it is not fitted.
func rate(games []Game, players int, anchor Anchor, draws float64, given *float64) (Field, error) {
	all := withDraws(cells(games, players), players, draws)
	found := groups(all, players)
	group, place := make([]int, players), make([]int, players)
	for i := range group {
		group[i], place[i] = -1, -1
	}
	rated := 0
	for n, members := range found {
		for _, player := range members {
			group[player], place[player] = n, rated
			rated++
		}
	}
	field := Field{Players: make([]Rating, players), Groups: len(found)}
	if len(found) == 0 {
		return field, nil
	}
	inner := slices.DeleteFunc(slices.Clone(all), func(c cell) bool {
		return group[c.first] < 0 || group[c.first] != group[c.second]
	})
	advantage := 0.0
	if given != nil {
		advantage = *given
	}
	fitted := given == nil && firstMoverShown(inner, players)
	parameters := rated
	if fitted {
		parameters++
	}
	f := &fit{found, inner, place, fitted, advantage * logit, make([]float64, parameters)}
	if err := f.solve(); err != nil {
		return Field{}, err
	}
	field.spread = newSpread(f, games, group, draws > 0)
	if draws == 0 {
		field.duels = f.duels(games)
	}
	field.FirstMover = FirstMover{Elo: advantage}
	if fitted {
		field.FirstMover = FirstMover{Fitted: true, Elo: f.advantage(f.x) / logit, Error: field.spread.advantage()}
	}
	field.place(f, anchor)
	for _, g := range games {
		if group[g.First] >= 0 && group[g.First] == group[g.Second] {
			field.Players[g.First].Games++
			field.Players[g.Second].Games++
		}
	}
	field.bound(games, group)
	return field, nil
}

// place sets the ratings of the groups on the scale of the anchor, with their errors.
func (field *Field) place(f *fit, anchor Anchor) {
	for n, members := range f.groups {
		origin, anchored := 0.0, false
		for _, player := range members {
			origin += f.x[f.place[player]] / float64(len(members))
		}
		if slices.Contains(members, anchor.Player) {
			origin, anchored = f.x[f.place[anchor.Player]], true
		}
		for _, player := range members {
			elo := anchor.At + (f.x[f.place[player]]-origin)/logit
			field.Players[player] = Rating{Group: n + 1, Rating: number(elo)}
		}
		_, isDuel := field.duels[n]
		for _, player := range members {
			r := &field.Players[player]
			var d Difference // from what is fixed
			switch {
			case player == anchor.Player:
				continue
			case anchored:
				d = field.Difference(player, anchor.Player)
			case isDuel: // the mean is half way between the two
				d = field.Difference(player, members[0]+members[1]-player).halved()
			default:
				d = around(*r.Rating-anchor.At, field.spread.rating(player))
			}
			if d.Error != nil {
				r.Error, r.Low, r.High = d.Error, number(anchor.At+*d.Low), number(anchor.At+*d.High)
			}
		}
	}
}

// bound gives each player outside all groups a bound, from the group that it met most often. Such a player
// won all its games against the group or lost all; otherwise it would be in it.
func (field *Field) bound(games []Game, group []int) {
	for player, met := range field.meetings(games, group) {
		if group[player] >= 0 || met == nil {
			continue
		}
		most := 0
		for n := range met {
			if met[n].games > met[most].games {
				most = n
			}
		}
		r := Rating{Group: most + 1, Games: met[most].games}
		if met[most].won {
			r.Low = number(bound(met[most].margins))
		} else {
			r.High = number(-bound(met[most].margins))
		}
		field.Players[player] = r
	}
}

// outsideGames is all games of a player outside all groups against one group.
type outsideGames struct {
	games   int
	won     bool
	margins []float64 // of the hardest game of each unit; see bound. They are negated for a player that lost
}

// meetings returns the meetings of every player with every group; nil for a player that met none.
func (field *Field) meetings(games []Game, group []int) [][]outsideGames {
	all := make([][]outsideGames, len(group))
	for unit := range units(games) {
		player, other := unit[0].First, unit[0].Second
		if group[player] >= 0 {
			player, other = other, player
		}
		if group[player] >= 0 || group[other] < 0 {
			continue
		}
		if all[player] == nil {
			all[player] = make([]outsideGames, field.Groups)
		}
		met := &all[player][group[other]]
		hardest := math.Inf(-1)
		for _, g := range unit {
			// There are no draws: they would put both players into one group.
			met.won = g.Score == 0
			margin := *field.Players[other].Rating + field.FirstMover.Elo
			if g.First == player {
				met.won = g.Score == 1
				margin -= 2 * field.FirstMover.Elo
			}
			if !met.won {
				margin = -margin
			}
			hardest = max(hardest, margin)
		}
		met.games += len(unit)
		met.margins = append(met.margins, hardest)
	}
	return all
}

// oneSided is the probability that a one-sided 95% bound is wrong.
const oneSided = 0.05

// bound returns a one-sided lower 95% bound for the rating of a player who won all its games against a
// group: with this rating, it would win them all with a probability of 0.05. The probability to win a unit
// is taken as that of its hardest game, which is never too small. The margin of a game is the opponent's
// rating, minus the advantage of moving first if the player moved first, or plus it otherwise.
func bound(hardest []float64) float64 {
	edge := *Elo(math.Pow(oneSided, 1/float64(len(hardest))))
	return root(func(x float64) (y, slope float64) {
		y = math.Log(oneSided)
		for _, m := range hardest {
			d := logit * (x - m)
			y += max(-d, 0) + math.Log1p(math.Exp(-math.Abs(d)))
			slope -= logit * (1 - logistic(d))
		}
		return y, slope
	}, slices.Min(hardest)+edge-1, slices.Max(hardest)+edge+1)
}
