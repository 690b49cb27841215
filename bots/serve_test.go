package bots

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"sembra/arena/protocol"
	"sembra/engine"
)

// kinds returns the built-in bots with one level for all, because the levels differ only by numbers.
func kinds() []Builtin {
	return slices.DeleteFunc(Builtins(), func(b Builtin) bool {
		return strings.HasPrefix(b.Name, "level") && b.Name != "level3"
	})
}

// TestWholeMatches: every built-in bot plays legal moves in every game, as South and
// as North, from the start and from openings, in one process.
func TestWholeMatches(t *testing.T) {
	for _, b := range kinds() {
		t.Run(b.Name, func(t *testing.T) {
			h := seat(t, b.New())
			if h.Identity.Name != b.Name {
				t.Errorf("it says that it is %q", h.Identity.Name)
			}
			for _, rules := range engine.Rulesets() {
				if !h.Identity.PlaysRuleset(rules.Info().Name) {
					t.Errorf("it does not play %s", rules.Info().Name)
				}
				openings := []string{"", "", "", ""}
				for _, p := range randomPositions(rules, 7, 12) {
					openings = append(openings, engine.Text(rules, p))
				}
				for i, opening := range openings {
					hosts := [2]*protocol.Host{}
					hosts[i%2] = h
					play(t, rules, hosts, [2]uint64{uint64(i), uint64(i)}, opening, protocol.Limits{Depth: 2, Nodes: 300})
				}
			}
		})
	}
}

// TestByDefault: without any limit, the built-in bots play every game to its end against random moves, through all
// rounds, as South and as North, and meet every kind of choice in it.
func TestByDefault(t *testing.T) {
	choices := map[string][]string{
		"bechi": {"fill="}, "bechi-2x3": {"fill="}, "buqruru": {"fill="},
		"buqruru-bellin": {"fill=", "start="}, "buqruru-ludii": {"fill=", "start="},
		"redu": {"take", "claim="},
	}
	for _, rules := range engine.Rulesets() {
		name := rules.Info().Name
		var chosen strings.Builder // the moves of the built-ins
		rounds := 0                // of the longest match
		for _, b := range kinds() {
			if b.Name == "mcts" && name != "bechi" {
				continue // it takes its time
			}
			h := seat(t, b.New())
			for i := range 10 {
				own := engine.Seat(i % 2)
				var hosts [2]*protocol.Host
				hosts[own] = h
				m := engine.NewMatch(rules, rules.Start())
				for _, token := range play(t, rules, hosts, [2]uint64{uint64(i), 9}, "", protocol.Limits{}) {
					if m.Position().Side() == own {
						chosen.WriteString(" " + token)
					}
					if err := m.PlayTokens([]string{token}); err != nil {
						t.Fatalf("%s, %s: %v", b.Name, name, err)
					}
				}
				rounds = max(rounds, len(m.Rounds()))
			}
		}
		if rounds != rules.Info().Rounds {
			t.Errorf("%s: the longest match has %d rounds, want %d", name, rounds, rules.Info().Rounds)
		}
		for _, choice := range choices[name] {
			if !strings.Contains(chosen.String(), " "+choice) {
				t.Errorf("%s: nobody had to choose %s", name, choice)
			}
		}
	}
}

// TestRandomIsFair: over many seeds, random plays every legal move about as often.
func TestRandomIsFair(t *testing.T) {
	count := map[string]int{}
	const matches = 3000
	var says []string
	for seed := range matches {
		says = append(says, fmt.Sprintf("newmatch awale south seed %d\nposition startpos\ngo", seed))
	}
	said := must2(talk(builtin(t, "random"), says...))
	for line := range strings.Lines(said) {
		count[strings.TrimSpace(line)]++
	}
	for _, token := range strings.Fields("A B C D E F") {
		if n := count["bestmove "+token]; n < matches/6*3/4 || n > matches/6*5/4 {
			t.Errorf("%s is played %d times of %d", token, n, matches)
		}
	}
}

// TestGreedy: greedy plays the first move that takes the most.
func TestGreedy(t *testing.T) {
	g := builtin(t, "greedy")
	for _, c := range []struct{ position, want, why string }{
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0", "A", "nothing to take: the first"},
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0 N sow 1 0", "a", "nothing to take: the first"},
		{"1,0,0,0,2,2/1,1,4,4,4,4 11-14 S sow 1 0", "F", "F takes 4, E takes 2, A nothing"},
		{"0,0,0,0,0,0/0,0,0,0,0,1 24-23 N sow 1 0", "f", "the only one"},
	} {
		said, err := talk(g, "newmatch awale south seed 1", "position fen "+c.position, "go")
		if err != nil || said != "bestmove "+c.want+"\n" {
			t.Errorf("%s: %q, %v, want %s (%s)", c.position, said, err, c.want, c.why)
		}
	}
}

// TestAnotherPosition: a bot accepts any position of a match, whether its moves
// continue those of the last position or not.
func TestAnotherPosition(t *testing.T) {
	const begin = "newmatch awale south seed 1\n"
	for _, c := range []struct{ says, want string }{
		{"position fen 0,0,0,0,0,1/1,1,4,4,4,4 15-14 S sow 1 0\ngo\nposition fen 0,0,0,0,3,0/1,1,4,4,4,4 13-14 S sow 1 0\ngo", "F E"},
		{"position startpos moves A\ngo\nposition startpos\ngo", "a A"},
		{"position startpos moves A a\ngo\nposition startpos moves B a\ngo", "B A"},
		{"position startpos\ngo\nposition startpos moves A a\ngo", "A B"},
	} {
		said := must2(talk(builtin(t, "greedy"), begin+c.says))
		got := strings.Fields(strings.ReplaceAll(said, "bestmove", ""))
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: %v, want %s", c.says, got, c.want)
		}
	}
}

// TestBadLines: an invalid line of the host ends the bot with a clear error.
func TestBadLines(t *testing.T) {
	const begin = "newmatch awale south seed 1\n"
	for _, c := range []struct{ name, says, want string }{
		{"random", "mbi 7", `the host speaks mbi "7"; this bot speaks mbi 1`},
		{"random", "newmatch chess south seed 1", `unknown ruleset "chess" (known: ` + engine.RulesetList() + `)`},
		{"random", "newmatch awale west seed 1", `bad newmatch: the seat is "west"; it must be south or north`},
		{"random", "position startpos", "position came before newmatch"},
		{"random", "go", "go came before a position with a legal move"},
		{"random", begin + "go", "go came before a position with a legal move"},
		{"random", begin + "position startpos\n" + begin + "go", "go came before a position with a legal move"},
		{"random", begin + "position fen 0,0,0,0,0,0/0,0,0,0,0,0 25-23 S over 1 0\ngo", "go came before a position with a legal move"},
		{"random", begin + "position fen 0,0,0,0,0,0/4,4,4,4,4,4 12-12 S sow 1 0\ngo", "go came before a position with a legal move"},
		{"random", begin + "position", `bad position: "" is neither startpos nor fen`},
		{"random", begin + "position fen 4,4,4,4,4,4/4,4,4,4,4 0-0 S sow 1 0", "bad position text at column 13: 5 holes in the row of north, but awale has 6"},
		{"random", begin + "position startpos moves C q b", `move 2 of 3: illegal move "q" (legal: a b c d e f)`},
		{"random", begin + "position startpos\ngo depth x", `bad go: depth is "x"; it must be a number`},
		{"random", "setoption name Depth value 3", `unknown option "Depth" (the bot offers none)`},
		{"greedy", "setoption name Depth value 3", `unknown option "Depth" (the bot offers none)`},
		{"minimax", "setoption name Width value 3", `unknown option "Width" (the bot offers: Depth)`},
		{"minimax", "setoption name Depth value deep", `option Depth: "deep" is not a whole number from 0 to 64`},
		{"minimax", "setoption name Depth value 65", `option Depth: "65" is not a whole number from 0 to 64`},
		{"minimax", "setoption name Depth", `option Depth: "" is not a whole number from 0 to 64`},
	} {
		_, err := talk(builtin(t, c.name), "mbi 1", c.says, "isready")
		if err == nil || err.Error() != c.want {
			t.Errorf("%s, %q: error %v, want %s", c.name, c.says, err, c.want)
		}
	}
}

// TestGoodLines: a bot ignores lines that it does not need to know, and ends without an error.
func TestGoodLines(t *testing.T) {
	for _, says := range []string{
		"",
		"isready",
		"isready\nquit\ngo",
		"hello\n\nponderhit\nisready\nstop",
		"isready\nendmatch loss 3-5 time\nerror no answer within 1s",
		"newmatch awale south seed 1\nlegal A B C\nisready",
		"newmatch awale south\nposition startpos\nisready",
	} {
		said, err := talk(builtin(t, "random"), says)
		want := strings.Repeat("readyok\n", strings.Count(says, "isready"))
		if err != nil || said != want {
			t.Errorf("%q: it said %q, %v", says, said, err)
		}
	}
}

// TestHostGone: a bot that cannot write its output ends with that error.
func TestHostGone(t *testing.T) {
	for _, says := range []string{
		"mbi 1\n", "isready\n",
		"newmatch awale south seed 1\nposition startpos\ngo depth 1\n",
	} {
		_, w := io.Pipe()
		w.Close()
		for _, b := range Builtins() {
			if err := Serve(strings.NewReader(says), w, b.New()); !errors.Is(err, io.ErrClosedPipe) {
				t.Errorf("%s, %q: %v", b.Name, says, err)
			}
		}
	}
}

func TestLookup(t *testing.T) {
	for _, b := range Builtins() {
		got, err := Lookup(b.Name)
		if err != nil || got.Name != b.Name || got.Summary == "" {
			t.Errorf("%s: %+v, %v", b.Name, got, err)
		}
	}
	_, err := Lookup("deepblue")
	if want := `unknown bot "deepblue" (known: random, greedy, minimax, mcts, level1, level2, `; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
}
