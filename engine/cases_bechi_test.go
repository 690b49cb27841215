package engine_test

// bechiCases are the worked cases of bechi and bechi-2x3, and of what they share
// with the other matches of many rounds. "Sheet" is the rules sheet that
// RULES.md names. Its figures are not in our copy: where a case follows one of
// its examples, the position is made up to fit every word that the sheet says of
// it. Its holes 1B to 4B are A to D, 1A to 4A are a to d.
func bechiCases() []worked {
	return []worked{
		{
			"the first ply", "bechi: Moves, bechi: Direction, bechi: Sowing, bechi: Marks, rounds: Who begins", "bechi",
			"6,6,6,6/6,6,6,6 0-0 S sow 1 0 first=S", "A B C D", "C",
			"6,6,1*,7/7,7,7,7 0-0 N sow 1 1 first=S", "",
		},
		{
			"a hole at the left goes clockwise", "bechi: Direction, bechi: Sowing", "bechi",
			"3,5,0,0/0,0,0,0 20-20 S sow 1 0 first=S", "A B", "B",
			"4,1*,0,0/0,1,1,1 20-20 N sow 1 1 first=S", "",
		},
		{
			"the outermost hole at the left", "bechi: Direction, bechi: Sowing", "bechi",
			"3,5,0,0/0,0,0,0 20-20 S sow 1 0 first=S", "A B", "A",
			"1*,5,0,0/0,0,1,1 20-20 N sow 1 1 first=S", "",
		},
		{
			"the outermost hole at the right", "bechi: Direction, bechi: Sowing", "bechi",
			"0,0,5,3/0,0,0,0 20-20 S sow 1 0 first=S", "C D", "D",
			"0,0,5,1*/1,1,0,0 20-20 N sow 1 1 first=S", "",
		},
		{
			"North's left, clockwise too", "bechi: Direction, bechi: Marks", "bechi",
			"6,6,1*,7/7,7,7,7 0-0 N sow 1 1 first=S", "a b c d", "a",
			"7,7,2*,8/1*,7,8,8 0-0 S sow 1 2 first=S", "",
		},
		{
			"North's right, counter-clockwise", "bechi: Direction", "bechi",
			"6,6,1*,7/7,7,7,7 0-0 N sow 1 1 first=S", "a b c d", "d",
			"7,7,2*,8/8,8,7,1* 0-0 S sow 1 2 first=S", "",
		},
		{
			// Sheet, Fig.01: "no podreu moure des del forat 2B perquè aquest forat
			// conté sols 1 llavor". D shows that the hole next to it is none either.
			"2B holds only one seed", "bechi: Moves", "bechi",
			"2,1*,4,5/3,1,2,2* 14-14 S sow 1 0 first=S", "A C D", "D",
			"2,1*,4,1*/4,2,3,3* 14-14 N sow 1 1 first=S", "",
		},
		{
			// Sheet, Fig.02 and 02b: "si decidiu moure des del forat 1B, acabeu en el
			// forat 4A i no captureu res, doncs aquest forat conté un nombre senar".
			// The hole is marked here, so that nothing but the odd number saves it.
			"1B ends in 4A and captures nothing", "bechi: Capture, bechi: Sowing, bechi: Direction", "bechi",
			"2,1*,4,5/3,1,2,2* 14-14 S sow 1 0 first=S", "A C D", "A",
			"1*,1*,4,5/3,1,2,3* 14-14 N sow 1 1 first=S", "",
		},
		{
			// Sheet, Fig.03 to 03d: from 3B the sowing ends in 2A, which holds 2 then;
			// "captureu en total 10 llavors (dels forats 2A, 3A, 4A i 1B)"; "la captura
			// encadenada s'atura al forat 2B, doncs aquest forat conté un nombre senar".
			"3B ends in 2A, a chain of ten seeds", "bechi: Capture, bechi: Chain", "bechi",
			"2*,3,4,1/5,1*,2*,4* 12-14 S sow 1 0 first=S", "A B C", "C",
			"0*,3,1*,2/6,0*,0*,0* 22-14 N sow 1 0 first=S", "",
		},
		{
			// Sheet, Fig.04 to 04c: 4B "conté 7 llavors"; "acabeu amb la darrera llavor
			// en el forat 2B. Captureu les 2 llavors"; "el forat següent conté també un
			// nombre parell de llavors (4)"; six in all. The seed left in 4B ends it.
			"4B with seven seeds ends in 2B, six seeds", "bechi: Capture, bechi: Chain, bechi: Sowing", "bechi",
			"3,1*,4*,7/2,0,5,1 10-15 S sow 1 0 first=S", "A C D", "D",
			"4,0*,0*,1*/3,1,6,2 16-15 N sow 1 0 first=S", "",
		},

		{
			"a single seed is no move, an empty hole neither", "bechi: Moves", "bechi",
			"4,4,0,0/1,0,3,2 17-17 N sow 1 0 first=S", "c d", "d",
			"5,4,0,0/1,0,3,1* 17-17 S sow 1 1 first=S", "",
		},
		{
			"eight seeds go once around", "bechi: Sowing, bechi: Marks", "bechi",
			"8,1,0,0/0,0,0,2 19-18 S sow 1 3 first=S", "A", "A",
			"1*,2,1,1/1,1,1,3 19-18 N sow 1 4 first=S", "",
		},
		{
			"the ninth falls where the first did and is captured", "bechi: Sowing, bechi: Marks, bechi: Capture", "bechi",
			"9,1,0,0/0,0,0,2 18-18 S sow 1 3 first=S", "A", "A",
			"0*,2,1,1/1,1,1,3 20-18 N sow 1 0 first=S", "",
		},
		{
			"seventeen seeds are two laps", "bechi: Sowing", "bechi",
			"0,0,0,17/0,0,0,1 15-15 S sow 1 0 first=S", "D", "D",
			"2,2,2,3*/2,2,2,3 15-15 N sow 1 1 first=S", "",
		},
		{
			"a chain goes on to the hole it began from", "bechi: Marks, bechi: Chain", "bechi",
			"0,0,0*,16/0,0,1,0 15-16 S sow 1 0 first=S", "D", "D",
			"2,2,0*,0*/2,2,3,2 19-16 N sow 1 0 first=S", "",
		},
		{
			"even but not marked", "bechi: Capture, bechi: Marks", "bechi",
			"2,0,0,3/0,0,0,1 21-21 S sow 1 0 first=S", "A D", "A",
			"1*,0,0,3/0,0,0,2 21-21 N sow 1 1 first=S", "",
		},
		{
			"even and marked", "bechi: Capture, bechi: Marks", "bechi",
			"2,0,0,3/0,0,0,1* 21-21 S sow 1 8 first=S", "A D", "A",
			"1*,0,0,3/0,0,0,0* 23-21 N sow 1 0 first=S", "",
		},
		{
			"in the own row", "bechi: Capture", "bechi",
			"1*,2,0,0/0,3,0,0 21-21 S sow 1 8 first=S", "B", "B",
			"0*,1*,0,0/0,3,0,0 23-21 N sow 1 0 first=S", "",
		},
		{
			"only where the last seed falls", "bechi: Capture", "bechi",
			"3*,1*,0,0/0,0,2*,3* 19-20 S sow 1 0 first=S", "A", "A",
			"1*,1*,0,0/0,0,3*,4* 19-20 N sow 1 1 first=S", "",
		},
		{
			"ten is even as well", "bechi: Capture", "bechi",
			"2,0,0,3/0,0,0,9* 17-17 S sow 1 8 first=S", "A D", "A",
			"1*,0,0,3/0,0,0,0* 27-17 N sow 1 0 first=S", "",
		},
		{
			"a clockwise chain stops at an empty hole", "bechi: Chain, bechi: Direction", "bechi",
			"1,3,0,0/4*,0*,2*,1* 18-19 S sow 1 5 first=S", "B", "B",
			"2,1*,0,0/4*,0*,0*,0* 22-19 N sow 1 0 first=S", "",
		},
		{
			"it stops at a hole that is not marked", "bechi: Chain", "bechi",
			"1,3,0,0/4*,0*,2,1* 18-19 S sow 1 5 first=S", "B", "B",
			"2,1*,0,0/4*,0*,2,0* 20-19 N sow 1 0 first=S", "",
		},
		{
			"it does not go back", "bechi: Chain", "bechi",
			"1*,3,0,0/0,0,0,1* 21-22 S sow 1 5 first=S", "B", "B",
			"2*,1*,0,0/0,0,0,0* 23-22 N sow 1 0 first=S", "",
		},
		{
			"North's chain in South's row stops at an odd hole", "bechi: Chain, bechi: Direction", "bechi",
			"0,3*,2*,1*/2,0,0,0 20-20 N sow 1 5 first=S", "a", "a",
			"0,3*,0*,0*/1*,0,0,0 20-24 S sow 1 0 first=S", "",
		},
		{
			"North's chain comes back to its own row", "bechi: Chain", "bechi",
			"1*,2*,4*,2*/2*,3,0,2 17-15 N sow 1 5 first=S", "a b d", "d",
			"0*,0*,0*,0*/0*,3,0,1* 17-27 S sow 1 0 first=S", "",
		},

		{
			// North's row is filled as in the sheet's second round, so that the
			// round is played "amb només 6 forats".
			"closed holes are passed over", "bechi: Closed holes, bechi: Sowing, bechi: Moves", "bechi",
			"6,6,6,6/6,x,6,x 10-2 N sow 2 0 first=N", "a c", "a",
			"7,7,7,7/1*,x,7,x 10-2 S sow 2 1 first=N", "",
		},
		{
			"with six holes the seventh seed makes a lap", "bechi: Closed holes, bechi: Sowing, bechi: Marks", "bechi",
			"7,7,7,7/1*,x,7,x 10-2 S sow 2 1 first=N", "A B C D", "D",
			"8,8,8,0*/0*,x,8,x 14-2 N sow 2 0 first=N", "",
		},
		{
			"a chain passes over two of them", "bechi: Closed holes, bechi: Chain", "bechi",
			"2,0,0,3/2*,x,x,1* 20-20 S sow 3 4 first=S", "A D", "A",
			"1*,0,0,3/0*,x,x,0* 24-20 N sow 3 0 first=S", "",
		},
		{
			"one open hole", "bechi: Closed holes, bechi: Moves", "bechi",
			"6,6,6,6/x,x,x,6 18-0 S sow 3 0 first=S", "A B C D", "D d",
			"9,8,8,1*/x,x,x,2* 20-0 S sow 3 1 first=S", "",
		},

		{
			"nothing to sow", "rounds: Pass, bechi: Moves", "bechi",
			"0,1*,0,3/1*,0,0,1* 21-21 N sow 2 7 first=N", "pass", "pass",
			"0,1*,0,3/1*,0,0,1* 21-21 S sow 2 7 first=N", "",
		},
		{
			// Sheet: "continua passant fins que pugui fer un moviment legal".
			"passing until there is a move", "rounds: Pass, bechi: End of a round", "bechi",
			"0,0,3,3/0,0,0,0 21-21 N sow 2 7 first=N", "pass", "pass C pass D",
			"0,0,1*,1*/2,1,1,0 21-21 N sow 2 9 first=N", "",
		},
		{
			"South passes", "rounds: Pass", "bechi",
			"1,1,0,0/0,3,3,0 20-20 S sow 1 0 first=S", "pass", "pass b",
			"1,1,0,1/1,1*,3,0 20-20 S sow 1 1 first=S", "",
		},

		{
			// Sheet: "si el jugador B captura 34 llavors en la primera ronda"; "el
			// jugador A només haurà capturat 14 llavors".
			"34 seeds and 14", "bechi: End of a round, bechi: Filling, rounds: Rounds, rounds: Carried seeds, " +
				"rounds: Filling, rounds: Surplus, rounds: Who begins", "bechi",
			"0*,0*,0*,2*/0*,0*,0*,0* 33-13 S sow 1 4 first=S", "D", "D",
			"6,6,6,6/0,0,0,0 10-14 N fill 2 0 first=N", "normal",
		},
		{
			// Sheet: "tan sols podrà omplir 2 forats i les dues llavors restants les
			// diposita en el seu magatzem".
			"the second round after 34 and 14", "bechi: Filling, bechi: Closed holes, rounds: Filling, rounds: Surplus", "bechi",
			"0*,0*,0*,2*/0*,0*,0*,0* 33-13 S sow 1 4 first=S", "D", "D fill=6.0.6.0",
			"6,6,6,6/6,x,6,x 10-2 N sow 2 0 first=N", "normal",
		},
		{
			// Sheet: "aquest jugador té llibertat per escollir en quins forats".
			"six ways to fill two holes", "bechi: Filling, rounds: Filling", "bechi",
			"6,6,6,6/0,0,0,0 10-14 N fill 2 0 first=N",
			"fill=0.0.6.6 fill=0.6.0.6 fill=0.6.6.0 fill=6.0.0.6 fill=6.0.6.0 fill=6.6.0.0", "fill=0.0.6.6",
			"6,6,6,6/x,x,6,6 10-2 N sow 2 0 first=N", "",
		},
		{
			"South fills three, North begins", "bechi: Filling, rounds: Filling, rounds: Who begins", "bechi",
			"0,0,0,0/6,6,6,6 20-4 S fill 3 0 first=N",
			"fill=0.6.6.6 fill=6.0.6.6 fill=6.6.0.6 fill=6.6.6.0", "fill=6.6.0.6",
			"6,6,x,6/6,6,6,6 2-4 N sow 3 0 first=N", "",
		},
		{
			"equal seeds, nobody chooses", "bechi: Filling, rounds: Filling, rounds: Who begins", "bechi",
			"0*,0*,0*,2*/0*,0*,0*,0* 23-23 S sow 1 4 first=S", "D", "D",
			"6,6,6,6/6,6,6,6 0-0 N sow 2 0 first=N", "normal",
		},
		{
			"closed holes open again", "bechi: Closed holes, bechi: Filling, rounds: Who begins", "bechi",
			"0*,0*,0*,2*/0*,x,x,0* 23-23 S sow 2 4 first=N", "D", "D",
			"6,6,6,6/6,6,6,6 0-0 S sow 3 0 first=S", "normal",
		},
		{
			"the last capture ends the round", "bechi: End of a round", "bechi",
			"1*,0,0,0/0,0,1*,2* 20-24 N sow 1 3 first=S", "d", "d",
			"0,0,0,0/6,6,6,6 20-4 S fill 2 0 first=N", "normal",
		},
		{
			"set up with nothing to sow", "bechi: End of a round, rounds: Pass", "bechi",
			"1,0,0,0/0,0,0,1 23-23 S sow 1 0 first=S", "pass", "pass",
			"6,6,6,6/6,6,6,6 0-0 N sow 2 0 first=N", "normal",
		},

		{
			"North is out", "bechi: Out, rounds: Out, rounds: End of a match, rounds: Result of a match", "bechi",
			"0,0,0,2*/0*,0,0,0 42-4 S sow 2 0 first=N", "D", "D",
			"0,0,0,0*/0*,0,0,0 43-5 N over 2 1 first=N", "normal",
		},
		{
			// Five seeds were surplus: that the player took only one in this round
			// does not matter.
			"six seeds are enough", "bechi: Out, rounds: Surplus, rounds: Carried seeds", "bechi",
			"0,0,0,2*/0*,0,0,0 41-5 S sow 2 0 first=N", "D", "D fill=0.0.0.6",
			"6,6,6,6/x,x,x,6 18-0 S sow 3 0 first=S", "normal",
		},
		{
			"South is out", "bechi: Out, rounds: Out, rounds: End of a match, rounds: Result of a match", "bechi",
			"0*,0,0,0/0,0,0,2* 3-43 N sow 4 0 first=S", "d", "d",
			"0*,0,0,0/0,0,0,0* 4-44 S over 4 1 first=S", "normal",
		},
		{
			"out by a cycle", "rounds: Out, rounds: End of a match, rounds: Rounds end alike", "bechi",
			"0,0,0,2*/2*,0,0,0 42-2 S sow 5 99 first=S", "D", "D",
			"0,0,0,0*/0*,0,0,0 43-5 N over 5 100 first=S", "cycle",
		},
		{
			"out in the last round", "bechi: Out, rounds: End of a match, rounds: Rounds", "bechi",
			"0,0,0,2*/0*,0,0,0 42-4 S sow 8 0 first=N", "D", "D",
			"0,0,0,0*/0*,0,0,0 43-5 N over 8 1 first=N", "normal",
		},
		{
			"the limit of rounds", "rounds: Rounds, rounds: End of a match, rounds: Result of a match", "bechi",
			"0*,0*,0*,2*/0*,x,0*,0* 33-13 S sow 8 4 first=N", "D", "D",
			"0*,0*,0*,0*/0*,x,0*,0* 34-14 N over 8 5 first=N", "normal",
		},
		{
			"a round before the limit", "rounds: Rounds", "bechi",
			"0*,0*,0*,2*/0*,x,0*,0* 33-13 S sow 7 4 first=N", "D", "D",
			"6,6,6,6/0,0,0,0 10-14 N fill 8 0 first=S", "normal",
		},
		{
			"a draw", "rounds: Result of a match, rounds: Rounds", "bechi",
			"0*,0*,0*,2*/0*,0*,0*,0* 23-23 S sow 8 4 first=N", "D", "D",
			"0*,0*,0*,0*/0*,0*,0*,0* 24-24 N over 8 5 first=N", "normal",
		},

		{
			"more than half of the seeds decide nothing", "rounds: Played out", "bechi",
			"0,0,0,3/0,0,0,4 40-1 S sow 2 0 first=S", "D", "D",
			"0,0,0,1*/1,1,0,4 40-1 N sow 2 1 first=S", "",
		},
		{
			"not in the last round either", "rounds: Played out", "bechi",
			"2,0,0,3/0,0,0,1* 24-18 S sow 8 0 first=S", "A D", "A",
			"1*,0,0,3/0,0,0,0* 26-18 N sow 8 0 first=S", "",
		},
		{
			"the hundredth quiet sowing", "rounds: Rounds end alike", "bechi",
			"3,0,0,0/0,0,2,2 20-21 S sow 1 99 first=S", "A", "A",
			"0,0,0,0/6,6,6,6 21-3 S fill 2 0 first=N", "cycle",
		},
		{
			"a pass is no sowing", "rounds: Rounds end alike, rounds: Pass", "bechi",
			"0,0,0,3/1,0,0,0 22-22 N sow 1 99 first=S", "pass", "pass",
			"0,0,0,3/1,0,0,0 22-22 S sow 1 99 first=S", "",
		},
		{
			"the sowing after it is the hundredth", "rounds: Rounds end alike", "bechi",
			"0,0,0,3/1,0,0,0 22-22 N sow 1 99 first=S", "pass", "pass D",
			"0,0,0,0/6,6,6,6 23-1 S fill 2 0 first=N", "cycle",
		},
		{
			"a capture in place of the hundredth", "rounds: Rounds end alike", "bechi",
			"2,0,0,3/0,0,0,1* 21-21 S sow 1 99 first=S", "A D", "A",
			"1*,0,0,3/0,0,0,0* 23-21 N sow 1 0 first=S", "",
		},
		{
			"nobody can move: that comes before the hundredth", "rounds: Rounds end alike, bechi: End of a round", "bechi",
			"0*,0*,0*,2*/0*,0*,0*,0* 33-13 S sow 8 99 first=S", "D", "D",
			"0*,0*,0*,0*/0*,0*,0*,0* 34-14 N over 8 100 first=S", "normal",
		},
		{
			"a ply before the start comes back", "rounds: Rounds end alike", "bechi",
			"x,5*,x,2*/6*,2*,2*,5* 13-13 S sow 2 3 first=S", "B D", "D d B a B b D a B d D b D",
			"x,4*,x,1*/5*,1*,8*,3* 13-13 N sow 2 16 first=S", "",
		},
		{
			"the start comes back", "rounds: Rounds end alike", "bechi",
			"x,5*,x,2*/6*,2*,2*,5* 13-13 S sow 2 3 first=S", "B D", "D d B a B b D a B d D b D c",
			"0,0,0,0/6,6,6,6 20-4 S fill 3 0 first=N", "cycle",
		},
		{
			// The same seeds, but a was not marked when it began.
			"marks belong to what comes back", "rounds: Rounds end alike, bechi: Marks", "bechi",
			"x,5*,x,2*/6,2*,2*,5* 13-13 S sow 2 3 first=S", "B D", "D d B a B b D a B d D b D c",
			"x,5*,x,2*/6*,2*,2*,5* 13-13 S sow 2 17 first=S", "",
		},

		{
			"the first ply", "bechi-2x3: Middle hole, bechi-2x3: Direction", "bechi-2x3",
			"6,6,6/6,6,6 0-0 S sow 1 0 first=S", "A B+ B- C", "A",
			"1*,7,7/7,7,7 0-0 N sow 1 1 first=S", "",
		},
		{
			"North's second, a lap", "bechi-2x3: Middle hole, bechi: Sowing, bechi: Marks", "bechi-2x3",
			"1*,7,7/7,7,7 0-0 N sow 1 1 first=S", "a b+ b- c", "b+",
			"2*,8,8/8,0*,8 0-2 S sow 1 0 first=S", "",
		},
		{
			// Sheet: "les llavors en els forats centrals poden ser sembrades en
			// ambdues direccions".
			"the middle, clockwise", "bechi-2x3: Middle hole, bechi: Chain", "bechi-2x3",
			"0,3,3/1*,2*,1* 13-13 S sow 2 0 first=N", "B+ B- C", "B-",
			"1,1*,3/1*,0*,0* 17-13 N sow 2 0 first=N", "",
		},
		{
			"the middle, counter-clockwise", "bechi-2x3: Middle hole, bechi: Chain", "bechi-2x3",
			"0,3,3/1*,2*,1* 13-13 S sow 2 0 first=N", "B+ B- C", "B+",
			"0,1*,4/0*,0*,1* 17-13 N sow 2 0 first=N", "",
		},
		{
			"North's middle, counter-clockwise", "bechi-2x3: Middle hole", "bechi-2x3",
			"1*,0,0/2,3,0 15-15 N sow 1 2 first=S", "a b+ b-", "b+",
			"0*,0,0/2,1*,1 15-17 S sow 1 0 first=S", "",
		},
		{
			"North's middle, clockwise", "bechi-2x3: Middle hole", "bechi-2x3",
			"1*,0,0/2,3,0 15-15 N sow 1 2 first=S", "a b+ b-", "b-",
			"1*,0,1/3,1*,0 15-15 S sow 1 3 first=S", "",
		},
		{
			"a single seed in the middle is no move", "bechi-2x3: Middle hole, bechi: Moves", "bechi-2x3",
			"2,1,2/2,0,1* 14-14 S sow 1 0 first=S", "A C", "A",
			"1*,1,2/2,0,0* 16-14 N sow 1 0 first=S", "",
		},
		{
			"the right hole, counter-clockwise", "bechi-2x3: Direction", "bechi-2x3",
			"2,0,2/2,0,1* 14-15 S sow 1 0 first=S", "A C", "C",
			"2,0,1*/3,0,1* 14-15 N sow 1 1 first=S", "",
		},
		{
			"North's left hole, clockwise", "bechi-2x3: Direction", "bechi-2x3",
			"1*,0,0/2,0,2 15-16 N sow 1 0 first=S", "a c", "a",
			"1*,0,1/1*,0,2 15-16 S sow 1 1 first=S", "",
		},
		{
			"North's right hole, counter-clockwise", "bechi-2x3: Direction, bechi: Capture", "bechi-2x3",
			"1*,0,0/2,0,2 15-16 N sow 1 0 first=S", "a c", "c",
			"0*,0,0/2,0,1* 15-18 S sow 1 0 first=S", "",
		},
		{
			"three ways to fill two of three, the middle closed", "bechi-2x3: Filling, bechi: Closed holes, rounds: Filling", "bechi-2x3",
			"0,0,0/6,6,6 17-1 S fill 2 0 first=N", "fill=0.6.6 fill=6.0.6 fill=6.6.0", "fill=6.0.6 a",
			"7,x,7/0*,7,7 5-3 S sow 2 0 first=N", "",
		},
		{
			"a closed middle is no move", "bechi-2x3: Middle hole, bechi: Closed holes", "bechi-2x3",
			"7,x,7/0*,7,7 5-3 S sow 2 0 first=N", "A C", "C",
			"8,x,2*/0*,8,8 7-3 N sow 2 0 first=N", "",
		},
		{
			"three ways to fill one", "bechi-2x3: Filling, rounds: Filling, rounds: Surplus", "bechi-2x3",
			"6,6,6/0,0,0 8-10 N fill 3 0 first=S", "fill=0.0.6 fill=0.6.0 fill=6.0.0", "fill=0.6.0",
			"6,6,6/x,6,x 8-4 S sow 3 0 first=S", "",
		},
		{
			"equal seeds, nobody chooses", "bechi-2x3: Filling, rounds: Who begins", "bechi-2x3",
			"0*,0*,2*/0*,0*,0* 17-17 S sow 1 4 first=S", "C", "C",
			"6,6,6/6,6,6 0-0 N sow 2 0 first=N", "normal",
		},
		{
			"out", "bechi: Out, rounds: Out", "bechi-2x3",
			"0*,0*,2*/0*,0*,0* 30-4 S sow 3 0 first=S", "C", "C",
			"0*,0*,0*/0*,0*,0* 31-5 N over 3 1 first=S", "normal",
		},
		{
			"the start comes back", "rounds: Rounds end alike", "bechi-2x3",
			"4*,1*,3*/2*,3*,5* 9-9 N sow 1 0 first=S", "a b+ b- c", "c A b+ C a B+",
			"0,0,0/6,6,6 17-1 S fill 2 0 first=N", "cycle",
		},
	}
}
