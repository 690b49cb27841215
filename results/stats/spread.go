package stats

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// spread is the uncertainty of the parameters of a fit. It comes from two covariances.
//
// The own covariance is the sandwich covariance (P. J. Huber, The behavior of maximum likelihood estimates under
// nonstandard conditions, 1967; H. White, Maximum likelihood estimation of misspecified models, 1982), with the
// unit as one observation (K.-Y. Liang and S. L. Zeger, Longitudinal data analysis using generalized linear
// models, 1986). It takes the scatter of a player's results from its own games. So errors are not too wide when
// there are draws, or when both bots win with the better side of an unfair opening. But the scatter of a few units
// is not well known.
//
// The pooled covariance is that of the model, times the ratio of the scatter of all units of the group to the
// scatter that the model expects (R. W. M. Wedderburn, Quasi-likelihood functions, 1974).
//
// The variance of a player with n units is (n own + 10 pooled)/(n + 10).
type spread struct {
	place     []int   // by player: index of its parameter; -1: it is in no group
	group     []int   // by player, from 0
	units     []int   // by player: its units inside the group
	first     int     // index of the advantage of moving first; -1: it is not fitted
	own       *matrix // natural scale
	model     *matrix
	groups    []groupSpread // by group; last that of the advantage, for all groups together
	quantiles []float64     // by player: how many standard errors 95% are on each side
	prior     bool          // there are virtual draws, and the variances are those of the model
}

// groupSpread is what the players of a group have in common.
type groupSpread struct {
	units      int
	freedom    int     // units less fitted parameters; 0: too few units for an error
	shift      float64 // what each element of the model's covariance is too large by
	scatter    float64 // sum of squared residuals of the units
	expected   float64 // what the model expects of it
	dispersion float64 // scatter / expected, times the correction
}

// add counts a unit.
func (g *groupSpread) add(square, expected float64) {
	g.units++
	g.scatter += square
	g.expected += expected
}

// correction returns units/freedom. It makes up for the parameters, which are fitted to the same units.
func (g groupSpread) correction() float64 { return float64(g.units) / float64(g.freedom) }

// pooledUnits is the number of units that the pooled variance counts for. It is ours; see STATISTICS.md.
const pooledUnits = 10

// newSpread computes the covariances. The own one is H^-1 V H^-1, where H is the information of the games and V is
// a sum over the units. A pair adds the outer square of its own slope. A single game adds what the model expects,
// times the ratio of the scatter of all single games to the expected scatter, which draws make smaller.
func newSpread(f *fit, games []Game, group []int, prior bool) *spread {
	size := len(f.x)
	s := &spread{
		place: f.place, group: group, units: make([]int, len(group)), first: -1,
		own: newMatrix(size), model: newMatrix(size),
		groups: make([]groupSpread, len(f.groups)+1), quantiles: make([]float64, len(group)), prior: prior,
	}
	if f.fitted {
		s.first = size - 1
	}
	v := s.scatter(f, games)
	information := f.information()
	s.count(f, information)
	const worst = 1e16 // condition number: beyond it, no digit is right
	lower, ok := f.fixed(information).cholesky()
	if ok {
		s.model = lower.inverse()
		ok = information.norm()*s.model.norm() < worst
	}
	if !ok {
		clear(s.groups)
		return s
	}
	s.own = s.model.times(v).times(s.model)
	return s
}

// scatter returns the matrix V of newSpread, and counts the units and their scatter by group.
func (s *spread) scatter(f *fit, games []Game) *matrix {
	v, alone := newMatrix(len(f.x)), newMatrix(len(f.x))
	scatter, expected := 0.0, 0.0 // of single games
	for unit := range units(games) {
		a, b := unit[0].First, unit[0].Second
		if f.place[a] < 0 || s.group[a] != s.group[b] {
			continue
		}
		ofA, ofFirst, variance := 0.0, 0.0, 0.0
		for _, g := range unit {
			p := f.expected(g.First, g.Second)
			residual := g.Score - p
			variance += p * (1 - p)
			ofFirst += residual
			if g.First == a {
				ofA += residual
			} else {
				ofA -= residual
			}
		}
		if len(unit) == 1 {
			scatter += ofA * ofA
			expected += variance
			s.addSquare(alone, a, b, variance, variance, variance)
		} else {
			s.addSquare(v, a, b, ofA*ofA, ofA*ofFirst, ofFirst*ofFirst)
		}
		s.units[a]++
		s.units[b]++
		s.groups[s.group[a]].add(ofA*ofA, variance)
		s.groups[len(s.groups)-1].add(ofA*ofA, variance)
	}
	if expected > 0 {
		floats.AddScaled(v.data, scatter/expected, alone.data)
	}
	return v
}

// addSquare adds the outer square of a unit's slope. The surplus of player b is the negative of that of player a. aa is
// the square of a's surplus, ff the square of the first movers' surplus, and af the product of both.
func (s *spread) addSquare(m *matrix, a, b int, aa, af, ff float64) {
	x, y := s.place[a], s.place[b]
	m.add(x, x, aa)
	m.add(y, y, aa)
	m.add(x, y, -aa)
	if w := s.first; w >= 0 {
		m.add(x, w, af)
		m.add(y, w, -af)
		m.add(w, w, ff)
	}
}

// count finishes the numbers of each group, and the quantiles of its players.
func (s *spread) count(f *fit, information *matrix) {
	first := 0
	if f.fitted {
		first = 1
	}
	all := first
	for n, members := range f.groups {
		g := &s.groups[n]
		g.freedom = max(0, g.units-(len(members)-1+first))
		g.shift = 1 / f.trace(information, members)
		g.dispersion = g.scatter / g.expected * g.correction()
		for _, player := range members {
			s.quantiles[player] = student(s.freedom(player)).quantile()
		}
		all += len(members) - 1
	}
	last := &s.groups[len(s.groups)-1]
	last.freedom = max(0, last.units-all)
}

// freedom returns the degrees of freedom of a player's error: its own units less 1 and pooledUnits, but not more
// than those of the group. It is at least 1, also where there is no error.
func (s *spread) freedom(player int) int {
	return max(1, min(s.units[player]+pooledUnits-1, s.groups[s.group[player]].freedom))
}

// rating returns half of the 95% interval of a player's rating around the mean of its group, in Elo; nil if it is
// not known.
func (s *spread) rating(player int) *float64 {
	i := s.place[player]
	model := s.model.at(i, i) - s.groups[s.group[player]].shift
	return s.half(s.standard(player, player, s.own.at(i, i), model), s.quantile(player, player))
}

// difference returns half of the 95% interval of the difference between two players of one group, in Elo, and the
// probability that it is greater than 0 if it is estimated as elo. Both are nil if the error is not known.
func (s *spread) difference(a, b int, elo float64) (half, superiority *float64) {
	i, j := s.place[a], s.place[b]
	standard := s.standard(a, b, s.own.between(i, j), s.model.between(i, j))
	if standard == nil {
		return nil, nil
	}
	sure := NormalCDF(elo * logit / *standard)
	if !s.prior {
		sure = student(min(s.freedom(a), s.freedom(b))).cdf(elo * logit / *standard)
	}
	return s.half(standard, s.quantile(a, b)), number(sure)
}

// advantage returns half of the 95% interval of the advantage of moving first, in Elo; nil if it is not known.
func (s *spread) advantage() *float64 {
	all := s.groups[len(s.groups)-1]
	own, model := s.own.at(s.first, s.first), s.model.at(s.first, s.first)
	if s.prior && model > 0 {
		return s.half(number(math.Sqrt(model)), Z95)
	}
	if all.freedom == 0 || !(own > rounding*model) {
		return nil
	}
	return s.half(number(math.Sqrt(own*all.correction())), student(all.freedom).quantile())
}

// rounding is the largest variance, relative to that of the model, that can be mere rounding.
const rounding = 1e-9

// standard returns the standard error of a combination of the ratings of one or two players of a group, on the
// natural scale, from its own variance and that of the model. If the residuals are mere rounding, there is no
// scatter to learn from. That does not mean that there is no error, so the result is nil.
func (s *spread) standard(a, b int, own, model float64) *float64 {
	group := s.groups[s.group[a]]
	if s.prior && model > 0 {
		return number(math.Sqrt(model))
	}
	if group.freedom == 0 {
		return nil
	}
	n := float64(min(s.units[a], s.units[b]))
	mixed := (n*own*group.correction() + pooledUnits*model*group.dispersion) / (n + pooledUnits)
	if !(mixed > rounding*model) {
		return nil
	}
	return number(math.Sqrt(mixed))
}

// quantile returns how many standard errors half of the 95% interval of two players has.
func (s *spread) quantile(a, b int) float64 {
	if s.prior {
		return Z95
	}
	return max(s.quantiles[a], s.quantiles[b])
}

// half returns half of a 95% interval in Elo.
func (s *spread) half(standard *float64, quantile float64) *float64 {
	if standard == nil {
		return nil
	}
	return number(quantile * *standard / logit)
}
