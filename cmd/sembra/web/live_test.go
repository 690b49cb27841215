package web

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// watcher is a browser that watches a tournament.
type watcher struct {
	t     testing.TB
	lines *bufio.Scanner
	page  string // its main part
	now   liveNow
	kinds map[string]int // number of events
}

// watch begins to watch a tournament.
func watch(t testing.TB, address string) *watcher {
	t.Helper()
	request := must2(http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil))
	answer := must2(http.DefaultClient.Do(request))
	t.Cleanup(func() { answer.Body.Close() })
	if kind := answer.Header.Get("Content-Type"); answer.StatusCode != http.StatusOK || kind != "text/event-stream" {
		t.Fatalf("%s, %s", answer.Status, kind)
	}
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 16<<20)
	return &watcher{t: t, lines: lines, kinds: make(map[string]int)}
}

// until reads events until a condition holds.
func (w *watcher) until(what string, holds func() bool) {
	w.t.Helper()
	for kind := ""; !holds(); {
		if !w.lines.Scan() {
			w.t.Fatalf("%s: the events have ended (%v) after %v", what, w.lines.Err(), w.kinds)
		}
		if text, ok := strings.CutPrefix(w.lines.Text(), "event: "); ok {
			kind = text
			w.kinds[kind]++
		}
		data, ok := strings.CutPrefix(w.lines.Text(), "data: ")
		if !ok {
			continue
		}
		var err error
		switch kind {
		case "page":
			err = json.Unmarshal([]byte(data), &w.page)
		case "now":
			w.now = liveNow{}
			err = json.Unmarshal([]byte(data), &w.now)
		}
		must(w.t, err)
	}
}

func (w *watcher) shows(text string) func() bool {
	return func() bool { return strings.Contains(w.page, text) }
}

// TestLive: browsers that watch a tournament see each change of its page, the match in play with its board, and the end
// of the match. A browser that reads nothing does not keep the others from that.
func TestLive(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cup.db")
	run, feed := beginCup(t, path, false), new(fakeFeed)
	run.put(1)
	l := RunLibrary(path, feed)
	s := must2(NewServer(l))
	served := httptest.NewServer(s)
	defer served.Close()
	address := served.URL + "/t/cup/live"

	deaf := must2(net.Dial("tcp", served.Listener.Addr().String()))
	defer deaf.Close()
	fmt.Fprintf(deaf, "GET /t/cup/live HTTP/1.1\r\nHost: localhost\r\n\r\n")

	first, second := watch(t, address), watch(t, address)
	first.until("the page", first.shows("1 of 30 matches"))
	second.until("the page", second.shows("1 of 30 matches"))
	feed.play(run, "A", "a")
	first.until("the match in play", func() bool { return len(first.now.Matches) == 1 })
	m := first.now.Matches[0]
	if m.Plies != 2 || m.Frame.Token != "a" || m.Before == nil || m.Before.Position == m.Frame.Position || !first.now.Running {
		t.Errorf("in play: %+v", m)
	}
	if !strings.Contains(get(t, s, "/t/cup/match/7", http.StatusOK), `data-live="/t/cup/live" data-match="7"`) {
		t.Error("the match in play has no page")
	}
	run.put(2)
	first.until("the second change", first.shows("3 of 30 matches"))
	second.until("the second change", second.shows("3 of 30 matches"))
	late := watch(t, address)
	late.until("the whole page", late.shows("3 of 30 matches"))
	feed.play(run)
	first.until("the end", func() bool { return len(first.now.Matches) == 0 })
	get(t, s, "/t/cup/match/7", http.StatusNotFound) // it is not recorded yet
	if strings.Contains(get(t, s, "/t/cup/match/3", http.StatusOK), "Next match") {
		t.Error("match 3 leads to match 4, which is not recorded")
	}

	answer := must2(http.Get(served.URL + "/t/unknown/live"))
	answer.Body.Close()
	if answer.StatusCode != http.StatusNotFound {
		t.Errorf("an unknown tournament: %s", answer.Status)
	}
	served.CloseClientConnections()
	await(t, "nobody watches", func() bool {
		s.lives.mu.Lock()
		defer s.lives.mu.Unlock()
		return len(s.lives.streams) == 0 && s.lives.watchers == 0
	})
}

// TestTooManyWatchers: a browser that comes when all places are taken is told so.
func TestTooManyWatchers(t *testing.T) {
	t.Parallel()
	s := must2(NewServer(quickLibrary(t)))
	var last *eventStream
	for range mostWatchers {
		last = must2(s.join(t.Context(), "spring"))
	}
	if page := get(t, s, "/t/spring/live", http.StatusServiceUnavailable); !strings.Contains(page, "Too many watchers") {
		t.Errorf("the page is\n%s", page)
	}
	for range mostWatchers {
		s.leave(last)
	}
	if len(s.lives.streams) > 0 {
		t.Error("a stream without watchers continues")
	}
}
