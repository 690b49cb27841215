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
	c := new(Charges)
	if err := c.Put(records); err != nil {
		panic(err)
	}
	return c
}

// TestChargeFigures: the median by the nearest rank and the longest, counted by hand, of any order of times.
func TestChargeFigures(t *testing.T) {
	t.Parallel()
	const us = time.Microsecond
	for _, c := range []struct {
		name    string
		records []Record
		want    ChargeResult
	}{
		{"none", nil, ChargeResult{}},
		{"only passes", []Record{charged(-1, -1)}, ChargeResult{}},
		{"one", []Record{charged(7)}, ChargeResult{1, 7 * us, 7 * us}},
		{"two", []Record{charged(9, 7)}, ChargeResult{2, 7 * us, 9 * us}},
		{"three, in two matches", []Record{charged(9, 7), charged(8)}, ChargeResult{3, 8 * us, 9 * us}},
		{"passes are left out", []Record{charged(-1, 3, -1, 5, -1, 4)}, ChargeResult{3, 4 * us, 5 * us}},
	} {
		for range 2 {
			if got := someCharges(c.records...).Result(); got != c.want {
				t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
			}
			slices.Reverse(c.records)
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
