package main

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestLiveLines: live lines are at the bottom of a terminal while a tournament runs,
// and nothing of them is left after Ctrl-C.
func TestLiveLines(t *testing.T) {
	t.Parallel()
	for _, width := range []uint16{60, 80, 120} {
		t.Run(strconv.Itoa(int(width)), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			writeFile(t, dir, "cup.toml", longer("live"))
			writeFile(t, dir, "slow", "")
			writeFile(t, dir, "held", "")
			term := newTerminal(t, width, 24)
			cmd := term.start(t, dir, "run", "cup.toml", "--concurrency", "1")
			term.await(t, 0, "longest")
			screen := pictured(term.sofar())
			if !strings.Contains(screen, "\ncup  0 of 12 matches  ") {
				t.Errorf("there is no progress on the screen:\n%s", screen)
			}
			term.types(t, "\x03", "sembra: stopped by a signal")
			if err := cmd.Wait(); cmd.ProcessState.ExitCode() != exitStopped {
				t.Errorf("it ended with %v", err)
			}
			term.await(t, 0, "rest\r\n")
			screen = pictured(term.sofar())
			said := strings.TrimSpace(screen[strings.Index(screen, "sembra: stopped"):])
			if strings.Join(strings.Fields(said), " ") != "sembra: stopped by a signal: 0 of 12 matches are saved in cup.db; the same command plays the rest" {
				t.Errorf("it ended with %q", said)
			}
			for row := range strings.SplitSeq(said, "\n") {
				if len(row) > int(width) {
					t.Errorf("a row is longer than %d columns: %q", width, row)
				}
			}
			if strings.Contains(screen, "longest") || strings.Contains(screen, "matches  ") || strings.Contains(screen, "^C") {
				t.Errorf("live lines are left on the screen:\n%s", screen)
			}
		})
	}
}

// pictured returns what a terminal shows after a text: it knows the line ends, and
// the sequences that move the cursor up and erase all below it.
func pictured(text string) string {
	rows, row, column := []string{""}, 0, 0
	sequence := regexp.MustCompile(`^\x1b\[(\d*)([AJ])`)
	for len(text) > 0 {
		if found := sequence.FindStringSubmatch(text); found != nil {
			text = text[len(found[0]):]
			if found[2] == "J" {
				rows = rows[:row+1]
				rows[row] = rows[row][:min(column, len(rows[row]))]
				continue
			}
			up, _ := strconv.Atoi(found[1])
			row = max(0, row-max(1, up))
			continue
		}
		switch c := text[0]; c {
		case '\r':
			column = 0
		case '\n':
			if row++; row == len(rows) {
				rows = append(rows, "")
			}
		default:
			line := []byte(rows[row])
			for len(line) <= column {
				line = append(line, ' ')
			}
			line[column] = c
			rows[row] = string(line)
			column++
		}
		text = text[1:]
	}
	return strings.Join(rows, "\n")
}
