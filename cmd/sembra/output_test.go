package main

import "testing"

func TestVisibleLines(t *testing.T) {
	t.Parallel()
	const text, want = "bot \x1b[2J\u202e\r:\n\tline 2", `bot ␛[2J\u202e␍:` + "\n\tline 2"
	if got := visibleLines(text); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
