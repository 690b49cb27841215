package engine_test

// anywhereRedu returns the text of a random position. Most have few seeds, some have
// one heavy hole, and many have something to take or to claim.
func anywhereRedu(_ string, random *splitmix) string {
	t := reduTelling{exposed: -1}
	seeds := 0
	switch random.below(4) {
	case 0: // few seeds
		seeds = 2 + random.below(10)
		for range seeds {
			t.holes[random.below(12)]++
		}
	case 1: // one hole has most of them
		seeds = 8 + random.below(24)
		heavy := random.below(12)
		for range seeds {
			hole := random.below(12)
			if random.below(4) > 0 {
				hole = heavy
			}
			t.holes[hole]++
		}
	case 2: // ones and twos
		for hole := range t.holes {
			t.holes[hole] = random.below(3)
			seeds += t.holes[hole]
		}
	default: // anything
		seeds = 48
		for range 48 {
			hole := random.below(12)
			if random.below(3) == 0 {
				hole = random.below(3) * 4
			}
			t.holes[hole]++
		}
		for hole := range t.holes { // move the seeds of half the holes to the stores
			if random.below(2) == 0 {
				seeds -= t.holes[hole]
				t.holes[hole] = 0
			}
		}
	}
	t.mover = random.below(2)
	// Play never leads to a seed that may be taken and is part of a claim as well.
	tangled := -1
	if random.below(3) == 0 {
		tangled = 6*t.mover + random.below(6)
		for _, hole := range []int{tangled, 11 - tangled} {
			seeds += 1 - t.holes[hole]
			t.holes[hole] = 1
		}
	}
	south := 24 - random.below(1+seeds)
	t.store = [2]int{south, 48 - seeds - south}
	for player := range t.store { // a match that is decided early shows little
		if t.store[player] < 0 || t.store[player] > 24 {
			t.store[player] = (48 - seeds) / 2
			t.store[1-player] = 48 - seeds - t.store[player]
		}
	}
	if random.below(4) == 0 {
		t.quiet = 80 + random.below(20)
	}
	if random.below(2) == 0 || tangled >= 0 {
		hole := 6*t.mover + random.below(6)
		if tangled >= 0 {
			hole = tangled
		}
		if t.holes[hole] == 1 {
			t.exposed, t.whole = hole, random.below(4) == 0
		}
	}
	if random.below(2) == 0 || tangled >= 0 {
		for hole := 6 - 6*t.mover; hole < 12-6*t.mover; hole++ {
			if t.capturable(hole) && (hole == 11-tangled || random.below(3) > 0) {
				t.missed = append(t.missed, hole)
			}
		}
	}
	return t.text()
}

// finerRedu returns the finer rules that random matches from anywhere meet.
func finerRedu(string) []string {
	return []string{
		"a capture excuses a missed one", "a claim", "a claim before a take", "a claim lapses",
		"a claim lapses by a take", "a claim out of several", "a hundred quiet sowings",
		"a pair beside three or more", "a pair exposes", "a pair goes round the end", "a pair takes",
		"a pending claim loses its seeds", "a pending take loses its seed", "a take before a claim",
		"a take lapses", "a take that is free", "a take that is the whole turn",
		"along the bouncing path again", "along the path again", "both a take and a claim",
		"exposed after a full path", "letter b", "letter k", "letter o", "letter x", "letters o and b",
		"missed, and now it is two", "more seeds expose", "one seed beside three or more", "one seed exposes",
		"one seed takes", "repetition", "the row is empty in mid-turn", "the seed that o drops is exposed",
		"the sowing spoils what was missed", "two seeds beside three or more", "two seeds exposes",
		"two seeds go round the end", "two seeds takes",
	}
}
