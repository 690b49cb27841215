package arena

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"

	"sembra/engine"
)

// StartPositions returns the start position n times, as position texts.
func StartPositions(r engine.Ruleset, n int) []string {
	return slices.Repeat([]string{engine.Text(r, r.Start())}, n)
}

// RandomOpenings returns n openings as position texts. Each is reached by plies
// random legal moves from the start position, is not decided, and differs from
// all before it. Opening k depends only on the ruleset, the seed, plies and k. If
// there are fewer openings, the error says how many.
func RandomOpenings(r engine.Ruleset, seed uint64, plies, n int) ([]string, error) {
	openings := RandomOpeningsUpTo(r, seed, plies, n)
	if len(openings) < n {
		return nil, fmt.Errorf("%s has too few different openings (plies: %d): %d; needed: %d, one for each pair of "+
			"matches (hint: change the number of plies, or play fewer matches)", r.Info().Name, plies, len(openings), n)
	}
	return openings, nil
}

// RandomOpeningsUpTo returns the first n openings of [RandomOpenings], or all of them
// if there are fewer.
func RandomOpeningsUpTo(r engine.Ruleset, seed uint64, plies, n int) []string {
	random := seeded("openings %s %d %d", r.Info().Name, seed, plies)
	known := make(map[engine.Position]bool)
	var openings []string
	// The search ends with playouts in a row that bring nothing new: the more openings there are, the rarer is the
	// last one.
	for vain := 0; len(openings) < n && vain < min(10_000+100*len(openings), 500_000); vain++ {
		if p, ok := playout(r, random, plies); ok && !known[p] {
			vain = 0
			known[p] = true
			openings = append(openings, engine.Text(r, p))
		}
	}
	return openings
}

// seeded returns random numbers that depend on a text only.
func seeded(format string, args ...any) *rand.Rand {
	sum := sha256.Sum256(fmt.Appendf(nil, format, args...))
	return rand.New(rand.NewPCG(binary.BigEndian.Uint64(sum[:]), binary.BigEndian.Uint64(sum[8:])))
}

// ShuffledOpenings returns a list of openings in random order. The order depends
// only on the ruleset, the seed and the number of openings. A test may play only
// the first ones, and a list often has similar openings next to each other.
func ShuffledOpenings(r engine.Ruleset, seed uint64, list []string) []string {
	shuffled := slices.Clone(list)
	seeded("shuffle %s %d", r.Info().Name, seed).Shuffle(len(shuffled), func(i, j int) {
		shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
	})
	return shuffled
}

// playout plays random legal moves. ok is false if the match ended.
func playout(r engine.Ruleset, random *rand.Rand, plies int) (p engine.Position, ok bool) {
	m := engine.NewMatch(r, r.Start())
	for range plies {
		legal := m.Legal()
		if len(legal) == 0 {
			return engine.Position{}, false
		}
		m.Play(legal[random.IntN(len(legal))])
	}
	return m.Position(), !m.Over()
}
