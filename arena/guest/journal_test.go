package guest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sembra/results"
)

// TestJournalTalk: the last lines of both directions are kept, and the missing ones are counted. A flood leaves the
// question before it.
func TestJournalTalk(t *testing.T) {
	t.Parallel()
	turns := strings.Repeat(" t3 s1", 13)
	for script, want := range map[string]string{
		// t and s: so many lines to the bot and from it, o: the beginning of one from it, -: so many are missing.
		"":                        "",
		"t1 s3 t3 s2 t36":         "t1 s3 t3 s2 t36",
		"t79 s2":                  "-39 t40 s2",
		"t3 s30 t3 s60":           "t3 -30 t3 -20 s40",
		"t3 s1" + turns + turns:   "-54 t1 s1" + turns,
		"t9 s1 t3 s100 t2":        "t9 -1 t3 -60 s40 t2",
		"t9 s1 t1 s1 t2 s100 t2":  "t9 -1 t1 -1 t2 -60 s40 t2",
		"t3 s50 t70":              "-83 t40",
		"s100":                    "-60 s40",
		"t3 o1 t1 o1 s1 t2":       "t3 s1 t3",
		"t3 s2 o1 t1 o1 o1 o1 s1": "t3 s3 t1",
		"o1 t90 s1 t1 s1":         "-52 t40 s1",
	} {
		for _, size := range []int{1, 4, 30, 100_000} {
			j := newJournal("bot", speechless{})
			for part := range strings.FieldsSeq(script) {
				lines := 0
				_, _ = fmt.Sscan(part[1:], &lines)
				text := strings.Repeat("a line\n", lines)
				if part[0] == 'o' {
					text = strings.Repeat("x", 3*keptLine)
				}
				for piece := range chunks([]byte(text), size) {
					j.note(part[0] != 't', time.Time{}, piece)
				}
			}
			if got := outline(j.Talk()); got != want {
				t.Errorf("%s, in pieces of %d: %q, want %q", script, size, got, want)
			}
		}
	}
}

// TestLogSize: what a bot says in a log is bounded, on standard error and on its output, and each tells so once. What it
// is told is not.
func TestLogSize(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	l := NewLog(&text, time.Time{})
	flood := []byte(strings.Repeat(strings.Repeat("x", 63)+"\n", 1<<14)) // a MiB
	for range 20 {
		l.add(time.Time{}, "a", markFromBot, flood)
		l.add(time.Time{}, "a", markStderr, flood)
	}
	l.add(time.Time{}, "a", markToBot, []byte("go\n"))
	for line, want := range map[string]int{
		"xxx\n": 26 << 14, "the rest of its output is left": 1, "the rest of its standard error is left": 1, "a> go\n": 1,
	} {
		if got := strings.Count(text.String(), line); got != want {
			t.Errorf("%q is there %d times, want %d", line, got, want)
		}
	}
	before, empty := text.Len(), []byte(strings.Repeat("\n", 1<<10))
	for range 2000 {
		l.add(time.Time{}, "b", markFromBot, empty)
	}
	if got := text.Len() - before; got < mostLogged || got > mostLogged+1<<15 {
		t.Errorf("2,048,000 empty lines are %d bytes", got)
	}
}

// outline writes the numbers of lines in each direction by turns, and of missing lines.
func outline(talk results.Talk) string {
	var runs []string
	way, count := "-", talk.Left
	end := func() {
		if count > 0 {
			runs = append(runs, fmt.Sprint(way, count))
		}
		count = 0
	}
	for _, line := range talk.Lines {
		now := "t"
		if line.FromBot {
			now = "s"
		}
		if line.Left > 0 {
			end()
			way, count = "-", line.Left
		}
		if now != way {
			end()
		}
		way = now
		count++
	}
	end()
	return strings.Join(runs, " ")
}

// speechless is a bot that writes nothing to its standard error.
type speechless struct{ Bot }

func (speechless) Stderr() (end []byte, left int64) { return nil, 0 }

func chunks(text []byte, size int) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for len(text) > 0 {
			n := min(size, len(text))
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}
