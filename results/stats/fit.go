package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// fit searches the likeliest parameters of a Bradley-Terry model, on the natural scale, where a difference
// of 1 means odds of e. The parameters are the ratings of the players in groups, with a mean of 0 for each
// group, and then the advantage of moving first, if it is fitted.
type fit struct {
	groups [][]int // players
	inner  []cell  // games inside groups
	place  []int   // by player: index of its parameter; -1: it is in no group
	fitted bool    // the advantage of moving first is a parameter
	first  float64 // the advantage if it is not a parameter
	x      []float64
}

// advantage returns the advantage of moving first.
func (f *fit) advantage(x []float64) float64 {
	if f.fitted {
		return x[len(x)-1]
	}
	return f.first
}

// difference returns the strength of the first player minus that of the second, with the advantage.
func (f *fit) difference(x []float64, first, second int) float64 {
	return x[f.place[first]] - x[f.place[second]] + f.advantage(x)
}

// expected returns the expected score of the first player.
func (f *fit) expected(first, second int) float64 { return logistic(f.difference(f.x, first, second)) }

func logistic(d float64) float64 { return 1 / (1 + math.Exp(-d)) }

// loss returns the negative logarithm of the likelihood. A draw counts as half a win and half a loss.
func (f *fit) loss(x []float64) float64 {
	sum := 0.0
	for _, c := range f.inner {
		d := f.difference(x, c.first, c.second)
		// ln(1+e^-d), which is -ln of the expected score, without overflow.
		sum += c.games*(max(-d, 0)+math.Log1p(math.Exp(-math.Abs(d)))) + (c.games-c.points)*d
	}
	return sum
}

// slope returns the gradient of the loss, in points: expected minus obtained.
func (f *fit) slope() []float64 {
	g := make([]float64, len(f.x))
	for _, c := range f.inner {
		surplus := c.games*f.expected(c.first, c.second) - c.points
		g[f.place[c.first]] += surplus
		g[f.place[c.second]] -= surplus
		if f.fitted {
			g[len(g)-1] += surplus
		}
	}
	return g
}

// information returns the matrix of second derivatives of the loss, which is the information of the games.
func (f *fit) information() *matrix {
	size := len(f.x)
	h := newMatrix(size)
	for _, c := range f.inner {
		i, j, p := f.place[c.first], f.place[c.second], f.expected(c.first, c.second)
		weight := c.games * p * (1 - p)
		h.add(i, i, weight)
		h.add(j, j, weight)
		h.add(i, j, -weight)
		if f.fitted {
			w := size - 1
			h.add(i, w, weight)
			h.add(j, w, -weight)
			h.add(w, w, weight)
		}
	}
	return h
}

// trace returns the sum of a group's information.
func (f *fit) trace(information *matrix, group []int) float64 {
	sum := 0.0
	for _, player := range group {
		sum += information.at(f.place[player], f.place[player])
	}
	return sum
}

// fixed makes information a matrix with an inverse. It has none, because a shift of a whole group does not change
// the loss. So fixed adds a matrix of equal values, of the size of the others, for each group. It does not change
// ratings whose mean is 0. To every element of the inverse in a group, it adds 1 / trace.
func (f *fit) fixed(information *matrix) *matrix {
	for _, group := range f.groups {
		ones := f.trace(information, group) / float64(len(group)*len(group))
		for n, a := range group {
			for _, b := range group[n:] {
				information.add(f.place[a], f.place[b], ones)
			}
		}
	}
	return information
}

// rounds limits the rounds of Newton's method. It needs far fewer: each brings a rating at least about 1
// nearer on the natural scale.
const rounds = 500

// solve finds the maximum by Newton's method. It ends when the expected points of all players equal the
// obtained points, except for rounding.
func (f *fit) solve() error {
	gradient := f.slope()
	worst := floats.Norm(gradient, math.Inf(1))
	for range rounds {
		if worst < 1e-11 {
			break
		}
		lower, ok := f.fixed(f.information()).cholesky()
		if !ok {
			break
		}
		step, before := lower.solve(gradient), f.x
		fell := f.descend(step) // if the matrix is nearly singular, the step is bad, and is halved
		if !fell {              // the loss is flat to the last digit, but the slope may still improve
			f.x = f.moved(step, 1)
		}
		next := f.slope()
		left := floats.Norm(next, math.Inf(1))
		if !fell && !(left < worst) {
			f.x = before
			break
		}
		gradient, worst = next, left
	}
	games := 0.0
	for _, c := range f.inner {
		games += c.games
	}
	if !(worst < 1e-9*max(1, games/1000)) {
		return fmt.Errorf("the ratings do not converge: the expected points of a player still differ by %v; "+
			"results this uneven cannot be rated", worst)
	}
	return nil
}

// descend takes a step down, halved until the loss falls, and reports whether it fell.
func (f *fit) descend(step []float64) bool {
	loss := f.loss(f.x)
	for length := 1.0; length > 1e-3; length /= 2 {
		if next := f.moved(step, length); f.loss(next) < loss {
			f.x = next
			return true
		}
	}
	return false
}

// moved returns the parameters after a part of a step down.
func (f *fit) moved(step []float64, length float64) []float64 {
	next := make([]float64, len(f.x))
	for i := range next {
		next[i] = f.x[i] - length*step[i]
	}
	return next
}

// firstMoverShown reports whether the games of the groups show the advantage of moving first.
//
// The likelihood has one finite maximum unless there is a direction in which it never falls: ratings change
// by d, and the advantage by a. It never falls if for every x who took points from y,
// d(x) - d(y) + a >= 0 when x moved first, and d(x) - d(y) - a >= 0 when x moved second. Inside groups,
// a = 0 allows only the shift of a whole group. For a = 1 these are difference constraints. They have a
// solution unless there is a cycle of negative weight in the graph with an edge from x to y, of weight +1
// when x moved first and -1 when x moved second. For a = -1 they have one unless there is a cycle of
// positive weight. So the games show the advantage if there are both kinds of cycles.
func firstMoverShown(inner []cell, players int) bool {
	return negativeCycle(inner, players, 1) && negativeCycle(inner, players, -1)
}

// negativeCycle reports whether there is a cycle of negative weight, by the method of Bellman and Ford. An
// edge has the weight first if its winner moved first, and -first if its winner moved second.
func negativeCycle(inner []cell, players, first int) bool {
	distance := make([]int, players) // from a source with an edge of weight 0 to every player
	for {
		changed := false
		relax := func(from, to, weight int) {
			if near := distance[from] + weight; near < distance[to] {
				distance[to], changed = near, true
			}
		}
		for _, c := range inner {
			if c.firstScored() {
				relax(c.first, c.second, first)
			}
			if c.secondScored() {
				relax(c.second, c.first, -first)
			}
		}
		if !changed {
			return false
		}
		for _, d := range distance {
			if d <= -players {
				return true // no path without a cycle is so short
			}
		}
	}
}
