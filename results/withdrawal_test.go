package results

import "testing"

func TestWithdrawals(t *testing.T) {
	// A match is South, North and who of them was at fault; see below.
	const both, none = "both", ""
	type match struct{ south, north, fault string }
	cases := []struct {
		name      string
		after     int
		matches   []match
		withdrawn string // of a, b and c
		inARow    [3]int // of a, b and c
	}{
		{"nothing played", 1, nil, "", [3]int{}},
		{"never", 0, []match{{"a", "b", "a"}, {"b", "a", "a"}, {"a", "c", "a"}}, "", [3]int{3, 0, 0}},
		{"less than never", -1, []match{{"a", "b", "a"}}, "", [3]int{1, 0, 0}},
		{"at once", 1, []match{{"a", "b", none}, {"b", "a", "a"}}, "a", [3]int{1, 0, 0}},
		{"not yet", 3, []match{{"a", "b", "a"}, {"b", "a", "a"}}, "", [3]int{2, 0, 0}},
		{"on both seats", 3, []match{{"a", "b", "a"}, {"b", "a", "a"}, {"c", "a", "a"}}, "a", [3]int{3, 0, 0}},
		{
			"matches of others do not end the row", 2,
			[]match{{"a", "b", "a"}, {"b", "c", none}, {"c", "b", none}, {"a", "c", "a"}},
			"a",
			[3]int{2, 0, 0},
		},
		{
			"a match without a fault ends it", 2,
			[]match{{"a", "b", "a"}, {"b", "a", none}, {"a", "c", "a"}},
			"",
			[3]int{1, 0, 0},
		},
		{
			"so does the other's fault", 2,
			[]match{{"a", "b", "a"}, {"b", "a", "b"}, {"a", "b", "a"}},
			"",
			[3]int{1, 0, 0},
		},
		{
			"both at fault counts for both", 2,
			[]match{{"a", "b", both}, {"b", "c", "b"}, {"c", "a", "a"}},
			"ab",
			[3]int{2, 2, 0},
		},
		{
			"it stays so", 2,
			[]match{{"a", "b", "a"}, {"b", "a", "a"}, {"a", "c", none}, {"c", "a", "a"}},
			"a",
			[3]int{1, 0, 0},
		},
		{"strangers", 1, []match{{"a", "x", both}, {"x", "c", "x"}}, "a", [3]int{1, 0, 0}},
	}
	for _, c := range cases {
		w := NewWithdrawals(c.after, []string{"a", "b", "c"})
		for _, m := range c.matches {
			s := Summary{Key: Key{m.south, m.north, 1}, Result: Draw}
			switch m.fault {
			case m.south:
				s.Fault = SouthFault
			case m.north:
				s.Fault = NorthFault
			case both:
				s.Result, s.Fault = Void, BothFault
			}
			w.Add(s)
		}
		withdrawn := ""
		for i, bot := range []string{"a", "b", "c", "x"} {
			if w.Withdrawn(bot) {
				withdrawn += bot
			}
			want := 0
			if i < len(c.inARow) {
				want = c.inARow[i]
			}
			if got := w.InARow(bot); got != want {
				t.Errorf("%s: %s has %d in a row, not %d", c.name, bot, got, want)
			}
		}
		if withdrawn != c.withdrawn {
			t.Errorf("%s: withdrawn are %q, not %q", c.name, withdrawn, c.withdrawn)
		}
	}
}
