//go:build long && !race

package main

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sembra/engine"
)

// TestPages looks at all kinds of pages with a browser.
func TestPages(t *testing.T) {
	t.Parallel()
	b := newBrowser(t)
	t.Run("all", func(t *testing.T) {
		t.Parallel()
		testAllPages(t, b)
	})
}

// testAllPages follows the links of the pages. Each page has to be in order: no error on the
// console, no serious finding of axe-core in light and dark, and no page is wider than
// the window.
func testAllPages(t *testing.T, b *browser) {
	dir := t.TempDir()
	playTournaments(t, dir, tournaments()...)
	first := served(t, dir, "cup.db")
	p := b.tab(t)
	tool := axe(t)
	if tool == "" {
		t.Log("axe-core is missing (.ci/setup gets it): nothing looks for barriers in the pages")
	}
	seen := make(map[string]bool)
	for queue := []string{first}; len(queue) > 0; queue = queue[1:] {
		address := queue[0]
		if kind := pageKind(t, address); seen[kind] {
			continue
		} else {
			seen[kind] = true
		}
		p.open(address)
		inOrder(p, tool)
		for _, link := range evaluate[[]string](p, `[...document.querySelectorAll("a[href]")].map(a => a.href.split("#")[0])`) {
			if strings.HasPrefix(link, first) && !slices.Contains(queue, link) {
				queue = append(queue, link)
			}
		}
	}
	t.Logf("%d pages", len(seen))
	for _, kind := range []string{
		"/", "/play/", "/rules/", "/rules/awale", "/t/awale/", "/t/awale/matches", "/t/awale/match/", "/t/awale/bot/",
		"/t/swiss/", "/t/knockout/", "/t/test/", "/t/faults/",
	} {
		if !seen[kind] {
			t.Errorf("no link leads to a page like %s", kind)
		}
	}
}

// pageKind is the address of a page without what does not make another kind of page: of the matches and
// bots of a tournament only one is looked at.
func pageKind(t *testing.T, address string) string {
	t.Helper()
	parsed, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`/(match|bot)/.*`).ReplaceAllString(parsed.Path, "/$1/")
}

// inOrder looks at a page in two widths and in light and dark.
func inOrder(p *tab, tool string) {
	p.Helper()
	address := evaluate[string](p, "location.pathname + location.search")
	for _, width := range []int64{360, 1920} {
		p.resize(width, 900)
		p.await("innerWidth == " + strconv.FormatInt(width, 10))
		if wide := evaluate[string](p, tooWide); wide != "" {
			p.Errorf("%s: %d pixels are too few for %s", address, width, wide)
		}
	}
	for _, scheme := range []string{"light", "dark"} {
		p.prefer(scheme)
		p.await(`matchMedia("(prefers-color-scheme: ` + scheme + `)").matches`)
		light := evaluate[float64](p, lightness)
		if scheme == "light" && light < 0.8 || scheme == "dark" && light > 0.2 {
			p.Errorf("%s: the background in %s has the lightness %.2f", address, scheme, light)
		}
		if tool == "" {
			continue
		}
		evaluate[bool](p, tool+"; true")
		for _, finding := range evaluate[[]string](p, barriers) {
			p.Errorf("%s in %s: %s", address, scheme, finding)
		}
	}
}

// tooWide names the elements that make the page wider than the window; "": there are none.
const tooWide = `(() => {
	const most = document.documentElement.clientWidth;
	if (document.documentElement.scrollWidth <= most) return "";
	return [...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > most + 1)
		.slice(0, 5).map(e => e.outerHTML.slice(0, 120)).join("; ") || "the document";
})()`

// lightness is the lightness of the background, from 0 to 1.
const lightness = `(() => {
	const parts = getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).slice(0, 3).map(Number);
	return (0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]) / 255;
})()`

// barriers are the serious and critical findings of axe-core.
const barriers = `axe.run(document, {resultTypes: ["violations"]}).then(found => found.violations
	.filter(v => v.impact === "serious" || v.impact === "critical")
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
