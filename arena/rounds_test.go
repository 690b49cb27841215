package arena

import (
	"fmt"
	"testing"
	"time"

	"sembra/engine"
	"sembra/results"
)

// limited returns a ruleset with that limit of rounds.
func limited(t testing.TB, name string, rounds int) engine.Ruleset {
	t.Helper()
	return must2(engine.WithRounds(ruleset(t, name), rounds))
}

// TestRoundsOnTheWire holds everything that both bots are asked, and the times that the clocks show, in matches with
// passes, fillings, choices of a start hole and turns of several moves.
func TestRoundsOnTheWire(t *testing.T) {
	t.Parallel()
	const (
		even   = "0,0,2,2/0,0,0,0 22-22 S sow 1 0 first=S"
		uneven = "0,0,2,2/0,0,0,0 27-17 S sow 1 0 first=S"
		turn   = "4,1,2,0,0,0/0,0,0,1,0,4 18-18 S sow 1 0 take=B:free missed=d"
		clocks = "go stime %d ntime %d sinc 100 ninc 100"
	)
	at := func(south, north int) string { return fmt.Sprintf(clocks, south, north) }
	for _, test := range []struct {
		name         string
		rules        engine.Ruleset
		opening      string
		south, north []string        // answers; each takes 100 ms; after them the bot gives up
		elapsed      []time.Duration // of all tokens
		want         [2][]string     // what is said with each question
	}{
		{
			// North cannot sow after C: the arena passes, in no time and without a
			// question, and North gets what a turn brings. D ends the round, both
			// fill their rows in the only way there is, which is not a move.
			name: "a pass", rules: limited(t, "bechi", 2), opening: even,
			south: []string{"C", "D"}, elapsed: []time.Duration{100 * ms, 0, 100 * ms},
			want: [2][]string{
				{
					"position fen " + even, "legal C D", at(1000, 1000),
					"position fen " + even + " moves C pass", "legal D", at(1000, 1100),
				},
				{"position fen " + even + " moves C pass D", "legal a b c d", at(1000, 1100)},
			},
		},
		{
			// North, who has 19 seeds after the round, chooses what to fill and
			// begins the next: two moves of one turn.
			name: "a filling", rules: limited(t, "bechi", 2), opening: uneven,
			south: []string{"C", "D"}, north: []string{"fill=6.0.6.6", "c"},
			elapsed: []time.Duration{100 * ms, 0, 100 * ms, 100 * ms, 100 * ms},
			want: [2][]string{
				{
					"position fen " + uneven, "legal C D", at(1000, 1000),
					"position fen " + uneven + " moves C pass", "legal D", at(1000, 1100),
					"position fen " + uneven + " moves C pass D fill=6.0.6.6 c", "legal A B C D", at(1000, 1000),
				},
				{
					"position fen " + uneven + " moves C pass D", "legal fill=6.6.6.0 fill=6.6.0.6 fill=6.0.6.6 fill=0.6.6.6", at(1000, 1100),
					"position fen " + uneven + " moves C pass D fill=6.0.6.6", "legal a c d", at(1000, 1000),
				},
			},
		},
		{
			// South claims, takes and sows in one turn, and gets one increment.
			name: "a turn of three moves", rules: ruleset(t, "redu"), opening: turn,
			south: []string{"claim=d", "take", "A+"}, north: []string{"f+"},
			elapsed: []time.Duration{100 * ms, 100 * ms, 100 * ms, 100 * ms},
			want: [2][]string{
				{
					"position fen " + turn, "legal claim=d take A+ A+x A- A-x A-o A-ox A-ok A-okx B C+ C-", at(1000, 1000),
					"position fen " + turn + " moves claim=d", "legal take A+ A+x A- A-x A-o A-ox A-ok A-okx B", at(900, 1000),
					"position fen " + turn + " moves claim=d take", "legal A+ A+x A+o A+ox A+ok A+okx A- A-x A-o A-ox A-ok A-okx", at(800, 1000),
					"position fen " + turn + " moves claim=d take A+ f+", "legal claim=d claim=e B BC+ BC- C E EF+ EF- F", at(800, 1000),
				},
				{"position fen " + turn + " moves claim=d take A+", "legal d de+ de- e f+ f+x f+o f+ox f+ok f+okx f-", at(800, 1000)},
			},
		},
	} {
		inBubble(t, test.name, func(t *testing.T) {
			var heard [2]transcript
			bot := func(seat engine.Seat, tokens []string) scripted {
				return scripted{Heard: &heard[seat], Answer: func(q *question) string {
					time.Sleep(100 * ms)
					return plays(tokens...)(q)
				}}
			}
			rec, what := bout{
				rules: test.rules, opening: test.opening, control: perMatch(),
				south: bot(engine.South, test.south), north: bot(engine.North, test.north),
			}.play(t)
			if rec.Ending != results.EndResign {
				t.Errorf("it ended by %v: %s", rec.Ending, what)
			}
			equal(t, "elapsed", test.elapsed, rec.Elapsed)
			for seat := range heard {
				equal(t, fmt.Sprintf("%v was asked", engine.Seat(seat)), test.want[seat], heard[seat].Of("position", "legal", "go"))
			}
		})
	}
}

// TestRoundsInTheRecord plays matches to the endings that rounds bring, and sees
// what the record says of the match and of each round.
func TestRoundsInTheRecord(t *testing.T) {
	t.Parallel()
	const (
		bechi   = "0,0,2,2/0,0,0,0 27-17 S sow 1 0 first=S"
		cycle   = "0,0,2,2/0,0,0,0 44-0 S sow 1 99 first=S"
		donkeys = "0,0,1,0/0,0,0,0 25-22 S sow 2 99 first=S opened=SN donkeys=0-1"
		filling = "6,6,6,6/0,0,0,0 5-19 N fill 2 0 first=N"
		filled  = "6,6,6,6/6,x,6,6 5-1 N sow 2 0 first=N"
	)
	round := func(start string, plies int, position, reason string, south, north int) results.Round {
		return results.Round{Start: start, Plies: plies, Position: position, Reason: reason, South: south, North: north}
	}
	first := round(bechi, 3, "0,0,0*,0*/0,0,0,0 29-19 N over 1 2 first=S", "normal", 29, 19)
	for _, test := range []struct {
		name    string
		rules   engine.Ruleset
		north   func(*question) string // nil: the first legal move
		result  results.Result
		ending  results.Ending
		fault   results.Fault
		donkeys [2]int
		rounds  []results.Round
	}{
		{
			name: "the limit of rounds", rules: limited(t, "bechi", 1), result: results.SouthWins, ending: results.EndRounds,
			rounds: []results.Round{first},
		},
		{
			name: "a player is out by a cycle", rules: ruleset(t, "bechi"), result: results.SouthWins, ending: results.EndCycle,
			rounds: []results.Round{round(cycle, 1, "0,0,0*,0/0,0,0,0 48-0 N over 1 100 first=S", "cycle", 48, 0)},
		},
		{
			name: "donkeys against the stores", rules: limited(t, "buqruru", 2), result: results.NorthWins, ending: results.EndRounds,
			donkeys: [2]int{0, 1},
			rounds:  []results.Round{round(donkeys, 1, "0,0,0,0/0,0,0,0 26-22 N over 2 100 first=S opened=SN donkeys=0-1", "cycle", 26, 22)},
		},
		{
			name: "a fault over the filling", rules: limited(t, "bechi", 2), north: plays("fill=6.6.6.6"),
			result: results.SouthWins, ending: results.EndIllegal, fault: results.NorthFault,
			rounds: []results.Round{first, round(filling, 0, filling, "illegal", 5, 19)},
		},
		{
			name: "given up in the second round", rules: limited(t, "bechi", 2), north: plays("fill=6.0.6.6"),
			result: results.SouthWins, ending: results.EndResign,
			rounds: []results.Round{first, round(filled, 1, filled, "resign", 5, 1)},
		},
	} {
		inBubble(t, test.name, func(t *testing.T) {
			var heard transcript
			opening, end := test.rounds[0].Start, test.rounds[len(test.rounds)-1]
			rec, what := bout{
				rules: test.rules, opening: opening, south: scripted{Heard: &heard}, north: scripted{Answer: test.north},
			}.play(t)
			want := results.Summary{
				Key: results.Key{South: "a", North: "b", Pair: 1}, Result: test.result, Ending: test.ending, Fault: test.fault,
				Stores: [2]int{end.South, end.North}, Donkeys: test.donkeys,
				Rounds: len(test.rounds), Plies: len(rec.Moves), CPU: [2]time.Duration{-1, -1},
				Hash: results.MatchHash(test.rules.Info().Name, "a", "b", opening, rec.Moves),
			}
			equal(t, fmt.Sprintf("%s: summary", what), want, rec.Summary)
			equal(t, "rounds", test.rounds, rec.Body.Rounds)
			result := map[bool]string{true: "win", false: "loss"}[test.result == results.SouthWins]
			told := fmt.Sprintf("endmatch %s %d-%d %v", result, end.South, end.North, test.ending)
			equal(t, "South was told", []string{told}, heard.Of("endmatch"))
		})
	}
}
