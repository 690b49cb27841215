package results

import (
	"strings"
	"testing"
)

func TestVisible(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"  plain, Ä\n", "plain, Ä"},
		{"two\nlines\n", "two⏎lines"},
		{"\x1b[31mred\x00\x7f\ttab", "␛[31mred␀␡␉tab"},
		{"bad \xff, bidi \u202e.", `bad \xff, bidi \u202e.`},
		{strings.Repeat("x", 1000) + "end", "…" + strings.Repeat("x", 397) + "end"},
		{strings.Repeat("Ä", 300) + "e", "…" + strings.Repeat("Ä", 199) + "e"}, // not cut in half
	} {
		equal(t, test.text, test.want, Visible([]byte(test.text), 400))
	}
	if long := strings.Repeat("x", 1000); Visible([]byte(long), 0) != long {
		t.Error("without a limit it is cut")
	}
}

func TestVisibleLines(t *testing.T) {
	t.Parallel()
	const text, want = "bot \x1b[2J\u202e\r:\n\tline 2⏎, ␉", `bot ␛[2J\u202e␍:` + "\n\tline 2⏎, ␉"
	if got := VisibleLines(text); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
