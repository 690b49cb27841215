package stats

import "math"

// oneSided is the chance that a one-sided 95 % bound is wrong.
const oneSided = 0.05

// Swap is the same match as the second player sees it.
func (t Trinomial) Swap() Trinomial { return Trinomial{t.Losses, t.Draws, t.Wins} }

// Swap is the same match as the second player sees it.
func (p Pentanomial) Swap() Pentanomial { return Pentanomial{p[4], p[3], p[2], p[1], p[0]} }

// Figures is what games that are no pairs say. Counts are not negative.
func (t Trinomial) Figures() Figures {
	f := t.sample().figures()
	if f.Units > 0 {
		f.DrawRatio = number(float64(t.Draws) / float64(f.Units))
	}
	return f
}

// Figures is what pairs say; Games is twice their number. Counts are not negative.
func (p Pentanomial) Figures() Figures {
	f := p.sample().figures()
	if f.Units > 0 {
		f.DrawRatio = number(float64(p[2]) / float64(f.Units))
	}
	if lost := p[0] + p[1]; lost > 0 {
		f.PairsRatio = number(float64(p[3]+p[4]) / float64(lost))
	}
	return f
}

// figures are those that games and pairs have in common. The variance is that of the units, which are
// independent, without Bessel's correction. Normalized Elo: M. Van den Bergh, Comments on normalized
// Elo (2020); it is by the spread of one game, which for a pair is taken as sqrt(2) that of its mean.
func (s sample) figures() Figures {
	n := s.size()
	f := Figures{Games: int(s.games * n), Units: int(n)}
	if n == 0 {
		return f
	}
	p := shares(s.counts)
	score := mean(s.values, p)
	f.Score, f.Elo = number(score), Elo(score)
	if s.alike() {
		f.EloLow, f.EloHigh = perfectBounds(score, n)
		f.LOS = alikeLOS(score, n)
		return f
	}
	spread := deviation(s.values, p, score)
	se := spread / math.Sqrt(n)
	f.ScoreError = number(Z95 * se)
	f.EloLow, f.EloHigh = Elo(score-Z95*se), Elo(score+Z95*se)
	if f.EloLow != nil && f.EloHigh != nil {
		f.EloError = number((*f.EloHigh - *f.EloLow) / 2)
	}
	f.NElo = number((score - 0.5) / (math.Sqrt(s.games) * spread) * normalizedElo)
	f.NEloError = number(Z95 * normalizedElo / math.Sqrt(s.games*n))
	f.LOS = number(NormalCDF((score - 0.5) / se))
	return f
}

// perfectBounds are the one-sided 95 % bounds of the Elo difference after n units that were all won,
// or all lost, and nil else. The chance to win a unit is at most the score s that is expected of it, so
// s^n = 0.05 is a bound from below.
func perfectBounds(score, n float64) (low, high *float64) {
	bound := math.Pow(oneSided, 1/n)
	switch score {
	case 1:
		return Elo(bound), nil
	case 0:
		return nil, Elo(1 - bound)
	default:
		return nil, nil
	}
}

// alikeLOS is the likelihood of superiority after n units that went the same way, and nil where that was
// level. There is no spread to go by, but each unit has a winner: with all chances of winning one alike
// at first, I(1/2; 0+1, n+1), the regularised incomplete beta function, is the chance that the winner of
// all n is the weaker.
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
