package protocol_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"sembra/arena/protocol"
	"sembra/engine"
)

func TestNext(t *testing.T) {
	const fen = "4,4,0,5,5,5/5,4,4,4,4,4 0-0 N sow 1 1"
	for _, c := range []struct {
		says string
		want protocol.Message
		err  string
	}{
		{"mbi 1", protocol.Hello{}, ""},
		{"mbi 2", nil, `the host speaks mbi "2"; this bot speaks mbi 1`},
		{"mbi", nil, `the host speaks mbi ""; this bot speaks mbi 1`},

		{"setoption name Depth value 6", protocol.OptionValue{Name: "Depth", Value: "6"}, ""},
		{"setoption name Style of Play value very calm", protocol.OptionValue{Name: "Style of Play", Value: "very calm"}, ""},
		{"setoption name Clear Tables", protocol.OptionValue{Name: "Clear Tables"}, ""},
		{"setoption name Book value a value b", protocol.OptionValue{Name: "Book", Value: "a value b"}, ""},
		{"setoption Depth 6", nil, `bad setoption: "Depth 6" does not begin with a name`},
		{"setoption", nil, `bad setoption: "" does not begin with a name`},

		{"isready", protocol.IsReady{}, ""},
		{"isready?", nil, "EOF"},

		{"newmatch awale south seed 71532", protocol.NewMatch{Ruleset: "awale", Seed: 71532}, ""},
		{"newmatch bechi north rounds 8 seed 1", protocol.NewMatch{Ruleset: "bechi", Seat: engine.North, Rounds: 8, Seed: 1}, ""},
		{"newmatch bechi north seed 18446744073709551615", protocol.NewMatch{Ruleset: "bechi", Seat: engine.North, Seed: 1<<64 - 1}, ""},
		{"newmatch oware south", protocol.NewMatch{Ruleset: "oware"}, ""},
		{"newmatch oware south mood good seed 3", protocol.NewMatch{Ruleset: "oware", Seed: 3}, ""},
		{"newmatch", nil, `bad newmatch: "" lacks a ruleset or a seat`},
		{"newmatch oware", nil, `bad newmatch: "oware" lacks a ruleset or a seat`},
		{"newmatch oware east", nil, `bad newmatch: the seat is "east"; it must be south or north`},
		{"newmatch oware South", nil, `bad newmatch: the seat is "South"; it must be south or north`},
		{"newmatch oware south seed -1", nil, `bad newmatch: seed is "-1"; it must be a number`},
		{"newmatch oware south rounds many", nil, `bad newmatch: rounds is "many"; it must be a number`},

		{"position startpos", protocol.Position{}, ""},
		{"position startpos moves", protocol.Position{}, ""},
		{"position startpos moves C b", protocol.Position{Moves: []string{"C", "b"}}, ""},
		{"position fen " + fen, protocol.Position{Text: fen}, ""},
		{"position fen " + fen + " moves a pass B", protocol.Position{Text: fen, Moves: []string{"a", "pass", "B"}}, ""},
		{"position", nil, `bad position: "" is neither startpos nor fen`},
		{"position fen", nil, `bad position: "fen" is neither startpos nor fen`},
		{"position start moves C", nil, `bad position: "start" is neither startpos nor fen`},

		{"go", protocol.Go{}, ""},
		{"go stime 10000 ntime 9800 sinc 100 ninc 50", protocol.Go{Limits: protocol.Limits{
			Clock: true, Left: [2]time.Duration{10 * time.Second, 9800 * time.Millisecond},
			Increment: [2]time.Duration{100 * time.Millisecond, 50 * time.Millisecond},
		}}, ""},
		{"go stime 0 ntime 0 sinc 0 ninc 0", protocol.Go{Limits: protocol.Limits{Clock: true}}, ""},
		{"go movetime 250 depth 6 nodes 1000", protocol.Go{Limits: protocol.Limits{Move: 250 * time.Millisecond, Depth: 6, Nodes: 1000}}, ""},
		{"go movetime 9223372036854775807", protocol.Go{Limits: protocol.Limits{Move: 9223372036854 * time.Millisecond}}, ""},
		{"go depth 9223372036854775807", protocol.Go{Limits: protocol.Limits{Depth: 1<<31 - 1}}, ""},
		{"go infinite ponder depth 3 mate 2", protocol.Go{Limits: protocol.Limits{Depth: 3}}, ""},
		{"go depth", protocol.Go{}, ""},
		{"go depth deep", nil, `bad go: depth is "deep"; it must be a number`},
		{"go stime -5", nil, `bad go: stime is "-5"; it must be a number`},
		{"go nodes 9223372036854775808", nil, `bad go: nodes is "9223372036854775808"; it must be a number`},

		{"quit", nil, "EOF"},
		{"quit now", nil, "EOF"},

		// Lines that a bot does not know are passed over.
		{"", nil, "EOF"},
		{"legal A B D\nerror illegal move\nendmatch win 26-22 normal", nil, "EOF"},
		{"stop", nil, "EOF"},
		{"Go", nil, "EOF"},
		{" go", nil, "EOF"},
		{"ponderhit\n\n\x00\nhello there\ngo depth 2", protocol.Go{Limits: protocol.Limits{Depth: 2}}, ""},
	} {
		for _, end := range []string{"\n", "\r\n"} {
			g := protocol.NewGuest(strings.NewReader(c.says+end), io.Discard)
			got, err := g.Next()
			diffError(t, c.says, err, c.err)
			equal(t, c.says, c.want, got)
		}
		// A line that has no end is no line.
		g := protocol.NewGuest(strings.NewReader(c.says[strings.LastIndex(c.says, "\n")+1:]), io.Discard)
		if got, err := g.Next(); got != nil || err != io.EOF {
			t.Errorf("%q without an end: %v, %v", c.says, got, err)
		}
	}
}

func TestNextOnABrokenWire(t *testing.T) {
	broken := errors.New("broken")
	g := protocol.NewGuest(io.MultiReader(strings.NewReader("isready\ngo"), iotest.ErrReader(broken)), io.Discard)
	if _, err := g.Next(); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Next(); err != broken {
		t.Errorf("error %v", err)
	}
}

// TestLongPosition: lines to a bot have no bound.
func TestLongPosition(t *testing.T) {
	moves := strings.Fields(strings.Repeat("A b pass C ", 50_000))
	says := "position startpos moves " + strings.Join(moves, " ") + "\nisready\n"
	if len(says) < 4*protocol.MaxLine {
		t.Fatalf("%d bytes are not long", len(says))
	}
	g := protocol.NewGuest(strings.NewReader(says), io.Discard)
	got, err := g.Next()
	diffError(t, "position", err, "")
	if p, ok := got.(protocol.Position); !ok || !slices.Equal(p.Moves, moves) {
		t.Errorf("position comes back with other moves: %.100v", got)
	}
	got, err = g.Next()
	diffError(t, "the next line", err, "")
	equal(t, "the next line", protocol.Message(protocol.IsReady{}), got)
}

// TestSay holds the very bytes of what a bot says, each time in one write.
func TestSay(t *testing.T) {
	for _, c := range []struct {
		say  func(*protocol.Guest) error
		want string
	}{
		{func(g *protocol.Guest) error { return g.Identify(protocol.Identity{}) }, "mbiok\n"},
		{func(g *protocol.Guest) error {
			return g.Identify(protocol.Identity{
				Name: "Greedy 1.2", Author: "A. N. Other", Plays: []string{"awale", "oware"},
				Options: options,
			})
		}, `id name Greedy 1.2
id author A. N. Other
plays awale oware
option name Depth type spin default 0 min 0 max 64
option name Own Book type check default true
option name Style of Play type combo default very calm var very calm var wild
option name Book File type string default a book.txt
option name Log File type string
option name Clear Tables type button
mbiok
`},
		{(*protocol.Guest).Ready, "readyok\n"},
		{func(g *protocol.Guest) error { return g.BestMove("C") }, "bestmove C\n"},
		{func(g *protocol.Guest) error { return g.BestMove(protocol.Resign) }, "bestmove resign\n"},
		{func(g *protocol.Guest) error { return g.Info(protocol.Info{}) }, "info\n"},
		{func(g *protocol.Guest) error {
			return g.Info(protocol.Info{
				Depth: 7, Score: -0.5, HasScore: true, Nodes: 81220,
				Time: 42*time.Millisecond + 900*time.Microsecond,
			})
		}, "info depth 7 score -0.5 nodes 81220 time 42\n"},
		{func(g *protocol.Guest) error { return g.Info(protocol.Info{HasScore: true}) }, "info score 0\n"},
	} {
		w := &wire{}
		diffError(t, c.want, c.say(protocol.NewGuest(strings.NewReader(""), w)), "")
		equal(t, "written", []string{c.want}, w.written)
	}
}
