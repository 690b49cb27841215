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
	test := must2(Sequential(sequential(1, stats.Normalized), nil))
	lab := measure.NewBalance(measure.Setup{Rules: engine.Rulesets()[0]}).Result()
	var figures Row
	for _, m := range measures(lab) {
		figures = append(figures, Column{Name: m.field})
	}
	for heading, table := range map[string][]any{ // what JSON has, and the columns of CSV if they are not the same
		"standings":     {Standings(standings, 0, nil, nil).JSON, nil},
		"`bots`":        {StandingsTable(standings, 0).columns},
		"`crosstable`":  {cells(standings).columns},
		"`first_mover`": {stats.FirstMover{}},
		"`ties`":        {results.Pairing{}},
		"`workers`":     {results.WorkerMatches{}},
		"differences":   {StandingsDifferences(standings, 0).CSV.columns},
		"matches":       {matchLine{}, Matches(MatchList{}).CSV.columns},
		"`rounds`":      {results.Round{}},
		"faults":        {faultRow(results.BotFaults{})},
		"sprt":          {test.CSV.columns},
		"head-to-head":  {meetingRow(results.Meeting{})},
		"ratings":       {Ladders(results.Ladders{}).CSV.columns},
		"rate":          {GameRatings(results.GameRatings{}).CSV.columns},
		"stats":         {PairFigures(stats.Pentanomial{}, stats.Test{}, false).JSON, nil},
		"lab":           {balanceObject(lab, nil)},
		"`figures`":     {figures},
	} {
		text := string(must2(os.ReadFile("../FIELDS.md")))
		_, section, _ := strings.Cut(text, "# "+heading+"\n")
		_, rest, found := strings.Cut(section, "|---|---|---|\n")
		if !found {
			t.Fatalf("FIELDS.md has no table of %s", heading)
		}
		rows, _, _ := strings.Cut(rest, "\n\n")
		descriptions := make(map[string]string)
		for row := range strings.SplitSeq(rows, "\n") {
			cells := strings.SplitN(row, "|", 4)
			descriptions[cells[1]] = cells[3]
		}
		inCSV, want := make(map[string]string), []string{}
		columns, _ := table[len(table)-1].(Row)
		for _, c := range columns {
			name, _, _ := strings.Cut(c.Name, ":")
			inCSV[name] = strings.Join(c.csvNames(), "`, `")
		}
		for _, name := range fieldNames(table[0]) {
			cell := " `" + name + "` "
			if descriptions[cell] == "" {
				t.Errorf("FIELDS.md does not describe %s of %s", name, heading)
			}
			in := strings.NewReplacer("``", "no", "`"+name+"`", "yes").Replace("`" + inCSV[name] + "`")
			want = append(want, "|"+cell+"| "+in+" |"+cmp.Or(descriptions[cell], " |"))
		}
		golden(t, "../../FIELDS.md", strings.Replace(text, rows, strings.Join(want, "\n"), 1))
	}
}

// fieldNames returns the names of the fields of a row or a struct in JSON.
func fieldNames(object any) (names []string) {
	if row, ok := object.(Row); ok {
		for _, c := range row {
			if name, _, _ := strings.Cut(c.Name, ":"); name != "" {
				names = append(names, name)
			}
		}
		return names
	}
	for _, field := range reflect.VisibleFields(reflect.TypeOf(object)) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}
