package results

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		after   int
		matches string // as in disqualificationMatch, numbered from 1
		want    []BotFaults
	}{
		{"no match", 3, "", nil},
		{"no fault", 3, "a b -; b c -", nil},
		{"the most faults first", 0, "a b a; c b b; b c b; a c -", []BotFaults{
			{Bot: "b", Matches: 3, Faults: 2, Endings: map[Ending]int{EndCrash: 2}, Numbers: []int{2, 3}},
			{Bot: "a", Matches: 2, Faults: 1, Endings: map[Ending]int{EndCrash: 1}, Numbers: []int{1}},
		}},
		{"both at fault", 0, "b a both", []BotFaults{
			{Bot: "a", Matches: 1, Faults: 1, Endings: map[Ending]int{EndStart: 1}, Numbers: []int{1}},
			{Bot: "b", Matches: 1, Faults: 1, Endings: map[Ending]int{EndStart: 1}, Numbers: []int{1}},
		}},
		{"what a disqualified bot forfeits", 2, "a b a; a b ?; b a a; c a a; a c a! out; b c -; a b a! out; a c a! start", []BotFaults{
			{
				Bot: "a", Matches: 6, Faults: 6, Endings: map[Ending]int{EndCrash: 3, EndStart: 3},
				Forfeits: 2, Numbers: []int{1, 3, 4, 8},
			},
		}},
		{"though it is not disqualified any more", 2, "a b -; a c a; a b a! out", []BotFaults{
			{Bot: "a", Matches: 3, Faults: 2, Endings: map[Ending]int{EndCrash: 1, EndStart: 1}, Forfeits: 1, Numbers: []int{2}},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var all []Numbered
			for i, text := range strings.FieldsFunc(c.matches, func(r rune) bool { return r == ';' }) {
				if m, recorded := disqualificationMatch(i+1, text); recorded {
					all = append(all, m)
				}
			}
			tournament := spring(3, "a", "b", "c")
			tournament.DisqualifyAfter = c.after
			if diff := cmp.Diff(c.want, tournament.Faults(all), cmp.Transformer("none", func(f []BotFaults) []BotFaults {
				return append([]BotFaults{}, f...)
			})); diff != "" {
				t.Errorf("faults (-want +got)\n%s", diff)
			}
		})
	}
}

func TestReportFaults(t *testing.T) {
	t.Parallel()
	talk := Talk{Lines: []TalkLine{{Text: []byte("go")}}}
	evidence := map[int]*Evidence{
		1: {What: "it crashed", South: talk},
		2: {What: "it did not start"},
		3: {What: "it did not start", South: talk},
		4: {What: "it did not start"},
		5: {What: "a; b", South: Talk{What: "a failed"}, North: Talk{What: "b failed", Stderr: []byte("no")}},
	}
	read := func(number int) (Record, error) {
		if number == 9 {
			return Record{}, errors.New("torn")
		}
		record := Record{Summary: Summary{Key: Key{"a", "b", number}, Fault: SouthFault}, Evidence: evidence[number]}
		if number == 5 {
			record.Fault = BothFault
		}
		return record, nil
	}
	for _, c := range []struct {
		bot     string
		numbers []int
		last    string
		number  int
	}{
		{"a", nil, "", 0},
		{"a", []int{4, 1}, "it crashed", 1},
		{"a", []int{1, 2, 3, 4}, "it did not start", 3},
		{"a", []int{1, 4}, "it did not start", 0},
		{"a", []int{1, 6}, "", 0},
		{"a", []int{5}, "a failed", 0},
		{"b", []int{5}, "b failed", 5},
	} {
		got, err := BotFaults{Bot: c.bot, Numbers: c.numbers}.Report(read)
		if err != nil || got.Last != c.last || got.Number != c.number {
			t.Errorf("%s %v: %q in match %d (%v), want %q in match %d", c.bot, c.numbers, got.Last, got.Number, err, c.last, c.number)
		}
	}
	if _, err := (BotFaults{Bot: "a", Numbers: []int{9}}).Report(read); err == nil || err.Error() != "torn" {
		t.Errorf("error is %v, not that of reading", err)
	}
}

// TestDisqualifiedByWithdrawn: what a bot did against one that has withdrawn since disqualifies it as before, though it
// counts in no table.
func TestDisqualifiedByWithdrawn(t *testing.T) {
	t.Parallel()
	tournament := spring(1, "a", "b", "c")
	tournament.DisqualifyAfter, tournament.Withdrawn = 2, []string{"c"}
	var all []Numbered
	for i, text := range []string{"a c a", "c a a", "a b a! out", "b a a! out", "b c -"} {
		m, _ := disqualificationMatch(i+1, text)
		all = append(all, m)
	}
	want := []BotFaults{{Bot: "a", Matches: 2, Faults: 2, Endings: map[Ending]int{EndStart: 2}, Forfeits: 2, Numbers: []int{1, 2}}}
	equal(t, "faults", want, tournament.Faults(all))
	for last := range len(all) {
		for _, line := range must2(standingsUpTo(tournament, all[:last], nil, last)).Lines {
			if want := line.Bot == "a" && last >= 2; line.Disqualified != want {
				t.Errorf("after match %d: %s: disqualified is %v", last, line.Bot, line.Disqualified)
			}
		}
	}
}

// disqualificationMatch is a match as the tests of disqualifications write it: "a b a" is one of a and b in which a
// was at fault, "a b both" and "a b -" are the others, and "a b ?" has no record. In "a b a! start" nobody has started it,
// in "a b a! out" a is disqualified, and in "a b a start" it was called.
func disqualificationMatch(number int, text string) (m Numbered, recorded bool) {
	words := append(strings.Fields(text), "")
	m = Numbered{Number: number, Summary: Summary{Key: Key{words[0], words[1], 1}, Result: Draw, Ending: EndCrash}}
	blamed, nobodyPlayed := strings.CutSuffix(words[2], "!")
	if words[3] != "" || blamed == "both" {
		m.Ending = EndStart
	}
	switch {
	case nobodyPlayed && words[3] == "start":
		m.Forfeit = NotStarted
	case nobodyPlayed && blamed == m.South:
		m.Forfeit = SouthDisqualified
	case nobodyPlayed:
		m.Forfeit = NorthDisqualified
	}
	switch blamed {
	case m.South:
		m.Fault = SouthFault
	case m.North:
		m.Fault = NorthFault
	case "both":
		m.Fault = BothFault
	}
	return m, words[2] != "?"
}

func TestDisqualifications(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name         string
		after        int
		matches      string
		disqualified string // of a, b and c, in the match behind the last
		undecided    string
	}{
		{"nothing played", 1, "", "", ""},
		{"never", 0, "a b a; b a a; a c a", "", ""},
		{"less than never", -1, "a b a", "", ""},
		{"at once", 1, "a b -; b a a", "a", ""},
		{"not yet", 3, "a b a; b a a", "", ""},
		{"on both seats", 3, "a b a; b a a; c a a", "a", ""},
		{"matches of others do not end the row", 2, "a b a; b c -; c b -; a c a", "a", ""},
		{"a match without a fault ends it", 2, "a b a; b a -; a c a", "", ""},
		{"so does the other's fault", 2, "a b a; b a b; a b a", "", ""},
		{"both at fault counts for both", 2, "a b both; b c b; c a a", "ab", ""},
		{"a match without a record can make it so", 2, "a b a; b a ?", "", "a"},
		{"and can prevent it", 2, "a b a; b a ?; a c a", "", "a"},
		{"it does not count behind a match without a fault", 2, "a b a; b a ?; a c -", "", ""},
		{"nor before one among the last", 2, "a b a; b a -; a c ?", "", ""},
		{"nor in front of the last", 2, "a c ?; a b a; b a a", "a", ""},
		{"nor where there are too few", 4, "a b a; b a ?; a c a", "", ""},
		{"both undecided", 1, "a b ?", "", "ab"},
		{"one that failed to start when it was called", 2, "a b a; a b a start", "a", ""},
		{"a match that nobody played is not a fault", 2, "a b a; a c a! start; a b a! out", "", ""},
		{"nor does it end the row of a bot", 2, "a b a; b a b! start; a c a! out; a c c start; a b a", "a", ""},
		{"a match without a record behind it", 2, "a b a; a b ?; a c a! out; a b a", "", "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			texts := strings.FieldsFunc(c.matches, func(r rune) bool { return r == ';' })
			w := NewDisqualifications(c.after)
			var records []Numbered
			for i, text := range texts {
				m, recorded := disqualificationMatch(i+1, text)
				w.Plan(m.Number, m.Key)
				if recorded {
					records = append(records, m)
				}
			}
			for _, m := range slices.Backward(records) { // the order does not matter
				w.Add(m)
			}
			disqualified, undecided := "", ""
			for _, bot := range []string{"a", "b", "c", "x"} {
				cause, decided := w.Disqualified(bot, len(texts)+1)
				if cause > 0 {
					disqualified += bot
				}
				if !decided {
					undecided += bot
				}
			}
			if disqualified != c.disqualified || undecided != c.undecided {
				t.Errorf("disqualified are %q, undecided %q; want %q and %q", disqualified, undecided, c.disqualified, c.undecided)
			}
		})
	}
}
