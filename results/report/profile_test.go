package report

import (
	"testing"
	"time"

	"sembra/results"
	"sembra/results/measure"
)

func TestProfileTables(t *testing.T) {
	t.Parallel()
	profile := results.Profile{
		Bot:   "a",
		Seats: [2]results.Tally{{Matches: 3, Points: 1.5, Wins: 1, Draws: 1}, {}},
		Endings: map[results.Ending]results.Tally{
			results.EndTime: {Matches: 1}, results.EndEarly: {Matches: 2, Points: 1.5, Wins: 1, Draws: 1},
			results.EndNormal: {Matches: 2, Losses: 2},
		},
	}
	steps := []measure.ThinkingStep{
		{First: 1, Last: 1, Moves: 9, Median: 1234567, Most: 20 * time.Millisecond, Longest: 65 * time.Second},
		{First: 2, Last: 3, Moves: 2},
	}
	for _, c := range []struct {
		part Part
		want string
	}{
		{SeatTable(profile), `| seat  | points | matches | won | drawn | lost | void | score |
|:------|-------:|--------:|----:|------:|-----:|-----:|------:|
| South |    1.5 |       3 |   1 |     1 |    0 |    1 | 50.0% |
| North |      0 |       0 |   0 |     0 |    0 |    0 |     - |
`},
		{EndingTable(profile), `| ending | points | matches | won | drawn | lost | void | score |
|:-------|-------:|--------:|----:|------:|-----:|-----:|------:|
| normal |      0 |       2 |   0 |     0 |    2 |    0 |  0.0% |
| early  |    1.5 |       2 |   1 |     1 |    0 |    0 | 75.0% |
| time   |      0 |       1 |   0 |     0 |    0 |    1 |  0.0% |
`},
		{ThinkingTable(steps), `| move | moves | median | 9 of 10 within | longest |
|:-----|------:|-------:|---------------:|--------:|
| 1    |     9 | 1.23ms |           20ms |    1m5s |
| 2–3  |     2 |     0s |             0s |      0s |
`},
	} {
		equal(t, "profile", c.want, written(t, Report{Parts: []Part{c.part}}, Markdown))
	}
}

func TestGrid(t *testing.T) {
	t.Parallel()
	part := Part{Rows: texts(
		Row{{Title: "bot", Kind: Name}, {Title: "void"}, {Title: "±"}, {Title: "byes"}},
		[]string{"a\x1b", "", "-", "1"}, []string{"b", "", "-", "0"},
	)}
	columns, rows, err := part.Grid()
	must(t, err)
	equal(t, "columns", Row{{Title: "bot", Kind: Name}, {Title: "byes"}}, columns)
	equal(t, "rows", [][]string{{"a\x1b", "1"}, {"b", "0"}}, rows)
}
