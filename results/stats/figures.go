// Package stats computes the statistics of matches and fields: Elo and its errors, ratings of a whole
// field, and sequential tests. It works on numbers alone: players are indexes, and results are
// points.
//
// A value that is unbounded or cannot be computed from the data is a nil pointer. It is never NaN or
// infinite.
package stats

import (
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/floats"
)

// Trinomial counts the results of games that are not pairs, between two players and from the view of the
// first.
type Trinomial struct{ Wins, Draws, Losses int }

// Add counts a game in which the first player got so many points: 1, 1/2 or 0.
func (t *Trinomial) Add(points float64) {
	switch points {
	case 1:
		t.Wins++
	case 0:
		t.Losses++
	default:
		t.Draws++
	}
}

// Pentanomial counts the results of pairs between two players, from the view of the first: both games lost;
// one lost, one drawn; one won, one lost or both drawn; one won, one drawn; both won.
type Pentanomial [5]int

// Figures are the statistics of a match between two players, from the view of the first. There are two kinds of
// them. ScoreError, EloError, NEloError and LOS use the normal approximation with the deviation that the units
// show, as other programs do. The ends of the intervals and Superiority also hold for few units.
type Figures struct {
	Games, Units int      // units are independent observations: pairs, or games that are not pairs
	Score        *float64 // points for each game, 0 to 1; nil without a game
	ScoreError   *float64 // half of the 95% interval; nil if all units are alike, because they show no spread
	ScoreLow     *float64 // the ends of the 95% interval, 0 to 1; nil without a game
	ScoreHigh    *float64
	Elo          *float64 // logistic difference; nil if the score is 0 or 1
	EloError     *float64 // half of the 95% interval; nil if an end of it is unbounded or all units are alike
	EloLow       *float64 // the differences at ScoreLow and ScoreHigh; nil if that is 0 or 1
	EloHigh      *float64
	NElo         *float64 // normalized Elo; nil if all units are alike, as the next three
	NEloError    *float64
	NEloLow      *float64 // the ends of the 95% interval
	NEloHigh     *float64
	LOS          *float64 // likelihood of superiority, 0 to 1; nil if all units are level
	Superiority  *float64 // the probability that the first player is stronger, 0 to 1; nil without a game
	DrawRatio    *float64 // share of units that were level
	PairsRatio   *float64 // pairs won divided by pairs lost; nil if none was lost, and for games
}

// Swap returns the same match from the view of the second player.
func (t Trinomial) Swap() Trinomial { return Trinomial{t.Losses, t.Draws, t.Wins} }

// Swap returns the same match from the view of the second player.
func (p Pentanomial) Swap() Pentanomial { return Pentanomial{p[4], p[3], p[2], p[1], p[0]} }

// Figures returns the figures of games that are not pairs. Counts must not be negative.
func (t Trinomial) Figures() Figures { return t.sample().figures() }

// Figures returns the figures of pairs; Games is twice their number. Counts must not be negative.
func (p Pentanomial) Figures() Figures {
	f := p.sample().figures()
	if lost := p[0] + p[1]; lost > 0 {
		f.PairsRatio = number(float64(p[3]+p[4]) / float64(lost))
	}
	return f
}

// figures returns the figures that games and pairs have in common. The variance is that of the units, which
// are independent, without Bessel's correction. Normalized Elo: M. Van den Bergh, Comments on normalized
// Elo (2020). It is relative to the spread of one game, which for a pair is sqrt(2) times that of its mean. Its
// estimate varies more the farther it is from 0, because the spread is estimated too.
func (s sample) figures() Figures {
	n := s.size()
	f := Figures{Games: int(s.games * n), Units: int(n)}
	if n == 0 {
		return f
	}
	p := shares(s.counts)
	score := mean(s.values, p)
	spread := deviation(s.values, p, score)
	low, high := scoreInterval(score, spread*spread, n, 1/s.games)
	f.Score, f.ScoreLow, f.ScoreHigh = number(score), number(low), number(high)
	f.Elo, f.EloLow, f.EloHigh = Elo(score), Elo(low), Elo(high)
	f.Superiority, f.DrawRatio = number(s.superiority()), number(p[len(p)/2])
	if s.alike() {
		f.LOS = alikeLOS(score, n)
		return f
	}
	se := spread / math.Sqrt(n)
	f.ScoreError = number(Z95 * se)
	if below, above := Elo(score-Z95*se), Elo(score+Z95*se); below != nil && above != nil {
		f.EloError = number((*above - *below) / 2)
	}
	effect := (score - 0.5) / spread
	nelo, margin := effect/math.Sqrt(s.games)*normalizedElo, Z95*normalizedElo/math.Sqrt(s.games*n)
	f.NElo, f.NEloError = number(nelo), number(margin)
	margin *= math.Sqrt(1 + effect*effect/2)
	f.NEloLow, f.NEloHigh = number(nelo-margin), number(nelo+margin)
	f.LOS = number(NormalCDF((score - 0.5) / se))
	return f
}

// assumedUnits is the number of units with an assumed dispersion that scoreInterval adds to the real ones. It is ours;
// see STATISTICS.md.
const assumedUnits = 3

// scoreInterval returns the ends of the 95% interval of a mean score of n units. The variance is that of a proportion
// times the dispersion of the units, with assumedUnits units at the assumed dispersion added: one without draws and
// with independent games. The quantile is of the t distribution with n+2 degrees of freedom. So the interval exists
// for every result, also if all units are alike.
func scoreInterval(score, variance, n, assumed float64) (low, high float64) {
	dispersion := assumed
	if full := score * (1 - score); full > 0 {
		dispersion = variance / full
	}
	dispersion = (n*dispersion + assumedUnits*assumed) / (n + assumedUnits)
	t := student(n + 2).quantile()
	return wilson(score, t*t*dispersion/n)
}

// wilson returns the score interval of a proportion. q is the square of the quantile, divided by the number of trials.
// Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference (1927).
func wilson(score, q float64) (low, high float64) {
	centre, half := score+q/2, math.Sqrt(q*score*(1-score)+q*q/4)
	low, high = (centre-half)/(1+q), (centre+half)/(1+q)
	if score == 0 {
		low = 0 // exactly, without rounding
	}
	if score == 1 {
		high = 1
	}
	return low, high
}

// alikeLOS returns the likelihood of superiority after n units with the same result; nil if they were level.
// Such units show no spread, but each has a winner. If all probabilities of winning a unit are equally
// likely at first, the winner of all n is the weaker player with probability I(1/2; 0+1, n+1), the
// regularised incomplete beta function.
func alikeLOS(score, n float64) *float64 {
	weaker := math.Exp2(-(n + 1))
	switch {
	case score > 0.5:
		return number(1 - weaker)
	case score < 0.5:
		return number(weaker)
	default:
		return nil
	}
}

// sample counts the units of a match by the points of the first player.
type sample struct {
	values []float64 // points for each game, 0 to 1, ascending and symmetric around 1/2
	counts []float64
	prior  []float64 // the parameters of the Dirichlet distribution of the shares, before the first unit; for pairs, ours
	games  float64   // games of one unit
}

func (t Trinomial) sample() sample {
	return sample{
		values: []float64{0, 0.5, 1},
		counts: []float64{float64(t.Losses), float64(t.Draws), float64(t.Wins)},
		prior:  []float64{0.5, 0.5, 0.5},
		games:  1,
	}
}

func (p Pentanomial) sample() sample {
	s := sample{
		values: []float64{0, 0.25, 0.5, 0.75, 1},
		counts: make([]float64, len(p)),
		prior:  []float64{0.4, 0.2, 0.4, 0.2, 0.4},
		games:  2,
	}
	for i, n := range p {
		s.counts[i] = float64(n)
	}
	return s
}

// size returns the number of units.
func (s sample) size() float64 { return floats.Sum(s.counts) }

// alike reports whether all units have the same value.
func (s sample) alike() bool {
	return floats.Max(s.counts) == s.size()
}

// mean returns the mean of values with weights whose sum is 1.
func mean(values, weights []float64) float64 {
	sum := 0.0
	for i, v := range values {
		sum += weights[i] * v
	}
	return sum
}

// deviation returns the standard deviation around centre of values with weights whose sum is 1.
func deviation(values, weights []float64, centre float64) float64 {
	sum := 0.0
	for i, v := range values {
		sum += weights[i] * (v - centre) * (v - centre)
	}
	return math.Sqrt(sum)
}

// shares returns the counts divided by their sum.
func shares(counts []float64) []float64 {
	sum, p := floats.Sum(counts), make([]float64, len(counts))
	for i, n := range counts {
		p[i] = n / sum
	}
	return p
}

// superiority returns the probability that the true mean of the units is greater than 1/2, if the shares of the
// classes have the sample's Dirichlet distribution as prior. It is greater for every unit that ends better, and a
// level unit does not change it. Without a unit it is 1/2. Its error is less than 1e-9.
func (s sample) superiority() float64 {
	var gains, shapes []float64
	mean, even := 0.0, true
	for i, value := range s.values {
		if gain := value - 0.5; gain != 0 {
			gains, shapes = append(gains, gain), append(shapes, s.counts[i]+s.prior[i])
			mean += gain * shapes[len(shapes)-1]
			even = even && s.counts[i] == s.counts[len(s.counts)-1-i]
		}
	}
	switch {
	case even:
		return 0.5
	case mean <= 0:
		return exceeding(gains, shapes)
	}
	for i := range gains {
		gains[i] = -gains[i]
	}
	return 1 - exceeding(gains, shapes)
}

// exceeding returns the probability that a sum of independent gamma variables with the given shapes, each times
// its gain, is greater than 0. The shares of a Dirichlet distribution are gamma variables divided by their sum, so
// this is also the probability that their weighted mean is. Some gains are greater than 0 and some less.
//
// With the logarithm K of the moment generating function, it is the integral of exp(K(s))/s over a vertical line
// in the complex plane, divided by 2πi. The line goes through the saddle point on the real axis, where the
// integrand hardly oscillates. The trapezoidal rule in x, with s = saddle + i width sinh(x), then converges very
// fast. Source: R. Lugannani, S. Rice, Saddle point approximation for the distribution of the sum of independent
// random variables (1980), section 2, for the integral.
func exceeding(gains, shapes []float64) float64 {
	pole := math.Inf(1)
	for _, gain := range gains {
		if gain > 0 {
			pole = min(pole, 1/gain)
		}
	}
	falling := func(s float64) (y, slope float64) { // the negative derivatives of the logarithm of the integrand
		y, slope = 1/s, -1/(s*s)
		for i, gain := range gains {
			term := gain / (1 - gain*s)
			y -= shapes[i] * term
			slope -= shapes[i] * term * term
		}
		return y, slope
	}
	saddle := root(falling, 0, pole*(1-1e-12))
	logarithm := func(s complex128) complex128 {
		sum := -cmplx.Log(s)
		for i, gain := range gains {
			sum -= complex(shapes[i], 0) * cmplx.Log(1-complex(gain, 0)*s)
		}
		return sum
	}
	peak := logarithm(complex(saddle, 0))
	_, slope := falling(saddle)
	width := 1 / math.Sqrt(-slope)
	const step = 1.0 / 8
	integral := step * width / 2 // at x = 0
	for x := step; x < 100; x += step {
		term := cmplx.Exp(logarithm(complex(saddle, width*math.Sinh(x)))-peak) * complex(width*math.Cosh(x)*step, 0)
		integral += real(term)
		if cmplx.Abs(term) < 1e-12*width {
			break
		}
	}
	return min(max(math.Exp(real(peak))*integral/math.Pi, 0), 1)
}
