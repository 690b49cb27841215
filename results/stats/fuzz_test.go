package stats

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// mirrored is what the second player must see where the first one sees f.
func mirrored(f Figures) Figures {
	minus := func(x *float64) *float64 {
		if x == nil {
			return nil
		}
		return number(-*x)
	}
	rest := func(x *float64) *float64 {
		if x == nil {
			return nil
		}
		return number(1 - *x)
	}
	f.Score, f.LOS = rest(f.Score), rest(f.LOS)
	f.Elo, f.NElo = minus(f.Elo), minus(f.NElo)
	f.EloLow, f.EloHigh = minus(f.EloHigh), minus(f.EloLow)
	f.PairsRatio = nil
	return f
}

// The figures of the second player are those of the first, turned round.
func FuzzFigures(f *testing.F) {
	f.Add(uint16(34), uint16(54), uint16(63), uint16(64), uint16(75))
	f.Add(uint16(0), uint16(0), uint16(50), uint16(0), uint16(0))
	f.Add(uint16(0), uint16(0), uint16(0), uint16(0), uint16(25))
	f.Add(uint16(0), uint16(1), uint16(0), uint16(0), uint16(25))
	f.Fuzz(func(t *testing.T, a, b, c, d, e uint16) {
		pairs := Pentanomial{int(a), int(b), int(c), int(d), int(e)}
		games := Trinomial{int(a), int(b), int(c)}
		for _, match := range []struct{ own, other Figures }{
			{pairs.Figures(), pairs.Swap().Figures()},
			{games.Figures(), games.Swap().Figures()},
		} {
			match.other.PairsRatio = nil
			if diff := cmp.Diff(mirrored(match.own), match.other, cmpopts.EquateApprox(1e-9, 1e-9)); diff != "" {
				t.Errorf("%v: %s", pairs, diff)
			}
		}
	})
}

// The test turned round, of the match turned round, says the opposite; and both models find
// distributions that fulfil what they are asked for.
func FuzzLLR(f *testing.F) {
	f.Add(uint16(34), uint16(54), uint16(63), uint16(64), uint16(75), 0.0, 5.0)
	f.Add(uint16(0), uint16(0), uint16(50), uint16(0), uint16(0), -5.0, 0.0)
	f.Add(uint16(0), uint16(0), uint16(0), uint16(0), uint16(25), 100.0, 1000.0)
	f.Add(uint16(65535), uint16(0), uint16(0), uint16(0), uint16(1), -2000.0, 2000.0)
	f.Fuzz(func(t *testing.T, a, b, c, d, e uint16, elo0, elo1 float64) {
		pairs := Pentanomial{int(a), int(b), int(c), int(d), int(e)}
		games := Trinomial{int(a), int(b), int(c)}
		for _, model := range Models() {
			test := Test{elo0, elo1, 0.05, 0.05, model}
			if test.Check() != nil {
				return
			}
			turned := Test{-elo1, -elo0, 0.05, 0.05, model}
			for _, llr := range []struct{ own, other float64 }{
				{test.Pairs(pairs), turned.Pairs(pairs.Swap())},
				{test.Games(games), turned.Games(games.Swap())},
			} {
				if !near(llr.own, -llr.other, 1e-6, 1e-6) {
					t.Errorf("%+v of %v: %v, and turned round %v", test, pairs, llr.own, llr.other)
				}
			}
			counts := pairs.sample()
			for i := range counts.counts {
				counts.counts[i] += unseen
			}
			p := test.fit(counts, shares(counts.counts), elo1)
			m := mean(counts.values, p)
			is, want := m, Score(elo1)
			if model == Normalized {
				is, want = m-0.5, elo1/normalizedElo*math.Sqrt2*deviation(counts.values, p, m)
			}
			if !near(is, want, 0, 1e-9) {
				t.Errorf("%+v of %v: %v, not %v", test, pairs, is, want)
			}
		}
	})
}
