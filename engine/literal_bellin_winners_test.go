package engine_test

// bellinNobody is what winners returns when nothing is taken.
var bellinNobody = [8]int{-1, -1, -1, -1, -1, -1, -1, -1}

// winners returns who takes the seeds of each hole after a sowing that ended in last, or -1 if they stay.
func (t *bellinTelling) winners(before []int, touched [8]bool, last int) [8]int {
	winner := bellinNobody
	if t.ludii {
		t.ludiiFirst(last, &winner)
		t.ludiiSecond(before, touched, &winner)
	} else {
		t.bellinFirst(last, &winner)
		t.bellinSecond(before, &winner)
	}
	return winner
}

func bellinFew(seeds int) bool { return seeds == 2 || seeds == 4 || seeds == 6 || seeds == 8 }

func bellinNeighbours(a, b int) bool { return a-b == 1 || b-a == 1 || a-b == 7 || b-a == 7 }

// bellinFirst marks what Bellin's mover takes from the last hole backwards.
func (t *bellinTelling) bellinFirst(last int, winner *[8]int) {
	if !bellinFew(t.holes[last]) {
		if t.holes[last]%2 == 0 {
			t.met["ends in ten or more"]++
		}
		return
	}
	winner[last] = t.mover
	var empty, large, gap bool
	for from := last; ; {
		at := t.step(from, -1)
		if at == last {
			t.met["a full circle"]++
			return
		}
		if t.holes[at]%2 == 1 {
			t.met["an odd hole ends it"]++
			return
		}
		gap = gap || !bellinNeighbours(from, at)
		switch {
		case t.holes[at] == 0:
			empty = true
		case t.holes[at] > 8:
			large = true
		default:
			winner[at] = t.mover
			t.met["chain"]++
			if empty {
				t.met["stepped over an empty hole"]++
			}
			if large {
				t.met["stepped over a large hole"]++
			}
			if gap {
				t.met["taken beyond an erased hole"]++
			}
		}
		from = at
	}
}

// bellinSecond marks what the owners of raised holes take.
func (t *bellinTelling) bellinSecond(before []int, winner *[8]int) {
	for hole, seeds := range t.holes {
		even := before[hole]%2 == 0 && seeds%2 == 0
		if even && before[hole] > 0 && seeds > before[hole] && winner[hole] < 0 {
			winner[hole] = t.owner(hole)
		}
	}
}

// ludiiFirst marks what Ludii's mover takes from the last hole backwards.
func (t *bellinTelling) ludiiFirst(last int, winner *[8]int) {
	if !bellinFew(t.holes[last]) {
		if t.holes[last]%2 == 0 {
			t.met["ends in ten or more"]++
		}
		return
	}
	winner[last] = t.mover
	gap := false
	for from := last; ; {
		at := t.step(from, -1)
		if at == last {
			t.met["a full circle"]++
			return
		}
		gap = gap || !bellinNeighbours(from, at)
		switch {
		case t.holes[at]%2 == 1:
			t.met["an odd hole ends it"]++
			return
		case t.holes[at] == 0:
			t.met["an empty hole ends it"]++
			return
		case t.holes[at] > 8:
			t.met["a large hole ends it"]++
			return
		}
		winner[at] = t.mover
		t.met["chain"]++
		if gap {
			t.met["taken beyond an erased hole"]++
		}
		from = at
	}
}

// ludiiSecond marks what Ludii's owners take from the holes that were sown.
func (t *bellinTelling) ludiiSecond(before []int, touched [8]bool, winner *[8]int) {
	for hole, seeds := range t.holes {
		if !touched[hole] || winner[hole] >= 0 {
			continue
		}
		evened := before[hole]%2 == 1 && seeds%2 == 0
		if t.owner(hole) == t.mover {
			if evened {
				winner[hole] = t.mover
			}
		} else if evened || bellinFew(seeds) {
			winner[hole] = 1 - t.mover
		}
	}
}

// note counts the finer rules by which a hole's seeds go to a player.
func (t *bellinTelling) note(hole, player int, before []int) {
	seeds := t.holes[hole]
	odd := before[hole]%2 == 1
	mine := t.owner(hole) == t.mover
	switch {
	case t.ludii && player == t.mover && !mine:
		t.met["taken across"]++
	case t.ludii && player != t.mover && !odd:
		t.met["left to the opponent, was even"]++
	case t.ludii && player != t.mover && bellinFew(seeds):
		t.met["left to the opponent, was odd"]++
	case t.ludii && player != t.mover:
		t.met["left to the opponent, large"]++
	case t.ludii && !bellinFew(seeds):
		t.met["own, large"]++
	case t.ludii:
		t.met["own"]++
	case odd || before[hole] == 0 || seeds <= before[hole]:
		t.met["not raised"]++
	case player == t.mover && !mine:
		t.met["raised, the exception"]++
	case player == t.mover:
		t.met["raised by oneself"]++
	default:
		t.met["raised by the opponent"]++
	}
	if !t.ludii && !bellinFew(seeds) {
		t.met["raised, large"]++
	}
}
