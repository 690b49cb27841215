package notation

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sembra/results"
)

// TestWrite: a record is readable, and no byte of a name or a reason reaches a terminal raw.
func TestWrite(t *testing.T) {
	t.Parallel()
	score := 3.5
	game := Game{
		Tournament: "spring", Slot: 7, Ruleset: "oware", TimeControl: "10s+100ms", Reason: "it said \x1b[2J\"\u202e\\\n",
		Record: results.Record{
			Summary: results.Summary{
				Key:    results.Key{South: "bad\x1b]0;\xff", North: "ñandú", Pair: 4},
				Result: results.NorthWins, Ending: results.EndTime, Fault: results.SouthFault,
				SouthStore: 0, NorthStore: 0, Plies: 12, Rounds: 1,
				SouthTime: 1500 * time.Millisecond, NorthTime: 1, SouthCPU: results.UnknownCPU, NorthCPU: 2 * time.Second,
				NorthBurnt: true,
			},
			Body: results.Body{
				Opening: "4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0",
				Moves:   strings.Fields("A a B b C c D d E e F f"),
				Elapsed: []time.Duration{1500 * time.Millisecond, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
				Scores:  []*float64{&score, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil},
				Seeds:   [2]uint64{1, 18446744073709551615},
			},
		},
	}
	want := `[Tournament "spring"]
[Match "7"]
[Pair "4"]
[South "bad\x1b]0;\xff"]
[North "ñandú"]
[Ruleset "oware"]
[TimeControl "10s+100ms"]
[Opening "4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0"]
[Result "0-1"]
[Stores "0-0"]
[Ending "time"]
[Fault "south"]
[Reason "it said \x1b[2J\"\u202e\\\n"]
[SouthTime "1.5s"]
[NorthTime "0.000000001s"]
[NorthCPU "2s"]
[Burnt "north"]
[Seeds "1 18446744073709551615"]

1. A {+3.5 1.5s} a {0.000000001s} B b C c D d E e F f 0-1

`
	var got strings.Builder
	if err := Write(&got, game); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
}
