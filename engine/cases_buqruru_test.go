package engine_test

// buqruruCases are the worked cases of buqruru. "Sheet" is the rules sheet that
// RULES.md names, which has no examples with positions; what it says of single
// numbers is shown by positions made up for it.
func buqruruCases() []worked {
	return []worked{
		{
			"the first ply", "buqruru: Moves, buqruru: Direction, buqruru: Sowing, rounds: Who begins", "buqruru",
			"6,6,6,6/6,6,6,6 0-0 S sow 1 0 first=S opened=- donkeys=0-0", "A B C D", "C",
			"7,6,0,7/7,7,7,7 0-0 N sow 1 1 first=S opened=S donkeys=0-0", "",
		},
		{
			// Sheet: "en la primera volta de cada jugador no es pot capturar".
			"North goes clockwise, its first sowing takes no eight",
			"buqruru: Moves, buqruru: Direction, buqruru: First sowing", "buqruru",
			"7,6,0,7/7,7,7,7 0-0 N sow 1 1 first=S opened=S donkeys=0-0", "a b c d", "b",
			"8,7,1,8/8,0,8,8 0-0 S sow 1 2 first=S opened=SN donkeys=0-0", "",
		},
		{
			"the eighth seed falls in the hole of departure", "buqruru: Sowing", "buqruru",
			"8,7,1,8/8,0,8,8 0-0 S sow 1 2 first=S opened=SN donkeys=0-0", "A B C D", "A",
			"1,8,2,9/9,1,9,9 0-0 N sow 1 3 first=S opened=SN donkeys=0-0", "",
		},
		{
			"seven seeds end before it", "buqruru: Sowing", "buqruru",
			"8,7,1,8/8,0,8,8 0-0 S sow 1 2 first=S opened=SN donkeys=0-0", "A B C D", "B",
			"9,0,2,9/9,1,9,9 0-0 N sow 1 3 first=S opened=SN donkeys=0-0", "",
		},
		{
			"nine seeds in North's row", "buqruru: Sowing, buqruru: Direction", "buqruru",
			"0,0,0,0/0,9,0,0 19-20 N sow 1 0 first=S opened=SN donkeys=0-0", "b", "b",
			"1,1,1,1/0,1,1,1 19-22 S sow 1 0 first=S opened=SN donkeys=0-0", "",
		},
		{
			"an empty hole is no move, a single seed is one", "buqruru: Moves", "buqruru",
			"0,1,0,3/1,0,0,5 19-19 S sow 1 3 first=S opened=SN donkeys=0-0", "B D", "B",
			"0,0,1,3/1,0,0,5 19-19 N sow 1 4 first=S opened=SN donkeys=0-0", "",
		},

		{
			"the first sowing of a later round", "buqruru: First sowing", "buqruru",
			"3,0,0,1/1,0,0,5 19-19 S sow 3 0 first=N opened=N donkeys=0-0", "A D", "D",
			"3,0,0,0/2,0,0,5 19-19 N sow 3 1 first=N opened=SN donkeys=0-0", "",
		},
		{
			"the second takes", "buqruru: First sowing, buqruru: Chain", "buqruru",
			"3,0,0,1/1,0,0,5 19-19 S sow 3 0 first=N opened=N donkeys=0-0", "A D", "D a A",
			"0,1,0,0/0,0,0,5 23-19 N sow 3 0 first=N opened=SN donkeys=0-0", "",
		},
		{
			"a first sowing after the other's second", "buqruru: First sowing", "buqruru",
			"0,0,0,1/1,0,0,5 20-21 N sow 1 3 first=S opened=S donkeys=0-0", "a d", "a",
			"0,0,0,2/0,0,0,5 20-21 S sow 1 4 first=S opened=SN donkeys=0-0", "",
		},
		{
			"a pass leaves it to come", "buqruru: First sowing, rounds: Pass", "buqruru",
			"0,0,0,0/2,0,0,1 22-23 S sow 2 5 first=S opened=N donkeys=0-0", "pass", "pass a C",
			"0,0,0,2/0,0,0,1 22-23 N sow 2 7 first=S opened=SN donkeys=0-0", "",
		},

		{
			"a two in the other row", "buqruru: Capture", "buqruru",
			"3,0,0,1/1,0,0,5 19-19 S sow 1 3 first=S opened=SN donkeys=0-0", "A D", "D",
			"3,0,0,0/0,0,0,5 21-19 N sow 1 0 first=S opened=SN donkeys=0-0", "",
		},
		{
			"a two in the own row", "buqruru: Capture", "buqruru",
			"1,1,0,0/0,0,0,5 20-21 S sow 1 3 first=S opened=SN donkeys=0-0", "A B", "A",
			"0,0,0,0/0,0,0,5 22-21 N sow 1 0 first=S opened=SN donkeys=0-0", "",
		},
		{
			"a four", "buqruru: Capture", "buqruru",
			"3,0,0,1/3,0,0,5 18-18 S sow 1 3 first=S opened=SN donkeys=0-0", "A D", "D",
			"3,0,0,0/0,0,0,5 22-18 N sow 1 0 first=S opened=SN donkeys=0-0", "",
		},
		{
			"a six", "buqruru: Capture", "buqruru",
			"3,0,0,1/5,0,0,5 17-17 S sow 1 3 first=S opened=SN donkeys=0-0", "A D", "D",
			"3,0,0,0/0,0,0,5 23-17 N sow 1 0 first=S opened=SN donkeys=0-0", "",
		},
		{
			"an eight", "buqruru: Capture", "buqruru",
			"3,0,0,1/7,0,0,5 16-16 S sow 1 3 first=S opened=SN donkeys=0-0", "A D", "D",
			"3,0,0,0/0,0,0,5 24-16 N sow 1 0 first=S opened=SN donkeys=0-0", "",
		},
		{
			"not a ten", "buqruru: Capture", "buqruru",
			"0,0,0,1/9,0,0,3 17-18 S sow 1 3 first=S opened=SN donkeys=0-0", "D", "D",
			"0,0,0,0/10,0,0,3 17-18 N sow 1 4 first=S opened=SN donkeys=0-0", "",
		},
		{
			"not a three", "buqruru: Capture", "buqruru",
			"3,0,0,1/2,0,0,5 18-19 S sow 1 3 first=S opened=SN donkeys=0-0", "A D", "D",
			"3,0,0,0/3,0,0,5 18-19 N sow 1 4 first=S opened=SN donkeys=0-0", "",
		},
		{
			"only where the last seed falls", "buqruru: Capture, buqruru: Chain", "buqruru",
			"0,0,2,1/2,0,0,5 19-19 S sow 1 3 first=S opened=SN donkeys=0-0", "C D", "C",
			"0,0,0,2/3,0,0,5 19-19 N sow 1 4 first=S opened=SN donkeys=0-0", "",
		},

		{
			"a chain of four, six and eight in the own row", "buqruru: Chain, buqruru: Capture", "buqruru",
			"3,3,5,7/0,0,0,1 14-15 S sow 1 3 first=S opened=SN donkeys=0-0", "A B C D", "A",
			"0,0,0,0/0,0,0,1 32-15 N sow 1 0 first=S opened=SN donkeys=0-0", "",
		},
		{
			"it stops at a three", "buqruru: Chain", "buqruru",
			"0,0,3,1/2,1,0,4 18-19 S sow 1 3 first=S opened=SN donkeys=0-0", "C D", "C",
			"0,0,0,2/3,0,0,4 20-19 N sow 1 0 first=S opened=SN donkeys=0-0", "",
		},
		{
			"it stops at a ten", "buqruru: Chain", "buqruru",
			"0,0,3,1/9,1,0,4 15-15 S sow 1 3 first=S opened=SN donkeys=0-0", "C D", "C",
			"0,0,0,2/10,0,0,4 17-15 N sow 1 0 first=S opened=SN donkeys=0-0", "",
		},
		{
			"it stops at the empty hole of departure", "buqruru: Chain", "buqruru",
			"0,2,1,1/0,0,0,4 20-20 S sow 1 3 first=S opened=SN donkeys=0-0", "B C D", "C",
			"0,2,0,0/0,0,0,4 22-20 N sow 1 0 first=S opened=SN donkeys=0-0", "",
		},
		{
			"it does not go forwards", "buqruru: Chain", "buqruru",
			"0,0,0,1/1,2,0,4 20-20 S sow 1 3 first=S opened=SN donkeys=0-0", "D", "D",
			"0,0,0,0/0,2,0,4 22-20 N sow 1 0 first=S opened=SN donkeys=0-0", "",
		},
		{
			"North's goes back counter-clockwise", "buqruru: Chain, buqruru: Direction", "buqruru",
			"0,0,1,1/2,0,0,3 20-21 N sow 1 2 first=S opened=SN donkeys=0-0", "a d", "a",
			"0,0,0,0/0,0,0,3 20-25 S sow 1 0 first=S opened=SN donkeys=0-0", "",
		},
		{
			// Sheet: "fins i tot creuant el límit del territori".
			"across the ends of the rows", "buqruru: Chain, buqruru: Emptying", "buqruru",
			"0,1,1,3/5,4,0,3 15-16 N sow 1 2 first=S opened=SN donkeys=0-0", "a b d", "b",
			"0,0,0,0/0,0,0,3 15-30 S sow 1 0 first=S opened=SN donkeys=0-0", "",
		},
		{
			// Sheet: "es poden deixar tots els forats buits del tauler amb una collita
			// encadenada".
			"a chain across the rows empties the board", "buqruru: Chain, buqruru: Emptying, buqruru: End of a round, " +
				"rounds: Who begins, rounds: Filling, rounds: Surplus", "buqruru",
			"0,0,5,1/1,3,5,7 13-13 S sow 1 9 first=S opened=SN donkeys=0-0", "C D", "C",
			"6,6,6,6/0,0,0,0 11-13 N fill 2 0 first=S opened=- donkeys=0-0", "normal",
		},
		{
			"from the hole of departure back to an odd one", "buqruru: Sowing, buqruru: Chain", "buqruru",
			"16,0,0,0/0,0,0,1 15-16 S sow 1 3 first=S opened=SN donkeys=0-0", "A", "A",
			"0,2,2,2/2,2,2,3 17-16 N sow 1 0 first=S opened=SN donkeys=0-0", "",
		},
		{
			"all eight holes, once around", "buqruru: Sowing, buqruru: Chain, buqruru: Emptying, buqruru: End of a round", "buqruru",
			"16,0,0,0/0,0,0,0 16-16 S sow 1 1 first=N opened=SN donkeys=0-0", "A", "A",
			"6,6,6,6/0,0,0,0 8-16 N fill 2 0 first=S opened=- donkeys=0-0", "normal",
		},

		{
			// Sheet: "no és obligatori «alimentar a l'adversari»"; "en aquest cas, es
			// repeteix torn".
			"the other row is emptied and not fed", "buqruru: Emptying, rounds: Pass", "buqruru",
			"2,0,0,1/1,0,0,0 21-23 S sow 1 4 first=S opened=SN donkeys=0-0", "A D", "D pass A pass",
			"0,1,1,0/0,0,0,0 23-23 S sow 1 1 first=S opened=SN donkeys=0-0", "",
		},
		{
			// Sheet: "perd el torn fins que disposi de nou d'alguna llavor".
			"passing until a seed comes back", "rounds: Pass, buqruru: Emptying", "buqruru",
			"0,0,0,0/0,0,0,3 20-25 S sow 1 0 first=S opened=SN donkeys=0-0", "pass", "pass d pass a",
			"0,0,0,1/0,1,1,0 20-25 S sow 1 2 first=S opened=SN donkeys=0-0", "",
		},

		{
			"the last odd seed runs around", "buqruru: End of a round, rounds: Rounds end alike, rounds: Who begins", "buqruru",
			"0,0,0,1/0,0,0,0 23-24 S sow 1 0 first=S opened=SN donkeys=0-0", "D", "D a",
			"6,6,6,6/6,6,6,6 0-0 N sow 2 0 first=N opened=- donkeys=0-0", "cycle",
		},
		{
			"who has sown belongs to what comes back", "rounds: Rounds end alike", "buqruru",
			"0,0,0,1/0,0,0,0 23-24 S sow 1 0 first=S opened=S donkeys=0-0", "D", "D a",
			"0,0,0,1/0,0,0,0 23-24 S sow 1 2 first=S opened=SN donkeys=0-0", "",
		},
		{
			"and comes back two plies later", "rounds: Rounds end alike", "buqruru",
			"0,0,0,1/0,0,0,0 23-24 S sow 1 0 first=S opened=S donkeys=0-0", "D", "D a D a",
			"6,6,6,6/6,6,6,6 0-0 N sow 2 0 first=N opened=- donkeys=0-0", "cycle",
		},
		{
			"a position after a pass comes back", "rounds: Rounds end alike, rounds: Pass", "buqruru",
			"1,0,0,0/0,0,0,0 23-24 S sow 1 0 first=N opened=SN donkeys=0-0", "A", "A pass B pass C pass D a",
			"6,6,6,6/6,6,6,6 0-0 S sow 2 0 first=S opened=- donkeys=0-0", "cycle",
		},
		{
			"the hundredth quiet sowing", "rounds: Rounds end alike, rounds: Who begins", "buqruru",
			"0,0,0,1/0,0,0,2 22-23 S sow 1 99 first=S opened=SN donkeys=0-0", "D", "D",
			"0,0,0,0/6,6,6,6 22-2 S fill 2 0 first=N opened=- donkeys=0-0", "cycle",
		},
		{
			"a first sowing is quiet, whatever it makes", "buqruru: First sowing, rounds: Rounds end alike", "buqruru",
			"0,0,0,1/1,0,0,2 22-22 S sow 1 99 first=S opened=N donkeys=0-0", "D", "D",
			"0,0,0,0/6,6,6,6 22-2 S fill 2 0 first=N opened=- donkeys=0-0", "cycle",
		},
		{
			"more than half of the seeds decide nothing", "rounds: Played out", "buqruru",
			"3,0,0,1/1,0,0,5 30-8 S sow 1 3 first=S opened=SN donkeys=0-0", "A D", "D",
			"3,0,0,0/0,0,0,5 32-8 N sow 1 0 first=S opened=SN donkeys=0-0", "",
		},

		{
			// Bellin's example: "Un joueur n'a que 14 crottes. Il en place 6 dans l'une
			// de ses cases, 6 dans une autre et les 2 restantes dans une troisième".
			"14 seeds are six, six and two", "buqruru: Filling, rounds: Filling, rounds: Surplus, rounds: Carried seeds, rounds: Rounds", "buqruru",
			"0,0,0,1/1,0,0,0 32-14 S sow 1 3 first=S opened=SN donkeys=0-0", "D", "D fill=6.6.2.0",
			"6,6,6,6/6,6,2,0 10-0 S sow 2 0 first=S opened=- donkeys=0-0", "normal",
		},
		{
			// Bellin: "qui peut être intercalée entre les deux premières ou leur faire
			// suite, au gré du joueur".
			"the two between the sixes", "buqruru: Filling, rounds: Filling", "buqruru",
			"6,6,6,6/0,0,0,0 10-14 N fill 2 0 first=S opened=- donkeys=0-0",
			"fill=0.2.6.6 fill=0.6.2.6 fill=0.6.6.2 fill=2.0.6.6 fill=2.6.0.6 fill=2.6.6.0 " +
				"fill=6.0.2.6 fill=6.0.6.2 fill=6.2.0.6 fill=6.2.6.0 fill=6.6.0.2 fill=6.6.2.0", "fill=6.2.6.0",
			"6,6,6,6/6,2,6,0 10-0 S sow 2 0 first=S opened=- donkeys=0-0", "",
		},
		{
			"a hole left empty is in play", "buqruru: Filling, buqruru: Sowing", "buqruru",
			"6,6,6,6/6,2,6,0 10-0 S sow 2 0 first=S opened=- donkeys=0-0", "A B C D", "D",
			"7,7,6,0/7,3,7,1 10-0 N sow 2 1 first=S opened=S donkeys=0-0", "",
		},
		{
			"South fills, North begins", "buqruru: Filling, rounds: Filling, rounds: Who begins", "buqruru",
			"0,0,0,0/6,6,6,6 20-4 S fill 3 0 first=N opened=- donkeys=0-1",
			"fill=2.6.6.6 fill=6.2.6.6 fill=6.6.2.6 fill=6.6.6.2", "fill=6.2.6.6",
			"6,2,6,6/6,6,6,6 0-4 N sow 3 0 first=N opened=- donkeys=0-1", "",
		},
		{
			"12 seeds leave no remainder", "buqruru: Filling", "buqruru",
			"6,6,6,6/0,0,0,0 12-12 N fill 2 0 first=S opened=- donkeys=1-0",
			"fill=0.0.6.6 fill=0.6.0.6 fill=0.6.6.0 fill=6.0.0.6 fill=6.0.6.0 fill=6.6.0.0", "fill=0.6.0.6",
			"6,6,6,6/0,6,0,6 12-0 S sow 2 0 first=S opened=- donkeys=1-0", "",
		},
		{
			"18 seeds leave one hole empty", "buqruru: Filling", "buqruru",
			"6,6,6,6/0,0,0,0 6-18 N fill 2 0 first=S opened=- donkeys=0-0",
			"fill=0.6.6.6 fill=6.0.6.6 fill=6.6.0.6 fill=6.6.6.0", "fill=0.6.6.6",
			"6,6,6,6/0,6,6,6 6-0 S sow 2 0 first=S opened=- donkeys=0-0", "",
		},
		{
			"an odd remainder, after a cycle", "buqruru: Filling", "buqruru",
			"6,6,6,6/0,0,0,0 1-23 N fill 2 0 first=S opened=- donkeys=0-0",
			"fill=5.6.6.6 fill=6.5.6.6 fill=6.6.5.6 fill=6.6.6.5", "fill=6.6.6.5",
			"6,6,6,6/6,6,6,5 1-0 S sow 2 0 first=S opened=- donkeys=0-0", "",
		},
		{
			"fewer than six", "buqruru: Filling", "buqruru",
			"0,0,0,0/6,6,6,6 4-20 S fill 2 0 first=N opened=- donkeys=0-1",
			"fill=0.0.0.4 fill=0.0.4.0 fill=0.4.0.0 fill=4.0.0.0", "fill=0.0.4.0 b",
			"1,1,5,1/7,0,6,7 0-20 S sow 2 1 first=N opened=N donkeys=0-1", "",
		},

		{
			"13 seeds owe nothing", "buqruru: Donkeys", "buqruru",
			"0,0,0,1/1,0,0,0 33-13 S sow 1 3 first=S opened=SN donkeys=0-0", "D", "D",
			"6,6,6,6/0,0,0,0 11-13 N fill 2 0 first=S opened=- donkeys=0-0", "normal",
		},
		{
			// Sheet: "2 forats incomplets sense cap llavor, es diu que li dóna un «ase»
			// a l'adversari".
			"a donkey for two empty holes", "buqruru: Donkeys", "buqruru",
			"0,0,0,1/1,0,0,0 34-12 S sow 1 3 first=S opened=SN donkeys=0-0", "D", "D",
			"6,6,6,6/0,0,0,0 12-12 N fill 2 0 first=S opened=- donkeys=1-0", "normal",
		},
		{
			"seven seeds still fill into a second hole", "buqruru: Donkeys", "buqruru",
			"0,0,0,1/1,0,0,0 39-7 S sow 2 3 first=S opened=SN donkeys=1-0", "D", "D",
			"6,6,6,6/0,0,0,0 17-7 N fill 3 0 first=S opened=- donkeys=2-0", "normal",
		},
		{
			"a donkey for three", "buqruru: Donkeys", "buqruru",
			"0,0,0,1/1,0,0,0 40-6 S sow 1 3 first=S opened=SN donkeys=0-0", "D", "D",
			"6,6,6,6/0,0,0,0 18-6 N fill 2 0 first=S opened=- donkeys=1-0", "normal",
		},
		{
			"one seed is enough to go on", "buqruru: Donkeys, buqruru: Out, buqruru: Filling", "buqruru",
			"0,0,0,1/1,0,0,0 45-1 S sow 1 3 first=S opened=SN donkeys=0-0", "D", "D fill=0.0.0.1",
			"6,6,6,6/0,0,0,1 23-0 S sow 2 0 first=S opened=- donkeys=1-0", "normal",
		},
		{
			"South owes as well", "buqruru: Donkeys, rounds: Who begins", "buqruru",
			"0,0,0,1/1,0,0,0 12-34 N sow 2 3 first=S opened=SN donkeys=1-0", "a", "a",
			"0,0,0,0/6,6,6,6 12-12 S fill 3 0 first=N opened=- donkeys=1-1", "normal",
		},
		{
			"a donkey by a cycle", "buqruru: Donkeys, rounds: Rounds end alike", "buqruru",
			"0,0,0,1/0,0,0,1 11-35 S sow 4 99 first=S opened=SN donkeys=0-2", "D", "D",
			"0,0,0,0/6,6,6,6 11-13 S fill 5 0 first=N opened=- donkeys=0-3", "cycle",
		},
		{
			// Sheet: "si té tots els forats buits, li dóna dos «ases» a l'adversari i ha
			// perdut la partida".
			"two donkeys for all, and out", "buqruru: Donkeys, buqruru: Out, rounds: Out, rounds: End of a match, rounds: Result of a match", "buqruru",
			"0,0,0,1/1,0,0,0 46-0 S sow 3 3 first=S opened=SN donkeys=0-0", "D", "D",
			"0,0,0,0/0,0,0,0 48-0 N over 3 0 first=S opened=SN donkeys=2-0", "normal",
		},
		{
			"out, whatever the donkeys, in the last round too", "buqruru: Out, rounds: End of a match, rounds: Result of a match", "buqruru",
			"0,0,0,1/1,0,0,0 0-46 N sow 8 3 first=S opened=SN donkeys=5-0", "a", "a",
			"0,0,0,0/0,0,0,0 0-48 S over 8 0 first=S opened=SN donkeys=5-2", "normal",
		},
		{
			"out by a cycle", "buqruru: Out, rounds: Out, rounds: End of a match", "buqruru",
			"0,0,0,1/0,0,0,0 47-0 S sow 3 0 first=S opened=SN donkeys=0-0", "D", "D a",
			"0,0,0,0/0,0,0,0 48-0 S over 3 2 first=S opened=SN donkeys=2-0", "cycle",
		},
		{
			// South wins: a donkey is more than four seeds.
			"donkeys come before seeds", "rounds: Result of a match, rounds: Rounds", "buqruru",
			"0,0,0,1/1,0,0,0 20-26 S sow 8 3 first=S opened=SN donkeys=1-0", "D", "D",
			"0,0,0,0/0,0,0,0 22-26 N over 8 0 first=S opened=SN donkeys=1-0", "normal",
		},
		{
			"equal donkeys, more seeds", "rounds: Result of a match, buqruru: Donkeys", "buqruru",
			"0,0,0,1/1,0,0,0 34-12 S sow 8 3 first=S opened=SN donkeys=0-1", "D", "D",
			"0,0,0,0/0,0,0,0 36-12 N over 8 0 first=S opened=SN donkeys=1-1", "normal",
		},
		{
			"a draw", "rounds: Result of a match", "buqruru",
			"0,0,0,1/1,0,0,0 22-24 S sow 8 3 first=S opened=SN donkeys=2-2", "D", "D",
			"0,0,0,0/0,0,0,0 24-24 N over 8 0 first=S opened=SN donkeys=2-2", "normal",
		},
	}
}
