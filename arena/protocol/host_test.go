package protocol_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"sembra/arena/protocol"
	"sembra/engine"
)

func TestHandshake(t *testing.T) {
	for _, c := range []struct {
		name, says string
		want       protocol.Identity
	}{
		{"nothing but the end", "mbiok\n", protocol.Identity{}},
		{"all of it", strings.Join([]string{
			"id name Greedy 1.2",
			"id author A. N. Other",
			"plays awale oware",
			"wants legal position",
			"option name Depth type spin default 4 min 1 max 64",
			"option name Own Book type check default true",
			"option name Style of Play type combo default very calm var very calm var wild",
			"option name Book File type string default a book.txt",
			"option name Clear Tables type button",
			"mbiok", "",
		}, "\n"), protocol.Identity{
			Name: "Greedy 1.2", Author: "A. N. Other", Plays: []string{"awale", "oware"},
			WantsLegal: true, WantsPosition: true,
			Options: []protocol.Option{
				{Name: "Depth", Type: "spin", Default: "4", Min: 1, Max: 64},
				{Name: "Own Book", Type: "check", Default: "true"},
				{Name: "Style of Play", Type: "combo", Default: "very calm", Vars: []string{"very calm", "wild"}},
				{Name: "Book File", Type: "string", Default: "a book.txt"},
				{Name: "Clear Tables", Type: "button"},
			},
		}},
		{
			"CR LF", "id name Windows\r\nwants legal\r\noption name A type string default b\r\nmbiok\r\n",
			protocol.Identity{Name: "Windows", WantsLegal: true, Options: []protocol.Option{{Name: "A", Type: "string", Default: "b"}}},
		},
		{
			"over several lines", "plays awale\nwants legal\nplays oware\nwants position\nmbiok\n",
			protocol.Identity{Plays: []string{"awale", "oware"}, WantsLegal: true, WantsPosition: true},
		},
		{"the last name counts", "id name a\nid name b\nmbiok\n", protocol.Identity{Name: "b"}},
		{
			"unknown lines", "Hello!\n\nreadyok\nbestmove A\nid\nid elo 1500\nwants tea legal\ninfo string up\n id name indented\nmbiokay\nmbiok\n",
			protocol.Identity{WantsLegal: true, UnknownWants: []string{"tea"}},
		},
		{"words after the end", "mbiok thank you\n", protocol.Identity{}},
		{"bytes that are no text", "id name \xff\xfe\nmbiok\n", protocol.Identity{Name: "\xff\xfe"}},
		{"options that make no sense", strings.Join([]string{
			"option",
			"option name",
			"option name Depth",
			"option name Depth type",
			"option name Depth type slider",
			"option type spin name Depth",
			"option name  type check",
			"option name Depth type spin default 1 min one max 2",
			"option name Depth type spin default 1 min 1 max",
			"mbiok", "",
		}, "\n"), protocol.Identity{}},
	} {
		for _, most := range []int{0, 1} {
			w := &wire{script: []string{c.says}, most: most}
			h := protocol.MBI.NewHost(w)
			diffError(t, c.name, h.Handshake(), "")
			equal(t, c.name, c.want, h.Identity)
			equal(t, c.name+": written", []string{"mbi 1\n"}, w.written)
		}
	}
}

func TestHandshakeThatFails(t *testing.T) {
	for _, c := range []struct {
		name, says string
		ended      error
		want       error // what the error is, apart from ErrSilent
		silent     bool
	}{
		{"silence", "", os.ErrDeadlineExceeded, os.ErrDeadlineExceeded, true},
		{"exit in silence", "", nil, io.EOF, true},
		{"half of a line", "mbiok", os.ErrDeadlineExceeded, os.ErrDeadlineExceeded, false},
		{"exit after half of a line", "id name x\nmbi", nil, io.EOF, false},
		{"never done", "id name x\n", os.ErrDeadlineExceeded, os.ErrDeadlineExceeded, false},
	} {
		h := protocol.MBI.NewHost(&wire{script: []string{c.says}, ended: c.ended})
		err := h.Handshake()
		if !errors.Is(err, c.want) || errors.Is(err, protocol.ErrSilent) != c.silent {
			t.Errorf("%s: error %v", c.name, err)
		}
	}
}

func TestHandshakeThatDoesNotEnd(t *testing.T) {
	h := protocol.MBI.NewHost(&wire{script: []string{strings.Repeat("option name A type check\n", 1<<16)}})
	diffError(t, "handshake", h.Handshake(), "protocol violation: more than 1048576 bytes of output without an answer")
}

func TestConfigure(t *testing.T) {
	w := &wire{script: []string{identified, "readyok at once\nready\ninfo string thinking\nbestmove A\nreadyok\r\n"}}
	h := protocol.MBI.NewHost(w)
	diffError(t, "handshake", h.Handshake(), "")
	diffError(t, "configure", h.Configure([]protocol.OptionValue{
		{Name: "Depth", Value: "6"}, {Name: "Style of Play", Value: "very calm"}, {Name: "Clear Tables"},
	}), "")
	equal(t, "written", []string{
		"setoption name Depth value 6\nsetoption name Style of Play value very calm\nsetoption name Clear Tables\nisready\n",
	}, w.written[1:])
}

func TestBegin(t *testing.T) {
	for _, c := range []struct {
		match protocol.NewMatch
		want  string
	}{
		{protocol.NewMatch{Ruleset: "awale", Seat: engine.South, Seed: 71532}, "newmatch awale south seed 71532\nisready\n"},
		{protocol.NewMatch{Ruleset: "oware", Seat: engine.North}, "newmatch oware north seed 0\nisready\n"},
		{
			protocol.NewMatch{Ruleset: "bechi", Seat: engine.South, Rounds: 8, Seed: 1<<64 - 1},
			"newmatch bechi south rounds 8 seed 18446744073709551615\nisready\n",
		},
	} {
		w := &wire{script: []string{identified, ready, "bestmove A\nanything\nreadyok\n"}}
		begin(t, w, c.match, "")
		equal(t, "written", []string{c.want}, w.written[2:])
	}
}

// TestAsk holds the very bytes of a question, all of them in one write.
func TestAsk(t *testing.T) {
	const opening = "4,4,0,5,5,5/5,4,4,4,4,4 0-0 N sow 1 1"
	clock := protocol.Limits{
		Clock:     true,
		Left:      [2]time.Duration{10 * time.Second, 9800*time.Millisecond + 999*time.Microsecond},
		Increment: [2]time.Duration{100 * time.Millisecond, 0},
	}
	for _, c := range []struct {
		name, wants, opening string
		moves                []string
		limits               protocol.Limits
		want                 string
	}{
		{"the start position", "", "", nil, protocol.Limits{}, "position startpos\ngo\n"},
		{"moves", "", "", []string{"C", "b", "F"}, protocol.Limits{}, "position startpos moves C b F\ngo\n"},
		{"an opening", "", opening, nil, protocol.Limits{}, "position fen " + opening + "\ngo\n"},
		{"an opening and moves", "", opening, []string{"a", "B"}, protocol.Limits{}, "position fen " + opening + " moves a B\ngo\n"},
		{"legal moves of South", "wants legal\n", "", nil, protocol.Limits{}, "position startpos\nlegal A B C D E F\ngo\n"},
		{"legal moves of North", "wants legal\n", "", []string{"C"}, protocol.Limits{}, "position startpos moves C\nlegal a b c d e f\ngo\n"},
		{"the position, at the start", "wants position\n", "", nil, protocol.Limits{}, "position fen 4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0\ngo\n"},
		{"the position, after a move", "wants position\n", "", []string{"C"}, protocol.Limits{}, "position fen " + opening + "\ngo\n"},
		{"both", "wants position legal\n", "", []string{"C"}, protocol.Limits{}, "position fen " + opening + "\nlegal a b c d e f\ngo\n"},
		{"a clock", "", "", nil, clock, "position startpos\ngo stime 10000 ntime 9800 sinc 100 ninc 0\n"},
		{"a clock that ran out", "", "", nil, protocol.Limits{Clock: true}, "position startpos\ngo stime 0 ntime 0 sinc 0 ninc 0\n"},
		{"time for the move", "", "", nil, protocol.Limits{Move: 250 * time.Millisecond}, "position startpos\ngo movetime 250\n"},
		{"depth", "", "", nil, protocol.Limits{Depth: 6}, "position startpos\ngo depth 6\n"},
		{"nodes", "", "", nil, protocol.Limits{Nodes: 1<<64 - 1}, "position startpos\ngo nodes 18446744073709551615\n"},
		{"all", "", "", nil, protocol.Limits{Move: time.Second, Depth: 1, Nodes: 2}, "position startpos\ngo movetime 1000 depth 1 nodes 2\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := &wire{script: []string{c.wants + identified, ready, ready}}
			h := begin(t, w, protocol.NewMatch{Ruleset: "oware"}, c.opening)
			m := oware(t)
			if c.opening != "" {
				p, err := engine.ParsePosition(m.Rules(), c.opening)
				must(t, err)
				m = engine.NewMatch(m.Rules(), p)
			}
			for _, token := range c.moves {
				must(t, m.PlayTokens([]string{token}))
				h.AddMove(token)
			}
			diffError(t, "ask", ask(h, m, c.limits), "")
			equal(t, "written", []string{c.want}, w.written[3:])
		})
	}
}

// TestAskAgain: a second match of the same process begins afresh.
func TestAskAgain(t *testing.T) {
	h, w := begun(t, "", ready)
	h.AddMove("C")
	diffError(t, "ask", ask(h, oware(t, "C"), protocol.Limits{}), "")
	diffError(t, "begin", h.Begin(protocol.NewMatch{Ruleset: "oware", Seat: engine.North, Seed: 2}, ""), "")
	diffError(t, "ask", ask(h, oware(t), protocol.Limits{}), "")
	equal(t, "written", []string{
		"position startpos moves C\ngo\n", "newmatch oware north seed 2\nisready\n", "position startpos\ngo\n",
	}, w.written[3:])
}

func TestAnswer(t *testing.T) {
	answer := func(token string) protocol.Answer { return protocol.Answer{Token: token} }
	scored := func(token string, score float64) protocol.Answer {
		return protocol.Answer{Token: token, Score: score, HasScore: true}
	}
	for _, c := range []struct {
		says string
		want protocol.Answer
		err  string
	}{
		{"bestmove C\n", answer("C"), ""},
		{"bestmove C\r\n", answer("C"), ""},
		{"bestmove C ponder b\n", answer("C"), ""},
		{"bestmove resign\n", protocol.Answer{Token: protocol.Resign, Resigns: true}, ""},
		{"bestmove nonsense\n", answer("nonsense"), ""},
		{"bestmove claim=3\n", answer("claim=3"), ""},
		{"bestmove \xff\x1b[31m\n", answer("\xff\x1b[31m"), ""},

		{"info score 3\nbestmove C\n", scored("C", 3), ""},
		{"info depth 7 score -2.5 nodes 81220 time 42 pv D a\nbestmove C\n", scored("C", -2.5), ""},
		{"info score cp 250\nbestmove C\n", scored("C", 2.5), ""},
		{"info score cp -7 pv A score 9\nbestmove C\n", scored("C", -0.07), ""},
		{"info score 1\ninfo score 2\ninfo depth 3\nbestmove C\n", scored("C", 2), ""},
		{"info score 1\ninfo score much\nbestmove C\n", scored("C", 1), ""},
		{"info score\ninfo score cp\ninfo score cp x\ninfo score mate 3\nbestmove C\n", answer("C"), ""},
		{"info score NaN\ninfo score Inf\ninfo score -inf\ninfo score 1e7\ninfo score cp 1e300\nbestmove C\n", answer("C"), ""},
		{"info string my score 5\ninfo pv A score 5\ninfo\ninfo \ninformation score 5\nbestmove C\n", answer("C"), ""},

		// What was not asked for is passed over.
		{"readyok\nmbiok\n\nHello!\nid name other\nbest move A\nBESTMOVE A\n bestmove A\nbestmoves A\nbestmove D\n", answer("D"), ""},

		{"bestmove\n", answer(""), "protocol violation: a bestmove without a move"},
		{"bestmove \n", answer(""), "protocol violation: a bestmove without a move"},
		{"bestmove  C\n", answer(""), "protocol violation: a bestmove without a move"},
		{"bestmove C\x00\n", answer(""), "protocol violation: a NUL byte at byte 11 of a line"},
		{"\x00", answer(""), "EOF"}, // no line yet
		{"info \x00\nbestmove C\n", answer(""), "protocol violation: a NUL byte at byte 6 of a line"},
		{"", answer(""), "EOF"},
		{"bestmove C", answer(""), "EOF"},
		{"info score 3\nbestmo", answer(""), "EOF"},
	} {
		for _, most := range []int{0, 1, 7} {
			h, w := begun(t, c.says)
			w.most = most
			must(t, ask(h, oware(t), protocol.Limits{}))
			got, err := h.Answer()
			diffError(t, c.says, err, c.err)
			equal(t, c.says, c.want, got)
		}
	}
}

// TestErrorsOfTheWire: they come back as they are.
func TestErrorsOfTheWire(t *testing.T) {
	h, w := begun(t, "bestmo")
	w.ended = os.ErrDeadlineExceeded
	must(t, ask(h, oware(t), protocol.Limits{}))
	if _, err := h.Answer(); err != os.ErrDeadlineExceeded {
		t.Errorf("answer: %v", err)
	}
	if err := h.Begin(protocol.NewMatch{}, ""); err != os.ErrDeadlineExceeded {
		t.Errorf("begin: %v", err)
	}
	h = protocol.MBI.NewHost(brokenPipe{})
	m := oware(t)
	for what, err := range map[string]error{
		"handshake": h.Handshake(),
		"configure": h.Configure(nil),
		"begin":     h.Begin(protocol.NewMatch{}, ""),
		"ask":       ask(h, m, protocol.Limits{}),
		"error":     h.SendError("x"),
		"end":       h.End(protocol.EndMatch{}),
		"quit":      h.Quit(),
	} {
		if !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

type brokenPipe struct{}

func (brokenPipe) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestUnasked: after an answer, and before the next question, more has come.
func TestUnasked(t *testing.T) {
	const unasked = "protocol violation: a bestmove that was not asked for: a second bestmove to one go"
	for _, c := range []struct {
		name, says, later string // with the answer; after it
		want              string
		withPender        string // what is only seen where the wire knows what has arrived
	}{
		{name: "nothing", says: "bestmove C\n"},
		{name: "twice in one write", says: "bestmove C\nbestmove C\n", want: unasked},
		{name: "twice, with others between", says: "bestmove C\ninfo score 3\nreadyok\nbestmove C\n", want: unasked},
		{name: "twice, one later", says: "bestmove C\n", later: "bestmove C\n", withPender: unasked},
		{name: "twice, CR LF", says: "bestmove C\r\nbestmove\r\n", want: unasked},
		{name: "half a line with the answer", says: "bestmove C\nbestm", want: unasked},
		{name: "half a line later", says: "bestmove C\n", later: "b", withPender: unasked},
		{name: "a line but for its end", says: "bestmove C\nbestmove D", want: unasked},
		{name: "half a line and its rest", says: "bestmove C\nbest", later: "move D\n", want: unasked},
		{name: "other lines", says: "bestmove C\ninfo score 3\nHello!\n\nbest\nbestmoves\n", later: "readyok\n"},
		{name: "half of another line", says: "bestmove C\ninfo best", later: "move\nin"},
		{name: "a NUL byte", says: "bestmove C\n\x00\n", want: "protocol violation: a NUL byte at byte 1 of a line"},
		{name: "a line too long", says: "bestmove C\n", later: line(protocol.MaxLine+2, "x", ""), withPender: tooLong},
		{
			name: "too much", says: "bestmove C\n", later: strings.Repeat("info depth 1\n", protocol.MaxOutput/13),
			withPender: "protocol violation: more than 1048576 bytes of output without an answer",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, pender := range []bool{false, true} {
				p := &pendingWire{wire{script: []string{identified, ready, ready, c.says}}}
				var w io.ReadWriter = p
				want := c.want + c.withPender
				if !pender {
					w, want = &p.wire, c.want
				}
				h := begin(t, w, protocol.NewMatch{Ruleset: "oware"}, "")
				m := oware(t)
				must(t, ask(h, m, protocol.Limits{}))
				if _, err := h.Answer(); err != nil {
					t.Fatal(err)
				}
				p.arrived = append(p.arrived, c.later)
				written := len(p.written)
				diffError(t, fmt.Sprintf("pender %t", pender), ask(h, m, protocol.Limits{}), want)
				if want != "" && len(p.written) != written {
					t.Errorf("pender %t: asked all the same: %q", pender, p.written[written:])
				}
			}
		})
	}
}

// TestUnaskedBeforeTheFirst: a bot must not answer before the first question
// either, but what it says before readyok is passed over.
func TestUnaskedBeforeTheFirst(t *testing.T) {
	h := begin(t, &wire{script: []string{identified, ready, "bestmove A\nreadyok\n"}}, protocol.NewMatch{Ruleset: "oware"}, "")
	diffError(t, "before readyok", ask(h, oware(t), protocol.Limits{}), "")
	h = begin(t, &wire{script: []string{identified, ready, "readyok\nbestmove A\n"}}, protocol.NewMatch{Ruleset: "oware"}, "")
	diffError(t, "after readyok", ask(h, oware(t), protocol.Limits{}), "protocol violation: a bestmove that was not asked for")
}

const tooLong = "protocol violation: a line of more than 65536 bytes"

func TestLongLines(t *testing.T) {
	const most = protocol.MaxLine
	for _, c := range []struct {
		name, says string
		want       string
	}{
		{"the longest", line(most, "info ", "\n"), ""},
		{"the longest, CR LF", line(most, "info ", "\r\n"), ""},
		{"the longest, twice", line(most, "info ", "\n") + line(most, "", "\n"), ""},
		{"one more", line(most+1, "info ", "\n"), tooLong},
		{"one more, CR LF", line(most+1, "info ", "\r\n"), tooLong},
		{"one more, no end", line(most+1, "info ", ""), tooLong}, // seen when the line continues
		{"two more, no end", line(most+2, "info ", ""), tooLong},
		{"a long way more", line(4*most, "info ", "\n"), tooLong},
	} {
		for _, at := range []int{0, 1, 1000, most} {
			h, w := begun(t, c.says+"bestmove C\n")
			w.most = at
			must(t, ask(h, oware(t), protocol.Limits{}))
			_, err := h.Answer()
			diffError(t, fmt.Sprintf("%s, %d per read", c.name, at), err, c.want)
		}
	}

	// A move can be as long as its line.
	h, _ := begun(t, line(most, "bestmove ", "\n"))
	must(t, ask(h, oware(t), protocol.Limits{}))
	a, err := h.Answer()
	if err != nil || len(a.Token) != most-len("bestmove ") {
		t.Errorf("a long move: %d bytes, %v", len(a.Token), err)
	}
}

func TestTooMuchOutput(t *testing.T) {
	const end = "bestmove C\n"
	full := strings.Repeat("info depth 1 score 2 nodes 3\n", protocol.MaxOutput/29)
	full += line(protocol.MaxOutput-len(full)-len(end)-1, "", "\n") // and end makes it MaxOutput
	full += end
	if len(full) != protocol.MaxOutput {
		t.Fatalf("%d bytes", len(full))
	}
	const tooMuch = "protocol violation: more than 1048576 bytes of output without an answer"
	for _, c := range []struct{ name, first, second, want string }{
		{"as much as may be, and again", full, full, ""},
		{"one byte more", "x" + full, end, tooMuch},
		{"one byte more, the second time", end, "x" + full, tooMuch},
		{"empty lines", strings.Repeat("\n", protocol.MaxOutput+1), end, tooMuch},
	} {
		h, _ := begun(t, c.first, c.second)
		var err error
		for range 2 {
			if err = ask(h, oware(t), protocol.Limits{}); err != nil {
				break
			}
			if _, err = h.Answer(); err != nil {
				break
			}
		}
		diffError(t, c.name, err, c.want)
	}
}

func TestFarewell(t *testing.T) {
	h, w := begun(t)
	diffError(t, "error", h.SendError(`illegal move "Q" (legal: A B D)`), "")
	diffError(t, "error", h.SendError("two\nlines\r\nand more"), "")
	diffError(t, "end", h.End(protocol.EndMatch{Result: protocol.Loss, South: 3, North: 5, Ending: "illegal"}), "")
	diffError(t, "end", h.End(protocol.EndMatch{Result: protocol.Win, South: 26, North: 22, Ending: "normal"}), "")
	diffError(t, "quit", h.Quit(), "")
	equal(t, "written", []string{
		"error illegal move \"Q\" (legal: A B D)\n", "error two lines and more\n",
		"endmatch loss 3-5 illegal\n", "endmatch win 26-22 normal\n", "quit\n",
	}, w.written[3:])
}

func TestPlaysRuleset(t *testing.T) {
	for _, c := range []struct {
		plays []string
		want  bool
	}{
		{nil, true},
		{[]string{"oware"}, true},
		{[]string{"awale", "oware"}, true},
		{[]string{"awale"}, false},
		{[]string{"Oware"}, false},
	} {
		id := protocol.Identity{Plays: c.plays}
		if got := id.PlaysRuleset("oware"); got != c.want {
			t.Errorf("plays %q: %t", c.plays, got)
		}
	}
	id := protocol.Identity{Plays: []string{"kalah-6x4"}}
	if !id.PlaysRuleset("kalah") || id.PlaysRuleset("kalah-7x7") {
		t.Error("kalah-6x4 is not kalah, or is every board of kalah")
	}
}

// TestProbe: a bot is asked whether it is ready at any time. What it says
// before is kept, and an answer without a question is a violation.
func TestProbe(t *testing.T) {
	long := strings.Repeat("x", 2000)
	for _, c := range []struct {
		says string
		want []string
		all  int
		err  string
	}{
		{"readyok\n", nil, 0, ""},
		{"what?\r\ninfo depth 1\nreadyok\n", []string{"what?"}, 1, ""},
		{long + "\nreadyok\n", []string{long[:1024]}, 1, ""},
		{strings.Repeat("x\n", 50) + "readyok\n", strings.Fields(strings.Repeat("x ", 20)), 50, ""},
		{"bestmove A\nreadyok\n", nil, 0, "protocol violation: a bestmove that was not asked for"},
		{"hm\n", []string{"hm"}, 1, "EOF"},
	} {
		w := &wire{script: []string{"mbiok\n", c.says}}
		h := protocol.MBI.NewHost(w)
		diffError(t, c.says, h.Handshake(), "")
		diffError(t, c.says, h.Probe("xyzzy 1 2"), c.err)
		equal(t, c.says, c.want, h.Ignored)
		equal(t, c.says, c.all, h.IgnoredCount)
	}
}

// TestUnknownLines: lines of the handshake that mean nothing are kept.
func TestUnknownLines(t *testing.T) {
	h := protocol.MBI.NewHost(&wire{script: []string{"hello\nid name a\noption name B type number\nplays awale\nmbiok\n"}})
	diffError(t, "handshake", h.Handshake(), "")
	equal(t, "unknown lines", []string{"hello", "option name B type number"}, h.UnknownLines)
}
