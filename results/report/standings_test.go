package report

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/clipperhouse/displaywidth"
	"github.com/google/go-cmp/cmp"

	"sembra/engine"
	"sembra/results/stats"
)

// golden compares with a file in testdata; with UPDATE_GOLDEN=1 it writes the file instead.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		must(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	must(t, err)
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s:\n%s", name, diff)
	}
}

func TestReportFormats(t *testing.T) {
	tournament, summaries := handCounted()
	tournament.WithdrawAfter = 5
	report, err := NewReport(tournament, 20, summaries, nil)
	must(t, err)
	report.Isolation, report.Width = []string{"none", "memory & processes <each>"}, 80
	for _, format := range StandingsFormats() {
		var out strings.Builder
		must(t, report.Write(&out, format))
		golden(t, "standings."+string(format), out.String())
	}
	if err := report.Write(new(strings.Builder), FormatJSONL); err == nil || !strings.Contains(err.Error(), "known: table, markdown, csv, json, chart") {
		t.Error(err)
	}
}

// The standings of a test have its report, while it goes on and after.
func TestReportOfTest(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string // in the table
	}{
		{"goes on", "WW LD wD WL W", []string{
			"\nspring  awale  9 of at most 400 matches\n",
			"\npairs                      4 of at most 200\n",
			"\n\nundecided so far, after 4 of at most 200 pairs\n\n# bot",
		}},
		{"decided", strings.Repeat("WW LD wD ", 8) + "W", []string{
			"\nspring  awale  49 of 400 matches\n",
			"\n5 matches were under way when the test was decided: points count all, ratings none of these\n",
			"\n\nH1 is accepted: new is ahead of old by 100 or more, rather than by 0 or less (normalized Elo)\n",
		}},
	} {
		tournament := sequential(200, stats.Normalized)
		var all []Slotted
		for i, m := range pairsOf(c.text) {
			all = append(all, Slotted{Slot: i + 1, Summary: m})
		}
		report, err := NewReport(tournament, 400, all, nil)
		must(t, err)
		texts := make(map[Format]string)
		for _, format := range []Format{FormatTable, FormatMarkdown, FormatJSON} {
			var out strings.Builder
			must(t, report.Write(&out, format))
			texts[format] = "\n" + out.String()
		}
		for _, want := range c.want {
			if !strings.Contains(texts[FormatTable], want) {
				t.Errorf("%s: %q is not there:\n%s", c.name, want, texts[FormatTable])
			}
		}
		for _, line := range report.Test.words() {
			if !strings.Contains(texts[FormatMarkdown], "\n- "+line+"\n") || !strings.Contains(texts[FormatTable], "\n"+line+"\n") {
				t.Errorf("%s: %q is not there:\n%s", c.name, line, texts[FormatMarkdown])
			}
		}
		meetings, err := NewMeetings(tournament, all)
		must(t, err)
		var out strings.Builder
		must(t, meetings.Write(&out, FormatTable))
		if strings.Contains(out.String(), "  past stop  ") != (report.Past > 0) || strings.Contains(out.String(), "\npast stop: ") != (report.Past > 0) {
			t.Errorf("%s: %d past the stop:\n%s", c.name, report.Past, out.String())
		}
		if !strings.Contains(texts[FormatJSON], `"sprt": {`) || !strings.Contains(texts[FormatJSON], `    "decision": "`+report.Test.test.Decision().String()+`",`) {
			t.Errorf("%s:\n%s", c.name, texts[FormatJSON])
		}
	}
}

func TestCrosstableFormats(t *testing.T) {
	tournament, summaries := handCounted()
	report, err := NewReport(tournament, 20, summaries, nil)
	must(t, err)
	for _, format := range CrosstableFormats() {
		var out strings.Builder
		must(t, report.WriteCrosstable(&out, format))
		golden(t, "crosstable."+string(format), out.String())
		if report.WriteCrosstable(fullDisk{}, format) == nil {
			t.Errorf("%s: a failed write is not told", format)
		}
	}
	if err := report.WriteCrosstable(new(strings.Builder), FormatChart); err == nil || !strings.Contains(err.Error(), "known: table, markdown, csv, json)") {
		t.Error(err)
	}
}

// swissEnd is a small tournament with byes, stages reached, repeats, ties and bots that cannot be rated.
func swissEnd() (Tournament, []Slotted, map[string]Merit) {
	t := Tournament{Name: "end", Ruleset: "awale", Bots: []string{"a", "b", "c", "d", "e"}, Rating: Rating{1500, 16}, Pairs: 9}
	matches := scored("ab 1 ba 1 ac 1 ad 1 da = bc 1 bd = cd 1 dc 1 ab 1 ea 1")
	matches[9].Hash = matches[0].Hash
	return t, matches, map[string]Merit{"c": {Byes: 1, ByePoints: 2, Reached: 1}}
}

func TestReportWithEverything(t *testing.T) {
	tournament, matches, merits := swissEnd()
	report, err := NewReport(tournament, 20, matches, merits)
	must(t, err)
	report.Width = 60
	report.Ties = []Tie{
		{Stage: 1, Bots: [2]string{"a", "d"}, Points: [2]float64{4, 4}, Pairs: 4, Winner: "a", BySeed: true},
		{Stage: 1, Bots: [2]string{"c", ""}, Winner: "c"},
		{Stage: 1, Bots: [2]string{"b", "e"}, Points: [2]float64{1.5, 0.5}, Pairs: 1, Winner: "b"},
		{Stage: 2, Bots: [2]string{"a", "c"}},
	}
	for _, format := range StandingsFormats() {
		var out strings.Builder
		must(t, report.Write(&out, format))
		golden(t, "everything."+string(format), out.String())
	}
}

// Who moves first is told by the opening: after an odd number of plies it is North.
func TestFirstMoverOfOpenings(t *testing.T) {
	rules := must2(engine.Lookup("awale"))
	match := engine.NewMatch(rules, rules.Start())
	openings := []string{engine.Text(rules, match.Position())}
	match.Play(match.Legal()[0])
	openings = append(openings, engine.Text(rules, match.Position()))

	matches := scored("ab 1 ba 1 ab 1 ba 1 ab 0 ba 0") // South wins two of three, for both
	var advantages []float64
	for i, opening := range openings {
		tournament := Tournament{Ruleset: "awale", Rounds: 1, Bots: []string{"a", "b"}, Pairs: 6, Rating: Rating{1500, 16}}
		for range tournament.Pairs {
			tournament.Openings = append(tournament.Openings, opening)
		}
		report, err := NewReport(tournament, 6, matches, nil)
		must(t, err)
		if !report.Field.FirstMover.Fitted {
			t.Fatalf("opening %d: %+v", i, report.Field)
		}
		advantages = append(advantages, report.Field.FirstMover.Elo)
	}
	if want := 400 * math.Log10(2); math.Abs(advantages[0]-want) > 1e-6 || math.Abs(advantages[1]+want) > 1e-6 {
		t.Errorf("moving first is worth %v, not %v and its opposite", advantages, want)
	}
}

// The anchor is exactly where it is wanted, all others as far from it as before.
func TestReportAnchor(t *testing.T) {
	tournament, matches, _ := swissEnd()
	mean, err := NewReport(tournament, 20, matches, nil)
	must(t, err)
	tournament.Anchor = "b"
	anchored, err := NewReport(tournament, 20, matches, nil)
	must(t, err)
	moved, err := NewReport(tournament, 20, matches, nil)
	must(t, err)
	moved.SetMean(-20)
	for i, want := range []float64{1500, 1500, -20} {
		r := []Report{mean, anchored, moved}[i]
		at := *r.Field.Players[1].Rating
		if i == 0 {
			at = (*r.Field.Players[0].Rating + at + *r.Field.Players[2].Rating + *r.Field.Players[3].Rating) / 4
		}
		if math.Abs(at-want) > 1e-9 {
			t.Errorf("%d: it lies at %v, not %v", i, at, want)
		}
		for j := range 4 {
			got := *r.Field.Players[j].Rating - *r.Field.Players[1].Rating
			if want := *mean.Field.Players[j].Rating - *mean.Field.Players[1].Rating; math.Abs(got-want) > 1e-9 {
				t.Errorf("%d: player %d is %v above b, not %v", i, j, got, want)
			}
		}
		for _, line := range r.Standings {
			if diff := cmp.Diff(r.Field.Players[slices.Index(tournament.Bots, line.Bot)], line.Field); diff != "" {
				t.Errorf("%d: %s: %s", i, line.Bot, diff)
			}
		}
	}
	if anchored.Field.Players[1].Error != nil || mean.Field.Players[1].Error == nil {
		t.Error("an anchor has an error, or the others have none")
	}

	tournament.Anchor = "e"
	unrated, err := NewReport(tournament, 20, matches, nil)
	must(t, err)
	var out strings.Builder
	must(t, unrated.Write(&out, FormatTable))
	if !strings.Contains(out.String(), "\ne cannot be rated, so the mean of the rated is at 1500\n") {
		t.Error(out.String())
	}
	tournament.Anchor = "x"
	if _, err := NewReport(tournament, 20, matches, nil); errText(err) != `there is no bot "x" to anchor ratings on (known: a, b, c, d, e)` {
		t.Error(err)
	}
}

func TestReportWithoutFaults(t *testing.T) {
	tournament, summaries := handCounted()
	report, err := NewReport(tournament, 20, summaries[:2], nil)
	must(t, err)
	var out strings.Builder
	must(t, report.Write(&out, FormatTable))
	if strings.Contains(out.String(), "faults") {
		t.Error(out.String())
	}
}

func TestReportWithWithdrawnBot(t *testing.T) {
	tournament, summaries := handCounted()
	tournament.WithdrawAfter = 1
	report, err := NewReport(tournament, 20, summaries[:3], nil)
	must(t, err)
	for format, wants := range map[Format][]string{
		FormatTable:    {"      1*  ", "\n\n* withdrawn after 1 fault\n"},
		FormatMarkdown: {"|     1* |", "|\n\n- \\* withdrawn after 1 fault\n- "},
		FormatCSV:      {",true,"},
		FormatJSON:     {`"withdrawn": true`},
	} {
		var out strings.Builder
		must(t, report.Write(&out, format))
		for _, want := range wants {
			if strings.Count(out.String(), want) != 1 {
				t.Errorf("%q is not there once:\n%s", want, out.String())
			}
		}
	}
	report.Tournament.WithdrawAfter = 3
	var out strings.Builder
	must(t, report.Write(&out, FormatTable))
	if !strings.Contains(out.String(), "\n* withdrawn after 3 faults in a row\n") {
		t.Error(out.String())
	}
}

func TestCPUColumn(t *testing.T) {
	for cpu, want := range map[time.Duration]string{
		0:                                  "0ms",
		499 * time.Microsecond:             "0ms",
		25 * time.Millisecond:              "25ms",
		999 * time.Millisecond:             "999ms",
		999500000:                          "1.0s",
		1234 * time.Millisecond:            "1.2s",
		99949 * time.Millisecond:           "99.9s",
		99950 * time.Millisecond:           "100s",
		123 * time.Second:                  "123s",
		5*time.Hour + 500*time.Millisecond: "18001s",
	} {
		if got := cpuCell(Standing{CPU: cpu, CPUMatches: 1}); got != want {
			t.Errorf("%v is %s, not %s", cpu, got, want)
		}
	}
	if got := cpuCell(Standing{CPU: time.Second}); got != "-" {
		t.Error(got)
	}
}

func TestTwelveBotsFitIn100Columns(t *testing.T) {
	var bots []string
	for i := range 12 {
		bots = append(bots, fmt.Sprintf("minimax-depth-%d", i+1))
	}
	tournament := spring(4, bots...)
	order := newRoundRobin(tournament)
	report, err := NewReport(tournament, order.Len(), slotted(order, someRecords(order)), nil)
	must(t, err)
	var out strings.Builder
	must(t, report.Write(&out, FormatTable))
	for line := range strings.Lines(out.String()) {
		line = strings.TrimSuffix(line, "\n")
		if displaywidth.String(line) > 100 || strings.Contains(line, "\x1b") || strings.TrimRight(line, " ") != line {
			t.Errorf("%d: %q", len(line), line)
		}
	}
}

func TestMatchFormats(t *testing.T) {
	store := openNew(t)
	tournament := spring(1, "a", "b", "c")
	order := newRoundRobin(tournament)
	records := someRecords(order)
	records[1].Ending, records[1].Fault = EndHang, SouthFault
	records[2].Moves, records[2].Elapsed, records[2].Body.Rounds = nil, nil, nil
	records[2].Plies, records[2].Summary.Rounds = 0, 0
	must(t, store.Create(tournament))
	must(t, store.Put("spring", order, records))
	summaries, err := store.Summaries("spring", order)
	must(t, err)
	list := MatchList{Tournament: tournament, Matches: summaries, Pairing: order.pairing, Stage: func(int) int { return 1 }}
	for _, format := range MatchFormats() {
		if format == FormatJSONL {
			list.Records = func(matches []Slotted) iter.Seq2[SlottedRecord, error] {
				return store.Records("spring", matches)
			}
		}
		var out strings.Builder
		must(t, list.Write(&out, format))
		golden(t, "matches."+string(format), out.String())
	}
	if list.Write(new(strings.Builder), FormatMarkdown) == nil {
		t.Error("matches as markdown")
	}
}

// The stage of a match is in the table where there are several.
func TestStagesOfMatches(t *testing.T) {
	for format, want := range map[string]string{
		RoundRobin: "slot  pair  south  north  result  stores  ending  fault  plies\n",
		Swiss:      "slot  stage  pair  south  north  result  stores  ending  fault  plies\n",
		Knockout:   "slot  stage  pair  south  north  result  stores  ending  fault  plies\n",
	} {
		tournament := spring(1, "a", "b")
		tournament.Format = format
		list := MatchList{
			Tournament: tournament, Matches: []Slotted{{7, record(Key{"a", "b", 1}, NorthWins).Summary}},
			Stage: func(slot int) int { return slot / 2 },
		}
		var out strings.Builder
		must(t, list.Write(&out, FormatTable))
		header, lines, _ := strings.Cut(out.String(), "\n")
		if header+"\n" != want || strings.Contains(lines, "\n   7      3     1  a") != (format != RoundRobin) {
			t.Errorf("%s:\n%s", format, out.String())
		}
	}
}

func TestVoidFormats(t *testing.T) {
	both := Summary{Key: Key{"b", "a", 1}, Result: Void, Ending: EndStart, Fault: BothFault}
	list := MatchList{
		Tournament: spring(1, "a", "b"), Matches: []Slotted{{2, both}}, Pairing: func(int) int { return 1 }, Stage: func(int) int { return 1 },
		Voids: []SlottedVoid{
			{3, VoidMatch{Key{"a", "b", 2}, 1, "no file, \"handle\""}},
			{1, VoidMatch{Key{"a", "b", 1}, 1, "no process: resource\x1b[31m unavailable"}},
		},
		Records: func(matches []Slotted) iter.Seq2[SlottedRecord, error] {
			return func(yield func(SlottedRecord, error) bool) {
				yield(SlottedRecord{2, Record{Summary: both, Body: Body{Opening: "opening"}}}, nil)
			}
		},
	}
	for _, format := range MatchFormats() {
		var out strings.Builder
		must(t, list.Write(&out, format))
		golden(t, "voids."+string(format), out.String())
	}
}

// fullDisk takes nothing.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestReportsTellOfFailedWrites(t *testing.T) {
	tournament, summaries := handCounted()
	report, err := NewReport(tournament, 20, summaries, nil)
	must(t, err)
	for _, format := range StandingsFormats() {
		if report.Write(fullDisk{}, format) == nil {
			t.Errorf("standings as %s: no error", format)
		}
	}
	list := MatchList{Tournament: tournament, Matches: summaries, Pairing: func(int) int { return 1 }, Stage: func(int) int { return 1 }}
	list.Records = func(matches []Slotted) iter.Seq2[SlottedRecord, error] {
		return func(yield func(SlottedRecord, error) bool) { yield(SlottedRecord{}, nil) }
	}
	for _, format := range MatchFormats() {
		if list.Write(fullDisk{}, format) == nil {
			t.Errorf("matches as %s: no error", format)
		}
	}
}

// TestMatchesWithDonkeys: where donkeys are owed they are shown, as they decide before the stores.
func TestMatchesWithDonkeys(t *testing.T) {
	tournament := spring(1, "a", "b")
	summary := record(Key{"a", "b", 1}, NorthWins).Summary
	summary.SouthStore, summary.NorthStore = 44, 4
	list := MatchList{Tournament: tournament, Matches: []Slotted{{1, summary}}, Pairing: newRoundRobin(tournament).pairing, Stage: func(int) int { return 1 }}
	for _, c := range []struct {
		north int
		want  string
	}{
		{0, " north     44-4  "},
		{2, " north     44-4      0-2  "},
	} {
		list.Matches[0].SouthDonkeys, list.Matches[0].NorthDonkeys = 0, c.north
		var out strings.Builder
		must(t, list.Write(&out, FormatTable))
		if !strings.Contains(out.String(), c.want) || strings.Contains(out.String(), "donkeys") != (c.north > 0) {
			t.Errorf("%d donkeys:\n%s", c.north, out.String())
		}
	}
}
