package protocol_test

import (
	"bytes"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"sembra/arena/protocol"
	"sembra/engine"
)

// TestHostToGuest: what the host writes the guest reads back as the same
// values, over many random matches.
func TestHostToGuest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var want []protocol.Message
	expect := func(err error, messages ...protocol.Message) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, messages...)
	}

	var told bytes.Buffer
	w := &instant{says: []string{"wants legal\n" + identified, ready}}
	h := protocol.MBI.NewHost(duplex{w, io.MultiWriter(w, &told)})
	expect(h.Handshake(), protocol.Hello{})
	values := []protocol.OptionValue{{Name: "Depth", Value: "6"}, {Name: "Style of Play", Value: "very calm"}, {Name: "Clear Tables"}}
	expect(h.Configure(values), values[0], values[1], values[2], protocol.IsReady{})
	for range 5 {
		m := oware(t)
		opening := ""
		if random.IntN(2) == 0 {
			for range random.IntN(20) {
				m.Play(m.Legal()[random.IntN(len(m.Legal()))])
			}
			opening = engine.Text(m.Rules(), m.Position())
			m = engine.NewMatch(m.Rules(), m.Position())
		}
		announced := protocol.NewMatch{
			Ruleset: "oware", Seat: engine.Seat(random.IntN(2)), Rounds: random.IntN(3), Seed: random.Uint64(),
		}
		expect(h.Begin(announced, opening), announced, protocol.IsReady{})

		var moves []string
		for !m.Over() {
			var legal protocol.Legal
			for _, move := range m.Legal() {
				legal = append(legal, move.Token(m.Position().Side()))
			}
			limits := randomLimits(random)
			position := protocol.Position{Text: opening, Moves: append([]string(nil), moves...)}
			expect(ask(h, m, limits), position, legal, protocol.Go{Limits: limits})
			token := legal[random.IntN(len(legal))]
			moves = append(moves, token)
			h.Played(token)
			if err := m.PlayTokens([]string{token}); err != nil {
				t.Fatal(err)
			}
		}
		end := protocol.EndMatch{Result: protocol.Draw, South: random.IntN(49), North: random.IntN(49), Ending: "normal"}
		expect(h.End(end), end)
	}
	expect(h.Blame("too late"), protocol.Blame("too late"))
	expect(h.Quit())

	g := protocol.NewGuest(&told, io.Discard)
	for i := range want {
		got, err := g.Next()
		if err != nil {
			t.Fatalf("message %d: %v", i, err)
		}
		diff(t, "message", got, want[i])
	}
	if _, err := g.Next(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

// randomLimits returns limits in whole milliseconds, which is all that is told.
func randomLimits(random *rand.Rand) (l protocol.Limits) {
	some := func() time.Duration { return time.Duration(random.Int64N(1e7)) * time.Millisecond }
	switch random.IntN(3) {
	case 0:
		l.Move = some()
	case 1:
		l.Clock = true
		l.Left = [2]time.Duration{some(), some()}
		l.Increment = [2]time.Duration{some(), 0}
	}
	if random.IntN(2) == 0 {
		l.Depth = random.IntN(math.MaxInt32)
	}
	if random.IntN(2) == 0 {
		l.Nodes = uint64(random.Int64())
	}
	return l
}

// TestGuestToHost: what the guest writes the host reads back.
func TestGuestToHost(t *testing.T) {
	for _, id := range []protocol.Identity{
		{},
		{Name: "Greedy 1.2"},
		{Author: "Somebody else", WantsLegal: true},
		{Plays: []string{"awale", "oware", "bechi-2x3"}, WantsPosition: true},
		{Name: "all", WantsLegal: true, WantsPosition: true, Options: options},
	} {
		var said bytes.Buffer
		g := protocol.NewGuest(strings.NewReader(""), &said)
		diffError(t, "identify", g.Identify(id), "")
		diffError(t, "ready", g.Ready(), "")
		diffError(t, "ready", g.Ready(), "")
		h := protocol.MBI.NewHost(duplex{&said, io.Discard})
		diffError(t, "handshake", h.Handshake(), "")
		diff(t, "identity", h.Identity, id)
		diffError(t, "configure", h.Configure(nil), "")
		diffError(t, "begin", h.Begin(protocol.NewMatch{}, ""), "")

		for _, score := range []float64{0, 1, -3, 0.25, -48, 1048, 1e6, 1.0 / 3} {
			info := protocol.Info{Depth: 3, Score: score, HasScore: true, Nodes: 7, Time: time.Second, PV: []string{"A", "b"}}
			diffError(t, "ask", ask(h, oware(t), protocol.Limits{}), "")
			diffError(t, "info", g.Info(info), "")
			diffError(t, "bestmove", g.BestMove("A"), "")
			got, err := h.Answer()
			diffError(t, "answer", err, "")
			diff(t, "answer", got, protocol.Answer{Token: "A", Score: score, HasScore: true})
		}
	}
}

// duplex is a wire of two halves.
type duplex struct {
	io.Reader
	io.Writer
}
