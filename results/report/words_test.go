package report

import (
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
		{stats.Rating{Low: new(1710.0)}, [2]string{"above 1710", "-"}},
		{stats.Rating{High: new(1290.0)}, [2]string{"below 1290", "-"}},
		{stats.Rating{}, [2]string{"-", "-"}},
		{stats.Rating{Rating: new(-0.3), Error: new(0.1), Low: new(-0.4), High: new(-0.2)}, [2]string{"0", "±0"}},
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
		{stats.Figures{Elo: new(132.4), EloError: new(1.0), EloLow: new(24.0), EloHigh: new(241.0)}, "+132", "±109", "+132 ±109"},
		{stats.Figures{Elo: new(338.0), EloError: new(728.0), EloLow: new(191.0), EloHigh: new(1647.0)}, "+338", "+191…+1647", "+338 +191…+1647"},
		{stats.Figures{Elo: new(33.0), EloLow: new(-91.0), EloHigh: new(191.0)}, "+33", "-91…+191", "+33 -91…+191"},
		{stats.Figures{Elo: new(512.0), EloLow: new(311.0)}, "+512", "> +311", "+512 > +311"},
		{stats.Figures{Elo: new(-300.0), EloHigh: new(-161.0)}, "-300", "< -161", "-300 < -161"},
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

func TestMilliseconds(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "0", 1: "0.000001", 1e6: "1", 1_500_000: "1.5",
		3_600_000_000_010: "3600000.00001", 999_999_999_999_999: "999999999.999999",
	} {
		if ms := inMilliseconds(d); exact(ms) != want || fromMilliseconds(ms) != d {
			t.Errorf("%d: %s", d, exact(ms))
		}
	}
}
