package protocol_test

import (
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"sembra/arena/protocol"
	"sembra/engine"
	"sembra/engine/expect"
)

var must = expect.NoError

// ask asks a bot for a token at the match's position.
func ask(h *protocol.Host, m *engine.Match, limits protocol.Limits) error {
	if err := h.Prepare(m, limits); err != nil {
		return err
	}
	return h.Send()
}

// wire is a wire in memory to a bot that reads from a script: whenever the host writes, what the script says next has
// arrived. Each part of the script arrives by itself: no read crosses from one to the next. After the last it is as if
// the bot had closed its output.
type wire struct {
	script  []string
	arrived []string
	written []string // each write of the host
	most    int      // the most bytes that a read returns; 0: as many as there are
	ended   error    // what reading returns where nothing is left; nil: io.EOF
}

func (w *wire) Write(b []byte) (int, error) {
	w.written = append(w.written, string(b))
	if len(w.script) > 0 {
		w.arrived = append(w.arrived, w.script[0])
		w.script = w.script[1:]
	}
	return len(b), nil
}

func (w *wire) Read(b []byte) (int, error) {
	for len(w.arrived) > 0 && w.arrived[0] == "" {
		w.arrived = w.arrived[1:]
	}
	if len(w.arrived) == 0 {
		if w.ended != nil {
			return 0, w.ended
		}
		return 0, io.EOF
	}
	if w.most > 0 {
		b = b[:min(len(b), w.most)]
	}
	n := copy(b, w.arrived[0])
	w.arrived[0] = w.arrived[0][n:]
	return n, nil
}

// pendingWire also knows how much has arrived.
type pendingWire struct{ wire }

func (w *pendingWire) Pending() (n int, err error) {
	for _, part := range w.arrived {
		n += len(part)
	}
	return n, nil
}

// The lines of a bot that is ready for a match and wants nothing.
const (
	identified = "mbiok\n"
	ready      = "readyok\n"
)

// begun returns a host that has begun a match of oware from the start position,
// with a bot that answers each question as the script says.
func begun(t testing.TB, script ...string) (*protocol.Host, *pendingWire) {
	t.Helper()
	w := &pendingWire{wire{script: append([]string{identified, ready, ready}, script...)}}
	return begin(t, w, protocol.NewMatch{Ruleset: "oware", Seed: 1}, ""), w
}

// begin takes a bot through its handshake and into a match.
func begin(t testing.TB, w io.ReadWriter, m protocol.NewMatch, opening string) *protocol.Host {
	t.Helper()
	h := protocol.MBI.NewHost(w)
	if err := h.Handshake(); err != nil {
		t.Fatalf("handshake: %v", err)
	}
	if err := h.Configure(nil); err != nil {
		t.Fatalf("configure: %v", err)
	}
	if err := h.Begin(m, opening); err != nil {
		t.Fatalf("begin: %v", err)
	}
	return h
}

// oware returns a match of oware after some moves.
func oware(t testing.TB, moves ...string) *engine.Match {
	t.Helper()
	rules, err := engine.Lookup("oware")
	must(t, err)
	m := engine.NewMatch(rules, rules.Start())
	must(t, m.PlayTokens(moves))
	return m
}

// equal checks that a value is what it should be. Whether a slice is nil or empty makes no difference.
func equal(t testing.TB, what string, want, got any) {
	t.Helper()
	expect.Equal(t, what, want, got, cmpopts.EquateEmpty())
}

// diffError reports where an error is not what was wanted. The empty text is no error.
func diffError(t testing.TB, what string, err error, want string) {
	t.Helper()
	got := ""
	if err != nil {
		got = err.Error()
	}
	if got != want {
		t.Errorf("%s: error %q, want %q", what, got, want)
	}
}

// line returns a line of n bytes, its end not counted, that begins with a text.
func line(n int, text, end string) string {
	return text + strings.Repeat("x", n-len(text)) + end
}
