package stats

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"

	"sembra/engine/expect"
)

var must, equal = expect.NoError, expect.Equal

func must2[T any](value T, err error) T { return expect.Value(value, err) }

// table is a CSV file with a header: column by column name, row by row.
type table []map[string]string

func readTable(t testing.TB, path string) table {
	t.Helper()
	file := must2(os.Open(path))
	defer file.Close()
	rows := must2(csv.NewReader(file).ReadAll())
	if len(rows) < 2 {
		t.Fatalf("%s has no rows", path)
	}
	var read table
	for _, row := range rows[1:] {
		line := make(map[string]string, len(row))
		for i, column := range rows[0] {
			line[column] = row[i]
		}
		read = append(read, line)
	}
	return read
}

func whole(t testing.TB, text string) int {
	t.Helper()
	return must2(strconv.Atoi(text))
}

func decimal(t testing.TB, text string) float64 {
	t.Helper()
	return must2(strconv.ParseFloat(text, 64))
}

// near reports whether two numbers are equal within the relative or the absolute tolerance.
func near(got, want, relative, absolute float64) bool {
	return math.Abs(got-want) <= math.Max(absolute, relative*math.Abs(want))
}

// show returns the number behind a pointer, and NaN for nil, so that differences can be printed.
func show(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}

// ratio returns a "%" column as a number; unknown means that the program printed nan or inf.
func ratio(t testing.TB, text string) (x float64, unknown bool) {
	t.Helper()
	x = decimal(t, text)
	return x, math.IsNaN(x) || math.IsInf(x, 0)
}

// difference is the rating of player a minus that of player b, with its error; both nil unless the players have
// ratings in one group.
func difference(f Field, a, b int) (elo, err *float64) {
	d := f.Difference(a, b)
	return d.Elo, d.Error
}
