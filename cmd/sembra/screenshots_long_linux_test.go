//go:build long && !race

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestScreenshots takes the pictures of the pages that README.md shows, if the environment says where to put them:
//
//	SEMBRA_SCREENSHOTS=$PWD/results/page/screenshots go test -tags long -run '^TestScreenshots$' ./cmd/sembra
func TestScreenshots(t *testing.T) {
	folder := os.Getenv("SEMBRA_SCREENSHOTS")
	if folder == "" {
		t.Skip("SEMBRA_SCREENSHOTS names no folder")
	}
	dir := t.TempDir()
	config, err := filepath.Abs(filepath.Join(root, "configs", "quickstart.toml"))
	mustBe(t, err)
	mustRun(t, dir, "run", config, "--db", "cup.db")
	first := servePages(t, dir, "cup.db")
	p := newBrowser(t).tab(t)
	p.prefer("light", "reduce")
	for _, picture := range []struct {
		name, address, ready string
		height               int64
	}{
		{"tournament.png", "t/quickstart/", "true", 1000},
		{"match.png", "t/quickstart/match/120#ply=9", `document.querySelector(".match-board").dataset.position`, 900},
	} {
		p.resize(1280, picture.height)
		p.open(first + picture.address)
		p.await(picture.ready)
		image, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
		p.must("take a picture", err)
		mustBe(t, os.WriteFile(filepath.Join(folder, picture.name), image, 0o644))
	}
}
