package results

import (
	"encoding/csv"
	"os"
	"strconv"
	"strings"
	"testing"
)

// readCSV gives the lines below the header.
func readCSV(t *testing.T, path string) [][]string {
	t.Helper()
	file := must2(os.Open(path))
	defer file.Close()
	rows := must2(csv.NewReader(file).ReadAll())
	return rows[1:]
}

func TestTieBreaksAgainstTables(t *testing.T) {
	t.Parallel()
	events := make(map[string]*Tournament)
	matches := make(map[string][]Numbered)
	players := readCSV(t, "testdata/tiebreaks/standings.csv")
	for _, row := range players {
		if events[row[0]] == nil {
			events[row[0]] = &Tournament{Plan: Plan{Name: row[0], Rating: Rating{1500, 16}}}
		}
		events[row[0]].Bots = append(events[row[0]].Bots, row[1])
	}
	outcomes := map[string]Result{"1-0": SouthWins, "1/2-1/2": Draw, "0-1": NorthWins}
	for _, row := range readCSV(t, "testdata/tiebreaks/games.csv") {
		played := matches[row[0]]
		key := Key{South: row[2], North: row[3], Pair: len(played) + 1}
		summary := Summary{Key: key, Result: outcomes[row[4]], Ending: EndNormal, Hash: [16]byte{byte(len(played))}}
		matches[row[0]] = append(played, Numbered{Number: len(played) + 1, Summary: summary})
	}
	got := make(map[[2]string]Standing)
	for name, event := range events {
		table := must2(standingsOf(*event, matches[name], nil))
		for _, line := range table {
			got[[2]string{name, line.Bot}] = line
		}
	}
	for _, row := range players {
		line := got[[2]string{row[0], row[1]}]
		have := []float64{line.Points, line.DirectEncounter, float64(line.Wins), line.SonnebornBerger, line.Koya}
		for i, number := range have {
			if want, err := strconv.ParseFloat(row[2+i], 64); err != nil || number != want {
				t.Errorf("event %s, %s: column %d is %v, not %v", row[0], row[1], 3+i, number, want)
			}
		}
	}
	if len(events) != 5 || len(players) != 36 {
		t.Errorf("%d events, %d players", len(events), len(players))
	}
}

// scored makes matches from a text: "ab 1" is a win of a against b, "ab =" a draw.
func scored(text string) (all []Numbered) {
	results := map[string]Result{"1": SouthWins, "=": Draw, "0": NorthWins}
	fields := strings.Fields(text)
	for i := 0; i < len(fields); i += 2 {
		number := i/2 + 1
		key := Key{South: fields[i][:1], North: fields[i][1:], Pair: number}
		all = append(all, Numbered{number, Summary{Key: key, Result: results[fields[i+1]], Ending: EndNormal, Hash: [16]byte{byte(number)}}})
	}
	return all
}

// ranking writes a table as "1a 2bc 4d": the bots by rank.
func ranking(table []Standing) string {
	var out strings.Builder
	rank := 0
	for _, line := range table {
		if line.Rank != rank {
			out.WriteString(" " + strconv.Itoa(line.Rank))
		}
		rank = line.Rank
		out.WriteString(line.Bot)
	}
	return out.String()[1:]
}

func TestTieBreaks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, bots, matches, breaks, want string // breaks: "" for the usual, "-" for none
	}{
		{"none is needed", "abc", "ab 1 bc 1 ac 1", "", "1a 2b 3c"},
		{"shared after all", "dcba", "ba 1 cb 1 ac 1 ad 1 bd 1 cd 1", "", "1cba 4d"},
		// a, b and c have 1.5 each, and among themselves 1.5, 1 and 0.5.
		{"direct encounter", "abcde", "ab 1 ac = bc 1 ad 0 bd = cd 1 de 1", directEncounter, "1d 2a 3b 4c 5e"},
		// b, c and d have 3 each, and among themselves 1, 1 and 3; b has beaten c.
		{"direct encounter again", "acbd", "bc 1 db 1 db 1 cd 1 dc 1 ba 1 ba 1 ca 1 ca 1", directEncounter, "1d 2b 3c 4a"},
		{"not all have met", "cbad", "ab 1 bd 1 cd 1", directEncounter, "1cba 4d"},
		{"wins", "abc", "ac = ac = bc 1 bc 0", "", "1c 2b 3a"},
		{"no tie-break", "abc", "ac = ac = bc 1 bc 0", "-", "1c 2ab"},
		// a, b and d have 1 each: a from c's 2, b from d's 1, d from a's 1. d has less than half of its 3.
		{"sonneborn-berger", "dbac", "ac 1 ad 0 bc 0 bd 1 cd 1", sonnebornBerger, "1c 2a 3db"},
		{"koya", "bdac", "ac 1 ad 0 bc 0 bd 1 cd 1", koya, "1c 2da 4b"},
		{"both", "bdac", "ac 1 ad 0 bc 0 bd 1 cd 1", koya + " " + sonnebornBerger, "1c 2a 3d 4b"},
		// a has beaten b, who has won twice, and has a win and two draws.
		{"the usual order", "bac", "ab 1 ac = ac = bc 1 bc 1", "", "1a 2b 3c"},
		{"another order", "abc", "ab 1 ac = ac = bc 1 bc 1", mostWins + " " + directEncounter, "1b 2a 3c"},
	} {
		tournament := Tournament{Plan: Plan{Bots: strings.Split(c.bots, ""), Rating: Rating{1500, 16}}}
		switch c.breaks {
		case "":
		case "-":
			tournament.TieBreaks = []string{}
		default:
			tournament.TieBreaks = strings.Fields(c.breaks)
		}
		table := must2(standingsOf(tournament, scored(c.matches), nil))
		if got := ranking(table); got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
			for _, l := range table {
				t.Logf("%+v", l)
			}
		}
	}
}

func TestMerits(t *testing.T) {
	t.Parallel()
	tournament := Tournament{Plan: Plan{Bots: []string{"a", "b", "c", "d"}, Rating: Rating{1500, 16}}}
	matches := scored("ab 1 cd 1 ac 0 bd 1 bd 1")
	for _, c := range []struct {
		name   string
		merits map[string]StageResult
		want   string
	}{
		{"nothing", nil, "1c 2b 3a 4d"},
		{"byes are points", map[string]StageResult{"a": {Byes: 1, ByePoints: 2}, "d": {Byes: 1, ByePoints: 1}}, "1a 2c 3b 4d"},
		{"a knockout is ranked by stages alone", map[string]StageResult{"d": {Reached: 3}, "a": {Reached: 2}, "b": {Reached: 2}, "c": {Reached: 1}}, "1d 2ab 4c"},
	} {
		table := must2(standingsOf(tournament, matches, c.merits))
		equal(t, c.name, c.want, ranking(table))
		for _, line := range table {
			equal(t, c.name, c.merits[line.Bot], line.StageResult)
			if score, _ := line.Score(); line.Bot == "a" && score != 0.5 {
				t.Errorf("%s: a has a score of %v in its matches", c.name, score)
			}
		}
	}
}

func TestCheckTieBreaks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ names, want string }{
		{"", ""},
		{"koya wins", ""},
		{"wins buchholz", `unknown tie-break "buchholz" (known: direct-encounter, wins, sonneborn-berger, koya)`},
		{"wins koya wins", `tie-break "wins" appears twice`},
	} {
		err := CheckTieBreaks(strings.Fields(c.names))
		equal(t, c.names, c.want, errText(err))
		if c.want == "" {
			continue
		}
		tournament := Tournament{Plan: Plan{Bots: []string{"a", "b"}, TieBreaks: strings.Fields(c.names)}}
		if _, err := standingsOf(tournament, nil, nil); errText(err) != c.want {
			t.Errorf("%s: %v", c.names, err)
		}
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
