//go:build long && !race

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
)

// press types keys, as chromedp's kb package names them.
func (p *tab) press(keys string) {
	p.Helper()
	p.must(fmt.Sprintf("press %q", keys), p.do(chromedp.KeyEvent(keys)))
}

// offline takes the network away. Browsers of different ages know only this old command.
func (p *tab) offline() {
	p.Helper()
	type conditions struct {
		Offline            bool    `json:"offline"`
		Latency            float64 `json:"latency"`
		DownloadThroughput float64 `json:"downloadThroughput"`
		UploadThroughput   float64 `json:"uploadThroughput"`
	}
	_, err := chromedp.Call(p.ctx, cdp.Command[conditions, cdp.Empty]{Method: "Network.emulateNetworkConditions"},
		conditions{Offline: true, DownloadThroughput: -1, UploadThroughput: -1})
	p.must("go offline", err)
}

// requests returns the addresses of all requests so far.
func (p *tab) requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.asked)
}

// axe returns the source of axe-core, or "" if .ci/setup did not get it.
func axe(t *testing.T) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	found, err := filepath.Glob(filepath.Join(cache, "sembra-ci", "axe-core-*.js"))
	if err != nil || len(found) == 0 {
		return ""
	}
	source := must2(os.ReadFile(found[0]))
	return string(source)
}
