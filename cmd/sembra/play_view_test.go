package main

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"

	"sembra/arena"
	"sembra/engine"
	"sembra/engine/show"
	"sembra/results"
)

// viewOf returns the view of a position in which the person is to move.
func viewOf(t *testing.T, ruleset, position string) playView {
	t.Helper()
	rules, err := engine.Lookup(ruleset)
	if err != nil {
		t.Fatal(err)
	}
	p := rules.Start()
	if position != "" {
		if p, err = engine.ParsePosition(rules, position); err != nil {
			t.Fatal(err)
		}
	}
	v := playView{rules: rules, seat: p.Side(), bot: "bot", file: "match.txt"}
	return v.see(arena.FriendlyState{Position: p, Begun: p, Legal: rules.Legal(p, nil)})
}

// named are keys without a character.
var named = map[string]key{
	"Enter": keyEnter, "Left": keyLeft, "Right": keyRight, "Up": keyUp, "Down": keyDown, "Esc": keyEscape, "Back": keyBackspace,
	"Ctrl-C": keyInterrupt,
}

// presses returns the view after keys, and the last thing that the person wanted.
func (v playView) presses(t *testing.T, keys string) (playView, wish) {
	t.Helper()
	var w wish
	for _, name := range strings.Fields(keys) {
		k, ok := named[name]
		if !ok {
			k = key([]rune(name)[0])
		}
		if w.kind != wishNothing {
			t.Fatalf("before %s the person wants %+v", name, w)
		}
		v, w = v.press(k)
	}
	return v, w
}

// TestPlayKeys: what a person wants after some keys.
func TestPlayKeys(t *testing.T) {
	t.Parallel()
	const (
		letters = "0,0,0,4,1,1/1,3,0,0,0,0 20-18 S sow 1 0 take=- missed=-"
		claims  = "0,2,0,0,1,1/1,1,0,0,1,0 20-21 S sow 1 1 take=F:turn missed=b,e"
		fill    = "6,6,6,6/0,0,0,0 10-14 N fill 2 0 first=N"
		north   = "4,4,4,4,4,4/4,4,4,4,4,4 0-0 N sow 1 0"
	)
	move := func(token string) wish { return wish{wishMove, token} }
	for _, test := range []struct {
		ruleset, position string
		keys              string
		want              wish
		note              string
	}{
		{"awale", "", "c Enter", move("C"), ""},
		{"awale", "", "Enter", move("A"), ""},
		{"awale", "", "Right Right Down Left Enter", move("C"), ""},
		{"awale", "", "Left Enter", move("F"), ""},
		{"awale", north, "Left Enter", move("b"), ""},
		{"awale", north, "Right Enter", move("f"), ""},
		{"awale", north, "Up C Enter", move("c"), ""},
		{"awale", "", "x", wish{}, "no move begins with x (? lists the moves)"},
		{"awale", "", "x c c Back Enter", move("C"), ""},
		{"awale", "", "c Esc u", wish{kind: wishUndo}, ""},
		{"awale", "", "c Right Enter", move("D"), ""},
		{"awale", "", "h", wish{kind: wishHint}, ""},
		{"awale", "", "r n", wish{}, ""},
		{"awale", "", "r y", wish{kind: wishResign}, ""},
		{"awale", "", "? q", wish{}, ""},
		{"awale", "", "q", wish{kind: wishQuit}, ""},
		{"awale", "", "r Ctrl-C", wish{kind: wishInterrupt}, ""},
		{"awale", "", "s", wish{}, "no move begins with s (? lists the moves)"},
		{"redu", letters, "d - o k x Enter", move("D-okx"), ""},
		{"redu", letters, "d Enter - o k x", move("D-okx"), ""},
		{"redu", letters, "d Enter Down Enter Down Enter Down Enter Enter", move("D-ok"), ""},
		{"redu", letters, "d Enter - o Esc . x", move("D-x"), ""},
		{"redu", letters, "Right Enter f -", move("EF-"), ""},
		{"redu", letters, "e Enter Enter", move("E"), ""},
		{"redu", letters, "e f - Enter", move("EF-"), ""},
		{"redu", letters, "Right Enter Esc Esc Left Enter Enter", move("D+"), ""},
		{"redu", claims, "Up Enter", move("take"), ""},
		{"redu", claims, "t a k e Enter", move("take"), ""},
		{"redu", claims, "Up Up Enter", move("claim=e"), ""},
		{"bechi", fill, "6 0 6", move("fill=6.0.6.0"), ""},
		{"bechi", fill, "6 6", move("fill=6.6.0.0"), ""},
		{"bechi", fill, "f i l l = 0 . 0 . 6 . 6 Enter", move("fill=0.0.6.6"), ""},
		{"buqruru-bellin", "", "b Enter", move("start=B"), ""},
		{"buqruru-bellin", "", "s t a r t = c Enter", move("start=C"), ""},
	} {
		v, got := viewOf(t, test.ruleset, test.position).presses(t, test.keys)
		if got != test.want || v.note != test.note {
			t.Errorf("%s %s, %s: %+v %q", test.ruleset, test.position, test.keys, got, v.note)
		}
	}
}

// TestPlayAfterEnd: the keys when the match is over, and while the bot thinks.
func TestPlayAfterEnd(t *testing.T) {
	t.Parallel()
	v := viewOf(t, "awale", "")
	state := v.state
	state.Turn, state.Legal, state.Record = arena.NobodysTurn, nil, &results.Record{}
	over := v.see(state)
	if _, got := over.presses(t, "s Back Back Back Back Enter"); got != (wish{wishSave, "match"}) {
		t.Errorf("save: %+v", got)
	}
	if next, got := over.presses(t, "s x Esc c Enter Left h r y"); got != (wish{}) || next.mode != modeChoose {
		t.Errorf("a match that is over: %+v", got)
	}
	state.Turn, state.Record = arena.BotsTurn, nil
	if _, got := v.see(state).presses(t, "c Enter Right u"); got != (wish{kind: wishUndo}) {
		t.Errorf("while the bot thinks: %+v", got)
	}
}

// TestPlayRows: in random matches of every ruleset, a screen of any size has as many
// rows as lines, none is too wide, and what the person decides is there.
func TestPlayRows(t *testing.T) {
	t.Parallel()
	for _, rules := range engine.Rulesets() {
		t.Run(rules.Info().Name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(5, 6))
			m := engine.NewMatch(rules, rules.Start())
			var plies []engine.Ply
			for n := 0; n < 40 && !m.Over(); n++ {
				legal := slices.Clone(m.Legal())
				v := playView{rules: rules, seat: m.Position().Side(), bot: "bot", style: show.Lines}
				v = v.see(arena.FriendlyState{Position: m.Position(), Plies: plies, News: max(0, len(plies)-3), Legal: legal})
				for _, k := range []key{keyNone, keyDown, keyEnter, keyUp, '?'} {
					for _, size := range [][2]int{{80, 24}, {47, 16}, {1, 1}} {
						checkPlayRows(t, v, size[0], size[1])
					}
					if next, w := v.press(k); w.kind == wishNothing {
						v = next
					}
				}
				ply := engine.Ply{Before: m.Position(), Move: legal[random.IntN(len(legal))]}
				m.Play(ply.Move)
				ply.After = m.Position()
				plies = append(plies, ply)
			}
		})
	}
}

func checkPlayRows(t *testing.T, v playView, width, height int) {
	t.Helper()
	rows := v.rows(width, height)
	text := ""
	for _, row := range rows {
		if displaywidth.String(row.text) > width {
			t.Fatalf("%d by %d: the row %q is too wide", width, height, row.text)
		}
		text += row.text + "\n"
	}
	if len(rows) != height {
		t.Fatalf("%d by %d: %d rows:\n%s", width, height, len(rows), text)
	}
	if width < 80 || v.mode != modeChoose {
		return
	}
	q, at, _ := v.open()
	name := v.seat.HoleName(0)
	for _, wanted := range []string{q.Text, "> " + q.Choices[at].Key, "your move: ", "┌─────┬", " " + name} {
		if !strings.Contains(text, wanted) {
			t.Fatalf("%d by %d: %q is not there:\n%s", width, height, wanted, text)
		}
	}
}

// TestPlayNarrow: a board that is wider than the screen loses what stands beside its
// holes, and the stores are told below it.
func TestPlayNarrow(t *testing.T) {
	t.Parallel()
	v := viewOf(t, "buqruru", "0,9,8,8/8,0,8,7 0-0 S sow 1 3 first=S opened=SN donkeys=2-1")
	oware := viewOf(t, "oware", "0,5,5,5,5,4/0,5,5,5,5,0 3-1 S sow 1 2")
	for _, test := range []struct {
		view  playView
		width int
		want  string
	}{
		{oware, 80, "> South   |  0  |  5  |  5  |  5  |  5  |  4  |   store  3"},
		{oware, 50, "> South   |  0  |  5  |  5  |  5  |  5  |  4  |"},
		{oware, 50, "South: store 3"},
		{oware, 40, "> |  0  |  5  |  5  |  5  |  5  |  4  |"},
		{oware, 40, "     f     e     d     c     b     a"},
		{oware, 40, "North: store 1"},
		{v, 40, "South: store 0 donkeys 2"},
	} {
		var texts []string
		for _, row := range test.view.rows(test.width, 24) {
			texts = append(texts, row.text)
		}
		if !slices.Contains(texts, test.want) {
			t.Errorf("width %d: no row is %q:\n%s", test.width, test.want, strings.Join(texts, "\n"))
		}
	}
}
