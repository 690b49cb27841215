package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// fit is a Bradley-Terry model on its way to the likeliest parameters, on the natural scale, where a
// difference of 1 is odds of e. The parameters are the ratings of the players in groups, each group's
// mean being 0, and last, if it is fitted, the advantage of moving first.
type fit struct {
	groups [][]int // players
	inner  []cell  // games inside groups
	place  []int   // of a player among the parameters, -1 for one in no group
	fitted bool    // the advantage of moving first is a parameter
	first  float64 // the advantage where it is none
	x      []float64
}

func newFit(groups [][]int, inner []cell, place []int, fitted bool, first float64) *fit {
	f := &fit{groups: groups, inner: inner, place: place, fitted: fitted, first: first}
	size := 0
	for _, group := range groups {
		size += len(group)
	}
	if fitted {
		size++
	}
	f.x = make([]float64, size)
	return f
}

// advantage of moving first, on the natural scale.
func (f *fit) advantage(x []float64) float64 {
	if f.fitted {
		return x[len(x)-1]
	}
	return f.first
}

// difference in strength between who moves first and who moves second.
func (f *fit) difference(x []float64, first, second int) float64 {
	return x[f.place[first]] - x[f.place[second]] + f.advantage(x)
}

// expected is the score of who moves first.
func (f *fit) expected(first, second int) float64 { return logistic(f.difference(f.x, first, second)) }

func logistic(d float64) float64 { return 1 / (1 + math.Exp(-d)) }

// loss is the negative logarithm of the likelihood, half a point counting as half a win and half a loss.
func (f *fit) loss(x []float64) float64 {
	sum := 0.0
	for _, c := range f.inner {
		d := f.difference(x, c.first, c.second)
		// ln(1+e^-d), which is -ln of the score expected, without overflow.
		sum += c.games*(max(-d, 0)+math.Log1p(math.Exp(-math.Abs(d)))) + (c.games-c.points)*d
	}
	return sum
}

// slope is the gradient of the loss, in points: expected less obtained.
func (f *fit) slope() *mat.VecDense {
	gradient := mat.NewVecDense(len(f.x), nil)
	g := gradient.RawVector().Data
	for _, c := range f.inner {
		surplus := c.games*f.expected(c.first, c.second) - c.points
		g[f.place[c.first]] += surplus
		g[f.place[c.second]] -= surplus
		if f.fitted {
			g[len(g)-1] += surplus
		}
	}
	return gradient
}

// curvature is the matrix of second derivatives of the loss, which is the information of the games. The
// shift of a whole group leaves the loss as it is. So that there is an inverse, every group gets the
// matrix of ones besides, times something of the size of its other values: ratings whose mean is 0 are
// the same with it as without.
func (f *fit) curvature() *mat.SymDense {
	size := len(f.x)
	h := mat.NewSymDense(size, nil)
	raw := h.RawSymmetric().Data // its upper half
	add := func(i, j int, v float64) { raw[min(i, j)*size+max(i, j)] += v }
	for _, c := range f.inner {
		i, j, p := f.place[c.first], f.place[c.second], f.expected(c.first, c.second)
		weight := c.games * p * (1 - p)
		add(i, i, weight)
		add(j, j, weight)
		add(i, j, -weight)
		if f.fitted {
			w := size - 1
			add(i, w, weight)
			add(j, w, -weight)
			add(w, w, weight)
		}
	}
	for _, group := range f.groups {
		trace := 0.0
		for _, player := range group {
			trace += h.At(f.place[player], f.place[player])
		}
		ones := trace / float64(len(group)*len(group))
		for n, a := range group {
			for _, b := range group[n:] {
				add(f.place[a], f.place[b], ones)
			}
		}
	}
	return h
}

// rounds of Newton's method are far fewer; each brings a rating at least about 1 nearer on the natural
// scale.
const rounds = 500

// solve finds the maximum by Newton's method. It ends where no player's expected points differ from
// those obtained by more than rounding.
func (f *fit) solve() error {
	gradient := f.slope()
	worst := mat.Norm(gradient, math.Inf(1))
	for range rounds {
		var factors mat.Cholesky
		if worst < 1e-11 || !factors.Factorize(f.curvature()) {
			break
		}
		step := mat.NewVecDense(len(f.x), nil)
		// Its error says that the matrix is near to singular. The step is then a bad one, and halved.
		_ = factors.SolveVecTo(step, gradient)
		if f.descend(step.RawVector().Data) {
			gradient = f.slope()
			worst = mat.Norm(gradient, math.Inf(1))
			continue
		}
		// The loss is flat to the last digit, but the slope may have digits left.
		before := f.x
		f.x = f.moved(step.RawVector().Data, 1)
		next := f.slope()
		if left := mat.Norm(next, math.Inf(1)); left < worst {
			gradient, worst = next, left
			continue
		}
		f.x = before
		break
	}
	games := 0.0
	for _, c := range f.inner {
		games += c.games
	}
	if !(worst < 1e-9*max(1, games/1000)) {
		return fmt.Errorf("the ratings do not settle: some player's expected points are still %v off; "+
			"results so uneven cannot be rated", worst)
	}
	return nil
}

// descend goes a step down, halved until the loss falls, and says whether it did.
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

// moved are the parameters after a share of a step down.
func (f *fit) moved(step []float64, length float64) []float64 {
	next := make([]float64, len(f.x))
	for i := range next {
		next[i] = f.x[i] - length*step[i]
	}
	return next
}
