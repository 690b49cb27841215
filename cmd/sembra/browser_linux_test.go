//go:build !race

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	document "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browserPatience is how long a test waits for a state of a page. A page that works
// reaches it in less than a second, and so the bound holds on a slow machine too.
const browserPatience = 5 * time.Minute

// startPatience is how long a test waits for a browser that starts, which takes about a second. A browser that
// needs longer is not used.
const startPatience = time.Minute

// A browser is a headless Chromium that the tests of the page share, with two tabs at a time.
type browser struct {
	path string
	home string // an empty folder: the one of the person may be missing or not writable
	tabs chan struct{}

	ctx context.Context
	end func()
}

// newBrowser starts a browser that ends with the test. Without a Chromium that runs, the test is skipped.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	b := &browser{tabs: make(chan struct{}, 2)}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil && b.path == "" {
			b.path = path
		}
	}
	if b.path == "" {
		t.Skip("there is no Chromium on this machine (.ci/setup installs it)")
	}
	var err error
	b.home, err = os.MkdirTemp("", "sembra-browser")
	must(t, err)
	t.Cleanup(func() {
		if b.end != nil {
			b.end()
		}
		_ = os.RemoveAll(b.home) // what the browser left may still write there
	})
	if err := b.start(); err != nil {
		t.Skipf("Chromium does not run on this machine: %v", err)
	}
	return b
}

// start starts the process, which the kernel ends with this one. The sandbox is off: many containers do not
// allow what it needs, and the browser shows only our own pages.
func (b *browser) start() error {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(b.path), chromedp.NoSandbox,
		chromedp.Env("HOME="+b.home, "XDG_CONFIG_HOME="+b.home, "XDG_CACHE_HOME="+b.home, "XDG_DATA_HOME="+b.home),
		chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("no-proxy-server", true))
	allocator, endAll := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(allocator)
	b.ctx, b.end = ctx, func() { end(); endAll() }
	started := make(chan error, 1)
	go func() { started <- errors.Join(chromedp.Do(ctx), works(ctx)) }()
	select {
	case err := <-started:
		return err
	case <-time.After(startPatience):
		return fmt.Errorf("it does not answer %s after its start", startPatience)
	}
}

// works returns why a browser does not show a page that is not ours; nil: it does.
func works(browser context.Context) error {
	ctx, end := chromedp.NewContext(browser)
	defer end()
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Navigate("data:text/html,<p>text</p>")); err != nil {
		return err
	}
	shows, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`document.querySelector("p").offsetHeight > 0`))
	if err == nil && !shows {
		err = errors.New("it draws no text")
	}
	return err
}

// lost reports whether the process of the browser ended.
func (b *browser) lost() bool {
	select {
	case <-chromedp.FromContext(b.ctx).Browser.LostConnection:
		return true
	case <-b.ctx.Done():
		return true
	default:
		return false
	}
}

// A tab is a page of the browser with cookies and storage of its own. Whatever the page says that a page in order does
// not say (an error on the console, an exception, a violation of the policy, a dialog) fails the test at its end.
type tab struct {
	*testing.T
	browser *browser
	ctx     context.Context

	mu      sync.Mutex
	said    []string // what a page in order does not say
	asked   []string // the addresses of all requests
	crashed bool
}

// tab waits for a place, and opens an empty tab that is closed at the end of the test. A server that
// the test starts before this call ends after the tab.
func (b *browser) tab(t *testing.T) *tab {
	t.Helper()
	b.tabs <- struct{}{}
	t.Cleanup(func() { <-b.tabs })
	ctx, end := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	tab := &tab{T: t, browser: b, ctx: ctx}
	t.Cleanup(func() {
		defer end()
		if tab.broken() {
			return
		}
		tab.mu.Lock()
		defer tab.mu.Unlock()
		for _, line := range tab.said {
			t.Errorf("the page says: %s", line)
		}
	})
	tab.must("open a tab", chromedp.Listen(ctx, tab.hear))
	return tab
}

// hear notes what the page says and asks for.
func (p *tab) hear(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			p.said = append(p.said, fmt.Sprintf("console.%s: %s", e.Type, described(e.Args)))
		}
	case *runtime.EventExceptionThrown:
		p.said = append(p.said, fmt.Sprintf("exception: %s %s", e.ExceptionDetails.Text,
			described([]*runtime.RemoteObject{e.ExceptionDetails.Exception})))
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Source == log.EntrySourceSecurity {
			p.said = append(p.said, fmt.Sprintf("%s: %s (%s)", e.Entry.Source, e.Entry.Text, e.Entry.URL))
		}
	case *document.EventJavascriptDialogOpening:
		p.said = append(p.said, fmt.Sprintf("dialog: %q", e.Message))
		go chromedp.Call(p.ctx, document.HandleJavaScriptDialog, document.HandleJavaScriptDialogParams{Accept: true})
	case *network.EventRequestWillBeSent:
		p.asked = append(p.asked, e.Request.URL)
	case *inspector.EventTargetCrashed:
		p.crashed = true
	}
}

func described(values []*runtime.RemoteObject) string {
	var texts []string
	for _, v := range values {
		switch {
		case v == nil:
		case v.Description != "":
			texts = append(texts, v.Description)
		default:
			texts = append(texts, string(v.Value))
		}
	}
	return strings.Join(texts, " ")
}

// broken reports whether the browser, or what draws this tab, ended.
func (p *tab) broken() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.crashed || p.browser.lost()
}

// must ends the test if the browser did not do what it was told: as skipped if that is
// a fault of the browser, and not of the page.
func (p *tab) must(what string, err error) {
	p.Helper()
	if err == nil {
		return
	}
	if p.broken() {
		p.Skipf("Chromium ended during the test: %s: %v", what, err)
	}
	if fault := works(p.browser.ctx); fault != nil {
		p.Skipf("Chromium shows no page any more (%v): %s: %v", fault, what, err)
	}
	p.Fatalf("%s: %v", what, err)
}

func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) error {
	ctx, cancel := context.WithTimeout(p.ctx, browserPatience)
	defer cancel()
	return chromedp.Do(ctx, steps...)
}

// open goes to an address and waits until everything that the page needs is there.
func (p *tab) open(address string) {
	p.Helper()
	p.must("open "+address, p.do(chromedp.Navigate(address)))
}

// await waits until a JavaScript expression is true.
func (p *tab) await(condition string) {
	p.Helper()
	deadline := time.Now().Add(browserPatience)
	for {
		ctx, cancel := context.WithDeadline(p.ctx, deadline)
		// While the page is being replaced, an expression has no value.
		is, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("Boolean("+condition+")"))
		cancel()
		if is && err == nil {
			return
		}
		if p.broken() {
			p.must("wait", fmt.Errorf("%s: %w", condition, err))
		}
		if time.Now().After(deadline) || p.ctx.Err() != nil {
			text := evaluate[string](p, "location.href + '\\n' + document.body.innerText.slice(0, 3000)")
			p.must("wait", fmt.Errorf("%s is not true (%v) on\n%s", condition, err, text))
		}
		time.Sleep(30 * time.Millisecond)
	}
}

// evaluate returns the value of a JavaScript expression, or of what it promises.
func evaluate[T any](p *tab, expression string) T {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, browserPatience)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	p.must("evaluate "+expression, err)
	return value
}

// script writes a text as a JavaScript string.
func script(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// click waits for an element that nothing covers, and clicks on it with the mouse.
func (p *tab) click(selector string) {
	p.Helper()
	p.clickOn("document.querySelector(" + script(selector) + ")")
}

// clickOn is click for the element that a JavaScript expression finds. It waits until the element stays where it is.
func (p *tab) clickOn(element string) {
	p.Helper()
	place := `(() => {
		const found = ` + element + `;
		if (!found || found.disabled) return null;
		found.scrollIntoView({block: "center", behavior: "instant"});
		const box = found.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
		const top = document.elementFromPoint(x, y);
		return top && (found.contains(top) || top.contains(found)) ? {x, y} : null;
	})()`
	var at *struct{ X, Y float64 }
	for deadline := time.Now().Add(browserPatience); at == nil; {
		if time.Now().After(deadline) {
			p.Fatalf("%s does not stay where it is", element)
		}
		p.await(place)
		at = evaluate[*struct{ X, Y float64 }](p, `(async () => {
			const before = `+place+`;
			await new Promise(done => requestAnimationFrame(done));
			const after = `+place+`;
			return before && after && before.x === after.x && before.y === after.y ? after : null;
		})()`)
	}
	p.must("click on "+element, p.do(chromedp.MouseClickXY(at.X, at.Y)))
}

// prefer sets what the person prefers: the colour scheme "light" or "dark", and of motion "reduce" or "no-preference".
func (p *tab) prefer(scheme, motion string) {
	p.Helper()
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: motion},
		},
	})
	p.must("prefer "+scheme, err)
}

// resize sets the width and height of the window in CSS pixels.
func (p *tab) resize(width, height int64) {
	p.Helper()
	p.must("resize", p.do(chromedp.EmulateViewport(width, height)))
}
