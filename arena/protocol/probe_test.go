package protocol_test

import (
	"strings"
	"testing"

	"sembra/arena/protocol"
)

// TestProbe: a bot is asked whether it is ready at any time. What it says
// before is told, and an answer without a question is a violation.
func TestProbe(t *testing.T) {
	long := strings.Repeat("x", 2000)
	for _, c := range []struct {
		says string
		want []string
		err  string
	}{
		{"readyok\n", nil, ""},
		{"what?\r\ninfo depth 1\nreadyok\n", []string{"what?", "info depth 1"}, ""},
		{long + "\nreadyok\n", []string{long[:1024]}, ""},
		{strings.Repeat("x\n", 50) + "readyok\n", strings.Fields(strings.Repeat("x ", 20)), ""},
		{"bestmove A\nreadyok\n", nil, "protocol violation: a bestmove that was not asked for"},
		{"hm\n", []string{"hm"}, "EOF"},
	} {
		w := &wire{script: []string{"mbiok\n", c.says}}
		h := protocol.NewHost(w)
		diffError(t, c.says, h.Handshake(), "")
		said, err := h.Probe("xyzzy 1 2")
		diffError(t, c.says, err, c.err)
		diff(t, c.says, said, c.want)
	}
}

// TestStrange: lines of the handshake that mean nothing are kept.
func TestStrange(t *testing.T) {
	h := protocol.NewHost(&wire{script: []string{"hello\nid name a\noption name B type number\nplays awale\nmbiok\n"}})
	diffError(t, "handshake", h.Handshake(), "")
	diff(t, "strange", h.Strange, []string{"hello", "option name B type number"})
}
