package protocol_test

import (
	"testing"
	"time"

	"sembra/arena/protocol"
)

// BenchmarkMove is a question and its answer in the middle of a match, with a
// bot that takes no time: what the protocol adds to a move.
func BenchmarkMove(b *testing.B) {
	m := oware(b)
	var moves []string
	for range 40 {
		token := m.Legal()[0].Token(m.Position().Side())
		moves = append(moves, token)
		if err := m.PlayTokens([]string{token}); err != nil {
			b.Fatal(err)
		}
	}
	limits := protocol.Limits{Clock: true, Left: [2]time.Duration{time.Minute, time.Minute}}
	for _, c := range []struct{ name, wants, says string }{
		{"plain", "", "bestmove C\n"},
		{"legal", "wants legal\n", "bestmove C\n"},
		{"position", "wants position\n", "bestmove C\n"},
		{"info", "", "info depth 7 score 3 nodes 81220 time 42 pv D a\nbestmove C\n"},
	} {
		b.Run(c.name, func(b *testing.B) {
			w := &instant{says: []string{c.wants + identified, ready, ready, c.says}}
			h := begin(b, w, protocol.NewMatch{Ruleset: "oware"}, "")
			for _, token := range moves {
				h.Played(token)
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := ask(h, m, limits); err != nil {
					b.Fatal(err)
				}
				if _, err := h.Answer(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// instant is a wire to a bot that answers every write at once, and the last
// answer again and again.
type instant struct {
	says []string
	left string
}

func (w *instant) Write(b []byte) (int, error) {
	w.left = w.says[0]
	if len(w.says) > 1 {
		w.says = w.says[1:]
	}
	return len(b), nil
}

func (w *instant) Read(b []byte) (int, error) {
	n := copy(b, w.left)
	w.left = w.left[n:]
	return n, nil
}

func (w *instant) Pending() (int, error) { return len(w.left), nil }
