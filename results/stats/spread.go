package stats

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// spread is the uncertainty of the parameters of a fit: their sandwich covariance (P. J. Huber, The behavior
// of maximum likelihood estimates under nonstandard conditions, 1967; H. White, Maximum likelihood
// estimation of misspecified models, 1982), with the unit as one observation (K.-Y. Liang and S. L. Zeger,
// Longitudinal data analysis using generalized linear models, 1986). It takes the scatter of results from
// the games. So errors are not too wide when there are draws, or when both bots win with the better side of
// an unfair opening.
type spread struct {
	place      []int      // by player: index of its parameter; -1: it is in no group
	group      []int      // by player, from 0
	first      int        // index of the advantage of moving first; -1: it is not fitted
	covariance *mat.Dense // natural scale
	model      *mat.SymDense
	silent     []bool    // by parameter: the units of that player do not scatter
	correction []float64 // by group: the factor for its variances; last that of the advantage. 0: too few units
}

// newSpread computes the covariance H^-1 V H^-1, where H is the information of the games and V is a sum over
// the units. A pair adds the outer square of its own slope. A single game adds what the model expects, times
// the ratio of the scatter of all single games to the expected scatter, which draws make smaller (R. W. M.
// Wedderburn, Quasi-likelihood functions, 1974).
func newSpread(f *fit, games []Game, group []int) *spread {
	size := len(f.x)
	s := &spread{place: f.place, group: group, first: -1, model: mat.NewSymDense(size, nil)}
	if f.fitted {
		s.first = size - 1
	}
	v, alone := mat.NewSymDense(size, nil), mat.NewSymDense(size, nil)
	scatter, expected := 0.0, 0.0 // of single games
	units := make([]int, len(f.groups))
	for i := 0; i < len(games); {
		unit := games[i:unitEnd(games, i)]
		i += len(unit)
		a, b := unit[0].First, unit[0].Second
		if f.place[a] < 0 || group[a] != group[b] {
			continue
		}
		units[group[a]]++
		if len(unit) == 1 {
			residual, p := unit[0].Score-f.expected(a, b), f.expected(a, b)
			scatter += residual * residual
			expected += p * (1 - p)
			s.addSquare(alone, a, b, p*(1-p), p*(1-p), p*(1-p))
			continue
		}
		ofA, ofFirst := 0.0, 0.0
		for _, g := range unit {
			residual := g.Score - f.expected(g.First, g.Second)
			ofFirst += residual
			if g.First == a {
				ofA += residual
			} else {
				ofA -= residual
			}
		}
		s.addSquare(v, a, b, ofA*ofA, ofA*ofFirst, ofFirst*ofFirst)
	}
	if expected > 0 {
		alone.ScaleSym(scatter/expected, alone)
		v.AddSym(v, alone)
	}
	s.correction = corrections(f, units)
	curvature := f.curvature()
	s.silent = make([]bool, size)
	for i := range s.silent {
		s.silent[i] = v.At(i, i) <= rounding*curvature.At(i, i)
	}
	var factors mat.Cholesky
	if !factors.Factorize(curvature) || factors.InverseTo(s.model) != nil {
		s.correction = make([]float64, len(s.correction)) // it is too nearly singular
		return s
	}
	inverse, half := mat.DenseCopyOf(s.model), new(mat.Dense) // dense matrices multiply faster
	half.Mul(inverse, mat.DenseCopyOf(v))
	s.covariance = mat.NewDense(size, size, nil)
	s.covariance.Mul(half, inverse)
	return s
}

// addSquare adds the outer square of a unit's slope to the upper half of m. The surplus of player b is the
// negative of that of player a. aa is the square of a's surplus, ff the square of the first movers' surplus,
// and af the product of both.
func (s *spread) addSquare(m *mat.SymDense, a, b int, aa, af, ff float64) {
	raw := m.RawSymmetric()
	x, y := s.place[a], s.place[b]
	raw.Data[x*raw.Stride+x] += aa
	raw.Data[y*raw.Stride+y] += aa
	raw.Data[min(x, y)*raw.Stride+max(x, y)] -= aa
	if w := s.first; w >= 0 {
		raw.Data[x*raw.Stride+w] += af
		raw.Data[y*raw.Stride+w] -= af
		raw.Data[w*raw.Stride+w] += ff
	}
}

// corrections returns G/(G-k) for G units and k parameters: for every group, and last for the advantage of
// moving first.
func corrections(f *fit, units []int) []float64 {
	factor := func(units, parameters int) float64 {
		if units <= parameters {
			return 0
		}
		return float64(units) / float64(units-parameters)
	}
	first := 0
	if f.fitted {
		first = 1
	}
	var all []float64
	sumUnits, sum := 0, first
	for i, group := range f.groups {
		all = append(all, factor(units[i], len(group)-1+first))
		sumUnits += units[i]
		sum += len(group) - 1
	}
	return append(all, factor(sumUnits, sum))
}

// unitEnd returns the index after the last game of the unit that begins at game i.
func unitEnd(games []Game, i int) int {
	end := i + 1
	for end < len(games) && games[end].Unit == games[i].Unit {
		end++
	}
	return end
}

// rating returns the error of a player's rating around the mean of its group, in Elo. It is nil if the
// player's own units do not scatter, because those of others say nothing about this player.
func (s *spread) rating(player int) *float64 {
	i := s.place[player]
	if s.silent[i] {
		return nil
	}
	return s.error(s.group[player], func(m mat.Matrix) float64 { return m.At(i, i) })
}

// difference returns the error of the difference between two players of one group, in Elo; nil if the units
// of one of them do not scatter.
func (s *spread) difference(a, b int) *float64 {
	i, j := s.place[a], s.place[b]
	if s.silent[i] || s.silent[j] {
		return nil
	}
	return s.error(s.group[a], func(m mat.Matrix) float64 { return m.At(i, i) + m.At(j, j) - 2*m.At(i, j) })
}

// advantage returns the error of the advantage of moving first, in Elo.
func (s *spread) advantage() *float64 {
	return s.error(len(s.correction)-1, func(m mat.Matrix) float64 { return m.At(s.first, s.first) })
}

// rounding is the largest variance, relative to that of the model, that can be mere rounding.
const rounding = 1e-9

// error returns half of a 95 % interval, in Elo. If the residuals are mere rounding, there is no scatter to
// learn from. That does not mean that there is no error, so the result is nil.
func (s *spread) error(group int, variance func(mat.Matrix) float64) *float64 {
	if s.correction[group] == 0 {
		return nil
	}
	v := variance(s.covariance)
	if !(v > rounding*variance(s.model)) {
		return nil
	}
	return number(Z95 * math.Sqrt(v*s.correction[group]) / logit)
}
