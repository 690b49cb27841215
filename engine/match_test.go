package engine_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"sembra/engine"
)

func TestRulesets(t *testing.T) {
	t.Parallel()
	var names []string
	for _, r := range engine.Rulesets() {
		info := r.Info()
		names = append(names, info.Name)
		equal(t, info.Name+": total", seeds(r, r.Start()), info.Total())
		rounds := 8
		if info.Single {
			rounds = 1
		}
		equal(t, info.Name+": rounds", rounds, info.Rounds)
		equal(t, info.Name+": looked up", info, lookup(t, info.Name).Info())
		if info.Summary == "" || info.Intro == "" || info.Source == "" || strings.Contains(info.Summary+info.Source, "\n") {
			t.Errorf("%s: summary %q, source %q", info.Name, info.Summary, info.Source)
		}
	}
	equal(t, "names", engine.RulesetNames(), names)

	for _, name := range []string{"chess", "Awale", "", "awale ", "awale-6x4", "kalah7x7"} {
		_, err := engine.Lookup(name)
		if err == nil {
			t.Errorf("%q was found", name)
			continue
		}
		equal(t, name, fmt.Sprintf("unknown ruleset %q (known: %s)", name, engine.RulesetList()), err.Error())
	}
	equal(t, "listed", strings.Join(names, ", ")+", kalah-HxS", engine.RulesetList())
}

// TestSizes looks up boards of kalah, with and without switches: those within the range, each under one name, and no others.
func TestSizes(t *testing.T) {
	t.Parallel()
	const switches = "-empty-capture, -full, -stuck, -swap"
	const wrong = "kalah-HxS has 1 to 12 holes a side (H) and 1 seed or more in each (S), at most 254 in all"
	for _, c := range []struct{ name, want, similar string }{ // the name, or what the error says
		{"kalah", "kalah", ""},
		{"kalah-6x4", "kalah", ""},
		{"kalah-7x7", "kalah-7x7", ""},
		{"kalah-1x1", "kalah-1x1", ""},
		{"kalah-1x127", "kalah-1x127", ""},
		{"kalah-1x128", wrong, ""},
		{"kalah-12x10", "kalah-12x10", ""},
		{"kalah-12x11", wrong, ""},
		{"kalah-12x16", wrong, ""},
		{"kalah-13x4", wrong, ""},
		{"kalah-0x3", wrong, ""},
		{"kalah-6x0", wrong, ""},
		{"kalah-06x4", wrong, "kalah-6x4"},
		{"kalah-6X4", wrong, "kalah-6x4"},
		{"kalah-6x4 ", wrong, "kalah-6x4"},
		{"kalah-+6x4", wrong, "kalah-6x4"},
		{"kalah-6x99999999999999999999", wrong, ""},
		{"kalah-", wrong, ""},
		{"kalah--6x4", wrong, "kalah-6x4"},
		{"kalah-full", "kalah-full", ""},
		{"kalah-6x4-swap", "kalah-swap", ""},
		{"kalah-7x7-empty-capture-full-stuck-swap", "kalah-7x7-empty-capture-full-stuck-swap", ""},
		{"kalah-swap-full", "write kalah-full-swap: the order of the switches is " + switches, ""},
		{"kalah-7x7-stuck-full", "write kalah-7x7-full-stuck: the order of the switches is " + switches, "kalah-7x7"},
		{"kalah-full-full", "write kalah-full: the order of the switches is " + switches, ""},
		{"kalah-swap-7x7", "write kalah-7x7-swap: the order of the switches is " + switches, "kalah-7x7"},
		{"kalah-empty", "the switches of kalah are, in this order, " + switches, ""},
		{"kalah-full-pie", "the switches of kalah are, in this order, " + switches, ""},
		{"kalah-fullx", "the switches of kalah are, in this order, " + switches, ""},
		{"kalah-13x4-full", wrong, ""},
		{"kalah-06x4-full", wrong, "kalah-6x4"},
		{"awale-swap", "awale has no switches; kalah has, as kalah-swap", ""},
		{"bechi-2x3-full", "bechi-2x3 has no switches; kalah has, as kalah-full", "kalah-2x3"},
	} {
		r, err := engine.Lookup(c.name)
		unknown := new(engine.UnknownError)
		switch {
		case err == nil:
			equal(t, c.name, c.want, r.Info().Name)
		case !errors.As(err, &unknown):
			t.Errorf("%s: %v", c.name, err)
		default:
			equal(t, c.name, c.want, unknown.Listed)
			want := engine.RulesetNames()
			if c.similar != "" {
				want = append(want, c.similar)
			}
			equal(t, c.name+": known", want, unknown.Known)
		}
	}
}

func TestWithRounds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ruleset string
		rounds  int
		want    string // the error
	}{
		{"oware", 1, ""},
		{"oware", -1, "-1 rounds asked for, but a match of oware is a single round"},
		{"oware", 0, "0 rounds asked for, but a match of oware is a single round"},
		{"oware", 2, "2 rounds asked for, but a match of oware is a single round"},
		{"bechi", 1, ""},
		{"bechi", 8, ""},
		{"bechi", 100, ""},
		{"bechi", -1, "-1 rounds asked for; there can be 1 to 100"},
		{"bechi", 0, "0 rounds asked for; there can be 1 to 100"},
		{"bechi", 101, "101 rounds asked for; there can be 1 to 100"},
	} {
		r := lookup(t, c.ruleset)
		before := r.Info()
		limited, err := engine.WithRounds(r, c.rounds)
		equal(t, "the ruleset itself", before, r.Info())
		switch {
		case err != nil:
			equal(t, "error", c.want, err.Error())
		case c.want != "" || limited.Info().Rounds != c.rounds:
			t.Errorf("%s: a limit of %d rounds, want %d or %q", c.ruleset, limited.Info().Rounds, c.rounds, c.want)
		}
	}
}

// TestDecided checks that a store with more than half of the seeds decides a match
// of a single round, and no match of many.
func TestDecided(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ruleset, text string
		want          bool
	}{
		{"awale", "1,0,0,0,0,0/0,1,0,0,0,0 26-20 S sow 1 0", true},
		{"redu", "1,0,0,0,0,0/0,1,0,0,0,0 20-26 S sow 1 0 take=- missed=-", true},
		{"oware", "1,0,0,0,0,0/0,1,0,0,0,0 24-22 S sow 1 0", false},
		{"bechi", "2,0,0,0/0,0,0,0 40-6 S sow 1 0 first=S", false},
	} {
		r := lookup(t, c.ruleset)
		equal(t, c.text, c.want, r.Info().DecidedEarly(parse(t, r, c.text)))
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	equal(t, "seats", []string{"south", "north"}, []string{engine.South.String(), engine.North.String()})
	equal(t, "others",
		[]engine.Seat{engine.North, engine.South}, []engine.Seat{engine.South.Other(), engine.North.Other()})
	equal(t, "results", []string{"draw", "south", "north"}, []string{engine.Draw.String(), engine.SouthWins.String(), engine.NorthWins.String()})

	equal(t, "endings", []string{"normal", "cycle", "early", "going"}, []string{engine.Normal.String(), engine.Cycle.String(), engine.Early.String(), engine.Going.String()})

	equal(t, "the limit", "rounds", engine.Limit.String())
	equal(t, "phases",

		[]string{"sow", "fill", "start", "over"}, []string{engine.PhaseSow.String(), engine.PhaseFill.String(), engine.PhaseStart.String(), engine.PhaseOver.String()})

	r := lookup(t, "awale")
	southF := r.Legal(r.Start(), nil)[5]
	equal(t, "South's holes", "F", southF.Token(engine.South))
	equal(t, "North's holes", "f", southF.Token(engine.North))
}

func TestFind(t *testing.T) {
	t.Parallel()
	const afterC = "4,4,0,5,5,5/5,4,4,4,4,4 0-0 "
	for _, c := range []struct{ ruleset, start, token, want string }{
		{"awale", afterC + "S sow 1 1", "C", `"C" (legal: A B D E F)`},
		{"awale", afterC + "S sow 1 1", "a", `"a" (only the case is wrong: write A; legal: A B D E F)`},
		{"awale", afterC + "N sow 1 1", "A", `"A" (only the case is wrong: write a; legal: a b c d e f)`},
		{"awale", afterC + "N sow 1 1", "", `"" (legal: a b c d e f)`},
		{"awale", afterC + "N sow 1 1", "a ", `"a " (legal: a b c d e f)`},
		{"awale", afterC + "N sow 1 1", "\x1b[2J", `"\x1b[2J" (legal: a b c d e f)`},
		{"awale", "3,1,0,2,0,2/1,1,0,0,0,0 18-20 S sow 1 0", "F", `"F" (legal: A B D)`},
		{
			"awale", "3,1,0,2,0,2/1,1,0,0,0,0 18-20 S sow 1 0", strings.Repeat("F", 1000),
			`"FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"... (legal: A B D)`,
		},
		{"awale", "2,1,0,0,1,3/0,0,0,0,0,0 20-21 S sow 1 0", "A", `"A" (legal: F)`},
		{"awale", "0,0,0,0,0,0/0,0,0,0,0,0 24-24 S over 1 0", "A", `"A" (there is no legal move)`},
		{"bechi-2x3", "6,6,6/6,6,6 0-0 S sow 1 0 first=S", "B", `"B" (legal: A B+ B- C)`},
		{
			"bechi", "0,0,0,0/6,6,6,6 18-6 S fill 2 0 first=S", "fill=6.6.6",
			`"fill=6.6.6" (legal: fill=6.6.6.0 fill=6.6.0.6 fill=6.0.6.6 fill=0.6.6.6)`,
		},
		{"bechi", "1,0,1,0/6,6,6,6 10-12 S sow 1 0 first=S", "A", `"A" (legal: pass)`},
		{"bechi", "2,0,1,0/6,6,6,6 10-11 S sow 1 0 first=S", "pass", `"pass" (legal: A)`},
		{
			"buqruru-bellin", "6,6,6,6/0,6,6,6 3-3 N start 1 0 first=S opened=- start=A,- donkeys=0-0", "start=A",
			`"start=A" (legal: start=b start=c start=d)`,
		},
		{"kalah-swap", "4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0 swap=N", "swap", `"swap" (legal: A B C D E F)`},
		{
			"redu", "4,4,4,4,4,1/4,4,4,4,4,4 2-1 S sow 1 0 take=F:free missed=-", "claim=f",
			`"claim=f" (legal: take A+ A- B+ B- B-b C+ C- D+ D- E+ E+b E- F)`,
		},
	} {
		r := lookup(t, c.ruleset)
		m := engine.NewMatch(r, parse(t, r, c.start))
		_, err := m.Find(c.token)
		var illegal *engine.IllegalError
		if !errors.As(err, &illegal) {
			t.Errorf("%q in %s: error %v", c.token, c.start, err)
			continue
		}
		equal(t, c.start, "illegal move "+c.want, err.Error())
		equal(t, "token", c.token, illegal.Token)
	}
	r := lookup(t, "buqruru-bellin")
	m := engine.NewMatch(r, parse(t, r, "30,x,x,x/x,x,6,x 6-6 S sow 2 0 first=S opened=SN start=A,c donkeys=0-0"))
	_, err := m.Find("A")
	if err == nil {
		t.Fatal("A is legal")
	}
	more := fmt.Sprintf(" and %d more)", len(m.Legal())-200)
	if text := err.Error(); !strings.HasSuffix(text, more) || len(text) > 5000 {
		t.Errorf("%.100q does not end with %q, or is too long", text, more)
	}
}

func TestPlayTokens(t *testing.T) {
	t.Parallel()
	m := engine.NewMatch(lookup(t, "oware"), lookup(t, "oware").Start())
	err := m.PlayTokens([]string{"C", "c", "C", "d"})
	var illegal *engine.IllegalError
	if !errors.As(err, &illegal) {
		t.Fatalf("error %v", err)
	}
	equal(t, "error", `move 3 of 4: illegal move "C" (legal: A B D E F)`, err.Error())
	equal(t, "position", "5,4,0,5,5,5/5,4,0,5,5,5 0-0 S sow 1 2", engine.Text(m.Rules(), m.Position()))
	if err := m.PlayTokens(nil); err != nil {
		t.Error(err)
	}
}

// TestOutcome checks the rule "shared: Result", and that a match has no outcome
// before it is over. Without moves, a match begins at a position that is over.
func TestOutcome(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ start, moves, want string }{
		{"0,0,0,0,1,1/1,0,0,0,0,4 23-18 S sow 1 0", "F", "south 25-18 early"},
		{"1,0,0,0,0,4/0,0,0,0,1,1 18-23 N sow 1 0", "f", "north 18-25 early"},
		{"0,0,0,0,0,1/1,1,0,0,0,0 22-23 S sow 1 3", "F", "draw 24-24 normal"},
		{"0,1,0,0,0,0/0,0,0,0,0,1 23-23 N sow 1 0", "f", "south 25-23 normal"},
		{"1,0,0,0,0,0/1,0,0,0,0,0 22-24 S sow 1 98", "A a", "north 23-25 cycle"},
		{"0,0,0,0,0,0/0,0,0,0,0,0 28-20 S over 1 0", "", "south 28-20 normal"},
		{"0,0,0,0,0,0/0,0,0,0,0,0 24-24 N over 1 100", "", "draw 24-24 normal"},
		{"3,0,0,0,0,0/0,0,0,0,0,0 20-25 S over 1 0", "", "north 20-25 early"},
	} {
		for _, r := range []engine.Ruleset{lookup(t, "awale"), lookup(t, "oware")} {
			m := engine.NewMatch(r, parse(t, r, c.start))
			for token := range strings.FieldsSeq(c.moves) {
				if o, ok := m.Outcome(); ok || m.Over() || len(m.Rounds()) > 0 {
					t.Errorf("%s: outcome %v before the end", c.start, o)
				}
				must(t, m.PlayTokens([]string{token}))
			}
			o, ok := m.Outcome()
			equal(t, c.start+": over", true, ok && m.Over())
			equal(t, c.start, c.want, fmt.Sprintf("%v %d-%d %v", o.Result, o.South, o.North, o.End))
			equal(t, c.start+": legal", 0, len(m.Legal()))
			if c.moves != "" {
				equal(t, c.start+": rounds", 1, len(m.Rounds()))
			}
		}
	}
}

// TestHistoryBegins checks that the history of a match that is set up from a text begins there.
func TestHistoryBegins(t *testing.T) {
	t.Parallel()
	around := strings.Fields("A a B b C c D d E e F f")
	for _, r := range []engine.Ruleset{lookup(t, "awale"), lookup(t, "oware")} {
		m := engine.NewMatch(r, parse(t, r, "1,0,0,0,0,0/1,0,0,0,0,0 23-23 S sow 1 0"))
		must(t, m.PlayTokens(around[:6]))
		begun := engine.NewMatch(r, parse(t, r, engine.Text(r, m.Position())))
		for _, half := range [][]string{around[6:], around[:6]} {
			if begun.Over() {
				t.Errorf("over at %s", engine.Text(r, begun.Position()))
			}
			must(t, begun.PlayTokens(half))
		}
		o, _ := begun.Outcome()
		equal(t, "outcome", engine.Outcome{Result: engine.Draw, South: 24, North: 24, End: engine.Cycle}, o)
	}
}

// TestPlayAllocates checks that listing moves and playing them allocates nothing.
func TestPlayAllocates(t *testing.T) {
	for _, r := range rulesets(t) {
		random := splitmix(1)
		b := must2(playBoth(r, engine.Text(r, r.Start()), random.choose))
		var positions []engine.Position
		var played []engine.Move
		m := engine.NewMatch(r, r.Start())
		for _, token := range b.moves {
			move := must2(m.Find(token))
			positions, played = append(positions, m.Position()), append(played, move)
			m.Play(move)
		}
		moves := make([]engine.Move, 0, 1000)
		token := make([]byte, 0, 64)
		if got := testing.AllocsPerRun(5, func() {
			for i, p := range positions {
				moves = r.Legal(p, moves[:0])
				_ = engine.Step(r, p, played[i])
				token = played[i].AppendToken(token[:0], p.Side())
			}
		}); got != 0 {
			t.Errorf("%s: %v allocations", r.Info().Name, got)
		}
		equal(t, r.Info().Name+": token", b.moves[len(b.moves)-1], string(token))
	}
}
