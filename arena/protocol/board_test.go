package protocol_test

import (
	"strings"
	"testing"

	"sembra/arena/protocol"
	"sembra/engine"
)

// TestBoard: what the host writes to a bot that reads seeds and answers numbers, and what it takes for an answer. The
// presets are those of CodinGame ("Oware Abapa": 12 integers, own houses first, answers 0 to 5) and of BUET (14
// integers, each row before its store, answers 1 to 6).
func TestBoard(t *testing.T) {
	const south, north = "0 1 2 3 4 5 6 0 0 0 0 10 9 8\n", "6 0 0 0 0 10 0 1 2 3 4 5 8 9\n"
	const framed = "line={own}|{own_store},{other};first=go;end=over"
	for _, c := range []struct {
		options, side, says string
		written             string
		want                string // the token, or what is wrong
	}{
		{"", "S", "1\n", south, "B"},
		{"", "N", " 05 whatever\r\n", north, "f"},
		{"board=codingame", "N", "\n \n0\n", "6 0 0 0 0 10 0 1 2 3 4 5\n", "a"},
		{"board=buet", "N", "6\n", "6 0 0 0 0 10 8 0 1 2 3 4 5 9\n", "f"},
		{"board=buet;base=0", "S", "1\n", "0 1 2 3 4 5 9 6 0 0 0 0 10 8\n", "B"},
		{framed, "S", "1\n", "go\n|0 1 2 3 4 5|9,6 0 0 0 0 10\n|over\n", "B"},
		{"base=1", "S", "0\n", south, "0: it answered 0, and these would be legal: 2 3 4 5 6"},
		{"", "N", "1\n", north, "b: it answered 1, and these would be legal: 0 5 (hint: base = 1 if the number of its first hole is 1)"},
		{"", "S", "-3\n", south, "-3: it answered -3, and these would be legal: 1 2 3 4 5"},
		{"", "S", "bestmove B\n", south, `protocol violation: it answered "bestmove B", not the number of a hole, 0 to 5 ` +
			"(hint: write everything else to standard error)"},
		{"", "S", "1\x00\n", south, "protocol violation: a NUL byte at byte 2 of a line"},
		{"Line={own}", "S", "", "", `unknown option "Line" (the bot offers: board, line, base, first, end, swap)`},
		{"line={own_store}", "S", "", "", `option line: "{own_store}" lacks {own}, so the bot would not see its seeds`},
		{"line={own} {", "S", "", "", "option line: unknown place { (known: {own}, {other}, {own_store}, {other_store}, {swap})"},
		{"line={own} {swap}", "S", "1\n", "0 1 2 3 4 5 0\n", "B"},
		{"swap=SWAP", "S", "SWAP\n", south, "swap"},
		{"swap=a b", "S", "", "", `option swap: "a b" is not a single word, different from a number`},
		{"swap=6", "S", "", "", `option swap: "6" is not a single word, different from a number`},
	} {
		t.Run(c.options+" "+c.says, func(t *testing.T) {
			w := &wire{script: append(make([]string, strings.Count(c.options, "first=")), c.says)}
			if got := answerOnBoard(t, w, c.options, c.side); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			equal(t, "written", c.written, strings.Join(w.written, "|"))
		})
	}
}

// answerOnBoard returns the token of a bot's answer in a match with one question, with the remark if it is not legal.
func answerOnBoard(t *testing.T, w *wire, options, side string) string {
	var values []protocol.OptionValue
	for option := range strings.SplitSeq(options, ";") {
		if name, value, found := strings.Cut(option, "="); found {
			values = append(values, protocol.OptionValue{Name: name, Value: value})
		}
	}
	rules := oware(t).Rules()
	start, err := engine.ParsePosition(rules, "0,1,2,3,4,5/6,0,0,0,0,10 9-8 "+side+" sow 1 0")
	must(t, err)
	m := engine.NewMatch(rules, start)
	h := protocol.OneLine.NewHost(w)
	diffError(t, "handshake", h.Handshake(), "")
	if err := h.Configure(values); err != nil {
		return err.Error()
	}
	diffError(t, "begin", h.Begin(protocol.NewMatch{Ruleset: "oware", Seed: 7}, ""), "")
	diffError(t, "ask", ask(h, m, protocol.Limits{Depth: 1}), "")
	answer, err := h.Answer()
	if err != nil {
		return err.Error()
	}
	if _, err := m.Find(answer.Token); err != nil {
		return answer.Token + answer.Remark
	}
	diffError(t, "error", h.SendError("x"), "")
	diffError(t, "end", h.End(protocol.EndMatch{Result: protocol.Win, Ending: "normal"}), "")
	diffError(t, "quit", h.Quit(), "")
	return answer.Token
}
