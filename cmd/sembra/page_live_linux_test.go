//go:build !race && long

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// TestLivePage: a page follows a run from before its first match to its end. It keeps the table as the reader has sorted
// it, and the focus.
func TestLivePage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, dir, "cup.toml", longer("live-page"))
	writeFile(t, dir, "slow", "")
	writeFile(t, dir, "held", "")
	p := newBrowser(t).tab(t)
	beside := startServing(t, dir, "serve", "cup.toml", "--addr", "127.0.0.1:0")
	t.Cleanup(func() { beside.stop(t, syscall.SIGTERM) })
	run := exec.Command("sembra", "run", "cup.toml", "--concurrency", "2")
	run.Dir = dir
	mustBe(t, run.Start())
	t.Cleanup(func() { _ = run.Process.Kill() })

	beside.await(t, "t/cup/", "0 of 18 matches")
	p.open(beside.address + "t/cup/")
	p.await(`document.querySelectorAll("#now:not([hidden]) .live-boards .board").length === 2`)
	p.await(`document.querySelector("#progress").textContent.includes("0 of 18 matches")`)
	const header = `#standings th:nth-child(2) button.sort`
	p.click(header)
	p.click(header)
	sorted := `(() => {
		const names = [...document.querySelectorAll("#standings tbody tr")].map((row) => row.cells[1].textContent.trim());
		return names.join() === "random,last,first" && document.querySelector("#standings th:nth-child(2)").ariaSort === "descending";
	})()`
	p.await(sorted)
	evaluate[bool](p, `(() => { window.sameRow = document.querySelector("#standings tbody tr"); return true; })()`)
	mustBe(t, os.Remove(filepath.Join(dir, "held")))
	p.await(`[...document.querySelectorAll(".live-head")].some((head) => /ply [1-9]/.test(head.textContent))`)
	p.await(`document.querySelector("#progress progress").value >= 2`)
	p.await(sorted)
	if !evaluate[bool](p, `document.activeElement === document.querySelector(`+script(header)+`) && window.sameRow.isConnected`) {
		t.Error("the focus or the row of a bot is lost")
	}
	mustBe(t, os.Remove(filepath.Join(dir, "slow")))
	mustBe(t, run.Wait())
	p.await(`document.querySelector("#progress").textContent.includes("18 of 18 matches") && document.querySelector("#now").hidden`)
	p.await(sorted)
	// Columns that came with the first results can be sorted by, too.
	p.await(`[...document.querySelectorAll("#standings th:not([data-sort])")].every((header) => header.querySelector("button.sort"))`)
}
