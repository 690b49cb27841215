package stats

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// spread is how far the parameters of a fit may be from the truth: their sandwich covariance (P. J.
// Huber, The behavior of maximum likelihood estimates under nonstandard conditions, 1967; H. White,
// Maximum likelihood estimation of misspecified models, 1982) with the unit as one observation (K.-Y.
// Liang and S. L. Zeger, Longitudinal data analysis using generalized linear models, 1986). It takes the
// scatter of results from the games, so that neither draws nor a pair's unfair opening, whose two games
// go against each other, make errors too wide.
type spread struct {
	place      []int      // of a player among the parameters, -1 for one in no group
	group      []int      // of a player, from 0
	first      int        // the place of the advantage of moving first, -1 if it is not fitted
	covariance *mat.Dense // natural scale
	model      *mat.SymDense
	silent     []bool    // by place: the units of that player do not scatter
	correction []float64 // of a group's variances for the parameters fitted; last that of the advantage. 0: too few units
}

// newSpread is the covariance H^-1 V H^-1, where H is the information of the games and V that of the
// slope, a sum over the units. A pair gives the outer square of its own slope. Of a game alone there is
// less to learn from its own: it gives what the model expects, times how much less than that all such
// games scatter, as draws make them do (R. W. M. Wedderburn, Quasi-likelihood functions, 1974).
func newSpread(f *fit, games []Game, group []int) *spread {
	size := len(f.x)
	s := &spread{place: f.place, group: group, first: -1, model: mat.NewSymDense(size, nil)}
	if f.fitted {
		s.first = size - 1
	}
	v, alone := mat.NewSymDense(size, nil), mat.NewSymDense(size, nil)
	scatter, expected := 0.0, 0.0 // of games alone
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
		s.correction = make([]float64, len(s.correction)) // too near to singular to say
		return s
	}
	inverse, half := mat.DenseCopyOf(s.model), new(mat.Dense) // dense matrices multiply faster
	half.Mul(inverse, mat.DenseCopyOf(v))
	s.covariance = mat.NewDense(size, size, nil)
	s.covariance.Mul(half, inverse)
	return s
}

// addSquare adds the outer square of a unit's slope to the upper half of m: aa is the square of the
// surplus of player a, which b has the other way round, ff that of the first movers, and af the product
// of both.
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

// corrections are G/(G-k) for G units and k parameters, of every group and last of the advantage of
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

// unitEnd is where the unit that begins at game i ends.
func unitEnd(games []Game, i int) int {
	end := i + 1
	for end < len(games) && games[end].Unit == games[i].Unit {
		end++
	}
	return end
}

// rating is the error of a player's rating about the mean of its group, in Elo. Of a player whose own units
// do not scatter nothing is known, whatever the others' do to the mean.
func (s *spread) rating(player int) *float64 {
	i := s.place[player]
	if s.silent[i] {
		return nil
	}
	return s.error(s.group[player], func(m mat.Matrix) float64 { return m.At(i, i) })
}

// difference is the error of the difference between two players of one group, in Elo; nil where the units
// of one of them do not scatter.
func (s *spread) difference(a, b int) *float64 {
	i, j := s.place[a], s.place[b]
	if s.silent[i] || s.silent[j] {
		return nil
	}
	return s.error(s.group[a], func(m mat.Matrix) float64 { return m.At(i, i) + m.At(j, j) - 2*m.At(i, j) })
}

// advantage is the error of the advantage of moving first, in Elo.
func (s *spread) advantage() *float64 {
	return s.error(len(s.correction)-1, func(m mat.Matrix) float64 { return m.At(s.first, s.first) })
}

// rounding is how small residuals are that are nothing else, of what the model alone would expect.
const rounding = 1e-9

// error is half of a 95 % interval. Where residuals are nothing but rounding there is no scatter to learn
// from, which does not mean that there is no error.
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
