package results

import (
	"slices"
	"testing"
	"time"
)

// charged is the record of a match whose moves were charged so many microseconds; a negative number is
// a pass.
func charged(micros ...int) Record {
	r := Record{Summary: Summary{Key: Key{South: "random", North: "random-2", Pair: 1}}}
	for _, n := range micros {
		token := "A"
		if n < 0 {
			token, n = "pass", 0
		}
		r.Moves = append(r.Moves, token)
		r.Elapsed = append(r.Elapsed, time.Duration(n)*time.Microsecond)
	}
	return r
}

func someCharges(records ...Record) *Charges {
	c := NewCharges(ChargeSetup{Ruleset: "awale", Bot: "random", Concurrency: 4, Processors: 2, Isolation: "auto", Total: 3})
	if err := c.Put(records); err != nil {
		panic(err)
	}
	return c
}

// TestChargeFigures: quantiles by the nearest rank, counted by hand, of any order of times.
func TestChargeFigures(t *testing.T) {
	t.Parallel()
	const us, ms = time.Microsecond, time.Millisecond
	// 1, 2, … 2000 µs, from the back
	many := charged()
	for n := 2000; n > 0; n-- {
		many.Moves, many.Elapsed = append(many.Moves, "B"), append(many.Elapsed, time.Duration(n)*us)
	}
	for _, c := range []struct {
		name    string
		records []Record
		want    [3]time.Duration
		slow    int
		margin  time.Duration
	}{
		{"one", []Record{charged(7)}, [3]time.Duration{7 * us, 7 * us, 7 * us}, 0, 10 * ms},
		{"two", []Record{charged(9, 7)}, [3]time.Duration{7 * us, 9 * us, 9 * us}, 0, 10 * ms},
		{"three, in two matches", []Record{charged(9, 7), charged(8)}, [3]time.Duration{8 * us, 9 * us, 9 * us}, 0, 10 * ms},
		{"passes are left out", []Record{charged(-1, 3, -1, 5, -1, 4)}, [3]time.Duration{4 * us, 5 * us, 5 * us}, 0, 10 * ms},
		{"around a millisecond", []Record{charged(999, 1000, 1001, 1)}, [3]time.Duration{999 * us, 1001 * us, 1001 * us}, 2, 10 * ms},
		{"many", []Record{many}, [3]time.Duration{1000 * us, 1998 * us, 2000 * us}, 1001, 10 * ms},
	} {
		for range 2 {
			got := someCharges(c.records...).Result()
			if [3]time.Duration{got.Median, got.High, got.Longest} != c.want || got.Slow != c.slow || got.Margin != c.margin {
				t.Errorf("%s: %+v, want %v, %d slow, margin %v", c.name, got, c.want, c.slow, c.margin)
			}
			slices.Reverse(c.records)
		}
	}
	for _, none := range []*Charges{someCharges(), someCharges(charged(-1, -1))} {
		if got := none.Result(); got.Moves != 0 || got.Longest != 0 || got.Margin != 0 {
			t.Errorf("figures of nothing: %+v", got)
		}
	}
}

// TestSuggestedMargin: twice the longest, rounded up.
func TestSuggestedMargin(t *testing.T) {
	t.Parallel()
	for longest, want := range map[string]string{
		"0s": "10ms", "5ms": "10ms", "5000001ns": "20ms", "10ms": "20ms", "11ms": "50ms", "25ms": "50ms",
		"26ms": "100ms", "60ms": "200ms", "200ms": "500ms", "251ms": "1s", "3s": "10s", "1m0s": "3m20s",
	} {
		d, err := time.ParseDuration(longest)
		must(t, err)
		if got := suggestedMargin(d).String(); got != want {
			t.Errorf("longest %s: margin %s, want %s", longest, got, want)
		}
	}
}

// TestChargesRefuse: moves and times of a record have to agree.
func TestChargesRefuse(t *testing.T) {
	t.Parallel()
	r := charged(1, 2)
	r.Elapsed = r.Elapsed[:1]
	err := someCharges().Put([]Record{r})
	if err == nil || err.Error() != "record of random - random-2, pair 1: 2 moves, but 1 times" {
		t.Error(err)
	}
}
