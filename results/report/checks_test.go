package report

import "testing"

// TestKindOf: reasons that differ only in figures, moves and quotations are of one kind.
func TestKindOf(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{
			`illegal move "a" (only the case is wrong: write A; legal: A B C)`,
			`illegal move "C" (only the case is wrong: write c; legal: a b c d)`,
		},
		{`illegal move "Q" (legal: A B C)`, `illegal move "Z" (legal: a)`},
		{
			"no answer within 300ms; it was computing: in the last 150ms it used 149.1ms of processor time",
			"no answer within 10s; it was computing: in the last 5s it used 5.01s of processor time",
		},
		{"after 299 moves: the bot exited", "after 3 moves: the bot exited"},
	} {
		if a, b := KindOf(same[0]), KindOf(same[1]); a != b {
			t.Errorf("%q and %q", a, b)
		}
	}
	kinds := make(map[string]string)
	for _, reason := range []string{
		`illegal move "Q" (legal: A B C)`, `illegal move "a" (only the case is wrong: write A; legal: A B C)`,
		"no answer within 10s", "the bot exited: exit status 1; it wrote: IndexError: list index out of range",
		"the bot exited: exit status 1; it wrote: KeyError: 'x'",
	} {
		if other, taken := kinds[KindOf(reason)]; taken {
			t.Errorf("%q and %q are of one kind", reason, other)
		}
		kinds[KindOf(reason)] = reason
	}
}
