package show_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sembra/engine"
	"sembra/engine/show"
)

// TestAsk compares the questions of testdata/questions.txt.
func TestAsk(t *testing.T) {
	t.Parallel()
	for _, c := range readShown(t, "questions.txt") {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, p, plies := c.plies(t)
			if len(plies) > 0 {
				p = plies[len(plies)-1].After
			}
			q := show.Ask(r, p)
			equal(t, "questions", c.want, asked(&q, ""))
		})
	}
}

// asked writes a question with its choices, and what is asked after each of them.
func asked(q *show.Question, indent string) string {
	text := indent + q.Text + "\n"
	for _, c := range q.Choices {
		line := fmt.Sprintf("%s  %s  %s", indent, c.Key, c.Text)
		if c.Token != "" {
			line += "  [" + c.Token + "]"
		}
		text += line + "\n"
		if c.Next != nil {
			text += asked(c.Next, indent+"    ")
		}
	}
	return text
}

// TestAskForEveryMove: in random matches, each legal move is chosen in exactly one
// way, and every question can be answered.
func TestAskForEveryMove(t *testing.T) {
	t.Parallel()
	swap, err := engine.Lookup("kalah-swap")
	must(t, err)
	for _, r := range append(engine.Rulesets(), swap) {
		t.Run(r.Info().Name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(3, 4))
			for range 4 {
				m := engine.NewMatch(r, r.Start())
				for !m.Over() {
					var want []string
					for _, move := range m.Legal() {
						want = append(want, move.Token(m.Position().Side()))
					}
					q := show.Ask(r, m.Position())
					noHole := func(c show.Choice) bool { return c.Hole == "" }
					offered := len(slices.DeleteFunc(slices.Clone(q.Choices), noHole))
					if barred := q.Barred(r, m.Position()); len(barred) > 0 && offered+len(barred) != 2*r.Info().Holes {
						t.Fatalf("%s: %d holes are offered, and barred are %q", engine.Text(r, m.Position()), offered, barred)
					}
					got := tokens(t, &q, true)
					slices.Sort(want)
					slices.Sort(got)
					if !slices.Equal(got, want) {
						t.Fatalf("%s: the questions lead to %q, legal are %q", engine.Text(r, m.Position()), got, want)
					}
					m.Play(m.Legal()[random.IntN(len(m.Legal()))])
				}
				if q := show.Ask(r, m.Position()); len(q.Choices) > 0 {
					t.Errorf("a match that is over has choices: %v", q)
				}
			}
		})
	}
}

// TestBarred: a hole that cannot be chosen has its reason, and one that can has none.
func TestBarred(t *testing.T) {
	t.Parallel()
	for _, test := range [][4]string{ // the ruleset, the position, the hole and the reason
		{
			"awale", "1,0,0,0,0,1/0,0,0,0,0,0 23-23 S sow 1 0", "A",
			"The row of North is empty: you must sow a seed into it, and A does not reach it.",
		},
		{"awale", "1,0,0,0,0,1/0,0,0,0,0,0 23-23 S sow 1 0", "F", ""},
		{
			"awale", "1,0,0,0,0,1/1,0,0,0,0,0 22-23 S sow 1 0", "F",
			"F would capture all seeds in the row of North (a grand slam), which is not allowed.",
		},
		{"oware", "1,0,0,0,0,1/1,0,0,0,0,0 22-23 S sow 1 0", "F", ""},
		{"oware", "1,0,0,0,0,1/1,0,0,0,0,0 22-23 S sow 1 0", "B", "B is empty."},
		{
			"awale", "1,0,0,0,0,1/1,0,0,0,0,0 22-23 N sow 1 0", "F",
			"F is in the row of South: you choose from your own row, a to f.",
		},
		{"bechi", "1,x,2,6/6,6,6,6 6-9 S sow 1 0 first=S", "A", "A holds a single seed: only a hole with two or more is sown."},
		{"bechi", "1,x,2,6/6,6,6,6 6-9 S sow 1 0 first=S", "B", "B is closed: it is out of play in this round."},
		{
			"buqruru-bellin", "6,6,6,6/6,6,6,6 0-0 S sow 1 0 first=S opened=- start=B,a donkeys=0-0", "A",
			"In this round you sow only from B, your start hole.",
		},
		{"bechi", "0,0,0,0/6,6,6,6 14-10 S fill 2 0 first=S", "A", ""},
	} {
		r, p, _ := shown{keys: map[string]string{"ruleset": test[0], "start": test[1]}}.plies(t)
		if got := show.Ask(r, p).Barred(r, p)[test[2]]; got != test[3] {
			t.Errorf("%q: %q", test, got)
		}
	}
}

// tokens returns the moves to which a question leads.
func tokens(t *testing.T, q *show.Question, first bool) (all []string) {
	t.Helper()
	keys := map[string]bool{}
	for _, c := range q.Choices {
		if c.Key == "" || keys[c.Key] || strings.TrimSpace(c.Text) != c.Text || c.Text == "" || (c.Token == "") != (c.Next != nil) {
			t.Fatalf("%q: bad choice %+v", q.Text, c)
		}
		keys[c.Key] = true
		if c.Next == nil {
			all = append(all, c.Token)
		} else {
			all = append(all, tokens(t, c.Next, false)...)
		}
	}
	if !first && len(q.Choices) < 2 {
		t.Errorf("%q: no choice", q.Text)
	}
	return all
}
