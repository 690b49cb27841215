//go:build long && !race

package main

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestScreenshots takes the pictures of the pages that README.md shows, if the environment says where to put them:
//
//	SEMBRA_SCREENSHOTS=$PWD/cmd/sembra/web/screenshots go test -tags long -run '^TestScreenshots$' ./cmd/sembra
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
		{"match.png", "t/quickstart/match/120#ply=9", `document.querySelector(".match-board").dataset.position`, 850},
	} {
		p.resize(1280, picture.height)
		p.open(first + picture.address)
		p.await(picture.ready + ` && document.getAnimations().length === 0`)
		shot, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
		p.must("take a picture", err)
		mustBe(t, os.WriteFile(filepath.Join(folder, picture.name), small(t, shot), 0o644))
	}
}

// small returns a PNG with the 256 colours that are the most frequent, and so in less than half of the bytes.
func small(t *testing.T, file []byte) []byte {
	t.Helper()
	full, err := png.Decode(bytes.NewReader(file))
	mustBe(t, err)
	count := make(map[color.Color]int)
	for y := range full.Bounds().Dy() {
		for x := range full.Bounds().Dx() {
			r, g, b, _ := full.At(x, y).RGBA()
			const mask = 0xfc // a few shades less
			count[color.RGBA{uint8(r>>8) & mask, uint8(g>>8) & mask, uint8(b>>8) & mask, 0xff}]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(count), func(a, b color.Color) int { return count[b] - count[a] })
	few := image.NewPaletted(full.Bounds(), colours[:min(256, len(colours))])
	draw.Draw(few, few.Bounds(), full, image.Point{}, draw.Src)
	var out bytes.Buffer
	mustBe(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, few))
	return out.Bytes()
}
