package web

import (
	"fmt"
	"math"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"sembra/results"
	"sembra/results/stats"
	"sembra/results/store"
)

// storeAbsurd stores a tournament whose texts and numbers are as bad as a store allows.
func storeAbsurd(t *testing.T, path string, plan results.Tournament, harm string) {
	t.Helper()
	db := must2(store.Open(path))
	b := must2(db.Begin(plan.Plan, false))
	b.NoteIsolation(harm)
	strength := make(map[string]int)
	for number := 1; number <= b.Schedule.Known(); number++ {
		r := playedRecord(t, plan, b.Schedule.Key(number), number, strength)
		r.Times[0], r.Times[1], r.CPU[0], r.CPU[1] = math.MaxInt64, math.MaxInt64, math.MaxInt64-1, math.MaxInt64-1
		r.Stores[0], r.Stores[1], r.Donkeys[0], r.Donkeys[1] = math.MaxInt, math.MaxInt, math.MaxInt, math.MaxInt
		for i := range r.Moves {
			score := math.MaxFloat64 * float64(i%3-1)
			r.Elapsed[i], r.Scores[i] = math.MaxInt64, &score
		}
		for i := range r.Body.Rounds {
			round := &r.Body.Rounds[i]
			round.Start, round.Position, round.Reason = harm, harm, harm
			round.South, round.North = math.MaxInt, math.MaxInt
		}
		switch number {
		case 1: // as a bot may have played it
			long := results.TalkLine{At: math.MaxInt64, FromBot: true, Text: []byte(strings.Repeat(harm, 100)), Cut: math.MaxInt, Left: 7}
			talk := results.Talk{Lines: []results.TalkLine{long, {At: -1, Text: []byte(harm)}}, Stderr: []byte(harm), StderrLeft: math.MaxInt}
			r.Result, r.Ending, r.Fault = results.NorthWins, results.EndIllegal, results.SouthFault
			r.Evidence = &results.Evidence{What: harm, South: talk, North: talk}
		case 2: // a move that there is not
			r.Moves[0] = harm
		case 3:
			r.Opening = harm
		case 4:
			must(t, b.PutVoid(r.Key, harm))
		}
		must(t, b.Put([]results.Record{r}))
	}
	must(t, db.Close())
}

// TestAbsurdRecords: no text and no number of a database becomes markup or a raw control character, and none ends the
// program.
func TestAbsurdRecords(t *testing.T) {
	t.Parallel()
	const harm = "</script></noscript></svg></pre><img src=x onerror=alert(1)>\u202e\x1b[31m\u0007\u2028\ufeff\"'`{{.}}<!--"
	bots := []string{"javascript:alert(1)", "a" + harm, "~", "\u202e"}
	for _, format := range []string{results.RoundRobin, results.Knockout, results.Swiss, results.Sequential} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			plan := planOf("t"+harm, "awale", 1, bots...)
			plan.Format, plan.Rating = format, results.Rating{Start: 1e300, K: 1e300}
			plan.Programs = map[string]results.Program{bots[0]: {Builtin: harm}}
			switch format {
			case results.Swiss:
				plan.Stages = 1
			case results.Sequential:
				plan.Bots = bots[:2]
				plan.Test = &stats.Test{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05, Model: stats.Normalized}
			}
			path := filepath.Join(t.TempDir(), "absurd.db")
			storeAbsurd(t, path, plan, harm)
			server := serverOf(t, path)
			home := homeOf(plan.Name)
			list := func(c matchChoice) string { return home + "matches" + queryOf(c) }
			pages := []string{
				"/", home, home + "crosstable", list(nil), list(matchChoice{byKind: voidKind}),
				list(matchChoice{byBot: bots[1], byFault: anyFault}), list(matchChoice{byEnding: harm}), list(matchChoice{byBot: harm}),
				home + "bot/" + segment(harm), homeOf(harm), "/" + segment(harm), "/rules/" + segment(harm), homeOf(harm) + "match/x",
				home + "match/9999", home + "match/" + segment(harm), links{}.play(choices{"ruleset": harm, "bot": harm}),
			}
			for _, bot := range plan.Bots {
				pages = append(pages, links{}.bot(plan.Name, bot))
			}
			for number := 1; number <= 12; number++ {
				pages = append(pages, fmt.Sprint(home, "match/", number))
			}
			for _, address := range pages {
				w := ask(server, http.MethodGet, address)
				text := w.Body.String()
				if strings.Contains(text, "error in its own program") || strings.Contains(text, "cannot draw") {
					t.Errorf("%.60q: %s", address, text)
				}
				readMarkup(t, address, text)
			}
		})
	}
}

// TestPanicInPage: a page that cannot be drawn because of an error in the program keeps no other page from being drawn, and
// ends neither the program nor the events of a tournament. An answer that has begun is not made longer.
func TestPanicInPage(t *testing.T) {
	t.Parallel()
	s := must2(NewServer(quickLibrary(t)))
	page := s.kept(func(*http.Request) content { panic("<b>") })
	asset := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("<b>") })
	for _, broken := range []http.Handler{page, page, asset} {
		w := ask(s.guarded(broken), "GET", "/broken")
		if want := "Sembra has an error in its own program: &lt;b&gt;."; w.Code != 500 || !strings.Contains(w.Body.String(), want) {
			t.Fatalf("status %d:\n%s", w.Code, w.Body)
		}
	}
	begun := s.guarded(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		must2(w.Write([]byte("data:")))
		panic("<b>")
	}))
	var trouble any
	func() {
		defer func() { trouble = recover() }()
		ask(begun, "GET", "/broken")
	}()
	if trouble != http.ErrAbortHandler {
		t.Errorf("an answer that has begun ends with %v", trouble)
	}
	if w := ask(s, "GET", "/t/spring/"); w.Code != http.StatusOK {
		t.Fatalf("another page: status %d", w.Code)
	}
	templates := s.painter.templates
	s.painter.templates = nil
	if w := ask(s, "GET", "/play/"); w.Code != 500 || w.Body.String() != "Sembra cannot draw this page.\n" {
		t.Errorf("without templates: status %d:\n%s", w.Code, w.Body)
	}
	watched := &eventStream{name: "spring", server: s}
	if err := watched.drawPage(t.Context()); err == nil {
		t.Error("a page was drawn without templates")
	}
	s.painter.templates = templates
	if now, _ := watched.now(t.Context()); now.page == nil {
		t.Error("the next page is not drawn")
	}
}
