//go:build !race

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"sembra/engine"
)

// TestPage looks at what matters most of the pages with a browser, in two tabs at a time.
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes seconds")
	}
	t.Parallel()
	b := newBrowser(t)
	for name, test := range map[string]func(*testing.T, *browser){"match": testMatch, "fault": testFault, "run": testRun} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, b)
		})
	}
}

// testMatch goes from the list of tournaments to the end of a match.
func testMatch(t *testing.T, b *browser) {
	dir := t.TempDir()
	playTournaments(t, dir, pairsOf("awale", "awale"))
	first := servePages(t, dir, "cup.db")
	p := b.tab(t)
	p.open(first)
	p.click(`main a[href="/t/awale/"]`)
	p.await(`document.querySelector("h1").textContent.includes("awale") && document.querySelector("main table tbody tr")`)
	const painted = `performance.getEntriesByName("first-contentful-paint")[0]?.startTime`
	p.await(painted)
	t.Logf("first paint of a tournament after %.0f ms", evaluate[float64](p, painted))
	replayed(p, dir, "awale", first+"t/awale/match/1")

	p.open(first + "t/awale/matches")
	p.click(`th a[href$="sort=plies"]`)
	const plies = `[...document.querySelectorAll("tbody tr")].map(row => Number(row.lastElementChild.textContent))`
	p.await(`document.querySelector("th[aria-sort=descending]").innerText === "plies" && ` + plies + `[0] >= ` + plies + `[1]`)

	p.resize(390, 844) // of a phone: no table has to be scrolled sideways
	for _, page := range []string{"", "t/awale/", "t/awale/matches", "t/awale/bot/greedy", "t/awale/match/1", "rules/bechi"} {
		p.open(first + page)
		calm(p)
		wide := evaluate[string](p, `[...document.querySelectorAll(".scroll")].filter(e => e.checkVisibility() && e.scrollWidth > e.clientWidth)
			.map(e => e.ariaLabel).join()`)
		equal(p, "wider than a phone", "", wide)
	}

	mustRun(t, dir, "report", "cup.db", "--output", "report.html")
	report := "file://" + filepath.Join(dir, "report.html")
	p.open(report)
	p.await(`document.querySelector("main #standings") && document.querySelectorAll("main > *").length === 1`)
	p.open(report + "#match-1")
	p.await(`document.querySelector("article.match .board")`)
}

// testFault looks at a match that a bot lost by a fault: the board and the moves say what happened.
func testFault(t *testing.T, b *browser) {
	dir := t.TempDir()
	playTournaments(t, dir, pairsOf("cup", "oware")+"[[bot]]\nname = \"exits\"\ncommand = [\"testbot\", \"exits\"]\n")
	first := servePages(t, dir, "cup.db")
	p := b.tab(t)
	p.open(first + "t/cup/matches?fault=exits")
	p.click("tbody a")
	p.await(`/The match is over\. exits \((South|North)\) was at fault: .*exit/.test(document.querySelector(".board-turn").textContent)`)
	p.await(`document.querySelector(".match-list li:last-child").textContent === "crash exits"`)
	p.await(`document.querySelector("pre.stderr").textContent.includes("no more seeds")`)
}

// testRun watches a run to its end: on its own page, and then on the list of tournaments of serve beside it.
func testRun(t *testing.T, b *browser) {
	dir := t.TempDir()
	writeFile(t, dir, "cup.toml", longer("page-of-run"))
	writeFile(t, dir, "slow", "")
	writeFile(t, dir, "held", "")
	beside := servePages(t, dir, "cup.toml")
	run := startServing(t, dir, "run", "cup.toml", "--concurrency", "1", "--serve", "--addr", "127.0.0.1:0")
	run.await(t, "t/cup/", "0 of 12 matches")
	p := b.tab(t)
	p.open(beside)
	p.await(`document.querySelector(".card-progress").innerText.includes("running · 0 of 12 matches")`)
	p.open(run.address + "t/cup/match/1")
	p.await(`document.querySelector(".match[data-in-play] .board")`)
	calm(p) // now, because the page is another one when the match is over
	before := evaluate[int](p, `document.querySelectorAll(".match-list li").length`)
	must(t, os.Remove(filepath.Join(dir, "held")))
	p.await(fmt.Sprintf(`document.querySelectorAll(".match-list li").length > %d && document.querySelector(".curves")`, before))
	p.click("[data-go=first]") // and the board stays there while the match goes on
	p.await(`/^0 of ([2-9]|\d{2})/.test(document.querySelector(".match-controls output").innerText)`)
	p.open(run.address + "t/cup/")
	p.await(`document.querySelector("[data-live] .board")`)
	calm(p)
	must(t, os.Remove(filepath.Join(dir, "slow")))
	p.await(`document.querySelector("[data-live]").innerText === "The run has ended."`)
	p.await(`document.querySelector("#progress").innerText.includes("complete · 12 of 12 matches")`)
	p.open(beside)
	p.await(`document.querySelector(".card-progress").innerText.includes("complete · 12 matches")`)
	mustRun(t, dir, "run", "cup.toml", "--fresh")
	p.await(`document.querySelectorAll(".card-progress").length === 2`)
}

// calm checks that little of the page has jumped since it was opened: its cumulative layout shift is below 0.1.
func calm(p *tab) {
	p.Helper()
	shift := evaluate[float64](p, `new Promise(done => {
		let sum = 0;
		new PerformanceObserver(list => list.getEntries().forEach(entry => { sum += entry.value; })).observe({type: "layout-shift", buffered: true});
		setTimeout(() => done(sum), 100);
	})`)
	if shift >= 0.1 {
		p.Errorf("%s: the layout shift is %.2f", evaluate[string](p, "location.href"), shift)
	}
}

// playTournaments plays tournaments to their ends.
func playTournaments(t *testing.T, dir string, files ...string) {
	t.Helper()
	for i, file := range files {
		name := fmt.Sprintf("cup%d.toml", i)
		writeFile(t, dir, name, file)
		mustRun(t, dir, "run", name)
	}
}

// servePages starts a server of pages, and returns the address of its first page. The server ends with the test.
func servePages(t *testing.T, dir string, args ...string) string {
	t.Helper()
	s := startServing(t, dir, append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)
	t.Cleanup(func() {
		if status := s.stop(t, syscall.SIGTERM); status != exitDone {
			t.Errorf("the server ended with status %d: %s", status, s.errors)
		}
	})
	return s.address
}

// replayed looks at the first match of a tournament: every board is as the engine has it, the last
// plies also if their seeds move.
func replayed(p *tab, dir, tournament, address string) {
	p.Helper()
	want := positionsOf(p.T, dir, tournament)
	last := len(want) - 1
	p.open(fmt.Sprintf("%s#ply=%d", address, last/2))
	p.await(boardShows(want[last/2]))

	p.await(fmt.Sprintf(`[...document.querySelectorAll("[data-curves=stores] b")].map(b => b.textContent).join("-") === %q &&
		document.querySelector(".curves-at").textContent === "after ply %d"`, strings.Fields(want[last/2])[1], last/2))

	p.prefer("light", "reduce")
	got := evaluate[[]string](p, `(async () => {
		const button = go => document.querySelector("[data-go=" + go + "]"), board = document.querySelector(".match-board");
		const shown = [];
		button("first").click();
		for (let ply = 0; ply < `+fmt.Sprint(len(want))+`; ply++) {
			shown.push(board.dataset.position);
			button("next").click();
			for (let end = performance.now() + 60000; performance.now() < end && ply < `+fmt.Sprint(last)+` && board.dataset.position === shown[ply];) {
				await new Promise(done => setTimeout(done));
			}
		}
		return shown;
	})()`)
	equal(p, "the boards of "+tournament, want, got)

	p.prefer("light", "no-preference")
	p.open("about:blank")
	p.open(fmt.Sprintf("%s#ply=%d", address, last-3))
	p.await(boardShows(want[last-3]))
	evaluate[bool](p, `(() => { const speed = document.querySelector("[data-speed]"); speed.value = speed.options[speed.options.length - 1].value; return true; })()`)
	p.click("[data-go=run]")
	p.await(boardShows(want[last]) + ` && !document.querySelector("[data-go=run]").hasAttribute("data-running")`)
}

// boardShows is true when the board of a match shows a position.
func boardShows(position string) string {
	return `document.querySelector(".match-board").dataset.position === ` + script(position)
}

// positionsOf returns the texts of the positions of the first match of a tournament, by the engine.
func positionsOf(t *testing.T, dir, tournament string) []string {
	t.Helper()
	lines, err := readLines(mustRun(t, dir, "matches", "--db", "cup.db", "--tournament", tournament, "--format", "jsonl"))
	if err != nil || len(lines) == 0 {
		t.Fatalf("there is no match of %s: %v", tournament, err)
	}
	match := lines[0]
	rules := must2(match.Tournament.Rules())
	replay := must2(match.Tournament.Replay(rules, match.Record))
	texts := []string{engine.Text(rules, replay.Start)}
	for _, ply := range replay.Plies {
		texts = append(texts, engine.Text(rules, ply.After))
	}
	return texts
}
