package stats

import (
	"math"
	"strings"
	"testing"
)

func TestBoundsAgainstFastchess(t *testing.T) {
	t.Parallel()
	for _, row := range readTable(t, "testdata/fastchess/bounds.csv") {
		test := Test{0, 5, decimal(t, row["alpha"]), decimal(t, row["beta"]), Normalized}
		lower, upper := test.Bounds()
		if !near(lower, decimal(t, row["lower"]), 1e-14, 0) || !near(upper, decimal(t, row["upper"]), 1e-14, 0) {
			t.Errorf("%v: %v, %v", row, lower, upper)
		}
	}
}

func TestDecide(t *testing.T) {
	t.Parallel()
	test := Test{0, 30, 0.05, 0.1, Normalized}
	lower, upper := test.Bounds()
	var got []string
	for _, llr := range []float64{-5, lower, lower + 1e-9, 0, upper - 1e-9, upper, 5} {
		got = append(got, test.Decide(llr).String())
	}
	want := []string{"H0", "H0", "undecided", "undecided", "undecided", "H1", "H1"}
	equal(t, "decisions", want, got)
}

func TestCheck(t *testing.T) {
	t.Parallel()
	good := Test{0, 30, 0.05, 0.05, Normalized}
	must(t, good.Check())
	must(t, Test{-2000, 2000, 0.3, 0.69, Logistic}.Check())
	for _, test := range []struct {
		spoil func(*Test)
		want  string
	}{
		{func(t *Test) { t.Elo0 = math.NaN() }, "elo0 = NaN"},
		{func(t *Test) { t.Elo0 = -2001 }, "elo0 = -2001"},
		{func(t *Test) { t.Elo1 = math.Inf(1) }, "elo1 = +Inf"},
		{func(t *Test) { t.Elo0 = 30 }, "elo0 = 30 and elo1 = 30"},
		{func(t *Test) { t.Alpha = 0 }, "alpha = 0"},
		{func(t *Test) { t.Alpha = math.NaN() }, "alpha = NaN"},
		{func(t *Test) { t.Beta = 1 }, "beta = 1"},
		{func(t *Test) { t.Alpha, t.Beta = 0.5, 0.5 }, "their sum must be less than 1"},
		{func(t *Test) { t.Model = "" }, `model = "" is unknown`},
		{func(t *Test) { t.Model = "bayesian" }, `model = "bayesian" is unknown (known: "normalized", "logistic")`},
	} {
		broken := good
		test.spoil(&broken)
		if err := broken.Check(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, not %q", broken, err, test.want)
		}
	}
}
