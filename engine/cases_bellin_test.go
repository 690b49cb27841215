package engine_test

// bellinCases are the worked cases of buqruru-bellin and buqruru-ludii. Bellin's
// account and Ludii's summary of it print no board: where a case cites one of
// their sentences, its position is made up so that it fits the sentence.
func bellinCases() []worked {
	const (
		bellin = "buqruru-bellin"
		ludii  = "buqruru-ludii"
		both   = "buqruru-bellin buqruru-ludii"
	)
	return []worked{
		// Bellin: «Au commencement de la partie chaque case renferme six crottes.
		// Chaque joueur choisit dans ses cases une case de départ.»
		// Ludii: “Six counters in each hole. At the beginning of the game, each
		// player chooses one hole to be their sowing hole.”
		{
			"South chooses first", "buqruru-bellin: Start holes", both,
			"6,6,6,6/6,6,6,6 0-0 S start 1 0 first=S opened=- start=-,- donkeys=0-0",
			"start=A start=B start=C start=D", "start=C",
			"6,6,6,6/6,6,6,6 0-0 N start 1 0 first=S opened=- start=C,- donkeys=0-0", "",
		},
		{
			"then North, and who chose first sows first", "buqruru-bellin: Start holes", both,
			"6,6,6,6/6,6,6,6 0-0 N start 1 0 first=S opened=- start=C,- donkeys=0-0",
			"start=a start=b start=c start=d", "start=b",
			"6,6,6,6/6,6,6,6 0-0 S sow 1 0 first=S opened=- start=C,b donkeys=0-0", "",
		},
		{
			"North begins a later round", "buqruru-bellin: Start holes", both,
			"6,6,6,6/6,6,6,6 0-0 N start 2 0 first=N opened=- start=-,- donkeys=0-0",
			"start=a start=b start=c start=d", "start=a start=D",
			"6,6,6,6/6,6,6,6 0-0 N sow 2 0 first=N opened=- start=D,a donkeys=0-0", "",
		},
		{
			"an empty hole is not chosen, a single one is", "buqruru-bellin: Start holes", both,
			"0,3,0,0/1,1,0,6 18-19 S start 1 4 first=S opened=SN start=-,- donkeys=0-0",
			"start=B", "start=B",
			"0,3,0,0/1,1,0,6 18-19 N start 1 4 first=S opened=SN start=B,- donkeys=0-0", "",
		},
		{
			"an erased hole is not chosen", "buqruru-bellin: Start holes, buqruru-bellin: Erased holes", both,
			"6,6,6,6/6,x,3,x 12-3 N start 2 0 first=S opened=- start=A,- donkeys=0-1",
			"start=a start=c", "start=c",
			"6,6,6,6/6,x,3,x 12-3 S sow 2 0 first=S opened=- start=A,c donkeys=0-1", "",
		},
		// Bellin: «Tout au long de la partie il déplacera ses pions en partant de
		// cette case.» Ludii: “from which each move on their turn must begin”.
		{
			"no other hole may be sown", "buqruru-bellin: Moves, buqruru-bellin: Sowing", both,
			"4,5,1,3/0,1,1,1 16-16 S sow 1 2 first=S opened=SN start=C,b donkeys=0-0",
			"C1", "C1",
			"4,5,0,0/0,1,1,1 20-16 N sow 1 0 first=S opened=SN start=C,b donkeys=0-0", "",
		},

		// Bellin: «Chaque joueur déplace ses pions dans un sens déterminé et
		// contraire à celui de son adversaire», «un par un en début de partie».
		{
			"South sows counter-clockwise", "buqruru-bellin: Directions, buqruru-bellin: Moves, buqruru-bellin: Sowing", bellin,
			"6,6,6,6/6,6,6,6 0-0 S sow 1 0 first=S opened=- start=C,b donkeys=0-0",
			"C1", "C1",
			"7,6,0,7/7,7,7,7 0-0 N sow 1 1 first=S opened=S start=C,b donkeys=0-0", "",
		},
		{
			"North sows clockwise", "buqruru-bellin: Directions, buqruru-bellin: Sowing, buqruru-bellin: First sowings", bellin,
			"7,6,0,7/7,7,7,7 0-0 N sow 1 1 first=S opened=S start=C,b donkeys=0-0",
			"b1 b2 b3 b4", "b1",
			"8,7,1,8/8,0,8,8 0-0 S sow 1 2 first=S opened=SN start=C,b donkeys=0-0", "",
		},
		// Ludii: “The players agree on a direction of play, which is maintained
		// throughout the game.”
		{
			"South sows counter-clockwise, three by three", "buqruru-ludii: Directions, buqruru-ludii: Moves, buqruru-bellin: First sowings", ludii,
			"6,6,6,6/6,6,6,6 0-0 S sow 1 0 first=S opened=- start=C,b donkeys=0-0",
			"C1 C2 C3", "C3",
			"6,6,0,9/9,6,6,6 0-0 N sow 1 1 first=S opened=S start=C,b donkeys=0-0", "",
		},
		{
			"so does North, two by two", "buqruru-ludii: Directions, buqruru-ludii: Moves, buqruru-bellin: First sowings", ludii,
			"6,6,0,9/9,6,6,6 0-0 N sow 1 1 first=S opened=S start=C,b donkeys=0-0",
			"b1 b2 b3", "b2",
			"8,6,0,9/9,0,8,8 0-0 S start 1 2 first=S opened=SN start=-,- donkeys=0-0", "",
		},

		// Bellin: «un par un en début de partie ou deux par deux, trois par trois,
		// quatre par quatre, … en cours de partie et si sa case de départ renferme
		// un grand nombre de pions».
		{
			"six seeds are no large number", "buqruru-bellin: Large number", bellin,
			"0,0,0,6/1,0,1,0 20-20 S sow 1 0 first=S opened=SN start=D,a donkeys=0-0",
			"D1", "D1",
			"1,1,0,0/2,1,2,1 20-20 N sow 1 1 first=S opened=SN start=D,a donkeys=0-0", "",
		},
		{
			"seven are, two by two", "buqruru-bellin: Large number, buqruru-bellin: Last drop", bellin,
			"0,0,0,7/0,1,0,0 20-20 S sow 1 0 first=S opened=SN start=D,b donkeys=0-0",
			"D1 D2 D3 D4", "D2",
			"0,0,0,0/2,3,2,1 20-20 N sow 1 1 first=S opened=SN start=D,b donkeys=0-0", "",
		},
		{
			"eight two by two", "buqruru-bellin: Large number, buqruru-bellin: Laps, buqruru-bellin: Taking", bellin,
			"0,0,0,8/1,0,1,0 19-19 S sow 1 6 first=S opened=SN start=D,a donkeys=0-0",
			"D1 D2 D3 D4", "D2",
			"0,0,0,0/3,2,3,0 21-19 N sow 1 0 first=S opened=SN start=D,a donkeys=0-0", "",
		},
		{
			"seven three by three, the last drop is one", "buqruru-bellin: Last drop", bellin,
			"0,0,0,7/0,0,0,3 19-19 S sow 1 0 first=S opened=SN start=D,d donkeys=0-0",
			"D1 D2 D3 D4", "D3",
			"0,0,0,0/3,3,1,3 19-19 N sow 1 1 first=S opened=SN start=D,d donkeys=0-0", "",
		},
		{
			"seven four by four, the last drop is three", "buqruru-bellin: Last drop", bellin,
			"0,0,0,7/0,0,0,3 19-19 S sow 1 0 first=S opened=SN start=D,d donkeys=0-0",
			"D1 D2 D3 D4", "D4",
			"0,0,0,0/4,3,0,3 19-19 N sow 1 1 first=S opened=SN start=D,d donkeys=0-0", "",
		},
		{
			"the last drop, not its full number, makes the two", "buqruru-bellin: Last drop, buqruru-bellin: Taking", bellin,
			"0,0,0,7/0,0,1,3 19-18 S sow 1 3 first=S opened=SN start=D,d donkeys=0-0",
			"D1 D2 D3 D4", "D3",
			"0,0,0,0/3,3,0,3 21-18 N sow 1 0 first=S opened=SN start=D,d donkeys=0-0", "",
		},
		{
			"North's eight two by two", "buqruru-bellin: Large number, buqruru-bellin: Directions, buqruru-bellin: Taking backwards", bellin,
			"0,0,0,3/8,0,0,0 18-19 N sow 1 0 first=S opened=SN start=D,a donkeys=0-0",
			"a1 a2 a3 a4", "a2",
			"0,0,0,5/0,0,0,0 18-25 S sow 1 0 first=S opened=SN start=D,a donkeys=0-0", "",
		},

		// Bellin: «il pourra faire plusieurs tours changeant à sa guise pour chaque
		// tour le nombre de pions distribués».
		{
			"nineteen seeds, two a hole and then one", "buqruru-bellin: Laps, buqruru-bellin: Moves", bellin,
			"0,0,0,19/0,0,0,0 14-15 S sow 1 0 first=S opened=SN start=D,- donkeys=0-0",
			"D111 D112 D113 D12 D13 D14 D21 D22 D23 D3 D4", "D21",
			"2,2,2,2/3,3,3,2 14-15 N sow 1 1 first=S opened=SN start=D,- donkeys=0-0", "",
		},
		{
			"one a hole and then two", "buqruru-bellin: Laps, buqruru-bellin: Last drop, buqruru-bellin: Taking", bellin,
			"0,0,0,19/0,0,0,0 14-15 S sow 1 0 first=S opened=SN start=D,- donkeys=0-0",
			"*", "D12",
			"3,0,1,1/3,3,3,3 16-15 N sow 1 0 first=S opened=SN start=D,- donkeys=0-0", "",
		},
		{
			"three laps, the last of one drop", "buqruru-bellin: Laps", bellin,
			"0,0,0,19/0,0,0,0 14-15 S sow 1 0 first=S opened=SN start=D,- donkeys=0-0",
			"*", "D113",
			"2,2,2,2/5,2,2,2 14-15 N sow 1 1 first=S opened=SN start=D,- donkeys=0-0", "",
		},
		{
			"four where four are left in the hand", "buqruru-bellin: Laps", bellin,
			"0,0,0,12/0,0,0,0 18-18 S sow 1 0 first=S opened=SN start=D,- donkeys=0-0",
			"D11 D12 D13 D14 D2 D3 D4", "D14",
			"1,1,1,1/5,1,1,1 18-18 N sow 1 1 first=S opened=SN start=D,- donkeys=0-0", "",
		},
		{
			"a lap ends in the start hole", "buqruru-bellin: Sowing, buqruru-bellin: Laps", bellin,
			"0,0,0,8/1,0,0,2 18-19 S sow 1 0 first=S opened=SN start=D,a donkeys=0-0",
			"D1 D2 D3 D4", "D1",
			"1,1,1,1/2,1,1,3 18-19 N sow 1 1 first=S opened=SN start=D,a donkeys=0-0", "",
		},
		{
			"so do two, and what they leave in it is taken", "buqruru-bellin: Sowing, buqruru-bellin: Laps, buqruru-bellin: Taking backwards", bellin,
			"1,0,0,16/0,0,0,1 15-15 S sow 1 0 first=S opened=SN start=D,d donkeys=0-0",
			"D11 D12 D13 D14 D2 D3 D4", "D11",
			"3,0,0,0/2,2,2,3 21-15 N sow 1 0 first=S opened=SN start=D,d donkeys=0-0", "",
		},

		// Bellin: «Si la case où il laisse tomber son dernier pion en contient de ce
		// fait 2, 4, 6, ou 8, il prend ces pions, il les mange, que cette case soit à
		// lui ou à son adversaire.» Ludii: “When the final counter lands in a hole
		// causing it to contain two, four, six, or eight counters, the contents of
		// that hole are captured.”
		{
			"a two of the opponent", "buqruru-bellin: Taking, buqruru-ludii: Taking", both,
			"0,0,0,1/1,3,0,0 21-22 S sow 1 5 first=S opened=SN start=D,b donkeys=0-0",
			"D1", "D1",
			"0,0,0,0/0,3,0,0 23-22 N sow 1 0 first=S opened=SN start=D,b donkeys=0-0", "",
		},
		{
			"a four in the own row", "buqruru-bellin: Taking, buqruru-ludii: Taking", both,
			"1,3,0,0/0,3,0,0 20-21 S sow 1 5 first=S opened=SN start=A,b donkeys=0-0",
			"A1", "A1",
			"0,0,0,0/0,3,0,0 24-21 N sow 1 0 first=S opened=SN start=A,b donkeys=0-0", "",
		},
		{
			"North takes a six of South", "buqruru-bellin: Taking", bellin,
			"3,0,0,5/1,0,1,0 19-19 N sow 1 2 first=S opened=SN start=A,a donkeys=0-0",
			"a1", "a1",
			"3,0,0,0/0,0,1,0 19-25 S sow 1 0 first=S opened=SN start=A,a donkeys=0-0", "",
		},
		{
			"North takes a six of South", "buqruru-ludii: Taking, buqruru-ludii: Directions", ludii,
			"5,0,3,0/1,0,0,1 19-19 N sow 1 2 first=S opened=SN start=C,d donkeys=0-0",
			"d1", "d1",
			"0,0,3,0/1,0,0,0 19-25 S sow 1 0 first=S opened=SN start=C,d donkeys=0-0", "",
		},
		{
			"an eight", "buqruru-bellin: Taking, buqruru-ludii: Taking", both,
			"0,0,0,1/7,3,0,0 18-19 S sow 1 5 first=S opened=SN start=D,b donkeys=0-0",
			"D1", "D1",
			"0,0,0,0/0,3,0,0 26-19 N sow 1 0 first=S opened=SN start=D,b donkeys=0-0", "",
		},
		{
			"no ten", "buqruru-bellin: Taking", bellin,
			"0,0,0,1/9,3,0,0 17-18 S sow 1 5 first=S opened=SN start=D,b donkeys=0-0",
			"D1", "D1",
			"0,0,0,0/10,3,0,0 17-18 N sow 1 6 first=S opened=SN start=D,b donkeys=0-0", "",
		},
		{
			"no three", "buqruru-bellin: Taking, buqruru-ludii: Taking", both,
			"0,0,0,1/2,3,0,0 21-21 S sow 1 5 first=S opened=SN start=D,b donkeys=0-0",
			"D1", "D1",
			"0,0,0,0/3,3,0,0 21-21 N sow 1 6 first=S opened=SN start=D,b donkeys=0-0", "",
		},

		// Bellin: «De même il prend les pions des cases précédant celle où laissant
		// tomber son dernier pion il a réalisé 2, 4, 6, ou 8 qui contiennent 2, 4, 6,
		// ou 8 et ne sont séparées de la dernière ou séparées entre elles par aucune
		// case renfermant un nombre impair de crottes. Il ne rejoue pas.»
		{
			"the hole before as well, an odd one ends it", "buqruru-bellin: Taking backwards", bellin,
			"0,2,0,3/0,1,1,0 20-21 S sow 1 2 first=S opened=SN start=D,b donkeys=0-0",
			"D1", "D1",
			"0,2,0,0/1,0,0,0 24-21 N start 1 0 first=S opened=SN start=-,- donkeys=0-0", "",
		},
		{
			"it steps over empty holes, on the other row too", "buqruru-bellin: Taking backwards", bellin,
			"4,0,0,1/1,0,0,3 19-20 S sow 1 2 first=S opened=SN start=D,d donkeys=0-0",
			"D1", "D1",
			"0,0,0,0/0,0,0,3 25-20 N sow 1 0 first=S opened=SN start=D,d donkeys=0-0", "",
		},
		{
			"it steps over twelve", "buqruru-bellin: Taking backwards", bellin,
			"4,0,12,1/1,0,0,3 13-14 S sow 1 2 first=S opened=SN start=D,d donkeys=0-0",
			"D1", "D1",
			"0,0,12,0/0,0,0,3 19-14 N sow 1 0 first=S opened=SN start=D,d donkeys=0-0", "",
		},
		{
			"North's goes the other way", "buqruru-bellin: Taking backwards, buqruru-bellin: Directions", bellin,
			"3,0,0,1/1,0,4,10 14-15 N sow 1 2 first=S opened=SN start=A,a donkeys=0-0",
			"a1", "a1",
			"3,0,0,0/0,0,0,10 14-21 S sow 1 0 first=S opened=SN start=A,a donkeys=0-0", "",
		},
		{
			"not from a ten", "buqruru-bellin: Taking backwards, buqruru-bellin: Taking", bellin,
			"2,0,2,1/9,0,0,3 15-16 S sow 1 2 first=S opened=SN start=D,d donkeys=0-0",
			"D1", "D1",
			"2,0,2,0/10,0,0,3 15-16 N sow 1 3 first=S opened=SN start=D,d donkeys=0-0", "",
		},
		{
			"a full circle", "buqruru-bellin: Taking backwards", bellin,
			"0,2,0,1/1,2,0,10 16-16 S sow 1 2 first=S opened=SN start=D,d donkeys=0-0",
			"D1", "D1",
			"0,0,0,0/0,0,0,10 22-16 N sow 1 0 first=S opened=SN start=D,d donkeys=0-0", "",
		},

		// Ludii: “If the preceding hole also contains two, four, six, or eight
		// counters, these are also captured, proceeding until there is a no longer a
		// hole with two, four, six, or eight counters.”
		{
			"the holes before as well, across the rows", "buqruru-ludii: Taking backwards", ludii,
			"0,4,2,3/1,0,0,3 17-18 S sow 1 2 first=S opened=SN start=C,d donkeys=0-0",
			"C1 C2", "C1",
			"0,4,0,0/0,0,0,3 23-18 N sow 1 0 first=S opened=SN start=C,d donkeys=0-0", "",
		},
		{
			"an empty hole ends it", "buqruru-ludii: Taking backwards", ludii,
			"4,0,0,1/1,0,0,3 19-20 S sow 1 2 first=S opened=SN start=D,d donkeys=0-0",
			"D1", "D1",
			"4,0,0,0/0,0,0,3 21-20 N sow 1 0 first=S opened=SN start=D,d donkeys=0-0", "",
		},
		{
			"ten ends it", "buqruru-ludii: Taking backwards", ludii,
			"0,6,2,8/0,1,0,3 14-14 S sow 1 2 first=S opened=SN start=B,d donkeys=0-0",
			"B1 B2 B3", "B2",
			"0,0,4,10/0,1,0,3 16-14 N sow 1 0 first=S opened=SN start=B,d donkeys=0-0", "",
		},
		{
			"an odd hole ends it", "buqruru-ludii: Taking backwards", ludii,
			"2,0,2,2/1,0,0,3 19-19 S sow 1 2 first=S opened=SN start=C,d donkeys=0-0",
			"C1 C2", "C1",
			"2,0,0,3/0,0,0,3 21-19 N sow 1 0 first=S opened=SN start=C,d donkeys=0-0", "",
		},
		{
			"a full circle", "buqruru-ludii: Taking backwards, buqruru-ludii: Laps, buqruru-bellin: Erased holes", ludii,
			"x,x,x,4/0,x,x,x 22-22 S sow 2 0 first=S opened=SN start=D,a donkeys=0-0",
			"D1 D2 D4", "D1",
			"6,6,6,6/0,0,0,0 2-22 N fill 3 0 first=S opened=- start=-,- donkeys=0-0", "normal",
		},

		// Bellin: «Si, dans une case m'appartenant renfermant un nombre pair de
		// crottes le nombre de celles-ci se trouve porté, de mon fait ou de celui de
		// mon adversaire, au nombre pair supérieur, les pions de cette case me sont
		// acquis.»
		{
			"raised by oneself", "buqruru-bellin: Raised holes", bellin,
			"7,2,1,4/0,0,0,1 16-17 S sow 1 4 first=S opened=SN start=A,d donkeys=0-0",
			"A1 A2 A3 A4", "A2",
			"0,0,3,0/1,0,0,1 26-17 N sow 1 0 first=S opened=SN start=A,d donkeys=0-0", "",
		},
		{
			"raised by the opponent", "buqruru-bellin: Raised holes", bellin,
			"0,1,1,2/7,0,0,1 18-18 N sow 1 9 first=S opened=SN start=B,a donkeys=0-0",
			"a1 a2 a3 a4", "a2",
			"1,3,3,0/0,0,0,1 22-18 S sow 1 0 first=S opened=SN start=B,a donkeys=0-0", "",
		},
		{
			"South raises a hole of North, an empty one is not raised", "buqruru-bellin: Raised holes", bellin,
			"1,0,0,8/2,1,0,1 17-18 S sow 1 9 first=S opened=SN start=D,b donkeys=0-0",
			"D1 D2 D3 D4", "D2",
			"1,0,0,0/0,3,2,3 17-22 N sow 1 0 first=S opened=SN start=D,b donkeys=0-0", "",
		},
		{
			"from eight to ten", "buqruru-bellin: Raised holes", bellin,
			"0,1,1,8/7,0,0,1 15-15 N sow 1 9 first=S opened=SN start=B,a donkeys=0-0",
			"a1 a2 a3 a4", "a2",
			"1,3,3,0/0,0,0,1 25-15 S sow 1 0 first=S opened=SN start=B,a donkeys=0-0", "",
		},
		{
			"from two to six", "buqruru-bellin: Raised holes", bellin,
			"1,0,0,7/2,0,0,1 19-18 S sow 1 9 first=S opened=SN start=D,d donkeys=0-0",
			"D1 D2 D3 D4", "D4",
			"1,0,0,0/0,3,0,1 19-24 N sow 1 0 first=S opened=SN start=D,d donkeys=0-0", "",
		},
		{
			"raised seed by seed, in two laps", "buqruru-bellin: Raised holes, buqruru-bellin: Laps, buqruru-bellin: Taking", bellin,
			"0,0,0,11/2,1,0,0 17-17 S sow 1 0 first=S opened=SN start=D,b donkeys=0-0",
			"D11 D12 D13 D2 D3 D4", "D11",
			"1,1,1,1/0,3,0,1 19-21 N sow 1 0 first=S opened=SN start=D,b donkeys=0-0", "",
		},
		{
			"made even from odd, nobody takes it", "buqruru-bellin: Raised holes", bellin,
			"0,0,0,2/1,0,3,0 21-21 S sow 1 0 first=S opened=SN start=D,c donkeys=0-0",
			"D1", "D1",
			"0,0,0,0/2,1,3,0 21-21 N sow 1 1 first=S opened=SN start=D,c donkeys=0-0", "",
		},
		{
			"even before, but not sown", "buqruru-bellin: Raised holes", bellin,
			"2,0,0,1/4,0,3,8 15-15 S sow 1 0 first=S opened=SN start=D,c donkeys=0-0",
			"D1", "D1",
			"2,0,0,0/5,0,3,8 15-15 N sow 1 1 first=S opened=SN start=D,c donkeys=0-0", "",
		},
		{
			"the start hole went down, not up", "buqruru-bellin: Raised holes, buqruru-bellin: Laps", bellin,
			"0,0,0,18/1,1,1,0 13-14 S sow 1 0 first=S opened=SN start=D,a donkeys=0-0",
			"*", "D22",
			"2,2,2,2/5,3,3,2 13-14 N sow 1 1 first=S opened=SN start=D,a donkeys=0-0", "",
		},

		// Bellin: «Sauf dans le cas où cette case est celle où mon adversaire,
		// laissant tomber son dernier pion, réalise 2, 4, 6 ou 8, ou l'une qui [la]
		// précède sans en être séparée par une case contenant un nombre impair de
		// crottes.»
		{
			"raised by the opponent's last seeds", "buqruru-bellin: Exception", bellin,
			"2,1,1,1/8,0,0,1 17-17 N sow 1 0 first=S opened=SN start=B,a donkeys=0-0",
			"a1 a2 a3 a4", "a2",
			"0,3,3,3/0,0,0,1 17-21 S sow 1 0 first=S opened=SN start=B,a donkeys=0-0", "",
		},
		{
			"and one before it", "buqruru-bellin: Exception, buqruru-bellin: Taking backwards", bellin,
			"2,2,1,1/8,0,0,1 16-17 N sow 1 0 first=S opened=SN start=C,a donkeys=0-0",
			"a1 a2 a3 a4", "a2",
			"0,0,3,3/0,0,0,1 16-25 S sow 1 0 first=S opened=SN start=C,a donkeys=0-0", "",
		},
		{
			"behind an odd hole it is the owner's", "buqruru-bellin: Exception, buqruru-bellin: Raised holes", bellin,
			"0,3,1,2/8,0,0,1 16-17 N sow 1 0 first=S opened=SN start=B,a donkeys=0-0",
			"a1 a2 a3 a4", "a2",
			"0,5,3,0/0,0,0,1 20-19 S sow 1 0 first=S opened=SN start=B,a donkeys=0-0", "",
		},
		{
			"a ten that the taking steps over is the owner's", "buqruru-bellin: Exception, buqruru-bellin: Raised holes", bellin,
			"2,8,1,1/8,0,0,1 13-14 N sow 1 0 first=S opened=SN start=C,a donkeys=0-0",
			"a1 a2 a3 a4", "a2",
			"0,0,3,3/0,0,0,1 23-18 S sow 1 0 first=S opened=SN start=C,a donkeys=0-0", "",
		},
		{
			"South's last seeds in North's row", "buqruru-bellin: Exception", bellin,
			"0,0,0,8/1,1,1,4 16-17 S sow 1 0 first=S opened=SN start=D,a donkeys=0-0",
			"D1 D2 D3 D4", "D2",
			"0,0,0,0/3,3,3,0 22-17 N sow 1 0 first=S opened=SN start=D,a donkeys=0-0", "",
		},

		// Ludii: “The players may choose to sow one-by-one, two-by-two,
		// three-by-three, four-by-four, and so forth, into the following holes.”
		{
			"what divides eight", "buqruru-ludii: Moves", ludii,
			"0,0,0,8/1,1,1,5 16-16 S sow 1 0 first=S opened=SN start=D,a donkeys=0-0",
			"D1 D2 D4", "D4",
			"0,0,0,0/5,5,1,5 16-16 N sow 1 1 first=S opened=SN start=D,a donkeys=0-0", "",
		},
		{
			"what divides twelve", "buqruru-ludii: Moves", ludii,
			"0,0,0,12/2,2,2,2 14-14 S sow 1 0 first=S opened=SN start=D,a donkeys=0-0",
			"D1 D2 D3 D4", "D3",
			"0,0,0,0/5,5,5,5 14-14 N sow 1 1 first=S opened=SN start=D,a donkeys=0-0", "",
		},
		{
			"five are sown one by one and not at once", "buqruru-ludii: Moves, buqruru-ludii: Own row", ludii,
			"3,0,0,0/0,0,0,5 20-20 N sow 1 0 first=S opened=SN start=A,d donkeys=0-0",
			"d1", "d1",
			"0,1,1,1/1,0,0,0 24-20 S start 1 0 first=S opened=SN start=-,- donkeys=0-0", "",
		},
		{
			"a lap takes in the start hole", "buqruru-ludii: Laps", ludii,
			"0,0,0,9/0,1,0,0 19-19 S sow 1 0 first=S opened=SN start=D,a donkeys=0-0",
			"D1 D3", "D1",
			"1,1,1,1/0,0,1,1 21-21 N sow 1 0 first=S opened=SN start=D,a donkeys=0-0", "",
		},
		{
			"two seeds a hole, on the second lap too", "buqruru-ludii: Laps", ludii,
			"1,1,1,18/1,1,1,1 11-12 S sow 1 0 first=S opened=SN start=D,a donkeys=0-0",
			"D1 D2 D3", "D2",
			"3,3,3,2/5,3,3,3 11-12 N sow 1 1 first=S opened=SN start=D,a donkeys=0-0", "",
		},

		// Ludii: “If at the end of a turn a player sowed into the opponent's row and
		// any of the opponent's holes contain two, four, six, or eight counters,
		// providing the player sowed into them, the opponent captures these
		// counters.”
		{
			"made two from one", "buqruru-ludii: Opponent's row", ludii,
			"0,0,0,2/1,0,3,0 21-21 S sow 1 3 first=S opened=SN start=D,c donkeys=0-0",
			"D1 D2", "D1",
			"0,0,0,0/0,1,3,0 21-23 N sow 1 0 first=S opened=SN start=D,c donkeys=0-0", "",
		},
		{
			"made four from two", "buqruru-ludii: Opponent's row", ludii,
			"0,0,0,4/2,1,0,0 20-21 S sow 1 3 first=S opened=SN start=D,b donkeys=0-0",
			"D1 D2 D4", "D2",
			"0,0,0,0/0,3,0,0 20-25 N sow 1 0 first=S opened=SN start=D,b donkeys=0-0", "",
		},
		{
			"made two from none, but c was not sown", "buqruru-ludii: Opponent's row", ludii,
			"0,0,0,4/0,1,2,0 20-21 S sow 1 3 first=S opened=SN start=D,b donkeys=0-0",
			"D1 D2 D4", "D2",
			"0,0,0,0/0,3,2,0 20-23 N sow 1 0 first=S opened=SN start=D,b donkeys=0-0", "",
		},
		{
			"made ten from eight, nobody takes it", "buqruru-ludii: Opponent's row", ludii,
			"0,0,0,4/8,1,2,0 16-17 S sow 1 3 first=S opened=SN start=D,b donkeys=0-0",
			"D1 D2 D4", "D2",
			"0,0,0,0/10,3,2,0 16-17 N sow 1 4 first=S opened=SN start=D,b donkeys=0-0", "",
		},
		{
			"North sows into South's row", "buqruru-ludii: Opponent's row, buqruru-ludii: Directions", ludii,
			"1,2,0,3/0,0,0,3 20-19 N sow 1 3 first=S opened=SN start=D,d donkeys=0-0",
			"d1 d3", "d1",
			"0,3,1,3/0,0,0,0 22-19 S sow 1 0 first=S opened=SN start=D,d donkeys=0-0", "",
		},
		{
			"the mover's taking goes first", "buqruru-ludii: Opponent's row, buqruru-ludii: Taking backwards", ludii,
			"0,0,0,4/1,2,1,5 17-18 S sow 1 3 first=S opened=SN start=D,d donkeys=0-0",
			"D1 D2 D4", "D1",
			"0,0,0,0/0,3,0,0 25-20 N start 1 0 first=S opened=SN start=-,- donkeys=0-0", "",
		},

		// Ludii: “In a players own row, if either player sows into a hole with an odd
		// number of counters, making it an even number of counters, the player who
		// owns that row captures the counters.”
		{
			"the mover's own hole", "buqruru-ludii: Own row", ludii,
			"3,1,0,0/0,0,0,1 21-22 S sow 1 0 first=S opened=SN start=A,d donkeys=0-0",
			"A1 A3", "A1",
			"0,0,1,1/0,0,0,1 23-22 N sow 1 0 first=S opened=SN start=A,d donkeys=0-0", "",
		},
		{
			"the mover's own hole that was even", "buqruru-ludii: Own row", ludii,
			"4,2,1,0/0,0,0,1 20-20 S sow 1 0 first=S opened=SN start=A,d donkeys=0-0",
			"A1 A2 A4", "A2",
			"0,4,3,0/0,0,0,1 20-20 N sow 1 1 first=S opened=SN start=A,d donkeys=0-0", "",
		},
		{
			"ten in the mover's own hole", "buqruru-ludii: Own row", ludii,
			"3,9,0,0/0,0,0,1 17-18 S sow 1 0 first=S opened=SN start=A,d donkeys=0-0",
			"A1 A3", "A1",
			"0,0,1,1/0,0,0,1 27-18 N sow 1 0 first=S opened=SN start=A,d donkeys=0-0", "",
		},
		{
			"ten under the last seed, in the opponent's row", "buqruru-ludii: Opponent's row, buqruru-ludii: Taking", ludii,
			"0,0,0,1/9,3,0,0 17-18 S sow 1 5 first=S opened=SN start=D,b donkeys=0-0",
			"D1", "D1",
			"0,0,0,0/0,3,0,0 17-28 N sow 1 0 first=S opened=SN start=D,b donkeys=0-0", "",
		},
		{
			"the start hole was odd before two laps", "buqruru-ludii: Before and after, buqruru-ludii: Own row, buqruru-ludii: Laps", ludii,
			"0,0,0,17/0,0,0,0 15-16 S sow 1 0 first=S opened=SN start=D,- donkeys=0-0",
			"D1", "D1",
			"2,2,2,0/3,0,0,0 17-22 N start 1 0 first=S opened=SN start=-,- donkeys=0-0", "",
		},
		{
			"the start hole was even before two laps", "buqruru-ludii: Before and after, buqruru-ludii: Own row, buqruru-ludii: Laps", ludii,
			"0,0,0,18/0,0,0,0 15-15 S sow 1 0 first=S opened=SN start=D,- donkeys=0-0",
			"D1 D2 D3", "D1",
			"2,2,2,2/3,3,0,0 15-19 N sow 1 0 first=S opened=SN start=D,- donkeys=0-0", "",
		},
		{
			"from nine to eleven in two laps, even only on the way", "buqruru-ludii: Before and after", ludii,
			"9,0,0,17/0,0,0,0 11-11 S sow 1 0 first=S opened=SN start=D,- donkeys=0-0",
			"D1", "D1",
			"11,2,2,0/3,0,0,0 13-17 N start 1 0 first=S opened=SN start=-,- donkeys=0-0", "",
		},

		// In a player's first sowing nothing is taken, whatever rule it is.
		{
			"South's first takes no two", "buqruru-bellin: First sowings", both,
			"0,0,0,1/1,3,0,0 21-22 S sow 1 0 first=S opened=- start=D,b donkeys=0-0",
			"D1", "D1",
			"0,0,0,0/2,3,0,0 21-22 N sow 1 1 first=S opened=S start=D,b donkeys=0-0", "",
		},
		{
			"North's first gives South no raised hole", "buqruru-bellin: First sowings, buqruru-bellin: Raised holes", bellin,
			"0,1,1,2/7,0,0,1 18-18 N sow 1 9 first=S opened=S start=B,a donkeys=0-0",
			"a1 a2 a3 a4", "a2",
			"1,3,3,4/0,0,0,1 18-18 S sow 1 10 first=S opened=SN start=B,a donkeys=0-0", "",
		},
		{
			"South's first gives North nothing", "buqruru-bellin: First sowings, buqruru-ludii: Opponent's row", ludii,
			"0,0,0,2/1,0,3,0 21-21 S sow 1 3 first=N opened=N start=D,c donkeys=0-0",
			"D1 D2", "D1",
			"0,0,0,0/2,1,3,0 21-21 N sow 1 4 first=N opened=SN start=D,c donkeys=0-0", "",
		},
		{
			"a second one takes before the other's first", "buqruru-bellin: First sowings", both,
			"0,0,0,1/1,3,0,0 21-22 S sow 1 2 first=S opened=S start=D,b donkeys=0-0",
			"D1", "D1",
			"0,0,0,0/0,3,0,0 23-22 N sow 1 0 first=S opened=S start=D,b donkeys=0-0", "",
		},

		// Bellin: «Le joueur dont la case de départ ne renferme plus de pions saute
		// son tour.»
		{
			"a turn is skipped, though other holes hold seeds", "buqruru-bellin: Skipped turn", both,
			"0,2,0,0/3,0,1,0 21-21 S sow 1 5 first=S opened=SN start=A,a donkeys=0-0",
			"pass", "pass",
			"0,2,0,0/3,0,1,0 21-21 N sow 1 5 first=S opened=SN start=A,a donkeys=0-0", "",
		},
		{
			"the start hole is kept, and filled again", "buqruru-bellin: Skipped turn, buqruru-bellin: Moves", bellin,
			"0,0,2,0/4,1,0,1 20-20 S sow 1 5 first=S opened=SN start=A,a donkeys=0-0",
			"pass", "pass a1 A1",
			"0,0,3,1/0,1,0,1 22-20 N start 1 0 first=S opened=SN start=-,- donkeys=0-0", "",
		},
		{
			"a skipped turn is no quiet sowing", "buqruru-bellin: Skipped turn, shared: Quiet sowings", both,
			"0,0,0,1/3,0,0,0 22-22 N sow 1 99 first=S opened=SN start=D,b donkeys=0-0",
			"pass", "pass",
			"0,0,0,1/3,0,0,0 22-22 S sow 1 99 first=S opened=SN start=D,b donkeys=0-0", "",
		},

		{
			"both are empty, the player to move chooses first", "buqruru-bellin: New start holes", bellin,
			"8,7,1,8/8,0,8,8 0-0 S sow 1 2 first=S opened=SN start=C,b donkeys=0-0",
			"C1", "C1 start=c start=B",
			"8,7,0,9/8,0,8,8 0-0 N sow 1 3 first=S opened=SN start=B,c donkeys=0-0", "",
		},
		{
			"the same holes may be chosen", "buqruru-bellin: New start holes", both,
			"0,2,0,3/1,0,3,0 19-20 N start 1 0 first=S opened=SN start=-,- donkeys=0-0",
			"start=a start=c", "start=c start=B",
			"0,2,0,3/1,0,3,0 19-20 N sow 1 0 first=S opened=SN start=B,c donkeys=0-0", "",
		},
		{
			"one is empty, nobody chooses", "buqruru-bellin: New start holes", both,
			"0,0,0,1/2,0,1,0 22-22 S sow 1 0 first=S opened=SN start=D,c donkeys=0-0",
			"D1", "D1",
			"0,0,0,0/3,0,1,0 22-22 N sow 1 1 first=S opened=SN start=D,c donkeys=0-0", "",
		},
		{
			"set up with both empty, after the next ply", "buqruru-bellin: New start holes, buqruru-bellin: Skipped turn", both,
			"0,1,0,0/3,0,1,0 21-22 S sow 1 7 first=S opened=SN start=A,b donkeys=0-0",
			"pass", "pass",
			"0,1,0,0/3,0,1,0 21-22 N start 1 7 first=S opened=SN start=-,- donkeys=0-0", "",
		},

		{
			"a row without a seed has no start hole", "buqruru-bellin: No seeds", both,
			"0,0,0,0/3,0,0,1 22-22 N start 1 4 first=S opened=SN start=-,- donkeys=0-0",
			"start=a start=d", "start=d",
			"0,0,0,0/3,0,0,1 22-22 N sow 1 4 first=S opened=SN start=-,d donkeys=0-0", "",
		},
		{
			"the other chooses and sows", "buqruru-bellin: No seeds, buqruru-bellin: New start holes", bellin,
			"0,0,0,1/2,0,0,1 22-22 S sow 1 4 first=S opened=SN start=D,c donkeys=0-0",
			"D1", "D1 start=d d1",
			"0,0,0,0/3,0,1,0 22-22 N start 1 6 first=S opened=SN start=-,- donkeys=0-0", "",
		},
		{
			"South to move has no seed, North chooses", "buqruru-bellin: No seeds, buqruru-bellin: New start holes", bellin,
			"0,0,0,0/3,0,1,0 22-22 N sow 1 4 first=S opened=SN start=D,c donkeys=0-0",
			"c1", "c1 start=a",
			"0,0,0,0/3,1,0,0 22-22 N sow 1 5 first=S opened=SN start=-,a donkeys=0-0", "",
		},
		{
			"South to move has no seed, North chooses", "buqruru-bellin: No seeds, buqruru-bellin: New start holes", ludii,
			"0,0,0,0/3,0,1,0 22-22 N sow 1 4 first=S opened=SN start=D,c donkeys=0-0",
			"c1", "c1 start=a",
			"0,0,0,0/3,0,0,1 22-22 N sow 1 5 first=S opened=SN start=-,a donkeys=0-0", "",
		},
		{
			"without a start hole one passes, with seeds again", "buqruru-bellin: No seeds, buqruru-bellin: Skipped turn", bellin,
			"0,0,0,0/9,0,0,1 19-19 N start 1 4 first=S opened=SN start=-,- donkeys=0-0",
			"start=a start=d", "start=a a11 pass",
			"1,1,1,0/1,1,1,2 19-21 N sow 1 0 first=S opened=SN start=-,a donkeys=0-0", "",
		},

		// Bellin: «Il efface la case restée vide.» Ludii: “erases any empty holes”.
		{
			"a sowing passes over", "buqruru-bellin: Erased holes", bellin,
			"0,0,0,3/2,x,0,0 21-22 S sow 2 0 first=S opened=SN start=D,a donkeys=0-0",
			"D1", "D1",
			"0,0,0,0/3,x,1,1 21-22 N sow 2 1 first=S opened=SN start=D,a donkeys=0-0", "",
		},
		{
			"a sowing passes over, three by three", "buqruru-bellin: Erased holes", ludii,
			"0,0,0,9/2,x,0,0 18-19 S sow 2 0 first=S opened=SN start=D,a donkeys=0-0",
			"D1 D3", "D3",
			"0,0,0,0/5,x,3,3 18-19 N sow 2 1 first=S opened=SN start=D,a donkeys=0-0", "",
		},
		{
			"a lap is shorter", "buqruru-bellin: Erased holes, buqruru-bellin: Laps", bellin,
			"0,0,0,6/x,x,x,1 20-21 S sow 2 0 first=S opened=SN start=D,d donkeys=0-0",
			"D11", "D11",
			"1,1,1,1/x,x,x,3 20-21 N sow 2 1 first=S opened=SN start=D,d donkeys=0-0", "",
		},
		{
			"the taking passes over", "buqruru-bellin: Erased holes, buqruru-bellin: Taking backwards, buqruru-bellin: No seeds", bellin,
			"1,0,1,2/x,1,x,1 21-21 S sow 2 3 first=S opened=SN start=D,b donkeys=0-0",
			"D1", "D1",
			"1,0,1,0/x,0,x,0 25-21 S start 2 0 first=S opened=SN start=-,- donkeys=0-0", "",
		},
		{
			"the taking passes over", "buqruru-bellin: Erased holes, buqruru-ludii: Taking backwards, buqruru-bellin: No seeds", ludii,
			"1,0,1,2/x,1,x,1 21-21 S sow 2 3 first=S opened=SN start=D,b donkeys=0-0",
			"D1 D2", "D1",
			"1,0,1,0/x,0,x,0 25-21 S start 2 0 first=S opened=SN start=-,- donkeys=0-0", "",
		},
		{
			"North's passes over both ways", "buqruru-bellin: Erased holes, buqruru-bellin: Directions, buqruru-bellin: No seeds", bellin,
			"1,x,1,x/3,1,2,3 18-19 N sow 2 3 first=N opened=SN start=A,a donkeys=0-0",
			"a1", "a1",
			"0,x,0,x/0,1,2,0 18-27 N start 2 0 first=N opened=SN start=-,- donkeys=0-0", "",
		},

		// Bellin: «Lorsque tous les pions ont été pris ou lorsqu'il n'en reste qu'un
		// sur le damier, chaque joueur, avec les pions qu'il a pris, remplit ses
		// propres cases.» Ludii: “Play continues until all of the counters are
		// captured. A new round begins.”
		{
			"all taken", "buqruru-bellin: End of the round", both,
			"0,0,0,1/1,0,0,0 24-22 S sow 1 8 first=S opened=SN start=D,a donkeys=0-0",
			"D1", "D1",
			"6,6,6,6/0,0,0,0 2-22 N fill 2 0 first=S opened=- start=-,- donkeys=0-0", "normal",
		},
		{
			"one left, in North's row, and both hold 24", "buqruru-bellin: End of the round, buqruru-bellin: Later rounds", both,
			"0,0,0,2/0,1,0,0 22-23 S sow 1 8 first=S opened=SN start=D,b donkeys=0-0",
			"*", "D1",
			"6,6,6,6/6,6,6,6 0-0 N start 2 0 first=N opened=- start=-,- donkeys=0-0", "normal",
		},
		{
			"one left, in South's row", "buqruru-bellin: End of the round, buqruru-bellin: Later rounds", bellin,
			"1,0,0,1/1,0,0,0 22-23 N sow 1 8 first=S opened=SN start=A,a donkeys=0-0",
			"a1", "a1",
			"0,0,0,0/6,6,6,6 23-1 S fill 2 0 first=N opened=- start=-,- donkeys=0-0", "normal",
		},
		{
			"two left go on", "buqruru-bellin: End of the round", both,
			"0,0,0,1/2,1,0,0 22-22 S sow 1 8 first=S opened=SN start=D,b donkeys=0-0",
			"D1", "D1",
			"0,0,0,0/3,1,0,0 22-22 N sow 1 9 first=S opened=SN start=D,b donkeys=0-0", "",
		},
		{
			"one left comes before the quiet sowings", "buqruru-bellin: End of the round, shared: Order of endings", both,
			"0,0,0,1/0,0,0,0 24-23 S sow 1 99 first=S opened=SN start=D,- donkeys=0-0",
			"D1", "D1",
			"6,6,6,6/6,6,6,6 0-0 N start 2 0 first=N opened=- start=-,- donkeys=0-0", "normal",
		},
		{
			"set up with one, the choice ends it", "buqruru-bellin: End of the round", both,
			"0,0,0,0/0,0,1,0 24-23 N start 1 3 first=S opened=SN start=-,- donkeys=0-0",
			"start=c", "start=c",
			"6,6,6,6/6,6,6,6 0-0 N start 2 0 first=N opened=- start=-,- donkeys=0-0", "normal",
		},

		// Bellin: «Celui qui possède plus de 24 crottes (6x4) conserve celles en
		// excédent. Il rejouera le premier. … Un joueur n'a que 14 crottes. Il en
		// place 6 dans l'une de ses cases, 6 dans une autre et les 2 restantes dans
		// une troisième qui peut être intercalée entre les deux premières ou leur
		// faire suite, au gré du joueur. Il efface la case restée vide.»
		// Ludii: “place the remainder in a hole, either between two with six
		// counters or after them”.
		{
			"fourteen seeds, the two between the sixes", "buqruru-bellin: Later rounds", both,
			"0,0,0,0/6,6,6,6 14-10 S fill 2 0 first=N opened=- start=-,- donkeys=0-0",
			"fill=0.2.6.6 fill=0.6.2.6 fill=0.6.6.2 fill=2.0.6.6 fill=2.6.0.6 fill=2.6.6.0 " +
				"fill=6.0.2.6 fill=6.0.6.2 fill=6.2.0.6 fill=6.2.6.0 fill=6.6.0.2 fill=6.6.2.0",
			"fill=6.2.6.0",
			"6,2,6,x/6,6,6,6 0-10 N start 2 0 first=N opened=- start=-,- donkeys=0-0", "",
		},
		{
			"fourteen seeds, the two after the sixes", "buqruru-bellin: Later rounds", both,
			"6,6,6,6/0,0,0,0 10-14 N fill 3 0 first=S opened=- start=-,- donkeys=1-0",
			"*", "fill=6.6.2.0",
			"6,6,6,6/6,6,2,x 10-0 S start 3 0 first=S opened=- start=-,- donkeys=1-0", "",
		},
		{
			"fourteen seeds, from the end of a round on", "buqruru-bellin: Later rounds, buqruru-bellin: End of the round", both,
			"0,0,0,1/1,0,0,0 12-34 S sow 1 8 first=S opened=SN start=D,a donkeys=0-0",
			"D1", "D1 fill=6.6.0.2 start=a start=D",
			"6,6,x,2/6,6,6,6 0-10 N sow 2 0 first=N opened=- start=D,a donkeys=0-0", "normal",
		},
		{
			"holes are erased for one round", "buqruru-bellin: Later rounds, buqruru-bellin: Erased holes", both,
			"0,x,0,1/1,0,0,0 22-24 S sow 2 8 first=N opened=SN start=D,a donkeys=0-0",
			"D1", "D1",
			"6,6,6,6/6,6,6,6 0-0 S start 3 0 first=S opened=- start=-,- donkeys=0-0", "normal",
		},

		// Bellin: «Si un joueur doit effacer 2 de ses cases il doit un âne à son
		// adversaire, s'il doit les effacer toutes il lui doit deux ânes et a perdu la
		// partie.» Ludii: “When one player has erased all of their holes, the
		// opponent wins.”
		{
			"two holes erased, a donkey", "buqruru-bellin: Donkeys", both,
			"0,0,0,1/1,0,0,0 10-36 S sow 1 8 first=S opened=SN start=D,a donkeys=0-0",
			"D1", "D1 fill=6.0.6.0",
			"6,x,6,x/6,6,6,6 0-12 N start 2 0 first=N opened=- start=-,- donkeys=0-1", "normal",
		},
		{
			"one hole erased, none", "buqruru-bellin: Donkeys", both,
			"0,0,0,1/1,0,0,0 11-35 S sow 1 8 first=S opened=SN start=D,a donkeys=0-0",
			"D1", "D1 fill=1.6.0.6",
			"1,6,x,6/6,6,6,6 0-11 N start 2 0 first=N opened=- start=-,- donkeys=0-0", "normal",
		},
		{
			"three holes erased, a donkey", "buqruru-bellin: Donkeys", both,
			"0,0,0,1/1,0,0,0 43-3 S sow 2 8 first=S opened=SN start=D,a donkeys=1-0",
			"D1", "D1 fill=0.3.0.0",
			"6,6,6,6/x,3,x,x 21-0 S start 3 0 first=S opened=- start=-,- donkeys=2-0", "normal",
		},
		{
			"all erased, two donkeys and out", "buqruru-bellin: Donkeys", both,
			"x,0,x,1/1,0,0,0 46-0 S sow 2 8 first=S opened=SN start=D,a donkeys=1-0",
			"D1", "D1",
			"x,0,x,0/0,0,0,0 48-0 N over 2 0 first=S opened=SN start=D,a donkeys=3-0", "normal",
		},
		{
			"South out, owed more donkeys", "buqruru-bellin: Donkeys", bellin,
			"0,0,x,1/1,0,0,0 0-46 N sow 8 3 first=N opened=SN start=B,a donkeys=5-0",
			"a1", "a1",
			"0,0,x,0/0,0,0,0 0-48 S over 8 0 first=N opened=SN start=B,a donkeys=5-2", "normal",
		},
		{
			"the eighth round counts them too", "buqruru-bellin: Donkeys", both,
			"0,0,0,1/1,0,0,0 10-36 S sow 8 8 first=S opened=SN start=D,a donkeys=2-0",
			"D1", "D1",
			"0,0,0,0/0,0,0,0 12-36 N over 8 0 first=S opened=SN start=D,a donkeys=2-1", "normal",
		},

		{
			"the hundredth quiet sowing", "shared: Quiet sowings, shared: Sweep", bellin,
			"0,0,0,2/1,0,3,0 21-21 S sow 1 99 first=S opened=SN start=D,c donkeys=0-0",
			"D1", "D1",
			"0,0,0,0/6,6,6,6 21-3 S fill 2 0 first=N opened=- start=-,- donkeys=0-0", "cycle",
		},
		{
			"the owner's taking is a capture too", "buqruru-ludii: Opponent's row, shared: Quiet sowings", ludii,
			"0,0,0,2/1,0,3,0 21-21 S sow 1 99 first=S opened=SN start=D,c donkeys=0-0",
			"D1 D2", "D1",
			"0,0,0,0/0,1,3,0 21-23 N sow 1 0 first=S opened=SN start=D,c donkeys=0-0", "",
		},
		{
			"the hundredth comes before new start holes", "shared: Quiet sowings, buqruru-bellin: New start holes", both,
			"0,0,x,1/2,0,0,0 0-45 S sow 8 99 first=N opened=SN start=D,c donkeys=0-0",
			"D1", "D1",
			"0,0,x,0/0,0,0,0 0-48 N over 8 100 first=N opened=SN start=D,c donkeys=0-2", "cycle",
		},
		{
			"there and back", "shared: Repetition, shared: Sweep", bellin,
			"0,1,0,1/0,0,0,0 23-23 S sow 1 0 first=S opened=SN start=D,a donkeys=0-0",
			"D1", "D1 a1",
			"6,6,6,6/0,0,0,0 1-23 N fill 2 0 first=S opened=- start=-,- donkeys=0-0", "cycle",
		},
		{
			"half around, with the choices made alike", "shared: Repetition, buqruru-bellin: New start holes", ludii,
			"1,0,0,0/1,0,0,0 23-23 S sow 1 0 first=S opened=SN start=A,a donkeys=0-0",
			"A1", "A1 a1 start=B start=b B1 b1 start=C start=c C1 c1 start=D start=d D1 d1 start=A start=a",
			"6,6,6,6/6,6,6,6 0-0 N start 2 0 first=N opened=- start=-,- donkeys=0-0", "cycle",
		},
		{
			"the choice before that", "shared: Repetition, buqruru-bellin: New start holes", ludii,
			"1,0,0,0/1,0,0,0 23-23 S sow 1 0 first=S opened=SN start=A,a donkeys=0-0",
			"A1", "A1 a1 start=B start=b B1 b1 start=C start=c C1 c1 start=D start=d D1 d1 start=A",
			"1,0,0,0/1,0,0,0 23-23 N start 1 8 first=S opened=SN start=A,- donkeys=0-0", "",
		},
	}
}
