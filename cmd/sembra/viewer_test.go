package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/clipperhouse/displaywidth"

	"sembra/engine"
	"sembra/engine/show"
	"sembra/results"
	"sembra/results/report"
)

// viewerOf returns a viewer of a match of at most that many plies, in which both
// players always chose the first legal move.
func viewerOf(t *testing.T, ruleset string, most int, style show.Style) viewer {
	t.Helper()
	rules, err := engine.Lookup(ruleset)
	if err != nil {
		t.Fatal(err)
	}
	match := engine.NewMatch(rules, rules.Start())
	record := results.Record{Summary: results.Summary{
		Key: results.Key{South: "greedy", North: "日本の\x1bbot", Pair: 1}, Result: results.SouthWins, Ending: results.EndHang, Fault: results.NorthFault,
	}}
	record.Opening = engine.Text(rules, rules.Start())
	for !match.Over() && len(record.Moves) < most {
		move := match.Legal()[0]
		record.Moves = append(record.Moves, move.Token(match.Position().Side()))
		record.Elapsed = append(record.Elapsed, time.Millisecond)
		match.Play(move)
	}
	record.Evidence = &results.Evidence{What: "no answer within 1s" + strings.Repeat(" and what it wrote is cut off", 10)}
	record.Plies = len(record.Moves)
	record.Body.Rounds = make([]results.Round, len(match.Rounds()), len(match.Rounds())+1)
	if !match.Over() {
		record.Body.Rounds = append(record.Body.Rounds, results.Round{})
	}
	record.Summary.Rounds = len(record.Body.Rounds)
	replay, err := results.NewReplay(rules, record)
	if err != nil {
		t.Fatal(err)
	}
	report := report.Match{Tournament: results.Tournament{Name: "cup"}, Slot: 3, Matches: 12, Record: record}
	return newViewer(report, replay, style)
}

// after returns the viewer after some keys.
func (v viewer) after(keys ...key) viewer {
	for _, k := range keys {
		v, _ = v.press(k)
	}
	return v
}

func TestViewerKeys(t *testing.T) {
	t.Parallel()
	bechi := viewerOf(t, "bechi", 100_000, show.ASCII)
	end, rounds := len(bechi.pictures)-1, bechi.rounds
	if end < 30 || len(rounds) < 3 {
		t.Fatalf("a match of %d plies, rounds at %v", end, rounds)
	}
	for _, test := range []struct {
		keys []key
		at   int
	}{
		{nil, 0},
		{[]key{keyRight}, 1},
		{[]key{keyRight, ' ', 'l', 'n', keyEnter}, 5},
		{[]key{'G', keyLeft, keyBackspace, 'h', 'p'}, end - 4},
		{[]key{keyLeft}, 0},
		{[]key{keyEnd, keyRight}, end},
		{[]key{keyEnd, keyHome}, 0},
		{[]key{'G', 'g'}, 0},
		{[]key{keyDown, ']'}, 20},
		{[]key{keyDown, ']', keyUp}, 10},
		{[]key{keyRight, '['}, 0},
		{[]key{'G', keyDown}, end},
		{[]key{'2', '3', keyEnter}, 23},
		{[]key{':', '2', '3', keyEnter, keyRight}, 24},
		{[]key{'2', '3', keyBackspace, keyEnter}, 2},
		{[]key{'2', keyBackspace, keyEnter}, 1},
		{[]key{'2', '3', keyEscape, keyRight}, 1},
		{[]key{'2', keyRight, '3', keyEnter}, 3}, // another key gives the number up
		{[]key{'9', '9', '9', '9', '9', '9', keyEnter}, 0},
		{[]key{'0', '0', '7', keyEnter}, 7},
		{[]key{'r'}, rounds[1]},
		{[]key{'r', 'r'}, rounds[2]},
		{[]key{'r', 'r', 'R'}, rounds[1]},
		{[]key{'r', keyRight, 'R'}, rounds[1]},
		{[]key{keyRight, 'R'}, 0},
		{[]key{'R'}, 0},
		{[]key{'G', 'r'}, end},
		{[]key{'?', keyRight}, 0}, // it only ends the help
		{[]key{'?', keyRight, keyRight}, 1},
		{[]key{'?', 'q', keyRight}, 1},
		{[]key{keyNone, 'x', 'ä', key('\ufffd')}, 0},
	} {
		v := bechi
		for _, k := range test.keys {
			var quit bool
			if v, quit = v.press(k); quit {
				t.Errorf("%v: it ends", test.keys)
			}
		}
		if v.at != test.at {
			t.Errorf("%v: ply %d, want %d", test.keys, v.at, test.at)
		}
	}
	for _, keys := range [][]key{{'q'}, {'Q'}, {keyEscape}, {keyInterrupt}, {'2', 'q'}, {'2', keyEscape, keyEscape}, {'?', keyInterrupt}, {'2', keyInterrupt}} {
		if _, quit := bechi.after(keys[:len(keys)-1]...).press(keys[len(keys)-1]); !quit {
			t.Errorf("%v: it does not end", keys)
		}
	}
}

// text returns the text on a screen.
func (v viewer) text(width, height int) string {
	var lines []string
	for _, row := range v.rows(width, height) {
		lines = append(lines, row.text)
	}
	return strings.Join(lines, "\n")
}

func TestViewerRows(t *testing.T) {
	t.Parallel()
	v := viewerOf(t, "bechi", 5, show.Lines)
	const keysFoot = "\nright/left 1, "
	for _, test := range []struct {
		keys []key
		want []string
	}{
		{nil, []string{"cup, match 3 of 12: greedy - 日本の␛bot, pair 1\n  bechi, round 1 of 8, South begins\n", "\nply 0 of 5  the start\nright/left 1, "}},
		{[]key{keyRight}, []string{"\n  South sowed A: 6 seeds to ", "┌─────┬", "\nply 1 of 5  greedy (South)  A  0.001000s  used 0.001s - 0.000s" + keysFoot}},
		{[]key{keyRight, keyRight}, []string{"\nply 2 of 5  日本の␛bot (North)  a  0.001000s  used 0.001s - 0.001s" + keysFoot}},
		{[]key{keyEnd}, []string{
			"\ngreedy (South) has won, stores 0-0 (hang); at fault: 日本の␛bot (North)\nno answer within 1s and ",
			"…\nthe end of the conversation: sembra replay 3 --log\nply 5 of 5  greedy (South)  ", keysFoot,
		}},
		{[]key{'1'}, []string{"\ngo to ply 1_  (press Enter)"}},
		{[]key{'1', '2'}, []string{"\ngo to ply 12_  there is no such ply (0 to 5)"}},
		{[]key{'1', '2', keyBackspace}, []string{"\ngo to ply 1_  (press Enter)"}},
		{[]key{'7', keyEnter}, []string{"\nthere is no ply 7 (0 to 5)"}},
		{[]key{'r'}, []string{"\nthis is the last round"}},
		{[]key{'R'}, []string{"\nthis is the start of the first round"}},
		{[]key{'R', keyRight}, []string{keysFoot}},
		{[]key{'?'}, []string{"\n  home  g                 start of the match\n", "\nply 0 of 5  the start\npress any key to go back to the board"}},
	} {
		got := v.after(test.keys...).text(80, 24)
		if strings.Count(got, "\n") != 23 {
			t.Errorf("%v: %d lines", test.keys, strings.Count(got, "\n")+1)
		}
		for _, want := range test.want {
			if !strings.Contains(got, want) {
				t.Errorf("%v: there is no %q in\n%s", test.keys, want, got)
			}
		}
	}
	none := viewerOf(t, "awale", 0, show.ASCII)
	got := none.after(keyRight, 'r', keyLeft, keyEnd, keyNone).text(80, 24)
	if !strings.Contains(got, "\ngreedy (South) has won, stores 0-0 (hang); at fault: ") || !strings.Contains(got, "\nply 0 of 0  the start"+keysFoot) {
		t.Error(got)
	}
}

// TestViewerSteady: on a terminal of 80 by 24 every board fits, and nearly all boards
// begin in the same row.
func TestViewerSteady(t *testing.T) {
	t.Parallel()
	for _, rules := range engine.Rulesets() {
		v := viewerOf(t, rules.Info().Name, 400, show.Lines)
		at := map[int]int{} // boards at a line
		for ; v.at < len(v.pictures)-1; v.at++ {
			rows := v.rows(80, 24)
			board := slices.IndexFunc(rows, func(r row) bool { return strings.Contains(r.text, "┌") })
			at[board]++
			for _, line := range slices.Concat(v.pictures[v.at].above, v.pictures[v.at].board, v.pictures[v.at].under) {
				if !slices.Contains(rows, row{text: line}) {
					t.Fatalf("%s, ply %d: %q is not on the screen", rules.Info().Name, v.at, line)
				}
			}
		}
		if most := slices.Max(slices.Collect(maps.Values(at))); most < v.at*95/100 {
			t.Errorf("%s: boards at %v", rules.Info().Name, at)
		}
	}
}

// TestViewerSizes: the rows fit in a screen of any size.
func TestViewerSizes(t *testing.T) {
	t.Parallel()
	v := viewerOf(t, "buqruru", 30, show.Lines)
	for _, v := range []viewer{v, v.after(keyDown), v.after(keyEnd), v.after('?'), v.after('7')} {
		for width := 1; width < 90; width++ {
			for height := 1; height < 30; height++ {
				rows := v.rows(width, height)
				if len(rows) != height {
					t.Fatalf("%d x %d: %d rows", width, height, len(rows))
				}
				for _, row := range rows {
					if displaywidth.String(row.text) > width || strings.ContainsAny(row.text, "\n\x1b") {
						t.Fatalf("%d x %d: %q", width, height, row.text)
					}
				}
			}
		}
	}
	small := v.after(keyRight).text(30, 13)
	if !strings.Contains(small, "\n► North   │") || !strings.HasSuffix(small, "…") {
		t.Error(small)
	}
	for height := 1; height < 24; height++ {
		for _, v := range []viewer{v, v.after(keyRight), v.after(keyEnd)} {
			got, board := v.text(80, height), v.pictures[v.at].board
			whole := strings.Contains(got, strings.Join(board, "\n"))
			if whole == strings.Contains(got, sayTooSmall) || whole != (height >= 3+len(board)) {
				t.Errorf("ply %d in %d lines:\n%s", v.at, height, got)
			}
		}
	}
}

func TestFrame(t *testing.T) {
	t.Parallel()
	rows := []row{{text: "board"}, {text: "日本", bright: true}, {text: "keys"}}
	for styled, want := range map[bool]string{
		true:  "\x1b[H\x1b[Kboard\r\n\x1b[7m日本  \x1b[0m\r\n\x1b[Kkeys",
		false: "\x1b[H\x1b[Kboard\r\n\x1b[K日本\r\n\x1b[Kkeys",
	} {
		if got := frame(rows, 6, styled); got != want {
			t.Errorf("styled %t: %q, want %q", styled, got, want)
		}
	}
	if got := fmt.Sprint(fit([]string{"", "a", "", "b", "c", "", ""}, 4)); got != "[a b c]" {
		t.Error(got)
	}
}
