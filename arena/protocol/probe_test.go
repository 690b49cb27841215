package protocol_test

import (
	"strings"
	"testing"

	"sembra/arena/protocol"
)

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
		diff(t, c.says, h.Stray, c.want)
		diff(t, c.says, h.Strays, c.all)
	}
}

// TestMissed: it is known that a bestmove has come that was no answer.
func TestMissed(t *testing.T) {
	const middle = "a bestmove stood in the middle of a line"
	for _, c := range []struct{ says, want string }{
		{"", ""},
		{"thinking...\nbest", ""},
		{"thinking...bestmove D\n", middle},
		{"info depth 3 bestmove D\nhm\n", middle},
		{"thinking...bestmove D", middle},
		{"bestmove D", "the line of a bestmove had no end"},
		{"bestmove\tD\n", "a bestmove had no space after it"},
		{"no bestmove yet\nbestmove C\n", ""},
	} {
		h := begin(t, &wire{script: []string{identified, ready, ready, c.says}}, protocol.NewMatch{Ruleset: "oware"}, "")
		if err := ask(h, oware(t), protocol.Limits{}); err != nil {
			t.Fatal(err)
		}
		_, _ = h.Answer()
		diff(t, c.says, h.Missed(), c.want)
	}
}

// TestStrange: lines of the handshake that mean nothing are kept.
func TestStrange(t *testing.T) {
	h := protocol.MBI.NewHost(&wire{script: []string{"hello\nid name a\noption name B type number\nplays awale\nmbiok\n"}})
	diffError(t, "handshake", h.Handshake(), "")
	diff(t, "strange", h.Strange, []string{"hello", "option name B type number"})
}
