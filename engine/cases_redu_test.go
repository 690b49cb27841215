package engine_test

// reduCases are the worked cases of redu. The text behind the rules gives no
// position whole, as its figures are lost: a case that shows one of its examples
// reconstructs a position that fits every word of it, and cites it. The text's
// page is called "Redu"; its parts are the summary ("Regles resumides"),
// "Moviments" and the examples at the end ("vegem els següents exemples").
//
// The text writes 1B … 6B for the lower row and 1A … 6A for the upper one. The
// lower row is South's and its 1B … 6B are A … F. Of the upper row 1A could be
// printed at the left, above 1B, or at the right. The examples tell: a single
// seed of 4B "has to be moved to the opposite hole (3A)", one of 4A falls in 3B,
// two seeds of 4B pass over 2A on their way to 5B. Opposite are so 4B and 3A, 3B
// and 4A, 5B and 2A, their numbers adding up to 7: both rows are counted
// counter-clockwise, 1A is printed at the right, and 1A … 6A are a … f.
//
//	6A 5A 4A 3A 2A 1A        f e d c b a
//	1B 2B 3B 4B 5B 6B        A B C D E F
func reduCases() []worked {
	const (
		normal = "normal"
		cycle  = "cycle"
		early  = "early"
		going  = ""
	)
	return []worked{
		// The start, and one sowing of each kind.
		{
			"the first ply", "shared: Start, shared: Turns, redu: More seeds, redu: Bounce", "redu",
			"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0 take=- missed=-",
			"A+ A- B+ B- B-b C+ C- D+ D- E+ E+b E- F+ F-", "C+",
			"4,4,0,5,5,4/4,5,5,4,4,4 0-0 N sow 1 1 take=- missed=-", going,
		},
		{
			"clockwise", "redu: More seeds", "redu",
			"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0 take=- missed=-", "*", "C-",
			"5,5,0,4,4,4/4,4,4,4,5,5 0-0 N sow 1 1 take=- missed=-", going,
		},
		{
			"North's plus is counter-clockwise too", "redu: More seeds", "redu",
			"4,4,4,4,4,4/4,4,4,4,4,4 0-0 N sow 1 0 take=- missed=-",
			"a+ a- b+ b- b-b c+ c- d+ d- e+ e+b e- f+ f-", "c+",
			"4,5,5,4,4,4/4,4,0,5,5,4 0-0 S sow 1 1 take=- missed=-", going,
		},
		{
			"a bounce on the second ply", "redu: Bounce", "redu",
			"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0 take=- missed=-", "*", "C+ e+b",
			"5,4,1,5,5,4/4,5,5,5,0,5 0-0 S sow 1 2 take=- missed=-", going,
		},
		{
			"the same hole going round", "redu: Going round", "redu",
			"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0 take=- missed=-", "*", "C+ e+",
			"5,4,0,5,5,5/5,5,5,4,0,5 0-0 S sow 1 2 take=- missed=-", going,
		},
		{
			"from an end hole there is only going round", "redu: Going round, redu: Bounce", "redu",
			"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0 take=- missed=-", "*", "F+",
			"5,5,4,4,4,0/4,4,4,4,5,5 0-0 N sow 1 1 take=- missed=-", going,
		},

		// One seed. Summary: "Quan s'inicia la sembra des d'un forat que conté 1
		// llavor solitària", its three cases.
		{
			// Examples, own row, first way: A moves the single seed of 4A, and "com
			// que el forat 3B estava buit abans de sembrar, podeu capturar aquesta
			// llavor".
			"4A to an empty 3B", "redu: One seed, redu: Left open by one seed", "redu",
			"2,0,0,0,2,0/0,0,0,1,0,2 21-20 N sow 1 0 take=- missed=-", "d f+ f-", "d",
			"2,0,1,0,2,0/0,0,0,0,0,2 21-20 S sow 1 1 take=C:free missed=-", going,
		},
		{
			// The same: "tant si es captura com si no, és el nostre torn de joc".
			"B captures it and is still to move", "redu: Left open by one seed, redu: Take", "redu",
			"2,0,1,0,2,0/0,0,0,0,0,2 21-20 S sow 1 1 take=C:free missed=-", "A+ A- C E+ E- take", "take",
			"2,0,0,0,2,0/0,0,0,0,0,2 22-20 S sow 1 0 take=- missed=-", going,
		},
		{
			"and then sows", "redu: Take, redu: Order of a turn, redu: Left open by two seeds", "redu",
			"2,0,1,0,2,0/0,0,0,0,0,2 21-20 S sow 1 1 take=C:free missed=-", "*", "take A+",
			"0,1,0,0,2,0/0,0,0,0,1,2 22-20 N sow 1 1 take=e:turn missed=-", going,
		},
		{
			// "Aquest tipus de captura és opcional."
			"or leaves it there", "redu: Take, redu: Lapse, redu: Left open by two seeds", "redu",
			"2,0,1,0,2,0/0,0,0,0,0,2 21-20 S sow 1 1 take=C:free missed=-", "*", "E+",
			"2,0,1,0,0,1/1,0,0,0,0,2 21-20 N sow 1 2 take=a:turn missed=-", going,
		},
		{
			// Examples, the opponent's row, first way: B moves the single seed of 4B
			// to 3A, which "conté 3 llavors, comptant la llavor que s'acaba de
			// dipositar".
			"4B to a 3A with two", "redu: One seed, redu: Capture by one seed", "redu",
			"0,0,0,1,0,2/0,0,2,0,0,3 20-20 S sow 1 3 take=- missed=-", "D F+ F-", "D",
			"0,0,0,0,0,2/0,0,0,0,0,3 23-20 N sow 1 0 take=- missed=-", going,
		},
		{
			// "conté 1 o 2 llavors abans de sembrar"
			"4B to a 3A with one", "redu: Capture by one seed", "redu",
			"0,0,0,1,0,2/0,0,1,0,0,3 20-21 S sow 1 3 take=- missed=-", "D F+ F-", "D",
			"0,0,0,0,0,2/0,0,0,0,0,3 22-21 N sow 1 0 take=- missed=-", going,
		},
		{
			// "contenia 3 o més llavors. No hi ha captura per part de cap jugador."
			"4B to a 3A with three", "redu: One seed, redu: Capture by one seed", "redu",
			"0,0,0,1,0,2/0,0,3,0,0,3 19-20 S sow 1 4 take=- missed=-", "D F+ F-", "D",
			"0,0,0,0,0,2/0,0,4,0,0,3 19-20 N sow 1 5 take=- missed=-", going,
		},
		{
			"4B to a 3A with more than three", "redu: One seed, redu: Capture by one seed", "redu",
			"0,0,0,1,0,2/0,0,7,0,0,3 17-18 S sow 1 4 take=- missed=-", "D F+ F-", "D",
			"0,0,0,0,0,2/0,0,8,0,0,3 17-18 N sow 1 5 take=- missed=-", going,
		},
		{
			"North's single seed captures", "redu: One seed, redu: Capture by one seed", "redu",
			"0,2,0,0,0,3/0,0,0,0,1,2 20-20 N sow 1 3 take=- missed=-", "e f+ f-", "e",
			"0,0,0,0,0,3/0,0,0,0,0,2 20-23 S sow 1 0 take=- missed=-", going,
		},
		{
			"from the ends of the board", "redu: One seed", "redu",
			"1,0,0,0,0,1/4,0,0,0,0,5 18-19 S sow 1 0 take=- missed=-", "A F", "A",
			"0,0,0,0,0,1/4,0,0,0,0,6 18-19 N sow 1 1 take=- missed=-", going,
		},

		// Two seeds. Summary: "Quan s'inicia la sembra des d'un forat que conté 2
		// llavors", its three cases.
		{
			// Examples, the opponent's row, second way: two seeds of 4B, and passing
			// over 2A it "torna ha tenir 3 llavors", which B captures. Moviments, first
			// figure: counter-clockwise.
			"4B counter-clockwise, 2A has two", "redu: Two seeds, redu: Capture by two seeds", "redu",
			"0,0,0,2,0,0/0,2,0,0,0,3 21-20 S sow 1 5 take=- missed=-", "D+ D-", "D+",
			"0,0,0,0,1,0/0,0,0,0,0,3 24-20 N sow 1 0 take=- missed=-", going,
		},
		{
			"4B counter-clockwise, 2A has one", "redu: Two seeds, redu: Capture by two seeds", "redu",
			"0,0,0,2,0,0/0,1,0,0,0,3 21-21 S sow 1 5 take=- missed=-", "D+ D-", "D+",
			"0,0,0,0,1,0/0,0,0,0,0,3 23-21 N sow 1 0 take=- missed=-", going,
		},
		{
			"4B counter-clockwise, 2A has three", "redu: Two seeds, redu: Capture by two seeds", "redu",
			"0,0,0,2,0,0/0,3,0,0,0,3 20-20 S sow 1 5 take=- missed=-", "D+ D-", "D+",
			"0,0,0,0,1,0/0,4,0,0,0,3 20-20 N sow 1 6 take=- missed=-", going,
		},
		{
			"4B counter-clockwise, 2A is empty", "redu: Two seeds, redu: Left open by two seeds", "redu",
			"0,0,0,2,0,0/0,0,0,0,0,3 21-22 S sow 1 5 take=- missed=-", "D+ D-", "D+",
			"0,0,0,0,1,0/0,1,0,0,0,3 21-22 N sow 1 6 take=b:turn missed=-", going,
		},
		{
			// Moviments, second figure: "en sentit horari".
			"4B clockwise, 4A has two", "redu: Two seeds, redu: Capture by two seeds", "redu",
			"0,0,0,2,0,0/0,0,0,2,0,3 21-20 S sow 1 5 take=- missed=-", "D+ D-", "D-",
			"0,0,1,0,0,0/0,0,0,0,0,3 24-20 N sow 1 0 take=- missed=-", going,
		},
		{
			"4B clockwise, 4A has one", "redu: Two seeds, redu: Capture by two seeds", "redu",
			"0,0,0,2,0,0/0,0,0,1,0,3 21-21 S sow 1 5 take=- missed=-", "D+ D-", "D-",
			"0,0,1,0,0,0/0,0,0,0,0,3 23-21 N sow 1 0 take=- missed=-", going,
		},
		{
			"4B clockwise, 4A has three", "redu: Two seeds, redu: Capture by two seeds", "redu",
			"0,0,0,2,0,0/0,0,0,3,0,3 20-20 S sow 1 5 take=- missed=-", "D+ D-", "D-",
			"0,0,1,0,0,0/0,0,0,4,0,3 20-20 N sow 1 6 take=- missed=-", going,
		},
		{
			"4B clockwise, 4A is empty", "redu: Two seeds, redu: Left open by two seeds", "redu",
			"0,0,0,2,0,0/0,2,0,0,0,3 21-20 S sow 1 5 take=- missed=-", "D+ D-", "D-",
			"0,0,1,0,0,0/0,2,0,1,0,3 21-20 N sow 1 6 take=d:turn missed=-", going,
		},
		{
			// Examples, own row, second way: A moves the two seeds of 4A, "primer al
			// forat 4B i acaba al forat 3A".
			"4A by an empty 4B to 3A", "redu: Two seeds, redu: Left open by two seeds", "redu",
			"3,0,0,0,0,0/0,0,0,2,0,2 21-20 N sow 1 0 take=- missed=-", "d+ d- f+ f-", "d-",
			"3,0,0,1,0,0/0,0,1,0,0,2 21-20 S sow 1 1 take=D:turn missed=-", going,
		},
		{
			// The same: "amb aquesta acció acaba el vostre torn".
			"B captures it, and that is the turn", "redu: Left open by two seeds, redu: Take", "redu",
			"3,0,0,1,0,0/0,0,1,0,0,2 21-20 S sow 1 1 take=D:turn missed=-",
			"A+ A+k A+kx A+o A+x A- A-k A-kx A-o A-x D take", "take",
			"3,0,0,0,0,0/0,0,1,0,0,2 22-20 N sow 1 0 take=- missed=-", going,
		},
		{
			// The same: "si decidiu no capturar-la, la deixeu al tauler i és el vostre
			// torn de joc".
			"B leaves it and sows", "redu: Take, redu: Lapse, redu: Capture by one seed", "redu",
			"3,0,0,1,0,0/0,0,1,0,0,2 21-20 S sow 1 1 take=D:turn missed=-", "*", "D",
			"3,0,0,0,0,0/0,0,0,0,0,2 23-20 N sow 1 0 take=- missed=-", going,
		},
		{
			"two seeds go round the end", "redu: Two seeds, redu: Going round", "redu",
			"0,0,0,0,0,2/0,0,0,0,0,3 21-22 S sow 1 0 take=- missed=-", "F+ F-", "F+",
			"1,0,0,0,0,0/0,0,0,0,0,4 21-22 N sow 1 1 take=- missed=-", going,
		},
		{
			"North's two seeds go round the other end", "redu: Two seeds, redu: Going round", "redu",
			"2,0,0,0,0,3/2,0,0,0,0,0 20-21 N sow 1 0 take=- missed=-", "a+ a-", "a-",
			"0,0,0,0,0,3/0,0,0,0,0,1 20-24 S sow 1 0 take=- missed=-", going,
		},

		// Pairs. Moviments: B moves 2B, and as 3B has a single seed too, the two are
		// sown together; afterwards A can capture the single seed of 3A.
		{
			"2B and 3B together", "redu: Pair, redu: Left open by two seeds", "redu",
			"0,1,1,0,0,0/0,0,0,0,0,3 21-22 S sow 1 0 take=- missed=-", "B BC+ BC- C", "BC+",
			"0,0,0,1,0,0/0,0,1,0,0,3 21-22 N sow 1 1 take=c:turn missed=-", going,
		},
		{
			"and A captures 3A", "redu: Pair, redu: Left open by two seeds, redu: Take", "redu",
			"0,1,1,0,0,0/0,0,0,0,0,3 21-22 S sow 1 0 take=- missed=-", "*", "BC+ take",
			"0,0,0,1,0,0/0,0,0,0,0,3 21-23 S sow 1 0 take=- missed=-", going,
		},
		{
			// "en direcció horària o anti-horària"
			"clockwise it leaves from 2B", "redu: Pair", "redu",
			"0,1,1,0,0,0/0,0,0,0,0,3 21-22 S sow 1 0 take=- missed=-", "*", "BC-",
			"1,0,0,0,0,0/0,0,0,0,0,4 21-22 N sow 1 1 take=- missed=-", going,
		},
		{
			// "pot iniciar la sembra": it need not.
			"one of them alone", "redu: Pair, redu: One seed", "redu",
			"0,1,1,0,0,0/0,0,0,0,0,3 21-22 S sow 1 0 take=- missed=-", "*", "B",
			"0,0,1,0,0,0/0,0,0,0,1,3 21-22 N sow 1 1 take=e:free missed=-", going,
		},
		{
			"a pair captures two", "redu: Pair, redu: Capture by two seeds", "redu",
			"0,1,1,0,0,0/0,0,1,0,0,3 21-21 S sow 1 2 take=- missed=-", "B BC+ BC- C", "BC+",
			"0,0,0,1,0,0/0,0,0,0,0,3 23-21 N sow 1 0 take=- missed=-", going,
		},
		{
			"a pair captures three", "redu: Pair, redu: Capture by two seeds", "redu",
			"0,1,1,0,0,0/0,0,2,0,0,3 21-20 S sow 1 2 take=- missed=-", "B BC+ BC- C", "BC+",
			"0,0,0,1,0,0/0,0,0,0,0,3 24-20 N sow 1 0 take=- missed=-", going,
		},
		{
			"a pair goes round the end", "redu: Pair, redu: Going round, redu: Capture by two seeds", "redu",
			"0,0,0,0,1,1/3,0,0,0,0,1 21-21 S sow 1 0 take=- missed=-", "E EF+ EF- F", "EF+",
			"1,0,0,0,0,0/3,0,0,0,0,0 23-21 N sow 1 0 take=- missed=-", going,
		},
		{
			"North's pair, in North's order", "redu: Pair, redu: Going round", "redu",
			"0,0,0,0,0,3/1,1,0,0,0,0 21-22 N sow 1 0 take=- missed=-", "a ab+ ab- b", "ab-",
			"1,0,0,0,0,3/0,0,0,0,0,1 21-22 S sow 1 1 take=A:turn missed=-", going,
		},
		{
			"three in a row are two pairs", "redu: Pair", "redu",
			"1,1,1,2,0,0/3,0,0,0,0,0 20-20 S sow 1 0 take=- missed=-", "A AB+ AB- B BC+ BC- C D+ D-", "AB+",
			"0,0,2,2,0,0/3,0,0,1,0,0 20-20 N sow 1 1 take=d:turn missed=-", going,
		},
		{
			"the ends of a row are no neighbours", "redu: Pair", "redu",
			"1,0,0,0,0,1/3,0,0,0,0,3 20-20 S sow 1 0 take=- missed=-", "A F", "F",
			"1,0,0,0,0,0/4,0,0,0,0,3 20-20 N sow 1 1 take=- missed=-", going,
		},

		// More than two seeds.
		{
			// Moviments, figures 3 to 5: beginning in the adjacent hole or in the one
			// opposite to it, "tant un moviment com amb l'altre tenen idèntic
			// resultat". So there is one move for both.
			"both orders have the same result", "redu: More seeds, redu: More seeds capture nothing", "redu",
			"0,0,0,4,0,0/1,3,0,0,0,0 20-20 S sow 1 0 take=- missed=-",
			"D+ D- D-o D-ok D-okx D-ox D-x", "D+",
			"0,0,0,0,1,1/2,4,0,0,0,0 20-20 N sow 1 1 take=- missed=-", going,
		},
		{
			"three seeds, the last one in the own row", "redu: More seeds", "redu",
			"0,0,0,3,0,0/1,3,3,3,0,3 16-16 S sow 1 0 take=- missed=-", "D+ D+k D- D-k", "D+",
			"0,0,0,0,1,1/1,4,3,3,0,3 16-16 N sow 1 1 take=- missed=-", going,
		},
		{
			// Moviments, figures 6 and 7: the two orders combined, "d'aquesta manera la
			// darrera llavor sembrada cau en un forat diferent".
			"the last seed in the other hole", "redu: Odd seed, redu: More seeds capture nothing", "redu",
			"0,0,0,3,0,0/1,3,3,3,0,3 16-16 S sow 1 0 take=- missed=-", "*", "D+k",
			"0,0,0,0,1,0/2,4,3,3,0,3 16-16 N sow 1 1 take=- missed=-", going,
		},
		{
			"the last seed falls in an empty hole and is safe there", "redu: Odd seed, redu: Left open by more seeds", "redu",
			"0,0,0,3,0,0/1,3,3,3,0,3 16-16 S sow 1 0 take=- missed=-", "*", "D-k",
			"0,0,1,0,0,0/1,3,3,4,1,3 16-16 N sow 1 1 take=- missed=-", going,
		},

		// Round the board, and back.
		{
			// Moviments, figures 8 and 9: a sowing that gets round the board skips the
			// first hole and the one opposite to it, "forats 4B i 3A en l'exemple".
			// Going round is the first of the two ways to go on; that the figures
			// show the other one, the last example tells.
			"8 from 4B skip 4B and 3A", "redu: Departure, redu: Going round", "redu",
			"0,0,0,8,0,0/1,1,1,1,1,1 17-17 S sow 1 0 take=- missed=-", "D+ D+b D- D-b", "D+",
			"1,1,0,0,1,1/2,2,1,1,2,2 17-17 N sow 1 1 take=- missed=-", going,
		},
		{
			// "o bé, canviar de sentit (rebotar)"
			"8 from 4B bounce and skip 4B and 3A", "redu: Departure, redu: Bounce", "redu",
			"0,0,0,8,0,0/1,1,1,1,1,1 17-17 S sow 1 0 take=- missed=-", "*", "D+b",
			"0,1,1,0,1,1/2,2,1,2,2,1 17-17 N sow 1 1 take=- missed=-", going,
		},
		{
			"clockwise round", "redu: Departure, redu: Going round", "redu",
			"0,0,0,8,0,0/1,1,1,1,1,1 17-17 S sow 1 0 take=- missed=-", "*", "D-",
			"1,1,1,0,0,1/2,1,1,2,2,2 17-17 N sow 1 1 take=- missed=-", going,
		},
		{
			"clockwise and back", "redu: Departure, redu: Bounce", "redu",
			"0,0,0,8,0,0/1,1,1,1,1,1 17-17 S sow 1 0 take=- missed=-", "*", "D-b",
			"1,1,1,0,1,0/1,2,1,2,2,2 17-17 N sow 1 1 take=- missed=-", going,
		},
		{
			// Examples, own row, third way: 8 from 4B, "arribeu al forat 5A. Com que
			// l'antepenúltima llavor sembrada ha caigut en un forat buit (4A) …" Going
			// round would have it in 6A: only the bounce E F C B fits, with C sown
			// before 4A and B before 5A.
			"8 from 4B end in 5A, the last but two in 4A", "redu: Bounce, redu: Left open by more seeds, redu: Exposing, redu: Letters", "redu",
			"0,0,0,8,0,0/2,2,2,0,2,2 15-15 S sow 1 0 take=- missed=-",
			"D+ D+b D+bx D- D-b D-o D-ob D-obk D-ok", "D+bx",
			"0,1,1,0,1,1/3,3,2,1,3,2 15-15 N sow 1 1 take=d:turn missed=-", going,
		},
		{
			// The same: "si ho fa acaba el seu torn amb aquesta acció".
			"A captures 4A, and that is the turn", "redu: Left open by more seeds, redu: Take", "redu",
			"0,0,0,8,0,0/2,2,2,0,2,2 15-15 S sow 1 0 take=- missed=-", "*", "D+bx take",
			"0,1,1,0,1,1/3,3,2,0,3,2 15-16 S sow 1 0 take=- missed=-", going,
		},
		{
			"with 4A sown before 3B the seed is safe", "redu: Exposing", "redu",
			"0,0,0,8,0,0/2,2,2,0,2,2 15-15 S sow 1 0 take=- missed=-", "*", "D+b",
			"0,1,1,0,1,1/3,3,2,1,3,2 15-15 N sow 1 1 take=- missed=-", going,
		},
		{
			"6 from B can bounce after two seeds", "redu: Bounce", "redu",
			"0,6,0,0,0,0/2,2,2,2,2,2 15-15 S sow 1 0 take=- missed=-", "B+ B- B-b", "B-b",
			"1,0,1,1,0,0/2,2,3,3,2,3 15-15 N sow 1 1 take=- missed=-", going,
		},
		{
			"10 seeds fill every hole whichever way", "redu: Bounce, redu: Departure, redu: Letters", "redu",
			"0,0,0,10,0,0/1,1,1,1,1,1 16-16 S sow 1 0 take=- missed=-", "D+ D+b D- D-b", "D+b",
			"1,1,1,0,1,1/2,2,1,2,2,2 16-16 N sow 1 1 take=- missed=-", going,
		},
		{
			"nothing to turn back to but one column", "redu: Bounce", "redu",
			"0,9,0,0,0,0/1,1,1,1,1,1 16-17 S sow 1 0 take=- missed=-", "B+ B+k B- B-b B-bk B-k", "B-bk",
			"1,0,1,1,1,0/2,2,2,2,1,2 16-17 N sow 1 1 take=- missed=-", going,
		},
		{
			"the seeds end at the end of the board", "redu: Bounce", "redu",
			"0,0,0,4,0,0/3,3,3,3,3,3 13-13 S sow 1 0 take=- missed=-", "D+ D-", "D+",
			"0,0,0,0,1,1/4,4,3,3,3,3 13-13 N sow 1 1 take=- missed=-", going,
		},
		{
			"one seed is left there", "redu: Bounce, redu: Odd seed", "redu",
			"0,0,0,5,0,0/3,3,3,3,3,3 12-13 S sow 1 0 take=- missed=-", "D+ D+b D+bk D+k D- D-k", "D+bk",
			"0,0,0,0,1,1/4,4,3,4,3,3 12-13 N sow 1 1 take=- missed=-", going,
		},
		{
			"the seed that went across is not counted for a bounce", "redu: Bounce, redu: Across first", "redu",
			"0,0,0,0,3,0/0,0,0,0,0,2 21-22 S sow 1 0 take=- missed=-",
			"E+ E+b E+bk E+bkx E+bx E+k E+kx E+o E+x E- E-k E-kx E-o E-x", "E+b",
			"0,0,0,1,0,1/1,0,0,0,0,2 21-22 N sow 1 1 take=- missed=-", going,
		},
		{
			"11 seeds go along their path again", "redu: Full path, redu: Exposing", "redu",
			"11,0,0,0,0,0/0,0,0,0,0,1 18-18 S sow 1 0 take=- missed=-",
			"A+ A+k A+kx A+o A+ox A+x A- A-k A-kx A-o A-ox A-x", "A+x",
			"0,2,1,1,1,1/1,1,1,1,1,1 18-18 N sow 1 1 take=a:turn missed=-", going,
		},
		{
			"13 seeds: what is sown again is not empty", "redu: Full path, redu: Exposing", "redu",
			"13,0,0,0,0,0/0,0,0,0,0,1 17-17 S sow 1 0 take=- missed=-",
			"A+ A+k A+o A+ox A- A-k A-o A-ox", "A+k",
			"0,2,1,1,1,1/1,1,1,2,2,1 17-17 N sow 1 1 take=- missed=-", going,
		},
		{
			"a second time along the bounced path", "redu: Full path, redu: Bounce", "redu",
			"0,0,0,17,0,0/1,1,1,1,1,1 13-12 S sow 1 0 take=- missed=-",
			"D+ D+b D+bk D+k D- D-b D-bk D-k", "D+bk",
			"1,1,2,0,2,2/3,3,1,3,3,2 13-12 N sow 1 1 take=- missed=-", going,
		},
		{
			"a second time going round", "redu: Full path, redu: Going round", "redu",
			"0,0,0,17,0,0/1,1,1,1,1,1 13-12 S sow 1 0 take=- missed=-", "*", "D+k",
			"2,1,1,0,2,2/3,3,1,2,3,3 13-12 N sow 1 1 take=- missed=-", going,
		},

		// Across first.
		{
			// Moviments, last figure: A moves the 6 seeds of 3A, the first to the
			// opposite hole (4B), and "arriba al forat 6A".
			"6 from 3A begin in 4B and end in 6A", "redu: Across first", "redu",
			"2,1,0,2,0,2/0,2,6,0,0,0 17-16 N sow 1 0 take=- missed=-", "b+ b- c+ c+o c+ok c- c-b", "c+o",
			"2,2,1,3,0,2/0,2,0,1,1,1 17-16 S sow 1 1 take=- missed=-", going,
		},
		{
			// The text does not say which way. Clockwise and round they end there too.
			"6 from 3A end in 6A the other way round", "redu: Across first, redu: Going round", "redu",
			"2,1,0,2,0,2/0,0,6,0,0,0 17-18 N sow 1 0 take=- missed=-", "*", "c-o",
			"2,1,0,3,1,3/1,1,0,0,0,1 17-18 S sow 1 1 take=- missed=-", going,
		},
		{
			"3 seeds: the last but two is the one across", "redu: Across first, redu: Left open by more seeds, redu: Exposing", "redu",
			"0,0,3,0,0,0/0,0,0,0,0,3 21-21 S sow 1 0 take=- missed=-",
			"C+ C+k C+kx C+o C+x C- C-k C-kx C-o C-x", "C+o",
			"0,0,0,1,0,0/0,0,1,1,0,3 21-21 N sow 1 1 take=d:turn missed=-", going,
		},
		{
			"it is safe where a seed was", "redu: Across first, redu: Left open by more seeds", "redu",
			"0,0,3,0,0,0/0,0,0,1,0,3 21-20 S sow 1 0 take=- missed=-", "*", "C+o",
			"0,0,0,1,0,0/0,0,1,2,0,3 21-20 N sow 1 1 take=- missed=-", going,
		},
		{
			"4 seeds: it is the first of the column", "redu: Across first, redu: Exposing, redu: Odd seed, redu: Letters", "redu",
			"0,0,0,4,0,0/1,3,0,0,0,0 20-20 S sow 1 0 take=- missed=-", "*", "D-okx",
			"0,0,1,0,0,0/1,3,1,1,1,0 20-20 N sow 1 1 take=d:turn missed=-", going,
		},
		{
			"not if a seed is in the neighbouring hole", "redu: Across first", "redu",
			"0,0,3,2,0,0/0,0,3,0,3,3 17-17 S sow 1 0 take=- missed=-", "C+ C+k C- C-k D+ D-", "C-",
			"1,1,0,2,0,0/0,0,3,0,4,3 17-17 N sow 1 1 take=- missed=-", going,
		},
		{
			"not if one is in the hole opposite to that", "redu: Across first", "redu",
			"0,0,3,0,0,0/0,0,3,0,3,3 18-18 S sow 1 0 take=- missed=-", "C+ C+k C- C-k", "C+k",
			"0,0,0,1,0,0/0,1,4,0,3,3 18-18 N sow 1 1 take=- missed=-", going,
		},
		{
			"from an end hole towards that end", "redu: Across first, redu: Going round", "redu",
			"0,0,0,0,0,3/0,2,0,0,0,0 21-22 S sow 1 0 take=- missed=-",
			"F+ F+k F+kx F+o F+x F- F-k", "F+o",
			"1,0,0,0,0,0/1,2,0,0,0,1 21-22 N sow 1 1 take=a:turn missed=-", going,
		},
		{
			"across first, and back", "redu: Across first, redu: Bounce, redu: Letters", "redu",
			"0,0,0,8,0,0/2,2,2,0,2,2 15-15 S sow 1 0 take=- missed=-", "*", "D-obk",
			"1,1,1,0,0,0/2,3,3,1,3,3 15-15 N sow 1 1 take=- missed=-", going,
		},

		// The last but two. Summary: "es diposita la antepenúltima llavor sembrada en
		// un forat buit de l'adversari".
		{
			"3 seeds, the first of them across", "redu: Left open by more seeds, redu: Exposing", "redu",
			"0,0,3,0,0,0/0,0,0,0,0,3 21-21 S sow 1 0 take=- missed=-", "*", "C+x",
			"0,0,0,1,1,0/0,0,1,0,0,3 21-21 N sow 1 1 take=c:turn missed=-", going,
		},
		{
			"3 seeds, the first of them in the own row", "redu: Exposing", "redu",
			"0,0,3,0,0,0/0,0,0,0,0,3 21-21 S sow 1 0 take=- missed=-", "*", "C+",
			"0,0,0,1,1,0/0,0,1,0,0,3 21-21 N sow 1 1 take=- missed=-", going,
		},
		{
			"4 seeds, the second of them across", "redu: Left open by more seeds, redu: Exposing", "redu",
			"0,0,0,4,0,0/1,3,0,0,0,0 20-20 S sow 1 0 take=- missed=-", "*", "D-x",
			"0,1,1,0,0,0/1,3,0,1,1,0 20-20 N sow 1 1 take=d:turn missed=-", going,
		},
		{
			"North leaves a seed open in South's row", "redu: Left open by more seeds, redu: Exposing, redu: Odd seed", "redu",
			"3,0,0,0,0,0/0,0,5,0,0,0 20-20 N sow 1 0 take=- missed=-",
			"c+ c+k c+kx c+o c+ox c+x c- c-b c-bk c-bkx c-bx c-k c-kx c-o c-ox c-x", "c+kx",
			"4,1,1,0,0,0/0,0,0,1,1,0 20-20 S sow 1 1 take=B:turn missed=-", going,
		},
		{
			"South captures it", "redu: Left open by more seeds, redu: Take", "redu",
			"4,1,1,0,0,0/0,0,0,1,1,0 20-20 S sow 1 1 take=B:turn missed=-", "*", "take",
			"4,0,1,0,0,0/0,0,0,1,1,0 21-20 N sow 1 0 take=- missed=-", going,
		},

		// The penalty. Summary: "l'adversari pot (si vol) obligar-lo a fer el
		// moviment i com a penalització captura les llavors que havia de capturar
		// l'altre jugador i és el torn de joc del jugador que ha penalitzat".
		{
			"4B could have captured 3A", "redu: Missed, redu: Left open by two seeds", "redu",
			"0,0,0,1,0,2/0,0,2,0,0,3 20-20 S sow 1 0 take=- missed=-", "D F+ F-", "F-",
			"0,0,0,1,1,0/0,1,2,0,0,3 20-20 N sow 1 1 take=b:turn missed=D", going,
		},
		{
			"A penalises and is still to move", "redu: Claim, redu: Order of a turn", "redu",
			"0,0,0,1,1,0/0,1,2,0,0,3 20-20 N sow 1 1 take=b:turn missed=D",
			"b c+ c- claim=D f+ f+k f+kx f+o f+x f- f-k f-kx f-o f-x take", "claim=D",
			"0,0,0,0,1,0/0,1,0,0,0,3 20-23 N sow 1 0 take=b:turn missed=-", going,
		},
		{
			"and goes on sowing", "redu: Claim, redu: Order of a turn, redu: Lapse", "redu",
			"0,0,0,1,1,0/0,1,2,0,0,3 20-20 N sow 1 1 take=b:turn missed=D", "*", "claim=D f+",
			"0,0,0,0,1,1/1,2,0,0,0,0 20-23 S sow 1 1 take=- missed=-", going,
		},
		{
			"or takes, and that is the rest of the turn", "redu: Claim, redu: Take, redu: Order of a turn", "redu",
			"0,0,0,1,1,0/0,1,2,0,0,3 20-20 N sow 1 1 take=b:turn missed=D", "*", "claim=D take",
			"0,0,0,0,1,0/0,0,0,0,0,3 20-24 S sow 1 0 take=- missed=-", going,
		},
		{
			"after such a take there is no claim", "redu: Take, redu: Lapse, redu: Order of a turn", "redu",
			"0,0,0,1,1,0/0,1,2,0,0,3 20-20 N sow 1 1 take=b:turn missed=D", "*", "take",
			"0,0,0,1,1,0/0,0,2,0,0,3 20-21 S sow 1 0 take=- missed=-", going,
		},
		{
			// Summary: "Si no el penalitza […] les llavors resten al tauler i es poden
			// sembrar o capturar en torns posteriors."
			"no penalty, and it can be captured later", "redu: Lapse, redu: Capture by one seed", "redu",
			"0,0,0,1,1,0/3,1,2,0,0,3 18-19 N sow 1 1 take=b:turn missed=D", "*", "f- D",
			"0,1,0,0,1,0/3,1,0,1,1,0 21-19 N sow 1 0 take=- missed=-", going,
		},
		{
			"a claim of two seeds", "redu: Claim", "redu",
			"0,0,0,1,0,2/0,0,1,3,0,3 19-19 N sow 1 1 take=- missed=D", "*", "claim=D",
			"0,0,0,0,0,2/0,0,0,3,0,3 19-21 N sow 1 0 take=- missed=-", going,
		},
		{
			"a free take and a claim", "redu: Missed, redu: Left open by one seed", "redu",
			"0,1,0,1,0,2/0,0,2,0,0,3 20-19 S sow 1 0 take=- missed=-", "B D F+ F-", "B",
			"0,0,0,1,0,2/0,0,2,0,1,3 20-19 N sow 1 1 take=e:free missed=D", going,
		},
		{
			"first the take", "redu: Order of a turn, redu: Take, redu: Claim", "redu",
			"0,0,0,1,0,2/0,0,2,0,1,3 20-19 N sow 1 1 take=e:free missed=D", "*", "take claim=D",
			"0,0,0,0,0,2/0,0,0,0,0,3 20-23 N sow 1 0 take=- missed=-", going,
		},
		{
			"first the claim", "redu: Order of a turn, redu: Take, redu: Claim", "redu",
			"0,0,0,1,0,2/0,0,2,0,1,3 20-19 N sow 1 1 take=e:free missed=D", "*", "claim=D take",
			"0,0,0,0,0,2/0,0,0,0,0,3 20-23 N sow 1 0 take=- missed=-", going,
		},
		{
			"a sowing that captures is excused", "redu: Missed, redu: Capture by one seed", "redu",
			"0,1,0,1,0,2/0,0,2,0,1,3 18-20 S sow 1 5 take=- missed=-", "B D F+ F-", "B",
			"0,0,0,1,0,2/0,0,2,0,0,3 20-20 N sow 1 0 take=- missed=-", going,
		},
		{
			"a take before the sowing excuses nothing", "redu: Missed, redu: Order of a turn", "redu",
			"0,0,1,1,0,2/0,0,2,0,0,3 19-20 S sow 1 1 take=C:free missed=-",
			"C CD+ CD- D F+ F- take", "take F-",
			"0,0,0,1,1,0/0,1,2,0,0,3 20-20 N sow 1 1 take=b:turn missed=D", going,
		},
		{
			"the one has become a two", "redu: Missed, redu: Odd seed", "redu",
			"5,0,0,1,0,0/0,0,1,0,0,3 19-19 S sow 1 0 take=- missed=-", "*", "A+k",
			"0,1,1,1,0,0/0,0,2,1,1,3 19-19 N sow 1 1 take=- missed=D", going,
		},
		{
			"the single seed is no longer single", "redu: Missed", "redu",
			"5,0,0,1,0,0/0,0,1,0,0,3 19-19 S sow 1 0 take=- missed=-", "*", "A+",
			"0,1,1,2,0,0/0,0,1,1,1,3 19-19 N sow 1 1 take=- missed=-", going,
		},
		{
			"the two has become a three", "redu: Missed, redu: Odd seed", "redu",
			"5,0,0,1,0,0/0,0,2,0,0,3 19-18 S sow 1 0 take=- missed=-", "*", "A+k",
			"0,1,1,1,0,0/0,0,3,1,1,3 19-18 N sow 1 1 take=- missed=-", going,
		},
		{
			"a single seed that left in a pair is not missed", "redu: Missed, redu: Pair", "redu",
			"0,1,1,0,0,0/0,0,0,0,1,3 21-21 S sow 1 0 take=- missed=-", "B BC+ BC- C", "BC+",
			"0,0,0,1,0,0/0,0,1,0,1,3 21-21 N sow 1 1 take=c:turn missed=-", going,
		},
		{
			"two seeds that could have captured are not missed", "redu: Missed", "redu",
			"0,0,0,2,0,3/0,2,0,0,0,0 20-21 S sow 1 0 take=- missed=-", "*", "D-",
			"0,0,1,0,0,3/0,2,0,1,0,0 20-21 N sow 1 1 take=d:turn missed=-", going,
		},
		{
			"two are missed", "redu: Missed", "redu",
			"0,0,0,1,1,2/3,2,1,0,0,3 18-17 S sow 1 0 take=- missed=-", "D DE+ DE- E F+ F-", "F+",
			"1,0,0,1,1,0/3,2,1,0,0,4 18-17 N sow 1 1 take=- missed=D,E", going,
		},
		{
			"and one of them is claimed", "redu: Claim, redu: Order of a turn", "redu",
			"1,0,0,1,1,0/3,2,1,0,0,4 18-17 N sow 1 1 take=- missed=D,E",
			"a+ a+k a- a-k b+ b- c claim=D claim=E f+ f+x f- f-o f-ok f-okx f-ox f-x", "claim=E",
			"1,0,0,1,0,0/3,0,1,0,0,4 18-20 N sow 1 0 take=- missed=-", going,
		},
		{
			"North misses two", "redu: Missed, redu: Left open by two seeds", "redu",
			"0,2,0,0,1,0/0,1,0,0,1,2 20-21 N sow 1 0 take=- missed=-", "b e f+ f-", "f+",
			"0,2,0,0,1,1/1,1,0,0,1,0 20-21 S sow 1 1 take=F:turn missed=b,e", going,
		},
		{
			"South claims one", "redu: Claim", "redu",
			"0,2,0,0,1,1/1,1,0,0,1,0 20-21 S sow 1 1 take=F:turn missed=b,e",
			"B+ B- E EF+ EF- F claim=b claim=e take", "claim=e",
			"0,0,0,0,1,1/1,1,0,0,0,0 23-21 S sow 1 0 take=F:turn missed=-", going,
		},
		{
			"set up with one seed for both, taken", "redu: Lapse", "redu",
			"0,0,0,1,0,2/0,0,1,0,0,3 20-21 N sow 1 0 take=c:free missed=D", "*", "take",
			"0,0,0,1,0,2/0,0,0,0,0,3 20-22 N sow 1 0 take=- missed=-", going,
		},
		{
			"set up with one seed for both, claimed", "redu: Lapse", "redu",
			"0,0,0,1,0,2/0,0,1,0,0,3 20-21 N sow 1 0 take=c:free missed=D", "*", "claim=D",
			"0,0,0,0,0,2/0,0,0,0,0,3 20-23 N sow 1 0 take=- missed=-", going,
		},

		// The end. Objectiu: "El joc acaba quan un jugador ja no té llavors en el seu
		// territori i no pot jugar. Aleshores, l'adversari captura totes les llavors
		// que queden al tauler."
		{
			"North has nothing to play, South captures the rest", "redu: Empty row, redu: Capture by one seed", "redu",
			"0,0,0,1,0,3/0,0,1,0,0,0 21-22 S sow 1 0 take=- missed=-", "*", "D",
			"0,0,0,0,0,0/0,0,0,0,0,0 26-22 N over 1 0 take=- missed=-", normal,
		},
		{
			"South has nothing to play, North captures the rest", "redu: Empty row", "redu",
			"0,1,0,0,0,0/0,0,0,0,1,3 21-22 N sow 1 0 take=- missed=-", "*", "e",
			"0,0,0,0,0,0/0,0,0,0,0,0 21-27 S over 1 0 take=- missed=-", normal,
		},
		{
			"an empty row is no end while the other plays", "redu: Empty row, redu: One seed", "redu",
			"0,0,0,1,0,0/0,0,3,0,0,0 22-22 S sow 1 0 take=- missed=-", "D", "D",
			"0,0,0,0,0,0/0,0,4,0,0,0 22-22 N sow 1 1 take=- missed=-", going,
		},
		{
			"the own row is emptied in mid-turn", "redu: Empty row, redu: Order of a turn, redu: Take, redu: Claim", "redu",
			"0,1,0,1,0,3/0,0,2,0,0,0 21-20 S sow 1 0 take=- missed=-", "*", "B claim=D take",
			"0,0,0,0,0,0/0,0,0,0,0,0 24-24 N over 1 0 take=- missed=-", normal,
		},
		{
			"a free take of the last seed of the row", "redu: Empty row, redu: Take", "redu",
			"0,0,0,1,0,3/0,0,0,0,0,0 22-22 S sow 1 0 take=- missed=-", "*", "D take",
			"0,0,0,0,0,0/0,0,0,0,0,0 25-23 N over 1 0 take=- missed=-", normal,
		},
		{
			"the same take as a whole turn ends nothing yet", "redu: Empty row, redu: Take", "redu",
			"0,0,0,0,2,0/0,0,0,0,0,0 23-23 S sow 1 0 take=- missed=-", "E+ E-", "E+ take",
			"0,0,0,0,0,1/0,0,0,0,0,0 23-24 S sow 1 0 take=- missed=-", going,
		},
		{
			"set up with an empty row to move", "redu: Empty row", "redu",
			"0,0,0,0,0,0/1,0,0,0,0,0 23-24 S sow 1 0 take=- missed=-", "", "",
			"0,0,0,0,0,0/1,0,0,0,0,0 23-24 S sow 1 0 take=- missed=-", going,
		},

		// What all rulesets share.
		{
			"decided by a capture", "shared: Decided early, redu: Capture by one seed", "redu",
			"0,0,0,1,0,2/0,0,2,0,0,3 22-18 S sow 1 3 take=- missed=-", "*", "D",
			"0,0,0,0,0,2/0,0,0,0,0,3 25-18 N over 1 0 take=- missed=-", early,
		},
		{
			"decided by a claim, in mid-turn", "shared: Decided early, redu: Claim", "redu",
			"0,0,0,1,1,0/0,1,2,0,0,3 17-23 N sow 1 1 take=b:turn missed=D", "*", "claim=D",
			"0,0,0,0,1,0/0,1,0,0,0,3 17-26 N over 1 0 take=- missed=-", early,
		},
		{
			"decided by a take that is the whole turn", "shared: Decided early, redu: Take", "redu",
			"0,0,0,0,3,0/0,1,0,0,0,3 17-24 N sow 1 1 take=b:turn missed=-", "*", "take",
			"0,0,0,0,3,0/0,0,0,0,0,3 17-25 S over 1 0 take=- missed=-", early,
		},
		{
			"decided by a free take", "shared: Decided early, redu: Take", "redu",
			"0,0,0,0,3,0/0,1,0,0,0,3 17-24 N sow 1 1 take=b:free missed=-", "*", "take",
			"0,0,0,0,3,0/0,0,0,0,0,3 17-25 N over 1 0 take=- missed=-", early,
		},
		{
			"nothing is pending in a match that is over", "shared: Decided early, shared: Order of endings", "redu",
			"0,0,0,0,2,0/0,0,0,0,0,3 25-18 S sow 1 99 take=- missed=-", "*", "E+",
			"0,0,0,0,0,1/1,0,0,0,0,3 25-18 N over 1 100 take=- missed=-", early,
		},
		{
			"early comes before an empty row", "shared: Order of endings, redu: Empty row", "redu",
			"0,0,0,1,0,3/0,0,2,0,0,0 22-20 S sow 1 0 take=- missed=-", "*", "D",
			"0,0,0,0,0,3/0,0,0,0,0,0 25-20 N over 1 0 take=- missed=-", early,
		},
		{
			"the hundredth quiet sowing", "shared: Quiet sowings, shared: Sweep", "redu",
			"0,0,0,1,0,2/0,0,3,0,0,3 19-20 S sow 1 99 take=- missed=-", "*", "D",
			"0,0,0,0,0,0/0,0,0,0,0,0 21-27 N over 1 100 take=- missed=-", cycle,
		},
		{
			"whatever could be taken or claimed", "shared: Quiet sowings, shared: Sweep", "redu",
			"0,0,0,1,0,2/0,0,2,0,0,3 20-20 S sow 1 99 take=- missed=-", "*", "F-",
			"0,0,0,0,0,0/0,0,0,0,0,0 22-26 N over 1 100 take=- missed=-", cycle,
		},
		{
			"a take begins the count anew", "shared: Quiet sowings, redu: Take", "redu",
			"2,0,1,0,2,0/0,0,0,0,0,2 21-20 S sow 1 99 take=C:free missed=-", "*", "take E+",
			"2,0,0,0,0,1/1,0,0,0,0,2 22-20 N sow 1 1 take=a:turn missed=-", going,
		},
		{
			"so does a claim", "shared: Quiet sowings, redu: Claim", "redu",
			"0,0,0,1,0,2/0,0,1,2,0,3 19-20 N sow 1 99 take=- missed=D", "*", "claim=D d-",
			"0,0,0,1,0,2/0,0,1,0,0,3 19-22 S sow 1 1 take=D:turn missed=-", going,
		},
		{
			"two plies, and a seed that can be taken is not the same position", "shared: Repetition, redu: One seed", "redu",
			"0,0,0,1,0,0/0,0,0,0,0,0 24-23 S sow 1 0 take=- missed=-", "D", "D c",
			"0,0,0,1,0,0/0,0,0,0,0,0 24-23 S sow 1 2 take=D:free missed=-", going,
		},
		{
			"a third, and the first comes back", "shared: Repetition, shared: Sweep, redu: One seed", "redu",
			"0,0,0,1,0,0/0,0,0,0,0,0 24-23 S sow 1 0 take=- missed=-", "D", "D c D",
			"0,0,0,0,0,0/0,0,0,0,0,0 24-24 N over 1 3 take=- missed=-", cycle,
		},
		{
			"set up over", "shared: Decided early", "redu",
			"0,0,0,0,3,0/0,0,0,0,0,3 17-25 S over 1 0 take=- missed=-", "", "",
			"0,0,0,0,3,0/0,0,0,0,0,3 17-25 S over 1 0 take=- missed=-", going,
		},
	}
}
