package guest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"sembra/results"
)

// TestJournalLines compares the kept lines with the whole text, written in pieces
// of any size.
func TestJournalLines(t *testing.T) {
	t.Parallel()
	since := time.Now()
	for _, size := range []int{1, 7, 100, 5000, 40_000} {
		var all bytes.Buffer
		for i := range 20_000 {
			fmt.Fprintf(&all, "line %d\n", i)
		}
		text := all.Bytes()
		var s side
		number := 0
		for piece := range chunks(text, size) {
			s.add(2*number, since.Add(time.Duration(number)), piece)
			number++
		}
		lines, left := s.lines(since, true)
		if len(lines) != keptLines || left+len(lines) != 20_000 {
			t.Fatalf("pieces of %d: %d lines after %d", size, len(lines), left)
		}
		for i, line := range lines {
			want := fmt.Sprintf("line %d", left+i)
			began := bytes.Index(text, []byte(want+"\n")) / size
			if string(line.Text) != want || line.At != time.Duration(began) || line.place != left+i+2*began {
				t.Errorf("pieces of %d: line %d is %q at %d, place %d, want %q at %d", size, left+i, line.Text, line.At, line.place, want, began)
			}
		}
	}
}

// TestJournalTalk: the end of a conversation is kept without a gap. Only a question
// before a flood stands apart, and the missing lines are counted.
func TestJournalTalk(t *testing.T) {
	t.Parallel()
	turns := strings.Repeat(" t3 s1", 13)
	for script, want := range map[string]string{
		// t and s: so many lines to the bot and from it, o: the beginning of one from it, -: so many are missing.
		"":                        "",
		"t1 s3 t3 s2 t36":         "t1 s3 t3 s2 t36",
		"t60 s1 t3 s1":            "-23 t37 s1 t3 s1",
		"t3 s30 t3 s30":           "-23 s10 t3 s30",
		"t3 s1" + turns:           "-2 t1 s1" + turns,
		"t9 s1 t3 s100":           "-10 t3 -60 s40",
		"t9 s1 t3 s100 t2":        "-10 t3 -60 s40 t2",
		"t9 s1 t1 s1 t2 s100 t2":  "-10 t1 -1 t2 -60 s40 t2",
		"t3 s50 t50":              "-63 t40",
		"s100":                    "-60 s40",
		"t3 o1 t1 o1 s1 t2":       "t3 s1 t3",
		"t3 s2 o1 t1 o1 o1 o1 s1": "t3 s3 t1",
	} {
		for _, size := range []int{1, 4, 30, 100_000} {
			j := newJournal("bot", speechless{})
			for part := range strings.FieldsSeq(script) {
				lines := 0
				_, _ = fmt.Sscan(part[1:], &lines)
				text := strings.Repeat("a line\n", lines)
				if part[0] == 'o' {
					text = strings.Repeat("x", keptBytes)
				}
				for piece := range chunks([]byte(text), size) {
					if part[0] == 't' {
						j.note(&j.told, &j.said, time.Time{}, piece)
					} else {
						j.note(&j.said, &j.told, time.Time{}, piece)
					}
				}
			}
			if got := outline(j.Talk()); got != want {
				t.Errorf("%s, in pieces of %d: %q, want %q", script, size, got, want)
			}
		}
	}
}

// outline writes the numbers of lines in each direction by turns, and of missing
// lines.
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
		if line.Said {
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

func (speechless) Log() (end []byte, left int64) { return nil, 0 }

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
