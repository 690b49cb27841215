package engine_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"sembra/engine"
)

// trace is one line of testdata/traces.jsonl, which testdata/README.md describes.
type trace struct {
	Ruleset     string   `json:"ruleset"`
	Seed        uint64   `json:"seed"`
	RoundsLimit int      `json:"rounds_limit"`
	Moves       []string `json:"moves"`
	Result      string   `json:"result"`
	South       int      `json:"south"`
	North       int      `json:"north"`
	Rounds      int      `json:"rounds"`
	Plies       int      `json:"plies"`
	Final       string   `json:"final"`
}

// TestTraces plays every trace again from its seed alone, and compares the whole match.
func TestTraces(t *testing.T) {
	t.Parallel()
	file := must2(os.Open("testdata/traces.jsonl"))
	defer file.Close()
	count := map[string]int{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var want trace
		must(t, json.Unmarshal(lines.Bytes(), &want))
		count[want.Ruleset]++
		r, err := engine.WithRounds(lookup(t, want.Ruleset), want.RoundsLimit)
		if err != nil {
			t.Error(err)
			continue
		}
		random := splitmix(want.Seed)
		b, err := playBoth(r, engine.Text(r, r.Start()), random.choose)
		if err != nil {
			t.Error(err)
			continue
		}
		o, _ := b.fast.Outcome()
		got := trace{
			Ruleset: want.Ruleset, Seed: want.Seed, RoundsLimit: want.RoundsLimit,
			Moves: b.moves, Result: o.Result.String(), South: o.South, North: o.North,
			Rounds: len(b.fast.Rounds()), Plies: len(b.moves), Final: engine.Text(r, b.fast.Position()),
		}
		equal(t, "trace", want, got)
	}
	if err := lines.Err(); err != nil {
		t.Error(err)
	}
	for _, r := range engine.Rulesets() {
		if count[r.Info().Name] == 0 {
			t.Errorf("no trace of %s", r.Info().Name)
		}
	}
}
