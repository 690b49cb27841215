package bots_test

import (
	"fmt"
	"strings"
	"testing"

	"sembra/arena/protocol"
	"sembra/engine"
)

// TestMinimaxSees: minimax finds what a search of one ply misses.
func TestMinimaxSees(t *testing.T) {
	for _, c := range []struct{ position, blind, seeing, why string }{
		{
			"0,1,0,1,0,0/0,0,0,0,0,4 21-21 S sow 1 3", "B", "D",
			"after B the answer f takes C and D; after D it ends with an empty row across, and South keeps its 6",
		},
		{
			"1,0,8,0,1,2/1,0,0,2,0,1 17-15 S sow 1 8", "A", "C",
			"nothing can be taken at once; after C more is threatened than North can save",
		},
		{
			"0,1,5,0,1,1/1,0,3,1,3,1 10-21 S sow 1 0", "F", "C",
			"F takes 2 and North takes as many back; after C South is 3 better off",
		},
	} {
		for _, side := range []string{"S", "N"} {
			position, blind, seeing := c.position, c.blind, c.seeing
			if side == "N" {
				position = turned(position)
				blind, seeing = strings.ToLower(blind), strings.ToLower(seeing)
			}
			m := builtin(t, "minimax")
			if got := bestMove(t, m, "awale", position, "depth 1"); got != blind {
				t.Errorf("%s, depth 1: %s, want %s", position, got, blind)
			}
			if got := bestMove(t, m, "awale", position, "depth 3"); got != seeing {
				t.Errorf("%s, depth 3: %s, want %s (%s)", position, got, seeing, c.why)
			}
		}
	}
}

// turned is a position with South and North exchanged.
func turned(position string) string {
	words := strings.Fields(position)
	south, north, _ := strings.Cut(words[0], "/")
	mine, yours, _ := strings.Cut(words[1], "-")
	words[0], words[1], words[2] = north+"/"+south, yours+"-"+mine, "N"
	return strings.Join(words, " ")
}

// info asks minimax for a move, and returns the fields of its last info line by their
// names, and the move.
func info(t *testing.T, option, limits string) (told map[string]string, token string) {
	t.Helper()
	says := []string{"newmatch awale south seed 1", "position startpos moves C b", "go " + limits}
	if option != "" {
		says = append([]string{"setoption name Depth value " + option}, says...)
	}
	said, err := talk(builtin(t, "minimax"), says...)
	if err != nil {
		t.Fatal(err)
	}
	told = map[string]string{}
	for line := range strings.Lines(said) {
		words := strings.Fields(line)
		switch words[0] {
		case "info":
			for i := 1; i+1 < len(words); i += 2 {
				told[words[i]] = words[i+1]
			}
		case "bestmove":
			token = words[1]
		}
	}
	return told, token
}

func TestMinimaxDepth(t *testing.T) {
	for _, c := range []struct{ option, limits, want string }{
		{"", "", "6"},
		{"0", "", "6"},
		{"4", "", "4"},
		{"1", "", "1"},
		{"4", "depth 2", "2"},
		{"2", "depth 4", "4"},
		{"", "depth 3", "3"},
		{"3", "nodes 1000000", "3"},
		{"3", "stime 3600000 ntime 3600000 sinc 0 ninc 0", "3"},
		{"2", "movetime 3600000", "2"},
		{"", "nodes 0 depth 0 movetime 0", "6"},
	} {
		told, token := info(t, c.option, c.limits)
		if told["depth"] != c.want || token == "" {
			t.Errorf("option %q, go %s: depth %s, move %q, want depth %s", c.option, c.limits, told["depth"], token, c.want)
		}
	}
}

// TestMinimaxNodes: minimax keeps its limit of nodes, searches deeper with many more
// nodes, and plays a legal move with a single one.
func TestMinimaxNodes(t *testing.T) {
	legal := lookupLegal(t, "C", "b")
	before := 0
	for _, nodes := range []int{1, 10, 100, 1_000, 10_000, 100_000} {
		told, token := info(t, "", fmt.Sprint("nodes ", nodes))
		var searched, depth int
		fmt.Sscan(told["nodes"], &searched)
		fmt.Sscan(told["depth"], &depth)
		if searched > nodes || depth < before || nodes >= 10 && depth == before || !strings.Contains(legal, token) || token == "" {
			t.Errorf("nodes %d: %d searched, depth %d after %d, move %q", nodes, searched, depth, before, token)
		}
		before = depth
		if again, same := info(t, "", fmt.Sprint("nodes ", nodes)); same != token || again["nodes"] != told["nodes"] {
			t.Errorf("nodes %d: %s with %s nodes, then %s with %s", nodes, token, told["nodes"], same, again["nodes"])
		}
	}
}

// TestMinimaxWhereMovesAreMany: without limits, minimax searches to the default
// depth, or as deep as the default number of nodes allows.
func TestMinimaxWhereMovesAreMany(t *testing.T) {
	for _, c := range []struct {
		ruleset, position string
		least             int // legal moves
	}{
		{"buqruru-bellin", "48,0,0,0/0,x,x,x 0-0 S sow 2 0 first=S opened=SN start=A,a donkeys=0-0", 1000},
		{"buqruru-bellin", "20,4,0,0/6,6,6,6 0-0 S sow 2 0 first=S opened=SN start=A,a donkeys=0-0", 13},
		{"redu", "4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0 take=- missed=-", 14},
		{"redu", "0,9,0,9,0,9/0,0,7,0,7,0 3-4 S sow 1 0 take=- missed=-", 40},
	} {
		rules := lookup(t, c.ruleset)
		if legal := len(rules.Legal(parse(t, rules, c.position), nil)); legal < c.least {
			t.Errorf("%s, %s: %d legal moves, want %d or more", c.ruleset, c.position, legal, c.least)
		}
		said, err := talk(builtin(t, "minimax"), "newmatch "+c.ruleset+" south seed 1", "position fen "+c.position, "go")
		if err != nil {
			t.Fatal(err)
		}
		var depth, nodes int
		var score float64
		if _, err := fmt.Sscanf(said, "info depth %d score %g nodes %d", &depth, &score, &nodes); err != nil {
			t.Fatalf("%s, %s: it said %q", c.ruleset, c.position, said)
		}
		if depth < 1 || depth > 6 || nodes > 200_000 {
			t.Errorf("%s, %s: depth %d, %d nodes", c.ruleset, c.position, depth, nodes)
		}
	}
}

// lookupLegal returns the legal tokens of awale after some moves.
func lookupLegal(t *testing.T, moves ...string) string {
	t.Helper()
	r := lookup(t, "awale")
	m := engine.NewMatch(r, r.Start())
	if err := m.PlayTokens(moves); err != nil {
		t.Fatal(err)
	}
	var tokens []string
	for _, move := range m.Legal() {
		tokens = append(tokens, move.Token(m.Position().Side()))
	}
	return strings.Join(tokens, " ")
}

// TestMinimaxClock: with a clock, minimax ends its search, however little or much
// time is left.
func TestMinimaxClock(t *testing.T) {
	legal := lookupLegal(t, "C", "b")
	for _, limits := range []string{
		"movetime 1",
		"movetime 20",
		"movetime 20 depth 64",
		"movetime 20 nodes 1000000000000",
		"stime 0 ntime 0 sinc 0 ninc 0",
		"stime 1 ntime 1 sinc 9223372036854775807 ninc 0",
		"stime 300 ntime 0 sinc 10 ninc 0",
		"stime 0 ntime 9223372036854775807 sinc 0 ninc 9223372036854775807",
		"movetime 9223372036854775807 nodes 1000",
		"stime 9223372036854775807 ntime 1 sinc 9223372036854775807 ninc 1 nodes 1000",
	} {
		if _, token := info(t, "", limits); token == "" || !strings.Contains(legal, token) {
			t.Errorf("go %s: move %q", limits, token)
		}
	}
}

// TestMinimaxBoundless: times that are no times at all do not make it hasty.
func TestMinimaxBoundless(t *testing.T) {
	want, _ := info(t, "", "nodes 100000")
	for _, limits := range []string{
		"movetime 6000000000000", "stime 3600000 ntime 1 sinc 6000000000000 ninc 1",
	} {
		got, _ := info(t, "", limits+" nodes 100000")
		if got["depth"] != want["depth"] || got["nodes"] != want["nodes"] {
			t.Errorf("go %s: %v, without a clock %v", limits, got, want)
		}
	}
}

// TestMinimaxEndsEarly: minimax does not use the clock up for a single legal move or
// a decided match.
func TestMinimaxEndsEarly(t *testing.T) {
	for _, position := range []string{
		"0,0,0,0,0,3/1,4,1,4,1,4 16-14 S sow 1 0",  // F alone
		"1,0,4,0,3,0/1,0,0,1,0,0 23-15 S sow 1 11", // C takes more than half
	} {
		said, err := talk(builtin(t, "minimax"), "newmatch awale south seed 1", "position fen "+position, "go movetime 3600000")
		if err != nil || !strings.HasPrefix(said, "info depth 1 ") || strings.Count(said, "\n") != 2 {
			t.Errorf("%s: it said %q, %v", position, said, err)
		}
	}
}

// TestMinimaxScore: the score that minimax tells is that of a deeper search.
func TestMinimaxScore(t *testing.T) {
	h := seat(t, builtin(t, "minimax"))
	r := lookup(t, "awale")
	const position = "0,1,0,1,0,0/0,0,0,0,0,4 21-21 S sow 1 3"
	if err := h.Begin(protocol.NewMatch{Ruleset: "awale"}, position); err != nil {
		t.Fatal(err)
	}
	if err := ask(h, engine.NewMatch(r, parse(t, r, position)), protocol.Limits{Depth: 3}); err != nil {
		t.Fatal(err)
	}
	got, err := h.Answer()
	if want := (protocol.Answer{Token: "D", Score: 6, HasScore: true}); err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}
