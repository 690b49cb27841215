package results

import (
	"slices"
	"strings"
	"testing"
)

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
