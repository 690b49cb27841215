package results

import (
	"slices"
	"strings"
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
	const us, ms = time.Microsecond, time.Millisecond
	// 1, 2, … 2000 µs, from the back
	many := charged()
	for n := 2000; n > 0; n-- {
		many.Moves, many.Elapsed = append(many.Moves, "B"), append(many.Elapsed, time.Duration(n)*us)
	}
	for _, c := range []struct {
		name    string
		records []Record
		want    chargeFigures
	}{
		{"one", []Record{charged(7)}, chargeFigures{7 * us, 7 * us, 7 * us, 0, 10 * ms}},
		{"two", []Record{charged(9, 7)}, chargeFigures{7 * us, 9 * us, 9 * us, 0, 10 * ms}},
		{"three, in two matches", []Record{charged(9, 7), charged(8)}, chargeFigures{8 * us, 9 * us, 9 * us, 0, 10 * ms}},
		{"passes are left out", []Record{charged(-1, 3, -1, 5, -1, 4)}, chargeFigures{4 * us, 5 * us, 5 * us, 0, 10 * ms}},
		{"around a millisecond", []Record{charged(999, 1000, 1001, 1)}, chargeFigures{999 * us, 1001 * us, 1001 * us, 2, 10 * ms}},
		{"many", []Record{many}, chargeFigures{1000 * us, 1998 * us, 2000 * us, 1001, 10 * ms}},
	} {
		if got, ok := someCharges(c.records...).figures(); !ok || got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
		slices.Reverse(c.records)
		if got, ok := someCharges(c.records...).figures(); !ok || got != c.want {
			t.Errorf("%s, in another order: %+v, want %+v", c.name, got, c.want)
		}
	}
	for _, none := range []*Charges{someCharges(), someCharges(charged(-1, -1))} {
		if got, ok := none.figures(); ok {
			t.Errorf("figures of nothing: %+v", got)
		}
	}
}

// TestSuggestedMargin: twice the longest, rounded up.
func TestSuggestedMargin(t *testing.T) {
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

// TestChargeText: times and shares as people read them.
func TestChargeText(t *testing.T) {
	for d, want := range map[string]string{
		"0s": "0 µs", "400ns": "0 µs", "41234ns": "41 µs", "999499ns": "999 µs", "999500ns": "1.00 ms", "1ms": "1.00 ms", "1357us": "1.36 ms",
		"9994us": "9.99 ms", "9995us": "10.0 ms", "99949us": "99.9 ms", "99950us": "100 ms", "2s": "2000 ms",
	} {
		duration, err := time.ParseDuration(d)
		must(t, err)
		if got := charge(duration); got != want {
			t.Errorf("%s is written %q, want %q", d, got, want)
		}
	}
	for _, c := range []struct {
		n, all int
		want   string
	}{{0, 9, "0.0%"}, {1, 2, "50.0%"}, {9, 9, "100.0%"}, {1, 100, "1.0%"}, {12, 10_000, "0.12%"}, {1, 30_000, "0.0033%"}} {
		if got := shareOf(c.n, c.all); got != c.want {
			t.Errorf("%d of %d is %q, want %q", c.n, c.all, got, c.want)
		}
	}
}

func TestChargeFormats(t *testing.T) {
	for _, c := range []struct {
		name    string
		charges *Charges
	}{
		{"charges", someCharges(charged(40, 45, -1, 52), charged(41, 1357), charged(60))},
		{"charges-some", someCharges(charged(40, 45))},
		{"charges-none", someCharges()},
	} {
		for _, format := range ChargeFormats() {
			var out strings.Builder
			must(t, c.charges.Write(&out, format))
			golden(t, c.name+"."+string(format), out.String())
			if c.charges.Write(fullDisk{}, format) == nil {
				t.Errorf("%s: no error from a full disk", format)
			}
		}
	}
	if err := someCharges().Write(new(strings.Builder), FormatCSV); err == nil || !strings.Contains(err.Error(), "known: table, json") {
		t.Error(err)
	}
}

// TestChargesRefuse: moves and times of a record have to agree.
func TestChargesRefuse(t *testing.T) {
	r := charged(1, 2)
	r.Elapsed = r.Elapsed[:1]
	err := someCharges().Put([]Record{r})
	if err == nil || err.Error() != "record of random - random-2, pair 1: 2 moves, but 1 times" {
		t.Error(err)
	}
}
