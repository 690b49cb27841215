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
		equal(t, c.says, c.want, h.Ignored)
		equal(t, c.says, c.all, h.IgnoredCount)
	}
}

// TestStrange: lines of the handshake that mean nothing are kept.
func TestStrange(t *testing.T) {
	h := protocol.MBI.NewHost(&wire{script: []string{"hello\nid name a\noption name B type number\nplays awale\nmbiok\n"}})
	diffError(t, "handshake", h.Handshake(), "")
	equal(t, "strange", []string{"hello", "option name B type number"}, h.UnknownLines)
}
