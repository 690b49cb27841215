package report

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sembra/engine/expect"
	"sembra/results"
	"sembra/results/example"
	"sembra/results/stats"
)

var must, equal, spring = expect.NoError, expect.Equal, example.Spring

func must2[T any](value T, err error) T { return expect.Value(value, err) }

// record is a whole record of a match with some result.
func record(key results.Key, result results.Result) results.Record {
	return example.Record(key, "opening", result)
}

// handCounted is a small tournament whose tables are counted by hand below.
func handCounted() (results.Tournament, []results.Numbered) {
	t := spring(1, "a", "b", "c", "d", "e")
	t.Bots = []string{"e", "d", "c", "b", "a"}
	var all []results.Numbered
	for i, match := range []struct {
		south, north string
		result       results.Result
		ending       results.Ending
		fault        results.Fault
	}{
		{"a", "b", results.SouthWins, results.EndEarly, results.NoFault},
		{"b", "a", results.Draw, results.EndNormal, results.NoFault},
		{"a", "c", results.NorthWins, results.EndTime, results.SouthFault},
		{"c", "a", results.SouthWins, results.EndNormal, results.NoFault},
		{"b", "c", results.SouthWins, results.EndIllegal, results.NorthFault},
		{"d", "b", results.Void, results.EndStart, results.BothFault},
		{"b", "d", results.Draw, results.EndCycle, results.NoFault},
		{"d", "a", results.NorthWins, results.EndResign, results.NoFault},
	} {
		r := record(results.Key{South: match.south, North: match.north, Pair: 1}, match.result)
		r.Ending, r.Fault = match.ending, match.fault
		all = append(all, results.Numbered{Number: i + 1, Summary: r.Summary})
	}
	return t, all
}

// scored makes matches from a text: "ab 1" is a win of a against b, "ab =" a draw.
func scored(text string) (all []results.Numbered) {
	outcome := map[string]results.Result{"1": results.SouthWins, "=": results.Draw, "0": results.NorthWins}
	fields := strings.Fields(text)
	for i := 0; i < len(fields); i += 2 {
		number := i/2 + 1
		key := results.Key{South: fields[i][:1], North: fields[i][1:], Pair: number}
		all = append(all, results.Numbered{Number: number, Summary: results.Summary{Key: key, Result: outcome[fields[i+1]], Ending: results.EndNormal, Hash: [16]byte{byte(number)}}})
	}
	return all
}

// sequential is a tournament of new against old, with an opening for every pair.
func sequential(pairs int, model stats.Model) results.Tournament {
	t := spring(pairs, "new", "old")
	t.Format = results.Sequential
	t.Test = &stats.Test{Elo0: 0, Elo1: 100, Alpha: 0.05, Beta: 0.05, Model: model}
	return t
}

// withoutOpenings is a trial in which all pairs begin alike, so that matches can be repeated.
func withoutOpenings(t results.Tournament) results.Tournament {
	t.Openings = slices.Repeat([]string{"opening"}, len(t.Openings))
	return t
}

// pairsOf makes the matches of a trial, by number less one, from two letters a pair, as new sees its match
// as South and then as North: W won, L lost, D drawn; w lost by a fault of old, l by one of new, B by one
// of both. A digit behind them makes all pairs with that digit and those letters the same matches.
func pairsOf(text string) []results.Summary {
	var matches []results.Summary
	for i, pair := range strings.Fields(text) {
		for seat := range min(2, len(pair)) {
			m := results.Summary{Key: results.Key{South: "new", North: "old", Pair: i + 1}, Ending: results.EndNormal, Result: results.SouthWins}
			win, lose, mine, its := results.SouthWins, results.NorthWins, results.SouthFault, results.NorthFault
			if seat == 1 {
				m.South, m.North = m.North, m.South
				win, lose, mine, its = results.NorthWins, results.SouthWins, results.NorthFault, results.SouthFault
			}
			switch pair[seat] {
			case 'W':
				m.Result = win
			case 'L':
				m.Result = lose
			case 'D':
				m.Result = results.Draw
			case 'w':
				m.Result, m.Ending, m.Fault = win, results.EndCrash, its
			case 'l':
				m.Result, m.Ending, m.Fault = lose, results.EndTime, mine
			case 'B':
				m.Result, m.Ending, m.Fault = results.Void, results.EndStart, results.BothFault
			}
			moves := fmt.Sprint("pair ", i+1)
			if len(pair) > 2 {
				moves = pair[2:]
			}
			m.Hash = results.MatchHash("awale", m.South, m.North, "opening", []string{moves})
			matches = append(matches, m)
		}
	}
	return matches
}

// golden compares with a file in testdata; with UPDATE_GOLDEN=1 it writes the file instead.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		must(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want := must2(os.ReadFile(path))
	equal(t, name, string(want), got)
}

// goldens compares a report with a file a format, and sees to it that failed writes are told.
func goldens(t *testing.T, name string, r Report, formats ...Format) {
	t.Helper()
	for _, format := range formats {
		golden(t, name+"."+string(format), written(t, r, format))
		if r.Write(fullDisk{}, format, 0) == nil {
			t.Errorf("%s as %s: a failed write is not told", name, format)
		}
	}
}

// written writes a report as for a file.
func written(t *testing.T, r Report, format Format) string {
	t.Helper()
	var out strings.Builder
	must(t, r.Write(&out, format, 0))
	return out.String()
}

// fullDisk takes nothing.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// texts is a table of some columns with these cells.
func texts(columns Row, cells ...[]string) Rows {
	rows := RowsOf(cells, func(line []string) Row {
		row := slices.Clone(columns)
		for i, text := range line {
			row[i].Value = text
		}
		return row
	})
	return rows
}

// numberedOf is the matches numbered from 1.
func numberedOf(matches []results.Summary) []results.Numbered {
	var all []results.Numbered
	for i, m := range matches {
		all = append(all, results.Numbered{Number: i + 1, Summary: m})
	}
	return all
}

// standingsOf is the standings of a tournament.
func standingsOf(t *testing.T, tournament results.Tournament, summaries []results.Numbered, merits map[string]results.StageResult) results.Standings {
	t.Helper()
	given := func() map[string]results.StageResult { return merits }
	return must2(tournament.Standings(Each(summaries), given, func(number int) bool { return number <= len(summaries) }))
}

// everyPairing is a match in both seats for each two bots, a pair each, with results of all kinds.
func everyPairing(t results.Tournament) []results.Record {
	var records []results.Record
	kinds := []results.Result{results.SouthWins, results.NorthWins, results.SouthWins, results.Draw, results.SouthWins, results.Void, results.NorthWins}
	for i, first := range t.Bots {
		for _, second := range t.Bots[i+1:] {
			for pair := range t.Pairs {
				for _, key := range []results.Key{{South: first, North: second, Pair: pair + 1}, {South: second, North: first, Pair: pair + 1}} {
					records = append(records, record(key, kinds[len(records)%len(kinds)]))
				}
			}
		}
	}
	return records
}
