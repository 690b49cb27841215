package engine_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"sembra/engine"
)

// FuzzParsePosition checks that any text is either refused, with a column of it, or
// accepted and then written back as it was.
func FuzzParsePosition(f *testing.F) {
	rulesets := rulesets(f)
	for _, c := range readRefused(f) {
		f.Add(indexOf(rulesets, c.ruleset), c.text)
	}
	for _, c := range workedCases(f) {
		which := indexOf(rulesets, c.ruleset)
		f.Add(which, c.start)
		f.Add(which, c.want)
	}
	f.Fuzz(func(t *testing.T, which uint8, text string) {
		r := rulesets[int(which)%len(rulesets)]
		p, err := engine.ParsePosition(r, text)
		if err != nil {
			var bad *engine.TextError
			if !errors.As(err, &bad) {
				t.Fatalf("%q: error %v", text, err)
			}
			if bad.Column < 1 || bad.Column > len(text)+1 {
				t.Fatalf("%q: column %d", text, bad.Column)
			}
			if bad.Problem == "" || strings.ContainsAny(bad.Problem, "\n\r\t\x00\x1b") {
				t.Fatalf("%q: problem %q", text, bad.Problem)
			}
			return
		}
		if got := engine.Text(r, p); got != text {
			t.Fatalf("%q comes back as %q", text, got)
		}
		if got := seeds(r, p); got != r.Info().Total() || engine.SideOfText(text) != p.Side() {
			t.Fatalf("%q has %d seeds, and %v is to move", text, got, engine.SideOfText(text))
		}
		if p.Phase() == engine.PhaseOver && len(r.Legal(p, nil)) > 0 {
			t.Fatalf("%q has legal moves", text)
		}
	})
}

// FuzzPlay plays a match from a fuzzed start by fuzzed choices, and then by the first legal moves to its end. At every
// ply it checks the laws of the engine and compares the match with the second implementation.
func FuzzPlay(f *testing.F) {
	rulesets := rulesets(f)
	for _, c := range workedCases(f) {
		which := indexOf(rulesets, c.ruleset)
		f.Add(which, c.start, chosen(f, rulesets[which], c.start, c.moves))
	}
	f.Add(uint8(0), "", []byte("a match from the start position, by some moves"))
	f.Add(uint8(1), "any text is a start", []byte{0, 3, 1, 4, 1, 5, 9, 2, 6})
	f.Fuzz(func(t *testing.T, which uint8, start string, choices []byte) {
		r := withRounds(t, rulesets[int(which)%len(rulesets)], engine.MaxRounds)
		p, err := engine.ParsePosition(r, start)
		if err != nil || len(r.Legal(p, nil)) > 1000 {
			start = scattered(r, start)
			p = parse(t, r, start)
		}
		r = withRounds(t, r, min(p.Round()+1, engine.MaxRounds)) // one round after that of the position
		m, slow := engine.NewMatch(r, p), newSlowMatch(r, start)
		for ply := 0; ; ply++ {
			if err := compare(m, slow); err != nil {
				t.Fatalf("%s, ply %d: %v", start, ply, err)
			}
			checkLaws(t, m)
			legal := m.Legal()
			if len(legal) > 1000 {
				return // only a position that was set up by hand has so many, by the choice of laps
			}
			if len(legal) == 0 {
				if ply > 0 && !m.Over() {
					t.Fatalf("%s, ply %d: not over, no move", start, ply)
				}
				return
			}
			// A hundred sowings without a capture are a cycle, and at most three
			// other plies come with each sowing.
			if ply > 2*4*engine.QuietLimit*(r.Info().Total()+1) {
				t.Fatalf("%s: %d plies", start, ply)
			}

			move := legal[0]
			if ply < len(choices) {
				move = legal[int(choices[ply])%len(legal)]
			}
			token := move.Token(m.Position().Side())
			m.Play(move)
			slow.play(token)
		}
	})
}

// indexOf returns the index of a ruleset among the rulesets.
func indexOf(rulesets []engine.Ruleset, name string) uint8 {
	return uint8(slices.IndexFunc(rulesets, func(r engine.Ruleset) bool { return r.Info().Name == name }))
}

// chosen returns moves as the choices of FuzzPlay: the index of each among the legal tokens.
func chosen(f *testing.F, r engine.Ruleset, start string, moves []string) []byte {
	f.Helper()
	m := engine.NewMatch(r, parse(f, r, start))
	var choices []byte
	for _, token := range moves {
		choices = append(choices, byte(slices.Index(tokens(m), token)))
		must(f, m.PlayTokens([]string{token}))
	}
	return choices
}

// checkLaws checks what holds in every position.
func checkLaws(t *testing.T, m *engine.Match) {
	t.Helper()
	r, p := m.Rules(), m.Position()
	text := engine.Text(r, p)
	if got := seeds(r, p); got != r.Info().Total() {
		t.Fatalf("%s has %d seeds", text, got)
	}
	if p.Quiet() > engine.QuietLimit {
		t.Fatalf("%s is too quiet", text)
	}
	if again, err := engine.ParsePosition(r, text); err != nil || again != p || engine.SideOfText(text) != p.Side() {
		t.Fatalf("%s comes back as %s, error %v", text, engine.Text(r, again), err)
	}
	found := map[string]bool{}
	for _, move := range m.Legal() {
		token := move.Token(p.Side())
		if found[token] {
			t.Fatalf("%s has %s twice", text, token)
		}
		found[token] = true
		if again, err := m.Find(token); err != nil || again != move {
			t.Fatalf("%s: %s finds %v, error %v", text, token, again, err)
		}
	}
	others := "A B C D E F G H L a b c d e f g h l AA A+ a- B+ b- AB+ pass take start=A claim=A claim=a fill=6.6.6.0 " +
		"C1 c1 C21 swap"
	for token := range strings.FieldsSeq(others) {
		if _, err := m.Find(token); (err == nil) != found[token] {
			t.Fatalf("%s: %s, error %v", text, token, err)
		}
	}
}

// seeds counts the seeds of a position, in its holes and stores.
func seeds(r engine.Ruleset, p engine.Position) int {
	sum := 0
	for seat := engine.South; seat <= engine.North; seat++ {
		sum += p.Store(seat)
		for hole := range r.Info().Holes {
			sum += p.Seeds(seat, hole)
		}
	}
	return sum
}

// scattered makes the text of a position from any bytes. Without bytes it is the start position.
func scattered(r engine.Ruleset, from string) string {
	if from == "" {
		return engine.Text(r, r.Start())
	}
	var random splitmix
	for _, b := range []byte(from) {
		random = 257*random + splitmix(b)
	}
	name := r.Info().Name
	return slowRulesOf(name).anywhere(name, &random)
}
