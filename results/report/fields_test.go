package report

import (
	"cmp"
	"os"
	"reflect"
	"strings"
	"testing"

	"sembra/engine"
	"sembra/results"
	"sembra/results/measure"
	"sembra/results/stats"
)

// TestFields: FIELDS.md has a row for each field, in the order of the output, with its name in CSV. UPDATE_GOLDEN=1
// writes the rows again and keeps their descriptions, which are nowhere else.
func TestFields(t *testing.T) {
	t.Parallel()
	standings := results.Standings{Workers: []results.WorkerMatches{{}}, Withdrawn: map[string]int{"": 0}}
	lab := measure.NewBalance(measure.Setup{Rules: engine.Rulesets()[0]}).Result()
	gauntlet := results.Tournament{Plan: results.Plan{Challengers: []string{"head", "base"}}}
	var figures Row
	for _, m := range measures(lab) {
		figures = append(figures, Column{Name: m.field})
	}
	for heading, table := range map[string][]Row{ // what JSON has, and the columns of CSV if they are not the same
		"standings":     {Standings(standings, 0, nil, nil).JSON.(Row), nil},
		"`bots`":        {StandingsTable(standings, 0).columns},
		"`crosstable`":  {cells(standings).columns},
		"`first_mover`": {ofStruct(stats.FirstMover{})},
		"`bracket`":     {ofStruct(results.Pairing{})},
		"`workers`":     {ofStruct(results.WorkerMatches{})},
		"differences":   {StandingsDifferences(standings, 0).CSV.columns},
		"matches":       {ofStruct(lineFields{}), Matches(MatchList{}).CSV.columns},
		"`rounds`":      {ofStruct(results.Round{})},
		"faults":        {faultRow(results.BotFaults{})},
		"sprt":          {must2(NewVerdict(sequential(1, stats.Normalized), nil, "")).Report().CSV.columns},
		"test":          {Pool(gauntlet, stats.PoolTest{}, nil, Verdict{}).JSON.(Row), nil},
		"head-to-head":  {meetingRow(results.Meeting{}, results.Meeting{})},
		"ratings":       {Ladders(results.Ladders{}).CSV.columns},
		"rate":          {GameRatings(results.GameRatings{}).CSV.columns},
		"stats":         {PairFigures(stats.Pentanomial{}, stats.Test{}, false).JSON.(Row), nil},
		"lab":           {balanceObject(lab, nil)},
		"`figures`":     {figures},
	} {
		text := string(must2(os.ReadFile("../FIELDS.md")))
		_, section, _ := strings.Cut(text, "# "+heading+"\n")
		_, rest, _ := strings.Cut(section, "|---|---|---|\n")
		rows, _, _ := strings.Cut(rest, "\n\n")
		descriptions, want := make(map[string]string), []string{}
		for row := range strings.SplitSeq(rows, "\n") {
			cells := strings.SplitN(row+"|||", "|", 4)
			descriptions[cells[1]] = strings.TrimSuffix(cells[3], "|||")
		}
		for _, field := range table[0] {
			name := field.Name
			cell, inCSV := " `"+name+"` ", "no"
			if name == "" {
				continue
			}
			for _, c := range table[len(table)-1] {
				if c.Name == name && len(c.csvNames()) > 0 {
					inCSV = "`" + strings.Join(c.csvNames(), "`, `") + "`"
				}
			}
			if inCSV == "`"+name+"`" {
				inCSV = "yes"
			}
			if descriptions[cell] == "" {
				t.Errorf("FIELDS.md does not describe %s of %s", name, heading)
			}
			want = append(want, "|"+cell+"| "+inCSV+" |"+cmp.Or(descriptions[cell], " |"))
		}
		golden(t, "../../FIELDS.md", strings.Replace(text, rows, strings.Join(want, "\n"), 1))
	}
}

// ofStruct returns the fields of a struct in JSON as columns that CSV does not have.
func ofStruct(value any) (row Row) {
	for _, field := range reflect.VisibleFields(reflect.TypeOf(value)) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		row = append(row, Column{Name: name, Value: nested{}})
	}
	return row
}
