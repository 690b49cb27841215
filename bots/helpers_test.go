package bots

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"sembra/arena/protocol"
	"sembra/engine"
	"sembra/engine/expect"
)

var must = expect.NoError

func must2[T any](value T, err error) T { return expect.Value(value, err) }

// duplex is a connection of two halves.
type duplex struct {
	io.Reader
	io.Writer
}

// seat serves a player in memory and returns the host's end after the handshake. At
// the end of the test it tells the bot to quit.
func seat(t *testing.T, p Player, options ...protocol.OptionValue) *protocol.Host {
	t.Helper()
	in, hostOut := io.Pipe()
	hostIn, out := io.Pipe()
	served := make(chan error, 1)
	go func() {
		err := Serve(in, out, p)
		in.CloseWithError(io.ErrClosedPipe)
		out.Close()
		served <- err
	}()
	h := protocol.MBI.NewHost(duplex{hostIn, hostOut})
	t.Cleanup(func() {
		if err := h.Quit(); err != nil {
			t.Errorf("quit: %v", err)
		}
		if err := <-served; err != nil {
			t.Errorf("served: %v", err)
		}
	})
	greet(t, h, options...)
	return h
}

// greet takes a bot through its handshake.
func greet(t *testing.T, h *protocol.Host, options ...protocol.OptionValue) {
	t.Helper()
	if err := h.Handshake(); err != nil {
		t.Fatalf("handshake: %v", err)
	}
	if err := h.Configure(options); err != nil {
		t.Fatalf("configure: %v", err)
	}
}

// play plays a whole match between two bots and returns its tokens. A nil host plays
// random moves, by the seed of South.
func play(t *testing.T, rules engine.Ruleset, hosts [2]*protocol.Host, seeds [2]uint64, opening string, limits protocol.Limits) []string {
	t.Helper()
	start := rules.Start()
	if opening != "" {
		start = parse(t, rules, opening)
	}
	for s, h := range hosts {
		if h == nil {
			continue
		}
		m := protocol.NewMatchMessage(rules, engine.Seat(s), seeds[s])
		if err := h.Begin(m, opening); err != nil {
			t.Fatalf("%v begins: %v", engine.Seat(s), err)
		}
	}
	random := rand.New(rand.NewPCG(seeds[engine.South], 1))
	m := engine.NewMatch(rules, start)
	var moves []string
	for !m.Over() {
		side := m.Position().Side()
		move := m.Legal()[random.IntN(len(m.Legal()))]
		if h := hosts[side]; h != nil && !move.Pass() {
			err := h.Prepare(m, limits)
			if err := errors.Join(err, h.Send()); err != nil {
				t.Fatalf("ask %v: %v", side, err)
			}
			a, err := h.Answer()
			if err != nil {
				t.Fatalf("answer of %v: %v", side, err)
			}
			if move, err = m.Find(a.Token); err != nil {
				t.Fatalf("%s, %v after %v: %v", rules.Info().Name, side, moves, err)
			}
		}
		moves = append(moves, move.Token(side))
		m.Play(move)
		for _, h := range hosts {
			if h != nil {
				h.AddMove(moves[len(moves)-1])
			}
		}
	}
	p := m.Position()
	for _, h := range hosts {
		if h == nil {
			continue
		}
		end := protocol.EndMatch{Result: protocol.Void, South: p.Store(engine.South), North: p.Store(engine.North), Ending: "normal"}
		must(t, h.End(end))
	}
	return moves
}

// talk serves a player with a text as input, and returns its output.
func talk(p Player, says ...string) (string, error) {
	var said bytes.Buffer
	err := Serve(strings.NewReader(strings.Join(says, "\n")+"\n"), &said, p)
	return said.String(), err
}

func builtin(t testing.TB, name string) Player {
	t.Helper()
	b := must2(Lookup(name))
	return b.New()
}

func lookup(t testing.TB, name string) engine.Ruleset {
	t.Helper()
	return must2(engine.Lookup(name))
}

func parse(t testing.TB, r engine.Ruleset, text string) engine.Position {
	t.Helper()
	return must2(engine.ParsePosition(r, text))
}
