package report

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"sembra/results/stats"
)

func TestRatingCells(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rating stats.Rating
		want   [2]string
	}{
		{stats.Rating{Rating: new(1523.4), Error: new(41.2), Low: new(1482.2), High: new(1564.6)}, [2]string{"1523", "±41"}},
		{stats.Rating{Rating: new(1500.0)}, [2]string{"1500", "-"}},
		{stats.Rating{Low: new(1710.0)}, [2]string{"> 1710", "-"}},
		{stats.Rating{High: new(1290.0)}, [2]string{"< 1290", "-"}},
		{stats.Rating{}, [2]string{"-", "-"}},
		{stats.Rating{Rating: new(-0.3), Error: new(0.1), Low: new(-0.4), High: new(-0.2)}, [2]string{"0", "±<1"}},
		{stats.Rating{Rating: new(1669.0), Error: new(364.0), Low: new(1595.5), High: new(2323.5)}, [2]string{"1669", "1596…2324"}},
		{stats.Rating{Rating: new(1500.0), Error: new(41.0), Low: new(1458.6), High: new(1540.8)}, [2]string{"1500", "±41"}},
	} {
		if got := [2]string{ratingOf(test.rating).text(), ratingOf(test.rating).interval()}; got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// Where one end of the interval of a difference is known it is said.
func TestDifferenceCells(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		figures        stats.Figures
		cell, interval string
		inOne          string
	}{
		{stats.Figures{Elo: new(132.4), EloError: new(1.0), EloLow: new(24.0), EloHigh: new(241.0)}, "+132", "±109", "+132 ± 109"},
		{stats.Figures{Elo: new(338.0), EloError: new(728.0), EloLow: new(191.0), EloHigh: new(1647.0)}, "+338", "+191…+1647", "+338 (+191…+1647)"},
		{stats.Figures{Elo: new(33.0), EloLow: new(-91.0), EloHigh: new(191.0)}, "+33", "-91…+191", "+33 (-91…+191)"},
		{stats.Figures{Elo: new(512.0), EloLow: new(311.0)}, "+512", "> +311", "+512 (> +311)"},
		{stats.Figures{Elo: new(-300.0), EloHigh: new(-161.0)}, "-300", "< -161", "-300 (< -161)"},
		{stats.Figures{EloLow: new(311.0)}, "> +311", "-", "> +311"},
		{stats.Figures{EloHigh: new(-161.0)}, "< -161", "-", "< -161"},
		{stats.Figures{Elo: new(0.0)}, "0", "-", "0"},
		{stats.Figures{}, "-", "-", "-"},
	} {
		elo := eloOf(c.figures)
		if elo.text() != c.cell || elo.interval() != c.interval || elo.inOne() != c.inOne {
			t.Errorf("%q, %q and %q, not %q, %q and %q", elo.text(), elo.interval(), elo.inOne(), c.cell, c.interval, c.inOne)
		}
	}
}

// A name of any length is cut to 64 columns. Wide characters have two.
func TestShortNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"greedy":                  "greedy",
		strings.Repeat("a", 64):   strings.Repeat("a", 64),
		strings.Repeat("a", 65):   strings.Repeat("a", 63) + "…",
		strings.Repeat("棋", 32):   strings.Repeat("棋", 32),
		strings.Repeat("棋", 1000): strings.Repeat("棋", 31) + "…",
	} {
		if got := shortName(name); got != want {
			t.Errorf("%q is cut to %q, not %q", name, got, want)
		}
	}
}

// The longest time of a column decides the unit of all.
func TestCPUCells(t *testing.T) {
	t.Parallel()
	for _, column := range []map[time.Duration]string{
		{0: "0ms", 499 * time.Microsecond: "0ms", 25 * time.Millisecond: "25ms", 999 * time.Millisecond: "999ms"},
		{0: "0.0s", 60 * time.Millisecond: "0.1s", 999500000: "1.0s"},
		{25 * time.Millisecond: "0.0s", 1234 * time.Millisecond: "1.2s", 99949 * time.Millisecond: "99.9s"},
		{25 * time.Millisecond: "0s", 1600 * time.Millisecond: "2s", 99950 * time.Millisecond: "100s"},
		{123 * time.Second: "123s", 5*time.Hour + 400*time.Millisecond: "18000s"},
	} {
		write := cpuWriter(slices.Max(slices.Collect(maps.Keys(column))))
		for cpu, want := range column {
			if got := write(cpu, true); got != want {
				t.Errorf("%v is %s, not %s", cpu, got, want)
			}
		}
		if got := write(0, false); got != "-" {
			t.Errorf("an unknown time is %s", got)
		}
	}
}

func TestMillis(t *testing.T) {
	t.Parallel()
	for d, want := range map[milliseconds]string{
		0: "0", 1: "0.000001", 1e6: "1", 1_500_000: "1.5",
		3_600_000_000_010: "3600000.00001",
	} {
		if got := d.String(); got != want {
			t.Errorf("%d: %s", d, got)
		}
	}
}
