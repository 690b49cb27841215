package stats

import (
	"math"
	"testing"
)

// The mirrored test of the mirrored match gives the opposite, and both models find distributions that fulfil
// the hypotheses.
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
				{test.LLRPairs(pairs), turned.LLRPairs(pairs.Swap())},
				{test.LLRGames(games), turned.LLRGames(games.Swap())},
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

// Whatever the games are: all numbers are finite. Inside a group, the expected points of every player equal its
// points, and so do those of all first movers together. Bounds are on the right side.
func FuzzRate(f *testing.F) {
	f.Add([]byte{0x01, 0x12, 0x20, 0x52, 0x99}, uint8(3))
	f.Add([]byte{0x01, 0x10, 0x41, 0x50, 0x81, 0x90}, uint8(2))
	f.Add([]byte{0x01, 0x50, 0x12, 0x61, 0x34, 0x83, 0x42}, uint8(5))
	f.Fuzz(func(t *testing.T, data []byte, count uint8) {
		players := int(count)%8 + 1
		var games []Game
		for i, b := range data {
			g := Game{int(b & 7), int(b >> 3 & 7), float64(b>>6%3) / 2, i / 2}
			if i%2 == 1 && i > 0 {
				// The second game of a pair has the players of the first.
				g.First, g.Second = int(data[i-1]>>3&7), int(data[i-1]&7)
			}
			if g.First < players && g.Second < players && g.First != g.Second {
				games = append(games, g)
			}
		}
		field, err := Rate(games, players, Anchor{Player: int(count) % players, At: 1000}, 0)
		if err != nil {
			t.Fatalf("%v: %v", games, err)
		}
		w := field.FirstMover
		surplus, ofFirst := make([]float64, players), 0.0
		for _, g := range games {
			a, b := field.Players[g.First], field.Players[g.Second]
			if a.Rating == nil || b.Rating == nil || a.Group != b.Group {
				continue
			}
			e := g.Score - Score(*a.Rating-*b.Rating+w.Elo)
			surplus[g.First] += e
			surplus[g.Second] -= e
			ofFirst += e
		}
		if w.Fitted && math.Abs(ofFirst) > 1e-6 || !w.Fitted && w != (FirstMover{}) {
			t.Errorf("%v: first movers have %v more than expected: %+v", games, ofFirst, w)
		}
		for i, r := range field.Players {
			if math.Abs(surplus[i]) > 1e-6 {
				t.Errorf("%v: player %d has %v more than expected", games, i, surplus[i])
			}
			for _, x := range []*float64{r.Rating, r.Error, r.Low, r.High, w.Error} {
				if x != nil && (math.IsNaN(*x) || math.IsInf(*x, 0)) {
					t.Errorf("%v: player %d: %v", games, i, *x)
				}
			}
			if r.Error != nil && !(*r.Error > 0 && *r.Low < *r.Rating && *r.Rating < *r.High) {
				t.Errorf("%v: player %d: %v in %v to %v", games, i, *r.Rating, *r.Low, *r.High)
			}
			if r.Rating == nil && (r.Group > 0) != ((r.Low == nil) != (r.High == nil)) || r.Rating != nil && r.Group == 0 {
				t.Errorf("%v: player %d: %+v", games, i, r)
			}
		}
	})
}
