package stats

import (
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
