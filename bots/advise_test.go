package bots

import (
	"testing"
	"time"

	"sembra/engine"
)

// TestAdvise: it finds the capture that wins the match, and stops then.
func TestAdvise(t *testing.T) {
	t.Parallel()
	rules := lookup(t, "awale")
	p := parse(t, rules, "1,0,0,0,0,1/2,0,0,0,0,3 23-18 S sow 1 0")
	if got := Advise(engine.NewMatch(rules, p), time.Hour).Token(engine.South); got != "F" {
		t.Errorf("got %s", got)
	}
}
