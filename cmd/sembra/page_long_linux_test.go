//go:build long && !race

package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"sembra/engine"
	"sembra/results"
	"sembra/results/safe"
	"sembra/results/store"
)

// TestPages looks at all kinds of pages with a browser, in two tabs at a time.
func TestPages(t *testing.T) {
	t.Parallel()
	b := newBrowser(t)
	for name, test := range map[string]func(*testing.T, *browser){
		"all":     testAllPages,
		"hostile": testHostile,
		"report":  testReport,
		"replays": testReplays,
		"keys":    testKeys,
		"live":    testLive,
		"awale":   personPlays("awale"),
		"bechi":   personPlays("bechi"),
		"buqruru": personPlays("buqruru"),
		"redu":    personPlays("redu"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, b)
		})
	}
}

// testAllPages looks at a page of each kind. It has to be in order: no error on the console, no
// finding of axe-core that is more than minor in light and dark, and nothing that is wider than the window.
func testAllPages(t *testing.T, b *browser) {
	dir := t.TempDir()
	playTournaments(t, dir, tournaments()...)
	tool := axe(t)
	if tool == "" {
		t.Log("axe-core is missing (.ci/setup gets it): nothing looks for barriers in the pages")
	}
	first := servePages(t, dir, "cup.db")
	p := b.tab(t)
	seen := crawl(p, first, pageKind, func() { inOrder(p, tool) })
	for _, kind := range []string{
		"/", "/play/", "/rules/", "/rules/awale", "/t/awale/", "/t/awale/matches", "/t/faults/match/", "/t/awale/bot/",
		"/t/swiss/", "/t/knockout/", "/t/test/", "/t/faults/",
	} {
		if !seen[kind] {
			t.Errorf("no link leads to a page like %s", kind)
		}
	}
}

// testHostile follows all links of the pages of a database that other hands than Sembra's wrote: the names
// and all that the bots said try to run scripts.
func testHostile(t *testing.T, b *browser) {
	db := filepath.Join(t.TempDir(), "hostile.db")
	names := storeHostile(t, db)
	first := servePages(t, filepath.Dir(db), db)
	p := b.tab(t)
	// An odd match ended with a fault, and an even one by the rules.
	few := regexp.MustCompile(`/match/\d*(\d)$|bot=.*(&opponent|&ending)=.*|/(play|rules)/.+|desc=&|&?sort=.*`)
	crawl(p, first, func(_ *testing.T, address string) string {
		match := few.FindStringSubmatch(address)
		if match != nil && match[1] != "" {
			return fmt.Sprint("match ", strings.Contains("02468", match[1]))
		}
		return few.ReplaceAllString(address, "$2$3")
	}, func() { harmless(p) })
	p.open(first)
	p.click("main a[href^='/t/']")
	p.await(`document.querySelector("main table")`)
	for _, name := range names {
		if !strings.Contains(evaluate[string](p, "document.body.innerText"), safe.Line(strings.TrimSpace(name))) {
			t.Errorf("the name %q is not on the page of the tournament", name)
		}
	}
}

// harmless looks for what a name brought into a page that is not text.
func harmless(p *tab) {
	p.Helper()
	for _, found := range evaluate[[]string](p, `[...document.querySelectorAll(
		"img, iframe, b[id], [onerror], [onfocus], [onclick], [onload], a[href^='javascript:'], " +
		"script:not([src]):not([type='application/json'])")].map(e => e.outerHTML).filter(h => !h.startsWith("<script>'use strict'"))`) {
		p.Errorf("%s: %s", evaluate[string](p, "location.href"), found)
	}
	if evaluate[bool](p, `/[\u0000-\u0008\u000e-\u001f\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(document.documentElement.textContent)`) {
		p.Errorf("%s: there is a control character on the page", evaluate[string](p, "location.href"))
	}
}

// storeHostile writes a tournament whose names, evidence and talk are hostile text, and returns the names.
func storeHostile(t *testing.T, file string) []string {
	t.Helper()
	names := []string{
		`<script>alert(1)</script>`, `"><img src=x onerror=alert(2)>`, `' onfocus=alert(3) autofocus='`,
		`</script><b id=b>&lt;{{.}}`, "javascript:alert(4)//..", "\x1b[31mred\u202egnp.exe", "../..?a=b#c%2F;",
	}
	said := strings.Join(names, " ")
	rules := must2(engine.Lookup("awale"))
	plan := results.Tournament{Plan: results.Plan{
		Name: `<i onclick=alert(5)>"'&`, Format: results.RoundRobin, Pairs: 1,
		Conditions: results.Conditions{Ruleset: "awale", Rounds: 1},
		Bots:       names, Rating: results.Rating{Start: 1500, K: 16}, Openings: []string{engine.Text(rules, rules.Start())},
	}, Family: "hostile"}
	db := must2(store.Open(file))
	defer db.Close()
	book := must2(db.Begin(plan.Plan, false))
	var records []results.Record
	for number := 1; number <= book.Schedule.Known(); number++ {
		match := plan.Begin(rules, rules.Start())
		for !match.Over() && (number%2 == 0 || len(match.Plies) < 10) {
			must(t, match.Play(match.Legal()[0].Token(match.Position().Side()), 0, nil))
		}
		verdict, over := match.Verdict()
		if !over {
			verdict = results.Lost(match.Position().Side(), results.EndIllegal)
		}
		r := match.Record(book.Schedule.Key(number), verdict)
		if r.Fault != results.NoFault {
			talk := results.Talk{Lines: []results.TalkLine{{FromBot: true, Text: []byte(said)}}, Stderr: []byte(said)}
			r.Evidence = &results.Evidence{What: "it answered " + said, South: talk, North: talk}
		}
		records = append(records, r)
	}
	must(t, book.Put(records))
	return names
}

// testReport opens reports from the disk, without a network.
func testReport(t *testing.T, b *browser) {
	dir := t.TempDir()
	playTournaments(t, dir, pairsOf("spring", "bechi")+faulty)
	tools := map[string]string{"report.html": axe(t)} // the parts of all reports are made by the same templates
	for _, output := range []string{"report.html", "site/"} {
		mustRun(t, dir, "report", "cup.db", "--output", output)
	}
	hostile := filepath.Join(dir, "hostile.db")
	storeHostile(t, hostile)
	for _, output := range []string{"hostile.html", "hostile/"} {
		mustRun(t, dir, "report", hostile, "--output", output)
	}
	for _, file := range []string{"report.html", "site/index.html", "hostile.html", "hostile/index.html"} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			p := b.tab(t)
			p.offline()
			first := "file://" + filepath.Join(dir, file)
			isHostile := strings.HasPrefix(file, "hostile")
			many := regexp.MustCompile(`\d+|(bot-|bot=)[a-z]+|(opponent=|ending=|#[A-Z]).*`)
			seen := crawl(p, first, func(_ *testing.T, address string) string {
				return many.ReplaceAllString(path.Base(address), "1$1$2")
			}, func() {
				if isHostile {
					harmless(p)
				} else {
					inOrder(p, tools[file])
				}
			})
			if len(seen) < 5 {
				t.Errorf("the report has only the parts %v", slices.Collect(maps.Keys(seen)))
			}
			for _, request := range p.requests() {
				if scheme, _, _ := strings.Cut(request, ":"); scheme != "file" && scheme != "data" && scheme != "about" {
					t.Errorf("the report asks for %.100s", request)
				}
			}
		})
	}
}

// testReplays looks at a match of every ruleset, up to its end.
func testReplays(t *testing.T, b *browser) {
	dir := t.TempDir()
	var files []string
	for _, rules := range engine.Rulesets() {
		files = append(files, pairsOf(rules.Info().Name, rules.Info().Name))
	}
	playTournaments(t, dir, files...)
	first := servePages(t, dir, "cup.db")
	for _, rules := range engine.Rulesets() {
		name := rules.Info().Name
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := b.tab(t)
			replayed(p, dir, name, first+"t/"+name+"/match/1")
			inOrder(p, axe(t))
		})
	}
}

// personPlays returns a test in which a person plays a whole match of a ruleset with the mouse.
func personPlays(ruleset string) func(*testing.T, *browser) {
	return func(t *testing.T, b *browser) {
		dir := t.TempDir()
		writeFile(t, dir, "cup.toml", pairsOf("cup", "awale"))
		first := servePages(t, dir, "cup.toml", "--isolation", "none")
		p := b.tab(t)
		p.open(first + "play/")
		p.click(`input[name=ruleset][value="` + ruleset + `"]`)
		p.click("input[name=seat][value=south]")
		for name, value := range map[string]string{"bot": "random", "rounds": "2"} {
			evaluate[string](p, `document.querySelector("select[name=`+name+`]").value = "`+value+`"`)
		}
		p.click("button.play-begin")
		p.await(`document.querySelector("[data-play-speed]")`)
		evaluate[bool](p, `(() => {
			const speed = document.querySelector("[data-play-speed]");
			speed.value = "0";
			return speed.dispatchEvent(new Event("change"));
		})()`)
		const over = `!document.querySelector("[data-play-end]").hidden`
		const choices = `[...document.querySelectorAll("[data-play-board] button[data-hole], [data-play-ask]:not([hidden]) .play-choices button")]`
		random := rand.New(rand.NewPCG(1, 2))
		clicks := 0
		for ; ; clicks++ {
			p.await(over + " || " + choices + ".length > 0")
			if evaluate[bool](p, over) {
				break
			}
			if clicks == 3 {
				inOrder(p, axe(t))
				here := evaluate[string](p, "location.href")
				p.open(first + "play/")
				p.await(`document.querySelector(".play-mine button")`) // the match is listed, and can be ended
				inOrder(p, axe(t))
				p.open(here)
				p.await(choices + ".length > 0")
			}
			p.clickOn(fmt.Sprintf("%s[%d]", choices, random.IntN(evaluate[int](p, choices+".length"))))
		}
		position := evaluate[string](p, `document.querySelector("[data-play-board]").dataset.position`)
		rules := must2(engine.Lookup(ruleset))
		if at, err := engine.ParsePosition(rules, position); err != nil || at.Phase() != engine.PhaseOver {
			t.Errorf("the board at the end is %q (%v)", position, err)
		}
		t.Logf("%d clicks: %s", clicks, evaluate[string](p, `document.querySelector("[data-play-end]").innerText`))
		if clicks < 5 {
			t.Errorf("the match took only %d clicks", clicks)
		}
	}
}

// testLive watches a tournament on the page of its run, from before its first match: the page changes without being
// loaded again, shows a board on which seeds move, and keeps the focus and the table as the person has sorted it.
func testLive(t *testing.T, b *browser) {
	dir := t.TempDir()
	writeFile(t, dir, "cup.toml", strings.Replace(longer("live-run"), "pairs = 2", "pairs = 100", 1))
	writeFile(t, dir, "slow", "")
	writeFile(t, dir, "held", "")
	s := startServing(t, dir, "run", "cup.toml", "--concurrency", "2", "--serve", "--addr", "127.0.0.1:0")
	t.Cleanup(func() {
		must(t, s.cmd.Process.Signal(syscall.SIGTERM))
		_ = s.cmd.Wait() // its status says that it was stopped
	})
	s.await(t, "t/cup/", "0 of 600 matches")
	p := b.tab(t)
	p.open(s.address + "t/cup/")
	const board = `document.querySelector("[data-live] .board")?.dataset.position`
	p.await(board)
	before := evaluate[string](p, board)
	const header = "#standings th:nth-child(2)"
	p.click(header + " button")
	p.click(header + " button")
	sorted := `[...document.querySelectorAll("#standings tbody tr")].map(row => row.cells[1].textContent.trim()).join() === "random,last,first" &&
		document.querySelector("` + header + `").ariaSort === "descending"`
	p.await(sorted)
	evaluate[bool](p, `Boolean(window.row = document.querySelector("#standings tbody tr"))`)
	must(t, os.Remove(filepath.Join(dir, "held")))
	p.await(board + " !== " + script(before))
	p.await(`document.querySelector("#progress progress").value >= 2 && document.querySelector("main").innerText.includes(" of 600 matches")`)
	p.await(sorted)
	if !evaluate[bool](p, `document.activeElement === document.querySelector("`+header+` button") && window.row.isConnected`) {
		t.Error("the page was loaded again, or the focus or the row of a bot is lost")
	}
	// Columns that came with the first results can be sorted by, too.
	p.await(`[...document.querySelectorAll("#standings th:not([data-sort])")].every((header) => header.querySelector("button.sort"))`)
}

// testKeys uses the pages without a mouse.
func testKeys(t *testing.T, b *browser) {
	dir := t.TempDir()
	playTournaments(t, dir, pairsOf("spring", "awale")+others)
	first := servePages(t, dir, "--isolation", "none", "cup.db")
	p := b.tab(t)

	p.open(first + "t/spring/")
	tabTo(p, `document.activeElement.matches("table.sortable thead button")`)
	const ranks = `[...document.activeElement.closest("table").tBodies[0].rows].map(row => parseInt(row.cells[0].textContent)).join()`
	for _, sorted := range []struct{ direction, ranks string }{{"descending", "4,3,2,1"}, {"ascending", "1,2,3,4"}, {"descending", "4,3,2,1"}} {
		p.press(kb.Enter)
		p.await(`document.activeElement.closest("th").ariaSort === "` + sorted.direction + `"`)
		p.await(ranks + ` === "` + sorted.ranks + `"`)
	}

	want := positionsOf(t, dir, "spring")
	last := len(want) - 1
	p.open(first + "t/spring/match/1")
	p.await(boardShows(want[last]))
	tabTo(p, `document.activeElement.matches("input[type=range]")`)
	p.press(kb.ArrowLeft)
	p.await(boardShows(want[last-1]))
	p.press(kb.Home)
	p.await(boardShows(want[0]))
	tabTo(p, `document.activeElement.matches("[data-go=next], .match-list, .match-list a")`)
	p.press(kb.End)
	p.await(boardShows(want[last]))

	p.open(first + "play/?ruleset=awale&bot=random")
	tabTo(p, `document.activeElement.matches("button.play-begin")`)
	p.press(kb.Enter)
	p.await(`document.querySelector("[data-play-board] button[data-hole]")`)
	tabTo(p, `document.activeElement.matches("[data-play-board] button[data-hole]")`)
	p.press(kb.Enter)
	p.await(`document.querySelectorAll("[data-play-log] button").length > 0`)
}

// tabTo presses Tab until a condition on the focused element is true.
func tabTo(p *tab, condition string) {
	p.Helper()
	for range 200 {
		if evaluate[bool](p, "Boolean("+condition+")") {
			return
		}
		p.press(kb.Tab)
	}
	p.Fatalf("no Tab leads to %s on %s", condition, evaluate[string](p, "location.href"))
}

// crawl opens the pages that links lead to, one of each kind, and returns the kinds. The pages of a report
// are parts of its files.
func crawl(p *tab, first string, kind func(*testing.T, string) string, look func()) map[string]bool {
	p.Helper()
	folder, isReport := first, strings.HasPrefix(first, "file:")
	links := `[...document.querySelectorAll("a[href]:not([download])")].map(a => a.href.split("#")[0])`
	if isReport {
		folder, links = first[:strings.LastIndex(first, "/")+1], `[...document.querySelectorAll("main a[href]")].map(a => a.href)`
	}
	seen := make(map[string]bool)
	for queue := []string{first}; len(queue) > 0; queue = queue[1:] {
		of := kind(p.T, queue[0])
		if seen[of] {
			continue
		}
		seen[of] = true
		p.open("about:blank")
		p.open(queue[0])
		if isReport && (path.Base(first) != "index.html" || strings.Contains(queue[0], "/page.html#")) { // it shows a part
			p.await(`document.querySelectorAll("main > article").length == 1`)
		}
		look()
		for _, link := range evaluate[[]string](p, links) {
			if strings.HasPrefix(link, folder) && !slices.Contains(queue, link) {
				queue = append(queue, link)
			}
		}
	}
	p.Logf("%d pages", len(seen))
	return seen
}

// pageKind is the address of a page without what does not make another kind of page: one match of a tournament is
// looked at, and one bot and one list of matches of all, and one of the tournaments of two bots.
func pageKind(t *testing.T, address string) string {
	t.Helper()
	parsed := must2(url.Parse(address))
	kind := regexp.MustCompile(`/(match|bot)/.*`).ReplaceAllString(parsed.Path, "/$1/")
	if _, err := engine.Lookup(strings.TrimSuffix(strings.TrimPrefix(kind, "/t/"), "/")); err == nil {
		return "/t/awale/"
	}
	return regexp.MustCompile(`^/t/[^/]*/(matches|bot)`).ReplaceAllString(kind, "/t/awale/$1")
}

// inOrder looks at a page in two widths and in light and dark.
func inOrder(p *tab, tool string) {
	p.Helper()
	address := evaluate[string](p, "location.pathname + location.hash")
	for _, width := range []int64{360, 1920} {
		p.resize(width, 900)
		p.await(fmt.Sprintf("innerWidth == %d", width))
		if wide := evaluate[string](p, tooWide); wide != "" {
			p.Errorf("%s: %d pixels are too few for %s", address, width, wide)
		}
	}
	for scheme, rules := range map[string]string{"light": "", "dark": `runOnly: ["color-contrast"], `} {
		p.prefer(scheme, "reduce")
		p.await(fmt.Sprintf(`(%s > 0.5) === %t && document.getAnimations().every(a => !(a instanceof CSSTransition))`,
			lightness, scheme == "light"))
		if tool == "" {
			continue
		}
		if !evaluate[bool](p, `typeof axe === "object"`) {
			evaluate[bool](p, tool+"; true")
		}
		for _, finding := range evaluate[[]string](p, fmt.Sprintf(barriers, rules)) {
			p.Errorf("%s in %s: %s", address, scheme, finding)
		}
	}
}

// tooWide names the elements that make the page wider than the window; "": there are none.
const tooWide = `(() => {
	const most = document.documentElement.clientWidth;
	if (document.documentElement.scrollWidth <= most) return "";
	const scrolls = e => e !== document.documentElement && (getComputedStyle(e).overflowX !== "visible" || scrolls(e.parentElement));
	return [...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > most + 1 && !scrolls(e.parentElement))
		.slice(0, 5).map(e => e.outerHTML.slice(0, 120)).join("; ") || "the document";
})()`

// lightness is the lightness of the background, from 0 to 1.
const lightness = `(() => {
	const parts = getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).slice(0, 3).map(Number);
	return (0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]) / 255;
})()`

// barriers are the findings of axe-core that are more than minor.
const barriers = `axe.run(document, {%sresultTypes: ["violations"]}).then(found => found.violations
	.filter(v => v.impact !== "minor")
	.map(v => v.id + " (" + v.impact + "): " + v.help + ": " + v.nodes.slice(0, 3).map(n => n.html.slice(0, 200) + " " +
		(n.any[0]?.message || "")).join("; ")))`

// tournaments are the files of small tournaments of all rulesets and formats.
func tournaments() []string {
	var files []string
	for _, rules := range engine.Rulesets() {
		name := rules.Info().Name
		files = append(files, pairsOf(name, name))
	}
	return append(files, strings.ReplaceAll(pairsOf("swiss", "awale"), "[openings]", "format = \"swiss\"\n[openings]")+others,
		strings.ReplaceAll(pairsOf("knockout", "redu"), "[openings]", "format = \"knockout\"\n[openings]")+others,
		pairsOf("test", "awale")+"[sprt]\nelo0 = 0\nelo1 = 100\nmax_pairs = 10\n",
		pairsOf("faults", "bechi")+faulty,
	)
}

const others = `
[[bot]]
name = "dice"
builtin = "random"
[[bot]]
name = "coin"
builtin = "random"
`

const faulty = `
[[bot]]
name = "illegal"
command = ["testbot", "illegal"]
[[bot]]
name = "exits"
command = ["testbot", "exits"]
`
