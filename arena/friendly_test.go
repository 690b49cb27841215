package arena

import (
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sembra/arena/guest"
	"sembra/bots"
	"sembra/engine"
	"sembra/results"
)

// friendly returns a match of awale between the person, who is South, and a bot.
func friendly(t *testing.T, bot guest.Launcher) Friendly {
	t.Helper()
	return Friendly{
		Person: "person", Bot: guest.Entry{Name: "bot", Launcher: bot}, Rules: ruleset(t, "awale"),
		Move: time.Second, Seed: 7,
	}
}

// begin begins a match inside a bubble of time, at whose end it is closed.
func (f Friendly) begin(t *testing.T) *FriendlyMatch {
	t.Helper()
	m := must2(f.Begin(t.Context()))
	t.Cleanup(m.Close)
	return m
}

// settled returns the state when the bot does not think any more.
func settled(t *testing.T, m *FriendlyMatch) FriendlyState {
	t.Helper()
	state := m.State()
	for state.Turn == BotsTurn {
		var err error
		if state, err = m.Await(t.Context(), state.Number); err != nil {
			t.Fatal(err)
		}
	}
	return state
}

// verified checks that there is nothing wrong with the record of a match.
func verified(t *testing.T, m *FriendlyMatch, record *results.Record) {
	t.Helper()
	plan := m.Tournament()
	if err := plan.Check(); err != nil {
		t.Error(err)
	}
	must(t, plan.CheckOpenings(m.Rules()))
	if wrong := plan.Verify(m.Rules(), *record); len(wrong) > 0 {
		t.Errorf("the record: %q", wrong)
	}
}

// TestFriendlyMatches lets a random person play matches of every ruleset against the
// built-in bots. The person takes back moves now and then, also after the end.
func TestFriendlyMatches(t *testing.T) {
	t.Parallel()
	for i, rules := range engine.Rulesets() {
		info := rules.Info()
		t.Run(info.Name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				random := rand.New(rand.NewPCG(1, uint64(i)))
				f := friendly(t, inMemory(func(in io.Reader, out io.Writer) {
					_ = bots.Serve(in, out, bots.Builtins()[i%2].New()) // random and greedy
				}))
				f.Rules, f.Seat = rules, engine.Seat(i%2)
				if !info.Single {
					f.Rules, _ = engine.WithRounds(rules, 3)
				}
				m := f.begin(t)
				state := settled(t, m)
				for undos := 0; state.Turn == PersonsTurn; state = settled(t, m) {
					if undos < 20 && state.Undo && random.IntN(10) == 0 {
						undos++
						takesBack(t, m, state)
						continue
					}
					move := state.Legal[random.IntN(len(state.Legal))]
					must(t, m.Play(move.Token(f.Seat)))
				}
				verified(t, m, state.Record)
				takesBack(t, m, state)
				must(t, m.Resign())
				state = settled(t, m)
				verified(t, m, state.Record)
				if state.Record.Ending != results.EndResign || state.Record.Result != results.WinOf(f.Seat.Other()) {
					t.Errorf("after resigning: %v, %v", state.Record.Result, state.Record.Ending)
				}
				if err := m.Undo(); err != nil || !state.Undo {
					t.Fatalf("undo of a resignation: %v, %v", state.Undo, err)
				}
				if s := m.State(); s.Turn != PersonsTurn || s.Record != nil || !slices.Equal(s.Plies, state.Plies) {
					t.Errorf("after the undo of a resignation: turn %v, %v; want %v", s.Turn, s.Plies, state.Plies)
				}
			})
		})
	}
}

// takesBack takes back the person's last decision, and checks that the person decides
// again, and that the rest of the match is as before.
func takesBack(t *testing.T, m *FriendlyMatch, before FriendlyState) {
	t.Helper()
	must(t, m.Undo())
	after := m.State()
	if after.Turn != PersonsTurn || after.Record != nil || len(after.Plies) >= len(before.Plies) {
		t.Fatalf("after an undo of %d plies: turn %v, %d plies", len(before.Plies), after.Turn, len(after.Plies))
	}
	if kept := before.Plies[:len(after.Plies)]; !slices.Equal(kept, after.Plies) {
		t.Errorf("%v are left of %v", after.Plies, kept)
	}
	undone := before.Plies[len(after.Plies)]
	if undone.Before != after.Position || undone.Before.Side() != m.Seat() {
		t.Errorf("it is not the position of a decision of the person")
	}
	for _, ply := range before.Plies[len(after.Plies)+1:] {
		if ply.Before.Side() == m.Seat() && !ply.Move.Pass() {
			t.Errorf("more than the last decision was taken back")
		}
	}
}

// TestFriendlyTold: the bot hears of a match as in a tournament, and of a new one after an undo.
func TestFriendlyTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		heard := new(transcript)
		m := must2(friendly(t, scripted{Heard: heard}).Begin(t.Context()))
		for _, token := range []string{"F", "E"} {
			must(t, m.Play(token))
			settled(t, m)
		}
		takesBack(t, m, m.State())
		must(t, m.Play("A"))
		settled(t, m)
		must(t, m.Resign())
		m.Close()
		want := []string{
			"newmatch awale north seed 7", "position startpos moves F", "position startpos moves F a E",
			"newmatch awale north seed 7", "position startpos moves F a A", "endmatch win 0-0 resign", "quit",
		}
		equal(t, "the bot was told", want, heard.Of("newmatch", "position", "endmatch", "quit"))
		if m.Play("A") != ErrNotYourTurn || m.Undo() != ErrNoUndo || m.Resign() != ErrNotYourTurn {
			t.Error("the match continues after its close")
		}
		if s := m.State(); s.Turn != NobodysTurn || s.Record == nil {
			t.Errorf("after its close: turn %v, record %v", s.Turn, s.Record)
		}
	})
}

// TestFriendlyWhileBotThinks: what the person wishes then happens when the bot has answered.
func TestFriendlyWhileBotThinks(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		wish  func(m *FriendlyMatch) error
		plies int
		turn  Turn
	}{
		"undo":   {(*FriendlyMatch).Undo, 0, PersonsTurn},
		"resign": {(*FriendlyMatch).Resign, 2, NobodysTurn},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				m := friendly(t, scripted{Answer: thinks(500 * time.Millisecond)}).begin(t)
				must(t, m.Play("C"))
				if err := m.Play("A"); err != ErrNotYourTurn {
					t.Errorf("a move while the bot thinks: %v", err)
				}
				must(t, test.wish(m))
				if state := settled(t, m); len(state.Plies) != test.plies || state.Turn != test.turn {
					t.Errorf("%d plies, turn %v", len(state.Plies), state.Turn)
				}
			})
		})
	}
}

// TestFriendlyBotIsGone: a bot that does not hear of a new match after an undo is at fault when it should play.
func TestFriendlyBotIsGone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		deaf := scripted{Line: func(q *question, line string) bool { return line == "isready" && q.Match > 1 }}
		m := friendly(t, deaf).begin(t)
		for range 2 {
			must(t, m.Play("F"))
			if state := settled(t, m); state.Turn == PersonsTurn {
				takesBack(t, m, state)
			}
		}
		state := m.State()
		if state.Turn != NobodysTurn || state.Record.Ending != results.EndHang || !strings.HasPrefix(state.What, "after newmatch it was not ready") {
			t.Fatalf("%v, %q", state.Turn, state.What)
		}
		verified(t, m, state.Record)
	})
}

// TestFriendlyStart: a match does not begin without the bot.
func TestFriendlyStart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := friendly(t, scripted{Line: func(*question, string) bool { return true }})
		_, err := f.Begin(t.Context())
		if start := new(guest.StartError); !errors.As(err, &start) {
			t.Errorf("a silent bot: %v", err)
		}
		f.Person = "bot"
		if _, err := f.Begin(t.Context()); err == nil || err.Error() != `bot "bot" cannot play against itself` {
			t.Errorf("the same name twice: %v", err)
		}
	})
}
