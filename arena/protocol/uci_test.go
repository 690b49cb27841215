package protocol_test

import (
	"strings"
	"testing"
	"time"

	"sembra/arena/protocol"
	"sembra/engine"
)

// TestUCIQuestions: what the host writes in a match, as Aualé writes it. The first
// fen is that of the documentation of Aalina's OwareBoard.toBoard.
func TestUCIQuestions(t *testing.T) {
	clock := protocol.Limits{
		Clock: true,
		Left:  [2]time.Duration{10*time.Second + 999*time.Microsecond, 9800 * time.Millisecond}, Increment: [2]time.Duration{1: 100 * time.Millisecond},
	}
	for _, c := range []struct {
		opening string
		moves   string
		limits  protocol.Limits
		want    string
	}{
		{"", "", protocol.Limits{}, "position startpos\ngo\n"},
		{"", "A", clock, "position startpos moves A\ngo wtime 10000 btime 9800 winc 0 binc 100\n"},
		{"", "A b C", protocol.Limits{Move: 1500 * time.Millisecond}, "position startpos moves AbC\ngo movetime 1500\n"},
		{"", "A b C", protocol.Limits{Depth: 5, Nodes: 9}, "position startpos moves AbC\ngo depth 5 nodes 9\n"},
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0", "A", protocol.Limits{}, "position startpos moves A\ngo\n"},
		{
			"4,4,4,4,4,4/4,4,4,4,4,4 0-0 N sow 1 7", "",
			protocol.Limits{},
			"position fen 4-4-4-4-4-4-4-4-4-4-4-4-0-0-N\ngo\n",
		},
		{
			"0,1,2,3,4,5/6,0,0,0,0,10 9-8 N sow 1 7", "f A",
			protocol.Limits{},
			"position fen 0-1-2-3-4-5-6-0-0-0-0-10-9-8-N moves fA\ngo\n",
		},
		{
			"0,1,2,3,4,5/6,0,0,0,0,10 9-8 S sow 1 0", "B",
			protocol.Limits{},
			"position fen 0-1-2-3-4-5-6-0-0-0-0-10-9-8-S moves B\ngo\n",
		},
	} {
		rules := oware(t).Rules()
		start := rules.Start()
		if c.opening != "" {
			var err error
			if start, err = engine.ParsePosition(rules, c.opening); err != nil {
				t.Fatal(err)
			}
		}
		w := &wire{script: []string{"uciok\n", ready, ready}}
		h := protocol.UCI.NewHost(w)
		diffError(t, "handshake", h.Handshake(), "")
		diffError(t, "configure", h.Configure([]protocol.OptionValue{{Name: "Own Book", Value: "false"}, {Name: "Clear"}}), "")
		diffError(t, "begin", h.Begin(protocol.NewMatch{Ruleset: "oware", Seat: engine.North, Seed: 7}, c.opening), "")
		m := engine.NewMatch(rules, start)
		for _, token := range strings.Fields(c.moves) { // South moves a few that are not legal here
			h.AddMove(token)
		}
		diffError(t, "ask", ask(h, m, c.limits), "")
		diffError(t, "error", h.SendError("x"), "")
		diffError(t, "end", h.End(protocol.EndMatch{Result: protocol.Win, Ending: "normal"}), "")
		diffError(t, "quit", h.Quit(), "")
		equal(t, "written", []string{
			"uci\n", "setoption name Own Book value false\nsetoption name Clear\nisready\n", "ucinewgame\nisready\n", c.want, "quit\n",
		}, w.written)
	}
}

// TestUCIHandshake: the identity has what UCI does not say. Odd lines of options are passed over and kept.
func TestUCIHandshake(t *testing.T) {
	w := &wire{script: []string{strings.Join([]string{
		"Aalina engine starts",
		"id name Aalina 2.1",
		"id\tauthor  Joan Sala",
		"plays bechi",
		"wants legal",
		"  option name Hash   type spin default 64 min 1 max 512",
		"option name Ponder type check default true",
		"option type check name Backwards",
		"option name NoType",
		"option name Size type spin default lots min 1 max many",
		"option name Kind type slider default 3",
		"option",
		"option name DrawSearch type check default false\r",
		"option name Path type string default <empty>",
		"option name Clear Hash type button",
		" uciok ", "",
	}, "\n")}}
	h := protocol.UCI.NewHost(w)
	diffError(t, "handshake", h.Handshake(), "")
	equal(t, "identity", protocol.Identity{
		Name: "Aalina 2.1", Author: "Joan Sala", Plays: []string{"oware", "awale"}, NoSeed: true, NeedsLimit: true,
		Options: []protocol.Option{
			{Name: "Hash", Type: "spin", Default: "64", Min: 1, Max: 512},
			{Name: "Ponder", Type: "check", Default: "true"},
			{Name: "DrawSearch", Type: "check", Default: "false"},
			{Name: "Path", Type: "string", Default: "<empty>"},
			{Name: "Clear Hash", Type: "button"},
		},
	}, h.Identity)
	equal(t, "unknown lines", []string{
		"Aalina engine starts", "plays bechi", "wants legal", "option type check name Backwards", "option name NoType",
		"option name Size type spin default lots min 1 max many", "option name Kind type slider default 3", "option",
	}, h.UnknownLines)
}

func TestUCIAnswers(t *testing.T) {
	const noMove = ": by this answer the engine has no move, so it takes the match for ended"
	answer := func(token, remark string) protocol.Answer { return protocol.Answer{Token: token, Remark: remark} }
	scored := func(token string, score float64) protocol.Answer {
		return protocol.Answer{Token: token, Score: score, HasScore: true}
	}
	for _, c := range []struct {
		says string
		want protocol.Answer
		err  string
	}{
		{"bestmove A\n", answer("A", ""), ""},
		{" bestmove\tA \t ponder b \r\n", answer("A", ""), ""},
		{"bestmove a\n", answer("a", ""), ""}, // the match refuses it
		{"bestmove 0000\n", answer("0000", noMove), ""},
		{"bestmove (none)\n", answer("(none)", noMove), ""},
		{"bestmove resign\n", answer("resign", ""), ""},
		{"bestmove\n", answer("", ""), "protocol violation: a bestmove without a move"},
		{"info depth 9 score cp -250 pv AbC\nbestmove A\n", scored("A", -2.5), ""},
		{"info depth 9 score  cp 30 mate 3 lowerbound nodes 8\ninfo string score cp 9\nbestmove A\n", scored("A", 0.3), ""},
		{strings.Repeat("info depth 1 score cp 7 pv A\n", 500) + "bestmove A\n", scored("A", 0.07), ""},
		{"info score mate 3\n\n \nreadyok\nbestmove A\n", answer("A", ""), ""},
	} {
		w := &wire{script: []string{"uciok\n", ready, ready, c.says}, most: 7}
		h := protocol.UCI.NewHost(w)
		diffError(t, "handshake", h.Handshake(), "")
		diffError(t, "configure", h.Configure(nil), "")
		diffError(t, "begin", h.Begin(protocol.NewMatch{}, ""), "")
		diffError(t, "ask", ask(h, oware(t), protocol.Limits{Depth: 1}), "")
		got, err := h.Answer()
		diffError(t, c.says, err, c.err)
		equal(t, c.says, c.want, got)
	}
}

// TestOtherDialect: a bot that speaks the other dialect is told from one that speaks nonsense.
func TestOtherDialect(t *testing.T) {
	for _, c := range []struct {
		dialect     protocol.Dialect
		says, looks string
	}{
		{protocol.MBI, "uciok\n", "this looks like UCI ("},
		{protocol.UCI, "mbiok\n", "this looks like MBI ("},
		{protocol.MBI, "ugiok\n", ""},
		{protocol.UCI, "ugiok\n", ""},
	} {
		h := c.dialect.NewHost(&wire{script: []string{c.says}})
		diffError(t, c.says, h.Handshake(), "EOF")
		if said := h.Received(); !strings.HasPrefix(said.Hint, c.looks) || (said.Hint == "") != (c.looks == "") || said.Expected != h.Words.OK {
			t.Errorf("%s to %s: heard %+v", c.says, c.dialect, said)
		}
	}
}
