package stats

import "math"

// sample counts the units of a match by the points of the first player.
type sample struct {
	values []float64 // points for each game, 0 to 1, ascending and symmetric around 1/2
	counts []float64
	games  float64 // games of one unit
}

func (t Trinomial) sample() sample {
	return sample{
		values: []float64{0, 0.5, 1},
		counts: []float64{float64(t.Losses), float64(t.Draws), float64(t.Wins)},
		games:  1,
	}
}

func (p Pentanomial) sample() sample {
	s := sample{values: []float64{0, 0.25, 0.5, 0.75, 1}, counts: make([]float64, len(p)), games: 2}
	for i, n := range p {
		s.counts[i] = float64(n)
	}
	return s
}

// size returns the number of units.
func (s sample) size() float64 {
	sum := 0.0
	for _, n := range s.counts {
		sum += n
	}
	return sum
}

// alike reports whether all units have the same value.
func (s sample) alike() bool {
	seen := 0
	for _, n := range s.counts {
		if n != 0 {
			seen++
		}
	}
	return seen <= 1
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
	sum := 0.0
	for _, n := range counts {
		sum += n
	}
	p := make([]float64, len(counts))
	for i, n := range counts {
		p[i] = n / sum
	}
	return p
}
