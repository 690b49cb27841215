package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"sembra/engine"
	"sembra/results/safe"
)

// ask sends a request to a server. Each change changes the request before that.
func ask(s http.Handler, method, address string, changes ...func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, address, nil)
	r.Host, r.RemoteAddr = "localhost:7333", "127.0.0.1:50000"
	for _, change := range changes {
		change(r)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// header returns a change of a request that sets a header.
func header(key, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(key, value) }
}

// host returns a change of a request that sets the name of the machine.
func host(name string) func(*http.Request) {
	return func(r *http.Request) { r.Host = name }
}

// TestAnswers: each address has its status and says what it shows, and each answer keeps the browser from loading
// anything else. No page has what the policy forbids: inline styles, scripts and handlers, or files from elsewhere.
func TestAnswers(t *testing.T) {
	t.Parallel()
	s := must2(NewServer(quickLibrary(t)))
	forbidden := regexp.MustCompile(`(?i)<[^>]* (style|on[a-z]+)=|<style|javascript:|(src|href)="(https?:)?//`)
	script := regexp.MustCompile(`(?i)<script(?:\s[^>]*)?>`)
	for _, c := range []struct {
		method, address string
		status          int
		shows           string // a part of the page
	}{
		{"GET", "/", 200, `<a href="/t/spring/">spring</a>`},
		{"HEAD", "/", 200, ""},
		{"GET", "/t/spring/", 200, "<h1>spring</h1>"},
		{"GET", "/t/spring/matches", 200, `href="/t/spring/match/1"`},
		{"GET", "/t/spring/match/1", 200, `href="/t/spring/bot/cat"`},
		{"GET", "/t/spring/bot/ann", 200, "<h1>ann</h1>"},
		{"GET", "/t/spring/match/1/text", 200, "pair 1"},
		{"GET", "/t/spring/match/1/json", 200, `{"tournament":"spring",`},
		{"GET", "/play/", 200, "<h1>"},
		{"GET", "/rules/", 200, `<a href="/rules/redu">redu</a>`},
		{"GET", "/rules/redu", 200, "<h1>redu</h1>"},
		{"GET", "/rules/bechi", 200, "<h1>bechi</h1>"},
		{"GET", "/assets/style.css", 200, "--ground"},
		{"GET", "/assets/script.js", 200, "Sembra"},
		{"GET", "/assets/theme.js", 200, "localStorage"},

		{"GET", "/t/summer/", 404, `There is no tournament &#34;summer&#34;.</p>`},
		{"GET", "/t/summer/", 404, `href="/">All tournaments</a>`},
		{"GET", "/t/spring/bot/dan", 404, `href="/t/spring/">Its standings</a>`},
		{"GET", "/t/spring/match/99", 404, `href="/t/spring/matches">All matches</a>`},
		{"GET", "/t/spring/match/99/text", 404, `href="/t/spring/matches">All matches</a>`},
		{"GET", "/t/spring/match/x", 404, `href="/t/spring/matches">All matches</a>`},
		{"GET", "/t/~/", 404, "There is no tournament &#34;~&#34;"},
		{"GET", "/rules/chess", 404, `href="/rules/">All rulesets</a>`},
		{"GET", "/rules/..%2f", 404, "no ruleset"},
		{"GET", "/assets/x.js", 404, "There is no page"},
		{"GET", "/assets/00-base.css", 404, "There is no page"},
		{"GET", "/nothing/<b>", 404, "There is no page &#34;/nothing/&lt;b&gt;&#34;."},
		{"GET", "/nothing/%E2%80%AE%00", 404, `There is no page &#34;/nothing/\u202e\x00&#34;.`},
		{"POST", "/", 405, "Not Allowed"},
		{"DELETE", "/t/spring/", 405, "Not Allowed"},
		{"POST", "/assets/style.css", 405, "Not Allowed"},
	} {
		w := ask(s, c.method, c.address)
		if w.Code != c.status {
			t.Errorf("%s %s: status %d, want %d", c.method, c.address, w.Code, c.status)
		}
		if body := w.Body.String(); !strings.Contains(body, c.shows) {
			t.Errorf("%s %s does not show %q", c.method, c.address, c.shows)
		} else if c.method == "HEAD" && body != "" {
			t.Errorf("%s %s has a body", c.method, c.address)
		} else if !strings.HasPrefix(c.address, "/assets/") {
			equal(t, c.address, "", forbidden.FindString(body))
			for _, found := range script.FindAllString(body, -1) {
				if !strings.Contains(found, " src=") && !strings.Contains(found, `type="application/json"`) {
					t.Errorf("%s has %s", c.address, found)
				}
			}
		}
		for key, want := range map[string]string{
			"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Resource-Policy": "same-origin",
		} {
			equal(t, fmt.Sprintf("%s %s: the header %s", c.method, c.address, key), want, w.Header().Get(key))
		}
	}
}

// TestHosts: a server answers only to names of its machine.
func TestHosts(t *testing.T) {
	t.Parallel()
	s := must2(NewServer(quickLibrary(t), "tower.example"))
	for name, want := range map[string]int{
		"localhost": 200, "localhost:80": 200, "LocalHost:7333": 200, "127.0.0.1:7333": 200, "[::1]:7333": 200, "[::1]": 200,
		"192.0.2.7:7333": 200, "tower.example": 200, "Tower.Example:7333": 200, "tower.example.:7333": 200,
		"": 421, "evil.example": 421, "evil.example:7333": 421, "localhost.evil.example": 421, "127.0.0.1.evil.example": 421,
		"tower": 421, "xlocalhost": 421, "localhost@evil.example": 421, "127.1": 421,
	} {
		if w := ask(s, "GET", "/", host(name)); w.Code != want {
			t.Errorf("the name %q: status %d, want %d", name, w.Code, want)
		}
	}
}

// TestOtherSites: what changes something is refused if another site sends it. A page of another site cannot load ours as a
// part of itself, but can lead to it.
func TestOtherSites(t *testing.T) {
	t.Parallel()
	s := must2(NewServer(quickLibrary(t)))
	for _, c := range []struct {
		method, site, kind, origin string
		want                       int
	}{
		{"POST", "cross-site", "", "", 403},
		{"POST", "same-site", "", "", 403},
		{"POST", "same-origin", "", "", 405},
		{"POST", "", "", "https://evil.example", 403},
		{"POST", "", "", "http://localhost:7333", 405},
		{"POST", "", "", "null", 403},
		{"GET", "cross-site", "image", "", 403},
		{"GET", "cross-site", "iframe", "", 403},
		{"GET", "cross-site", "empty", "", 403},
		{"GET", "same-site", "script", "", 403},
		{"GET", "cross-site", "document", "", 200},
		{"GET", "same-site", "document", "", 200},
		{"GET", "none", "document", "", 200},
		{"GET", "same-origin", "empty", "", 200},
		{"GET", "", "", "", 200},
	} {
		var changes []func(*http.Request)
		for key, value := range map[string]string{"Sec-Fetch-Site": c.site, "Sec-Fetch-Dest": c.kind, "Origin": c.origin} {
			if value != "" {
				changes = append(changes, header(key, value))
			}
		}
		if w := ask(s, c.method, "/t/spring/", changes...); w.Code != c.want {
			t.Errorf("%+v: status %d", c, w.Code)
		}
	}
}

// hostileNames are names that a database can have, each with its segment of an address.
func hostileNames() map[string]string {
	return map[string]string{
		`.`: "~.", `..`: "~..", `~`: "~~", `~..`: "~~..", `...`: "...", `a/b`: "a%2Fb", `/`: "~%2F", `\`: "%5C", `a b`: "a%20b",
		`%2e%2e`: "%252e%252e", `a?b#c`: "a%3Fb%23c", `<script>alert(1)</script>`: "%3Cscript%3Ealert%281%29%3C%2Fscript%3E",
		`"><img src=x onerror=alert(1)>`: "%22%3E%3Cimg%20src=x%20onerror=alert%281%29%3E", `javascript:alert(1)`: "javascript:alert%281%29",
		"a\u202eb": "a%E2%80%AEb", "a\nb\x1b[31m": "a%0Ab%1B%5B31m", `{{.}}`: "%7B%7B.%7D%7D", "日本": "%E6%97%A5%E6%9C%AC",
	}
}

// TestHostileAddresses: every bot and tournament has an address whatever its name. TestAbsurdRecords looks for markup.
func TestHostileAddresses(t *testing.T) {
	t.Parallel()
	var bots []string
	for name, want := range hostileNames() {
		bots = append(bots, name)
		equal(t, fmt.Sprintf("the segment of %q", name), want, segment(name))
	}
	plan := planOf(`<blink>&"'/..`, "awale", 1, bots...)
	path := filepath.Join(t.TempDir(), "hostile.db")
	storeTournament(t, path, plan, 40)
	s := serverOf(t, path)
	page := get(t, s, homeOf(plan.Name), http.StatusOK)
	for _, bot := range bots {
		found := false
		for _, address := range regexp.MustCompile(`href="([^"]*/bot/[^"]*)"`).FindAllStringSubmatch(page, -1) {
			w := ask(s, "GET", html.UnescapeString(address[1]))
			found = found || w.Code == 200 && strings.Contains(w.Body.String(), "<h1>"+html.EscapeString(safe.Line(bot))+"</h1>")
		}
		if !found {
			t.Errorf("no link of the tournament leads to the bot %q", bot)
		}
	}
}

// TestKept: a page stays as it was drawn until the library changes, and a browser that has it gets it only once. What
// is kept has a limit.
func TestKept(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "spring.db")
	plan := planOf("spring", "awale", 2, "ann", "ben")
	storeTournament(t, path, plan, 2)
	s := serverOf(t, path)
	first := ask(s, "GET", "/")
	tag := first.Header().Get("ETag")
	again := ask(s, "GET", "/", header("If-None-Match", tag))
	if again.Code != http.StatusNotModified || again.Body.Len() > 0 {
		t.Errorf("the same page again: status %d, %d bytes", again.Code, again.Body.Len())
	}
	if !strings.Contains(first.Body.String(), "2 of 4 matches") {
		t.Errorf("the first page is\n%s", first.Body)
	}
	storeTournament(t, path, plan, 0)
	changed := ask(s, "GET", "/", header("If-None-Match", tag))
	if changed.Code != 200 || !strings.Contains(changed.Body.String(), "4 matches") {
		t.Errorf("the page after a change: status %d\n%s", changed.Code, changed.Body)
	}
	other := ask(s, "GET", "/rules/").Body.Len()
	if n := len(s.drawn.answers); n != 2 || s.drawn.size != len("/?/rules/?")+changed.Body.Len()+other {
		t.Errorf("%d pages are kept, with %d bytes", n, s.drawn.size)
	}
	s.drawn.size = mostDrawn + 1
	if ask(s, "GET", "/"); len(s.drawn.answers) != 1 {
		t.Errorf("%d pages are kept beyond the limit", len(s.drawn.answers))
	}
	storeTournament(t, path, planOf("summer", "awale", 1, "ann", "ben"), 0)
	get(t, s, "/t/summer/match/9", http.StatusNotFound)
	for _, name := range []string{"spring", "summer", "spring", "spring"} {
		if page := get(t, s, "/t/"+name+"/", http.StatusOK); !strings.Contains(page, "<h1>"+name+"</h1>") {
			t.Errorf("the page of %s is\n%s", name, page)
		}
		read := s.drawn.reader
		if get(t, s, "/t/"+name+"/matches", http.StatusOK); read == nil || s.drawn.reader != read {
			t.Errorf("%s is read for each of its pages", name)
		}
	}
	asset := ask(s, "GET", "/assets/style.css")
	if w := ask(s, "GET", "/assets/style.css", header("If-None-Match", asset.Header().Get("ETag"))); w.Code != http.StatusNotModified {
		t.Errorf("an asset again: status %d", w.Code)
	}
}

// TestDamage: a database that is gone or cannot be read any more is a page that says so, until it is whole again.
func TestDamage(t *testing.T) {
	t.Parallel()
	library := quickLibrary(t)
	s := must2(NewServer(library))
	whole := must2(os.ReadFile(library.path))
	shows := func(status int, text string) {
		t.Helper()
		for _, address := range []string{"/", "/t/spring/"} {
			if page := get(t, s, address, status); !strings.Contains(page, text) {
				t.Errorf("%s does not show %q:\n%s", address, text, page)
			}
		}
	}
	shows(http.StatusOK, "spring")
	must(t, os.Remove(library.path))
	shows(http.StatusServiceUnavailable, "<p>The database of these pages is gone: it was removed, renamed or emptied.</p>")
	must(t, os.WriteFile(library.path, whole, 0o600))
	shows(http.StatusOK, "spring")
	must(t, os.WriteFile(library.path, make([]byte, len(whole)), 0o600))
	shows(http.StatusInternalServerError, "Something went wrong")
}

// TestRulesPages: the rules of each ruleset have all sections of the document that hold for it.
func TestRulesPages(t *testing.T) {
	t.Parallel()
	s := must2(NewServer(quickLibrary(t)))
	for _, name := range []string{"kalah-12x4", "kalah-swap", "kalah-7x7-full-swap"} {
		if page := ask(s, "GET", "/rules/"+name).Body.String(); !strings.Contains(page, `<section id="kalah"`) {
			t.Errorf("%s does not have the rules of kalah", name)
		}
	}
	if page := ask(s, "GET", "/rules/oware").Body.String(); !strings.Contains(page, "<strong>Grand slam</strong> in awale; oware changes it, see above") {
		t.Error("the rule of awale that oware changes is not folded away")
	}
	bases := map[string][]string{"oware": {"awale"}, "bechi-2x3": {"bechi"}, "buqruru-ludii": {"buqruru-bellin"}}
	for _, rules := range engine.Rulesets() {
		name := rules.Info().Name
		page := ask(s, "GET", "/rules/"+name).Body.String()
		for _, title := range append([]string{name, "What-all-rulesets-share"}, bases[name]...) {
			if strings.Count(page, `<section id="`+title+`"`) != 1 {
				t.Errorf("%s: there is no section %q", name, title)
			}
		}
		if got := strings.Contains(page, `<section id="Matches-of-many-rounds"`); got == rules.Info().Single {
			t.Errorf("%s: its section on many rounds: %v", name, got)
		}
		if examples := strings.Count(page, "<figcaption>After"); examples == 0 && name != "bechi-2x3" {
			t.Errorf("%s: no example is drawn as a board", name)
		}
		for _, raw := range []string{"[house]", "**", "<!--", "|---|", "](", "<section id=\"" + name + "\" aria-labelledby=\"" + name + "-title\">\n\n</section>"} {
			if strings.Contains(page, raw) {
				t.Errorf("%s: the page has %q", name, raw)
			}
		}
	}
}

// TestCards: the list has the newest tournament first, with what its matches tell.
func TestCards(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "many.db")
	storeTournament(t, path, planOf("first", "awale", 1, "ann", "ben"), 0)
	storeTournament(t, path, planOf("second", "redu", 2, "cat", "dan", "eve"), 5)
	list := get(t, serverOf(t, path), "/", http.StatusOK)
	lead := regexp.MustCompile(`Most points( so far)?: <strong><a href="/t/\w+/bot/\w+">\w+</a></strong>, [\d.]+</p>`)
	list = strings.Join(strings.Fields(readMarkup(t, "/", lead.ReplaceAllString(list, "LEAD$1</p>")).text), " ")
	for _, want := range []string{
		"second reduround-robin3 bots stopped · 5 of 12 matches LEAD so far first awaleround-robin2 bots complete · 2 matches LEAD",
	} {
		if !strings.Contains(list, want) {
			t.Errorf("the list does not have %q:\n%s", want, list)
		}
	}
}

// TestServeEnds: at the end of its context a server ends the answers that still wait for something.
func TestServeEnds(t *testing.T) {
	t.Parallel()
	s := must2(NewServer(quickLibrary(t)))
	began := make(chan struct{})
	s.handler = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			return // the page that the server draws ahead
		}
		close(began)
		<-r.Context().Done()
	})
	listener := must2(new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0"))
	ctx, cancel := context.WithCancelCause(t.Context())
	done := make(chan error)
	go func() { done <- s.Serve(ctx, listener) }()
	go func() {
		response, err := http.Get("http://" + listener.Addr().String() + "/") //nolint:noctx // the server ends it
		if err == nil {
			response.Body.Close()
		}
	}()
	<-began
	ended := errors.New("it ends")
	cancel(ended)
	if err := <-done; err != ended {
		t.Errorf("Serve returned %v", err)
	}
}

// TestCompressed: a browser that can read compressed pages gets them so.
func TestCompressed(t *testing.T) {
	t.Parallel()
	s := must2(NewServer(quickLibrary(t)))
	zip := header("Accept-Encoding", "gzip")
	plain, zipped := ask(s, "GET", "/rules/redu"), ask(s, "GET", "/rules/redu", zip)
	if plain.Header().Get("Content-Encoding") != "" || zipped.Header().Get("Content-Encoding") != "gzip" {
		t.Fatalf("the encoding is %q and %q", plain.Header().Get("Content-Encoding"), zipped.Header().Get("Content-Encoding"))
	}
	text := must2(io.ReadAll(must2(gzip.NewReader(zipped.Body))))
	if string(text) != plain.Body.String() {
		t.Error("the page is another one")
	}
}

// TestRulesDocument compares rules.html with the pages that it is made from. With UPDATE_GOLDEN=1 it writes the file
// instead. The mark of a choice that the source does not make becomes an element that the style sheet knows. Links
// from one page to another lose their address, because a browser does not find it.
func TestRulesDocument(t *testing.T) {
	t.Parallel()
	var html bytes.Buffer
	for _, page := range append([]string{"../../../engine/RULES.md"}, must2(filepath.Glob("../../../engine/rules/*.md"))...) {
		document := must2(os.ReadFile(page))
		must(t, goldmark.New(goldmark.WithExtensions(extension.Table)).Convert(document, &html))
	}
	want := strings.NewReplacer(
		"<strong>[house]</strong>", `<strong class="house" title="a choice that the source does not make">house rule</strong>`,
		"<pre>", `<pre tabindex="0">`,
		"</table>", "</table></div>",
	).Replace(html.String())
	want = regexp.MustCompile(`<table>(\s*<thead>\s*<tr>\s*<th>)([^<]+)`).ReplaceAllString(want,
		`<div class="scroll" tabindex="0" role="region" aria-label="Table by $2"><table>$1$2`)
	want = regexp.MustCompile(`<a href="[^":]*">([^<]*)</a>`).ReplaceAllString(want, "$1")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		must(t, os.WriteFile("rules.html", []byte(want), 0o644))
		return
	}
	equal(t, "rules.html is not made from the pages of engine (hint: UPDATE_GOLDEN=1 makes it)", want, rulesDocument)
}
