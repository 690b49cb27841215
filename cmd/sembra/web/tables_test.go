package web

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"sembra/results"
	"sembra/results/stats"
	"sembra/results/store"
)

// markup is what tests look at in a page.
type markup struct {
	text     string              // without the tags
	links    []string            // of elements a, as written
	elements map[string]int      // how often each element is there
	values   map[string][]string // of attributes, by name
}

// readMarkup reads a page or a part of it, and looks for what none may have: markup that was a text, a drawing without
// words, an id that is there twice, and characters that could change how a text is read.
func readMarkup(t *testing.T, address, page string) markup {
	t.Helper()
	m := markup{elements: make(map[string]int), values: make(map[string][]string)}
	decoder := xml.NewDecoder(strings.NewReader(page))
	decoder.Strict, decoder.AutoClose, decoder.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var text strings.Builder
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			m.text = text.String()
			m.check(t, address)
			checkCharacters(t, address, page)
			return m
		}
		if err != nil {
			t.Fatalf("%s cannot be read: %v", address, err)
		}
		switch token := token.(type) {
		case xml.CharData:
			text.Write(token)
		case xml.StartElement:
			m.elements[token.Name.Local]++
			of := make(map[string]string)
			for _, attribute := range token.Attr {
				of[attribute.Name.Local] = attribute.Value
				m.values[attribute.Name.Local] = append(m.values[attribute.Name.Local], attribute.Value)
			}
			if token.Name.Local == "a" {
				m.links = append(m.links, of["href"])
			}
			inner := of["preserveAspectRatio"] != "" || of["class"] == "end" // a part of another drawing
			told := of["aria-hidden"] == "true" || of["role"] == "img" && of["aria-label"] != ""
			if token.Name.Local == "svg" && !inner && !told {
				t.Errorf("%s: a drawing is neither hidden nor told: %v", address, of)
			}
		}
	}
}

func (m markup) check(t *testing.T, address string) {
	t.Helper()
	if m.elements["img"] > 0 {
		t.Errorf("%.60q: a text became an element", address)
	}
	for name, values := range m.values {
		if name == "style" || strings.HasPrefix(name, "on") {
			t.Errorf("%s: an attribute %s", address, name)
		}
		if name == "id" {
			ids := slices.Clone(values)
			slices.Sort(ids)
			if len(slices.Compact(ids)) != len(values) {
				t.Errorf("%s: an id is there twice: %v", address, values)
			}
		}
		for _, value := range values {
			if checkCharacters(t, address, value); name == "href" && strings.HasPrefix(value, "javascript:") {
				t.Errorf("%.60q leads to %q", address, value)
			}
		}
	}
	checkCharacters(t, address, m.text)
}

func checkCharacters(t *testing.T, address, text string) {
	t.Helper()
	for i, r := range text {
		if r != '\n' && r != ' ' && !unicode.IsPrint(r) {
			t.Errorf("%.60q has a raw %U after %.80q", address, r, text[max(0, i-80):i])
			return
		}
	}
}

// formats returns a plan of each format.
func formats() map[string]results.Tournament {
	swiss := planOf("swiss", "awale", 1, botNames(7)...)
	swiss.Format, swiss.Stages = results.Swiss, 3
	knockout := planOf("knockout", "awale", 1, botNames(6)...)
	knockout.Format, knockout.ExtraPairs = results.Knockout, 1
	knockout.Openings = []string{knockout.Opening(1), knockout.Opening(1)}
	gauntlet := planOf("gauntlet", "awale", 1, botNames(4)...)
	gauntlet.Format, gauntlet.Challengers = results.Gauntlet, []string{"bot-02"}
	sequential := planOf("sprt", "awale", 20, "new", "old")
	sequential.Format = results.Sequential
	sequential.Test = &stats.Test{Elo0: 0, Elo1: 100, Alpha: 0.05, Beta: 0.05, Model: stats.Normalized}
	many := planOf("many", "awale", 1, botNames(smallCrosstable+1)...)
	return map[string]results.Tournament{
		"swiss": swiss, "knockout": knockout, "gauntlet": gauntlet, "sprt": sequential, "many": many,
		"round-robin": planOf("round-robin", "awale", 1, "ann", "ben", "cat"),
	}
}

// TestFormats looks at the page of a tournament of each format, before its first match, in its middle and at its end.
func TestFormats(t *testing.T) {
	t.Parallel()
	parts := map[string][]string{ // of the pages, beside those that all have
		"swiss": {"stages", "crosstable"}, "knockout": {"bracket", "crosstable"}, "gauntlet": {"crosstable"},
		"sprt": {"test"}, "many": {"crosstable"}, "round-robin": {"crosstable"},
	}
	for name, plan := range formats() {
		for _, last := range []int{1, 5, 0} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				path := filepath.Join(t.TempDir(), name+".db")
				if name == "many" && last == 0 {
					t.Skip("its middle shows as much")
				}
				storeTournament(t, path, plan, last)
				server := serverOf(t, path)
				address := "/t/" + name + "/"
				page := get(t, server, address, http.StatusOK)
				m := readMarkup(t, address, page)
				if strings.Contains(page, ">Elo</th>") {
					t.Error("there are two ratings")
				}
				if name == "sprt" && !strings.Contains(page, `<h2>Sequential test</h2><p class="lead">`) {
					t.Error("the decision of the test is not above its table")
				}
				for _, part := range append([]string{"standings", "faults"}, parts[name]...) {
					if !slices.Contains(m.values["id"], part) {
						t.Errorf("match %d: there is no part %q", last, part)
					}
				}
				for _, bot := range plan.Bots {
					if !strings.Contains(m.text, bot) {
						t.Errorf("match %d: bot %s is missing", last, bot)
					}
				}
				walk(t, server, m.links)
				cross := get(t, server, address+"crosstable", http.StatusOK)
				if name == "many" && !strings.Contains(cross, ` data-against="&amp;opponent=bot-`) {
					t.Error("the cells of a large crosstable lead nowhere")
				}
			})
		}
	}
}

// walk opens the addresses of a page, a few of those that look alike, and then the pages behind them.
func walk(t *testing.T, server http.Handler, links []string) {
	t.Helper()
	slices.Sort(links)
	seen := make(map[string]int)
	for _, address := range slices.Compact(links) {
		kind, _, _ := strings.Cut(address, "?")
		kind = strings.TrimRight(kind, "0123456789")
		if seen[kind]++; seen[kind] > 3 || strings.HasPrefix(address, "#") || strings.HasPrefix(address, "/play") {
			continue
		}
		readMarkup(t, address, get(t, server, address, http.StatusOK))
	}
}

func serverOf(t testing.TB, path string) *Server {
	t.Helper()
	return must2(NewServer(must2(OpenLibrary(path))))
}

// get asks for a page, and checks the status of the answer.
func get(t *testing.T, server http.Handler, address string, status int) string {
	t.Helper()
	answer := ask(server, http.MethodGet, address)
	if answer.Code != status {
		t.Errorf("%s: status %d, not %d: %s", address, answer.Code, status, answer.Body)
	}
	return answer.Body.String()
}

func TestMatchList(t *testing.T) {
	t.Parallel()
	plan := planOf("spring", "awale", 40, "ann", "ben", "cat\u202e") // 240 matches
	path := filepath.Join(t.TempDir(), "spring.db")
	storeTournament(t, path, plan, 239)
	server := serverOf(t, path)
	db := must2(store.OpenRead(path))
	defer db.Close()
	b := must2(db.Records(""))
	all := must2(b.Recorded())
	count := func(passes func(results.Numbered) bool) int {
		return len(slices.DeleteFunc(slices.Clone(all), func(m results.Numbered) bool { return !passes(m) }))
	}
	faults := count(func(m results.Numbered) bool { return m.Fault != results.NoFault })
	ofAnn := count(func(m results.Numbered) bool { return m.FaultName() == "ann" })
	timeouts := count(func(m results.Numbered) bool { return m.Ending == results.EndTime })
	if faults == 0 || ofAnn == 0 || timeouts == 0 {
		t.Fatalf("the tournament has %d faults, %d of them of ann, and %d on time", faults, ofAnn, timeouts)
	}
	for _, c := range []struct {
		query string
		found string
		rows  int
	}{
		{"", "Matches 1 to 200 of 239.", 200},
		{"?page=2", "Matches 201 to 239 of 239.", 39},
		{"?bot=ann", "159 matches.", 159},
		{"?bot=ann&opponent=ben", "80 matches.", 80},
		{"?bot=ann&opponent=" + url.QueryEscape("cat\u202e"), "79 matches.", 79},
		{"?fault=any", fmt.Sprint(faults, " matches."), faults},
		{"?fault=ann", fmt.Sprint(ofAnn, " matches."), ofAnn},
		{"?ending=time", fmt.Sprint(timeouts, " matches."), timeouts},
		{"?stage=1&page=2", "Matches 201 to 239 of 239.", 39},
		{"?stage=2", "No match fits.", 0},
		{"?kind=void", "No match fits.", 0},
		{"?bot=&opponent=&ending=&fault=&kind=", "Matches 1 to 200 of 239.", 200}, // an empty form
	} {
		address := "/t/spring/matches" + c.query
		m := readMarkup(t, address, get(t, server, address, http.StatusOK))
		if rows := m.elements["tr"]; rows != c.rows+1 && c.rows > 0 || rows > 0 && c.rows == 0 {
			t.Errorf("%s: %d rows, not %d", c.query, rows, c.rows)
		}
		if !strings.Contains(m.text, c.found) {
			t.Errorf("%s: the page does not say %q", c.query, c.found)
		}
		walk(t, server, m.links)
	}
	if page := get(t, server, "/t/spring/matches", http.StatusOK); !strings.Contains(page, `<td class="name wide">ann</td>`) {
		t.Error("the list does not name the winners")
	}
	var plies []int
	for _, match := range all {
		plies = append(plies, match.Plies)
	}
	slices.Sort(plies)
	sorted := func(query string) []int {
		return pliesOf(t, get(t, server, "/t/spring/matches"+query, http.StatusOK))
	}
	equal(t, "the shortest matches", plies[:200], sorted("?sort=plies"))
	equal(t, "the longest matches", plies[200:], sorted("?sort=plies&page=2"))
	slices.Reverse(plies)
	equal(t, "the shortest matches last", plies[200:], sorted("?sort=plies&desc&page=2"))
	equal(t, "a column that no match has", 80, len(sorted("?sort=donkeys&bot=ann&opponent=ben")))
	for _, query := range []string{
		"?bot=nobody", "?sort=elo", "?page=0", "?page=3", "?page=x", "?page=99999999999999999999", "?ending=nothing", "?kind=other", "?stage=-1",
	} {
		get(t, server, "/t/spring/matches"+query, http.StatusNotFound)
	}
}

// pliesOf returns the numbers of plies in a list of matches.
func pliesOf(t *testing.T, page string) []int {
	t.Helper()
	var numbers []int
	at := -1
	for _, row := range strings.Split(page, "<tr>")[1:] {
		cells := regexp.MustCompile(`<t[hd][^>]*>(?:<a[^>]*>)?([^<]*)`).FindAllStringSubmatch(row, -1)
		if at < 0 {
			at = slices.IndexFunc(cells, func(cell []string) bool { return cell[1] == "plies" })
			continue
		}
		numbers = append(numbers, must2(strconv.Atoi(cells[at][1])))
	}
	return numbers
}

// Matches without a result have a list of their own, and those of a replaced bot are gone.
func TestOtherMatches(t *testing.T) {
	t.Parallel()
	plan := planOf("spring", "awale", 1, "ann", "ben", "cat")
	plan.Programs = map[string]results.Program{
		"ann": {Command: []string{"python3", "ann.py"}, Options: []string{"Depth=3"}}, "ben": {}, "cat": {Builtin: "greedy"},
	}
	path := filepath.Join(t.TempDir(), "spring.db")
	storeTournament(t, path, plan, 0)
	db := must2(store.Open(path))
	b := must2(db.Begin(plan.Plan, false, "ann"))
	key := results.Key{South: "ann", North: "ben", Pair: 1}
	must(t, b.PutVoid(key, "there was no <process>."))
	other := results.Key{South: "ben", North: "ann", Pair: 1}
	must(t, b.PutVoid(other, "there was no <process>."))
	must(t, b.Put([]results.Record{playedRecord(t, plan, key, 1, map[string]int{"ann": 1})}))
	must(t, db.Close())
	server := serverOf(t, path)
	for _, c := range []struct {
		address string
		shows   []string
		rows    int // of all tables on the page, with their headers
	}{
		{"/t/spring/", []string{
			"3 of 6 matches", "2 matches have no result, because Sembra failed",
		}, 0},
		{"/t/spring/matches", []string{"3 matches."}, 4},
		{"/t/spring/matches?kind=void", []string{"2 matches.", "there was no <process>"}, 3},
		{"/t/spring/bot/ann", []string{"its matches are being played again", "python3 ann.py", "Depth=3"}, 0},
		{"/t/spring/bot/cat", nil, 0},
	} {
		m := readMarkup(t, c.address, get(t, server, c.address, http.StatusOK))
		for _, text := range c.shows {
			if !strings.Contains(m.text, text) {
				t.Errorf("%s does not show %q", c.address, text)
			}
		}
		if c.rows > 0 && m.elements["tr"] != c.rows {
			t.Errorf("%s has %d rows, not %d", c.address, m.elements["tr"], c.rows)
		}
	}
}

func TestBracket(t *testing.T) {
	t.Parallel()
	r := &reader{Records: &store.Records{Tournament: results.Tournament{Plan: results.Plan{Name: "cup"}}}}
	if r.bracket(nil) != nil {
		t.Error("a tournament without pairings has a bracket")
	}
	stages := r.bracket([]results.Pairing{
		{Stage: 1, Bots: [2]string{"a", ""}, Winner: "a"},
		{Stage: 1, Bots: [2]string{"d", "e"}, Points: [2]float64{2, 2}, Pairs: 2, Winner: "d", BySeed: true},
		{Stage: 1, Bots: [2]string{"b", "g"}},
		{Stage: 1, Bots: [2]string{"c", "f"}, Points: [2]float64{0.5, 1.5}, Pairs: 1},
	})
	var got []string
	for _, stage := range stages {
		line := stage.Title + ":"
		for _, pairing := range stage.Pairings {
			line += " "
			for i, bot := range pairing.Bots {
				if bot.Won {
					line += "*"
				}
				line += bot.Text + bot.Points
				if i == 0 {
					line += "-"
				}
			}
		}
		got = append(got, line)
	}
	want := []string{"Quarter-finals: a- *d2-e2 b-g c0.5-f1.5", "Semi-finals: a-d -", "Final: -"}
	equal(t, "bracket", want, got)
	bye, level, open := stages[0].Pairings[0], stages[0].Pairings[1], stages[1].Pairings[0]
	if !bye.Bye || bye.Matches != "" || level.Note == "" || level.Matches == "" || open.Bye {
		t.Errorf("a bye is %+v, a level pairing %+v, an open one %+v", bye, level, open)
	}
}

func TestAxis(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		low, high float64
		tight     bool
		want      string
	}{
		{1423, 1688, false, "1400@0.0% 1450@16.7% 1500@33.3% 1550@50.0% 1600@66.7% 1650@83.3% 1700@100.0%"},
		{-3, 3, false, "-3@0.0% -2@16.7% -1@33.3% 0@50.0% 1@66.7% 2@83.3% 3@100.0%"},
		{0, 336, true, "0@0.0% 100@29.8% 200@59.5% 300@89.3%"},
		{1500, 1500, false, "1499@0.0% 1500@50.0% 1501@100.0%"},
		{0, 1, true, "0@0.0% 1@100.0%"},
		// Numbers that a damaged file may have.
		{1e300, 1e300, false, "99999999999999@0.0% 100000000000000@50.0% 100000000000001@100.0%"},
		{math.Inf(-1), math.MaxFloat64, true, "-100000000000000@0.0% -50000000000000@25.0% 0@50.0% 50000000000000@75.0% 100000000000000@100.0%"},
		{math.NaN(), math.NaN(), false, ""},
	} {
		var got []string
		for _, tick := range newAxis(c.low, c.high, 6, c.tight, whole()).Ticks {
			got = append(got, tick.Text+"@"+tick.At)
		}
		equal(t, fmt.Sprintf("from %v to %v", c.low, c.high), c.want, strings.Join(got, " "))
	}
}
