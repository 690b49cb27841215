package engine_test

// anywhereBellin returns the text of a random position. In a third of them a player
// chooses a start hole, and in some a player fills the row.
func anywhereBellin(ruleset string, random *splitmix) string {
	t := &bellinTelling{board: newBoard(4, random), ludii: ruleset == "buqruru-ludii", start: [2]int{-1, -1}}
	t.round = 1
	if random.below(2) == 0 {
		t.round = 2 + random.below(9)
		owed := 1 + random.below(4) // 1: none
		for player := range t.donkeys {
			t.donkeys[player] = random.below(owed)
		}
	}

	if t.round > 1 && random.below(8) == 0 {
		t.phase, t.first = "fill", 1-t.mover
		t.store[t.mover] = 1 + random.below(23)
		t.store[t.first] = 48 - t.store[t.mover] - 24
		for i := range 4 {
			t.holes[4*t.first+i] = 6
		}
		return t.text()
	}

	open := []int{0, 1, 2, 3, 4, 5, 6, 7}
	if t.round > 1 && random.below(2) == 0 {
		// erase holes of one player, or of both
		poor := random.below(2)
		for range 1 + random.below(3) {
			t.closed[4*poor+random.below(4)] = true
		}
		if random.below(4) == 0 {
			t.closed[4*(1-poor)+random.below(4)] = true
		}
		open = nil
		for hole, erased := range t.closed {
			if !erased {
				open = append(open, hole)
			}
		}
	}

	// Few seeds, some, or so many that start holes are large. On a board of fewer
	// than five holes, large start holes would have too many moves.
	seeds := 1 + random.below(4)
	switch random.below(3) {
	case 0:
		seeds = 2 + random.below(20)
	case 1:
		seeds = 20 + random.below(29)
	}
	if len(open) < 5 {
		seeds = min(seeds, 20)
	}
	heavy, share := open[random.below(len(open))], random.below(4)
	for left := seeds; left > 0; {
		hole := open[random.below(len(open))]
		if share > 0 && random.below(share+1) == 0 {
			hole = heavy
		}
		drop := 1
		if left > 1 && random.below(2) == 0 {
			drop = 2 // even holes leave more to take
		}
		t.holes[hole] += drop
		left -= drop
	}
	south := random.below(49 - seeds)
	switch random.below(8) {
	case 0, 1: // somebody is close to being out, whatever the donkeys
		poor := random.below(2)
		south = (48 - seeds) * poor
		if t.round > 1 {
			t.donkeys[poor], t.donkeys[1-poor] = 3+random.below(3), 0
		}
	case 2, 3: // or to a draw
		south = (48 - seeds) / 2
		if t.round > 1 {
			t.round += 6
			t.donkeys[1] = t.donkeys[0]
		}
	case 4, 5:
		south = (48 - seeds) / 2
	}
	t.store = [2]int{south, 48 - seeds - south}

	// Both first sowings are over, or one, or none.
	switch random.below(8) {
	case 0:
	case 1:
		t.opened[t.first] = true
	default:
		t.opened = [2]bool{true, true}
	}
	if t.opened[t.first] && random.below(4) == 0 {
		t.quiet = 99 - random.below(4+random.below(17))
	}

	choose := func(player int) {
		for range 20 {
			hole := open[random.below(len(open))]
			if t.owner(hole) == player && (t.holes[hole] > 0 || random.below(8) == 0) {
				t.start[player] = hole
				return
			}
		}
	}
	choose(0)
	choose(1)
	if t.owner(heavy) == t.mover && random.below(2) == 0 {
		t.start[t.mover] = heavy
	}
	if random.below(8) == 0 {
		t.start[random.below(2)] = -1
	}
	if random.below(3) == 0 || t.start == [2]int{-1, -1} {
		t.phase = "start"
		if t.inRow(t.mover) == 0 {
			t.mover = 1 - t.mover
		}
		t.start[t.mover] = -1
		if random.below(2) == 0 {
			t.start[1-t.mover] = -1
		}
	}
	return t.text()
}

// finerBellin returns the finer rules that random matches from anywhere meet.
func finerBellin(ruleset string) []string {
	keys := []string{
		"nothing in the first sowing", "more than one", "lap", "ends in the start hole",
		"passed over erased", "taken beyond an erased hole", "ends in ten or more", "chain",
		"an odd hole ends it", "a full circle", "pass", "pass without a start hole, with seeds",
		"start holes given up", "the other chooses", "no seed, no choice", "0 left", "1 left", "quiet",
		"repetition", "fill", "erased", "equal stores", "a donkey", "out", "out in the last round", "out, with more donkeys",
		"by the donkeys", "by the donkeys, against the stores", "by the stores", "drawn",
	}
	if ruleset == "buqruru-ludii" {
		return append(keys, "a large hole ends it", "an empty hole ends it", "taken across",
			"left to the opponent, was even", "left to the opponent, was odd",
			"left to the opponent, large", "own", "own, large", "repetition in start")
	}
	return append(keys, "large", "laps differ", "last drop", "stepped over an empty hole",
		"stepped over a large hole", "not raised", "raised by oneself", "raised by the opponent",
		"raised, the exception", "raised, large")
}
