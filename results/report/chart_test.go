package report

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// chartOf draws rows in so many columns.
func chartOf(width int, bars ...Bar) string { return chart(bars, width) }

func TestChart(t *testing.T) {
	t.Parallel()
	rows := []Bar{
		{Name: "first", Low: new(1710.4)},
		{Name: "second", Value: new(1623.5), Low: new(1570.0), High: new(1677.0)},
		{Name: "drittes-größeres", Value: new(1500.0)},
		{Name: "一二三", Value: new(1412.0), Low: new(1300.0), High: new(1524.0)},
		{Name: "given", Value: new(1480.0), Given: true},
		{Name: "between", Apart: true, Low: new(1450.0), High: new(1550.0)},
		{Name: "last", High: new(1210.0)},
		{Name: "nothing"},
	}
	golden(t, "chart-60.txt", chartOf(60, rows...))
	golden(t, "chart-100.txt", chartOf(100, rows...))
	golden(t, "chart-0.txt", chartOf(1, rows...)) // as narrow as it can be
}

func TestChartOfLittle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rows []Bar
		want string
	}{
		{nil, ""},
		{[]Bar{{Name: "a"}, {Name: "long"}}, "a     -\nlong  -\n"},
		{
			[]Bar{{Name: "a", Value: new(1500.0)}},
			"a  1500     ?\n            +-------------------+\n          1500                1510\n",
		},
		{
			[]Bar{{Name: "a", Value: new(-0.2), Low: new(-12.0), High: new(12.0)}},
			"a  0          |-----o------|\n         +-----------+----------+\n        -20          0         20\n",
		},
	} {
		if diff := cmp.Diff(c.want, chartOf(36, c.rows...)); diff != "" {
			t.Errorf("%+v: %s", c.rows, diff)
		}
	}
}

// FuzzChart: every number is drawn inside the width, and names, numbers and bars stand in columns.
func FuzzChart(f *testing.F) {
	f.Add(1500.0, 40.0, 1623.0, 12.0, 60)
	f.Add(-3.0, 0.0, 99999.0, 1e7, 10)
	f.Add(1e12, 1e12, -1e12, 3.0, 80)
	f.Fuzz(func(t *testing.T, one, error1, other, error2 float64, width int) {
		for _, number := range []float64{one, error1, other, error2} {
			if math.IsNaN(number) || math.Abs(number) > 4e12 {
				t.Skip()
			}
		}
		width = min(max(width, 1), 300)
		low, high := one-math.Abs(error1), one+math.Abs(error1)
		bound := other - error2
		text := chartOf(width,
			Bar{Name: "one", Value: &one, Low: &low, High: &high},
			Bar{Name: "other", Low: &bound},
			Bar{Name: "third", Value: &other, High: new(other + math.Abs(error2))})
		lines := strings.Split(text, "\n")
		if len(lines) != 6 || strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
			t.Fatal(text)
		}
		for _, line := range lines[:4] {
			if len(line) > max(width, 5+2+16+2+minBarWidth) {
				t.Errorf("%d columns of %d: %q", len(line), width, line)
			}
		}
		if strings.Count(lines[0], "o")-1 != 1 || !strings.HasSuffix(lines[1], ">") || !strings.Contains(lines[2], "<") {
			t.Error(text)
		}
	})
}
