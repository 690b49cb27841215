package engine_test

// awaleCases are cases of awale and oware.
func awaleCases() []worked {
	const (
		both   = "awale oware"
		normal = "normal"
		cycle  = "cycle"
		early  = "early"
		going  = ""
	)
	return []worked{
		{
			"the first ply", "shared: Start, shared: Turns, awale: Moves, awale: Sowing", both,
			"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0", "A B C D E F", "C",
			"4,4,0,5,5,5/5,4,4,4,4,4 0-0 N sow 1 1", going,
		},
		{
			"from North's row into South's", "shared: Turns, awale: Moves, awale: Sowing", both,
			"4,4,0,5,5,5/5,4,4,4,4,4 0-0 N sow 1 1", "a b c d e f", "e",
			"5,5,1,5,5,5/5,4,4,4,0,5 0-0 S sow 1 2", going,
		},
		{
			"an empty hole is no move", "awale: Moves", both,
			"0,1,0,0,2,0/4,0,0,0,0,0 21-20 S sow 1 7", "B E", "B",
			"0,0,1,0,2,0/4,0,0,0,0,0 21-20 N sow 1 8", going,
		},

		{
			"11 seeds end before the hole of departure", "awale: Departure", both,
			"11,0,0,0,0,0/0,0,0,0,0,3 17-17 S sow 1 0", "A", "A",
			"0,1,1,1,1,1/1,1,1,1,1,4 17-17 N sow 1 1", going,
		},
		{
			"12 seeds pass over the hole of departure", "awale: Departure, awale: Own row", both,
			"12,0,0,0,0,0/0,0,0,0,0,1 18-17 S sow 1 0", "A", "A",
			"0,2,1,1,1,1/1,1,1,1,1,2 18-17 N sow 1 1", going,
		},
		{
			"so they do in North's row", "awale: Departure, awale: Own row", both,
			"0,0,0,0,0,0/0,0,13,0,0,0 18-17 N sow 1 0", "c", "c",
			"1,1,1,1,1,1/1,1,0,2,2,1 18-17 S sow 1 1", going,
		},
		{
			"22 seeds are two laps to the seed", "awale: Departure, awale: Capture", both,
			"22,0,0,0,0,0/0,0,0,0,2,0 12-12 S sow 1 0", "A", "A",
			"0,2,2,2,2,2/2,2,2,2,4,0 14-12 N sow 1 0", going,
		},
		{
			"23 seeds pass over it a second time", "awale: Departure, awale: Own row", both,
			"23,0,0,0,0,0/0,0,0,0,0,0 13-12 S sow 1 0", "A", "A",
			"0,3,2,2,2,2/2,2,2,2,2,2 13-12 N sow 1 1", going,
		},
		{
			"39 seeds pass over it three times", "awale: Departure, awale: Own row", both,
			"0,0,0,0,0,39/0,1,0,0,0,0 4-4 S sow 1 0", "F", "F",
			"3,3,3,3,3,0/4,5,4,4,4,4 4-4 N sow 1 1", going,
		},

		{
			"a two", "awale: Capture", both,
			"0,0,0,0,1,1/1,0,0,0,0,4 21-20 S sow 1 5", "E F", "F",
			"0,0,0,0,1,0/0,0,0,0,0,4 23-20 N sow 1 0", going,
		},
		{
			"a three", "awale: Capture", both,
			"0,0,0,0,1,1/2,0,0,0,0,4 20-20 S sow 1 5", "E F", "F",
			"0,0,0,0,1,0/0,0,0,0,0,4 23-20 N sow 1 0", going,
		},
		{
			"neither a one nor a four", "awale: Capture", both,
			"0,0,0,0,1,1/3,0,0,0,0,1 21-21 S sow 1 5", "E F", "F f E",
			"1,0,0,0,0,1/4,0,0,0,0,0 21-21 N sow 1 8", going,
		},
		{
			"only where the last seed falls", "awale: Capture", both,
			"1,0,0,0,0,2/1,3,0,0,0,0 21-20 S sow 1 0", "A F", "F",
			"1,0,0,0,0,0/2,4,0,0,0,0 21-20 N sow 1 1", going,
		},
		{
			"North captures", "awale: Capture", both,
			"1,0,0,0,0,4/0,0,0,0,1,1 20-21 N sow 1 3", "e f", "f",
			"0,0,0,0,0,4/0,0,0,0,1,0 20-23 S sow 1 0", going,
		},
		{
			"by a lap, from a hole that was empty", "awale: Capture, awale: Departure", both,
			"0,0,0,0,1,12/0,0,0,0,0,0 17-18 S sow 1 0", "F", "F",
			"1,1,1,1,2,0/0,1,1,1,1,1 19-18 N sow 1 0", going,
		},

		{
			"a chain of four", "awale: Chain", both,
			"1,0,0,0,0,4/1,2,1,2,0,4 10-23 S sow 1 0", "A F", "F",
			"1,0,0,0,0,0/0,0,0,0,0,4 20-23 N sow 1 0", going,
		},
		{
			"it stops at a four", "awale: Chain", both,
			"1,0,0,0,0,4/1,3,1,1,0,0 18-19 S sow 1 0", "A F", "F",
			"1,0,0,0,0,0/2,4,0,0,0,0 22-19 N sow 1 0", going,
		},
		{
			"it stops at a one", "awale: Chain", both,
			"1,0,0,0,0,4/2,0,1,1,0,0 18-21 S sow 1 0", "A F", "F",
			"1,0,0,0,0,0/3,1,0,0,0,0 22-21 N sow 1 0", going,
		},
		{
			"it does not go forwards", "awale: Chain", both,
			"1,0,0,0,0,2/1,1,2,0,0,0 20-21 S sow 1 0", "A F", "F",
			"1,0,0,0,0,0/0,0,2,0,0,0 24-21 N sow 1 0", going,
		},
		{
			"it stops at the edge of South's row", "awale: Chain, awale: Own row", both,
			"0,0,0,0,3,1/1,1,0,0,0,3 19-20 S sow 1 0", "E F", "E",
			"0,0,0,0,0,2/0,0,0,0,0,3 23-20 N sow 1 0", going,
		},
		{
			"it stops at the edge of North's row", "awale: Chain, awale: Own row", both,
			"1,1,0,0,0,3/0,0,0,0,3,1 20-19 N sow 1 0", "e f", "e",
			"0,0,0,0,0,3/0,0,0,0,0,2 20-23 S sow 1 0", going,
		},
		{
			"nothing in the own row", "awale: Own row", both,
			"1,1,2,0,0,0/0,0,0,0,0,4 20-20 S sow 1 0", "A B C", "A",
			"0,2,2,0,0,0/0,0,0,0,0,4 20-20 N sow 1 1", going,
		},

		{
			"a grand slam is no move", "awale: Grand slam", "awale",
			"3,1,0,2,0,2/1,1,0,0,0,0 18-20 S sow 1 0", "A B D", "D",
			"3,1,0,0,1,3/1,1,0,0,0,0 18-20 N sow 1 1", going,
		},
		{
			"a grand slam captures nothing", "oware: Grand slam", "oware",
			"3,1,0,2,0,2/1,1,0,0,0,0 18-20 S sow 1 0", "A B D F", "F",
			"3,1,0,2,0,0/2,2,0,0,0,0 18-20 N sow 1 1", going,
		},
		{
			"North's grand slam is no move", "awale: Grand slam", "awale",
			"1,1,0,0,0,0/3,1,0,2,0,2 20-18 N sow 1 0", "a b d", "b",
			"1,1,0,0,0,0/3,0,1,2,0,2 20-18 S sow 1 1", going,
		},
		{
			"North's grand slam captures nothing", "oware: Grand slam", "oware",
			"1,1,0,0,0,0/3,1,0,2,0,2 20-18 N sow 1 9", "a b d f", "f",
			"2,2,0,0,0,0/3,1,0,2,0,0 20-18 S sow 1 10", going,
		},
		{
			"all six holes", "awale: Grand slam", "awale",
			"1,0,0,0,0,6/1,2,1,2,1,1 16-17 S sow 1 0", "A", "A",
			"0,1,0,0,0,6/1,2,1,2,1,1 16-17 N sow 1 1", going,
		},
		{
			"all six holes", "oware: Grand slam", "oware",
			"1,0,0,0,0,6/1,2,1,2,1,1 16-17 S sow 1 0", "A F", "F",
			"1,0,0,0,0,0/2,3,2,3,2,2 16-17 N sow 1 1", going,
		},
		{
			"a seed beyond the chain and it is none", "awale: Grand slam, oware: Grand slam", both,
			"1,1,0,0,0,2/1,1,0,0,0,1 20-21 S sow 1 0", "A B F", "F",
			"1,1,0,0,0,0/0,0,0,0,0,1 24-21 N sow 1 0", going,
		},
		{
			"a seed before the chain and it is none", "awale: Grand slam, oware: Grand slam", both,
			"1,0,0,0,0,3/0,1,1,0,0,0 20-22 S sow 1 0", "A F", "F",
			"1,0,0,0,0,0/1,0,0,0,0,0 24-22 N sow 1 0", going,
		},

		{
			"one move of four feeds", "awale: Feeding", both,
			"2,1,0,0,1,3/0,0,0,0,0,0 20-21 S sow 1 0", "F", "F",
			"2,1,0,0,1,0/1,1,1,0,0,0 20-21 N sow 1 1", going,
		},
		{
			"North has to feed", "awale: Feeding", both,
			"0,0,0,0,0,0/1,0,5,0,2,0 20-20 N sow 1 0", "c e", "e",
			"1,0,0,0,0,0/1,0,5,0,0,1 20-20 S sow 1 1", going,
		},
		{
			"one who empties the own row is fed", "awale: Feeding", both,
			"0,0,0,0,0,1/3,0,0,0,0,2 21-21 S sow 1 0", "F", "F f A",
			"0,2,0,0,0,0/4,0,0,0,0,0 21-21 N sow 1 3", going,
		},
		{
			"a row that is not empty need not be fed", "awale: Feeding", both,
			"1,0,0,0,0,1/0,0,0,0,0,1 22-23 S sow 1 0", "A F", "A",
			"0,1,0,0,0,1/0,0,0,0,0,1 22-23 N sow 1 1", going,
		},
		{
			"feeding by a grand slam", "awale: Feeding, awale: Grand slam, awale: No legal move", "awale",
			"0,0,0,0,1,17/0,0,0,0,0,0 15-15 S sow 1 0", "", "",
			"0,0,0,0,1,17/0,0,0,0,0,0 15-15 S sow 1 0", going,
		},
		{
			"feeding by a grand slam", "awale: Feeding, oware: Grand slam", "oware",
			"0,0,0,0,1,17/0,0,0,0,0,0 15-15 S sow 1 0", "F", "F",
			"1,1,1,1,2,0/2,2,2,2,2,2 15-15 N sow 1 1", going,
		},

		{
			"no move feeds, South takes the own row", "awale: No legal move, oware: No legal move, shared: Sweep", both,
			"0,1,0,0,0,0/0,0,0,0,0,1 22-24 N sow 1 4", "f", "f",
			"0,0,0,0,0,0/0,0,0,0,0,0 24-24 S over 1 5", normal,
		},
		{
			"no move feeds, North takes the own row", "awale: No legal move, oware: No legal move, shared: Sweep", both,
			"0,0,0,0,0,1/3,0,1,0,0,0 22-21 S sow 1 0", "F", "F",
			"0,0,0,0,0,0/0,0,0,0,0,0 22-26 N over 1 1", normal,
		},
		{
			"no move feeds after a capture", "awale: No legal move, oware: No legal move", both,
			"0,0,0,0,0,1/1,1,0,0,0,0 22-23 S sow 1 3", "F", "F",
			"0,0,0,0,0,0/0,0,0,0,0,0 24-24 N over 1 0", normal,
		},
		{
			"every move a forbidden grand slam", "awale: No legal move, awale: Grand slam, shared: Sweep", "awale",
			"1,0,0,0,0,1/1,0,0,0,0,1 22-22 N sow 1 0", "a f", "f",
			"0,0,0,0,0,0/0,0,0,0,0,0 23-25 S over 1 0", normal,
		},
		{
			"every move a grand slam that captures nothing", "oware: Grand slam, oware: No legal move", "oware",
			"1,0,0,0,0,1/1,0,0,0,0,1 22-22 N sow 1 0", "a f", "f F",
			"0,0,0,0,0,0/0,0,0,0,0,0 22-26 N over 1 1", normal,
		},
		{
			"the forbidden grand slam is a lap", "awale: No legal move, awale: Grand slam, awale: Departure", "awale",
			"0,0,0,0,0,17/1,0,0,0,0,0 15-15 N sow 1 0", "a", "a",
			"0,0,0,0,0,0/0,0,0,0,0,0 32-16 S over 1 1", normal,
		},
		{
			"set up with an empty row to move", "awale: No legal move", both,
			"0,0,0,0,0,0/1,0,0,0,0,0 23-24 S sow 1 0", "", "",
			"0,0,0,0,0,0/1,0,0,0,0,0 23-24 S sow 1 0", going,
		},

		{
			"the seeds stay where they are", "shared: Decided early", both,
			"0,0,0,0,1,1/1,0,0,0,0,4 23-18 S sow 1 0", "E F", "F",
			"0,0,0,0,1,0/0,0,0,0,0,4 25-18 N over 1 0", early,
		},
		{
			"North decides", "shared: Decided early", both,
			"1,0,0,0,0,4/0,0,0,0,1,1 18-23 N sow 1 0", "e f", "f",
			"0,0,0,0,0,4/0,0,0,0,1,0 18-25 S over 1 0", early,
		},
		{
			"half of the seeds decide nothing", "shared: Decided early", both,
			"0,0,0,0,1,1/1,0,0,0,0,4 22-19 S sow 1 0", "E F", "F",
			"0,0,0,0,1,0/0,0,0,0,0,4 24-19 N sow 1 0", going,
		},
		{
			"set up decided, it ends after the next ply", "shared: Decided early, shared: Order of endings", both,
			"1,0,0,0,0,0/0,1,0,0,0,0 26-20 S sow 1 0", "A", "A",
			"0,1,0,0,0,0/0,1,0,0,0,0 26-20 N over 1 1", early,
		},
		{
			"set up decided for the other", "shared: Decided early, shared: Order of endings", both,
			"0,0,0,0,1,1/1,0,0,0,0,4 16-25 S sow 1 0", "E F", "F",
			"0,0,0,0,1,0/0,0,0,0,0,4 18-25 N over 1 0", early,
		},
		{
			"early comes before no legal move", "shared: Order of endings, shared: Decided early", both,
			"0,0,0,0,0,1/1,1,0,0,0,0 23-22 S sow 1 0", "F", "F",
			"0,0,0,0,0,0/0,1,0,0,0,0 25-22 N over 1 0", early,
		},
		{
			"early comes before the quiet sowings", "shared: Order of endings", both,
			"1,0,0,0,0,0/0,1,0,0,0,0 26-20 S sow 1 99", "A", "A",
			"0,1,0,0,0,0/0,1,0,0,0,0 26-20 N over 1 100", early,
		},
		{
			"no legal move comes before the quiet sowings", "shared: Order of endings", both,
			"0,1,0,0,0,0/0,0,0,0,0,1 23-23 N sow 1 99", "f", "f",
			"0,0,0,0,0,0/0,0,0,0,0,0 25-23 S over 1 100", normal,
		},

		{
			"the hundredth quiet sowing", "shared: Quiet sowings, shared: Sweep", both,
			"1,0,0,0,0,2/1,0,0,0,3,0 21-20 S sow 1 99", "A F", "A",
			"0,0,0,0,0,0/0,0,0,0,0,0 24-24 N over 1 100", cycle,
		},
		{
			"the ninety-ninth, then the hundredth", "shared: Quiet sowings", both,
			"1,0,0,0,0,0/1,0,0,0,0,0 22-24 S sow 1 98", "A", "A a",
			"0,0,0,0,0,0/0,0,0,0,0,0 23-25 S over 1 100", cycle,
		},
		{
			"a capture in place of the hundredth", "shared: Quiet sowings", both,
			"0,0,0,0,1,1/1,0,0,0,3,4 19-19 S sow 1 99", "E F", "F f E",
			"1,1,1,1,0,1/0,0,0,0,3,0 21-19 N sow 1 2", going,
		},
		{
			"a grand slam is quiet", "oware: Grand slam, shared: Quiet sowings", "oware",
			"3,1,0,2,0,2/1,1,0,0,0,0 18-20 S sow 1 99", "A B D F", "F",
			"0,0,0,0,0,0/0,0,0,0,0,0 24-24 N over 1 100", cycle,
		},

		{
			"once around, and the start comes back", "shared: Repetition, shared: Sweep", both,
			"1,0,0,0,0,0/1,0,0,0,0,0 23-23 S sow 1 0", "A", "A a B b C c D d E e F f",
			"0,0,0,0,0,0/0,0,0,0,0,0 24-24 S over 1 12", cycle,
		},
		{
			"a ply before that", "shared: Repetition", both,
			"1,0,0,0,0,0/1,0,0,0,0,0 23-23 S sow 1 0", "A", "A a B b C c D d E e F",
			"0,0,0,0,0,0/1,0,0,0,0,1 23-23 N sow 1 11", going,
		},
		{
			"the quiet count is not part of what comes back", "shared: Repetition", both,
			"1,0,0,0,0,0/1,0,0,0,0,0 23-23 S sow 1 50", "A", "A a B b C c D d E e F f",
			"0,0,0,0,0,0/0,0,0,0,0,0 24-24 S over 1 62", cycle,
		},
		{
			"the position after a capture counts, those before it do not", "shared: Repetition", both,
			"1,0,0,0,0,2/0,1,0,0,0,0 21-23 S sow 1 30", "A F", "F a A b B c C d D e E f F",
			"0,0,0,0,0,0/0,0,0,0,0,0 24-24 N over 1 12", cycle,
		},
	}
}
