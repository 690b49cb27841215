package engine_test

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"sembra/engine"
)

func TestTextOfParts(t *testing.T) {
	t.Parallel()
	r := lookup(t, "oware")
	p := parse(t, r, "1,2,3,4,5,6/0,7,0,8,0,1 5-6 N sow 1 7")
	for hole, want := range []int{1, 2, 3, 4, 5, 6} {
		equal(t, "South's seeds", want, p.Seeds(engine.South, hole))
	}
	for hole, want := range []int{0, 7, 0, 8, 0, 1} {
		equal(t, "North's seeds", want, p.Seeds(engine.North, hole))
	}
	equal(t, "South's store", 5, p.Store(engine.South))
	equal(t, "North's store", 6, p.Store(engine.North))
	equal(t, "side", engine.North, p.Side())
	equal(t, "phase", engine.PhaseSow, p.Phase())
	equal(t, "round", 1, p.Round())
	equal(t, "quiet", 7, p.Quiet())
}

// refused is a position text that is refused, and the error.
type refused struct{ ruleset, text, want string }

// readRefused reads testdata/refused.txt, whose head says how it is written.
func readRefused(t testing.TB) []refused {
	t.Helper()
	text := must2(os.ReadFile("testdata/refused.txt"))
	var cases []refused
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		want, isError := strings.CutPrefix(line, "  ")
		switch {
		case line == "" || line[0] == '#':
		case isError && len(cases) > 0:
			cases[len(cases)-1].want = want
		default:
			ruleset, quoted, _ := strings.Cut(line, " ")
			text, err := strconv.Unquote(quoted)
			if err != nil {
				t.Fatalf("bad line %q: %v", line, err)
			}
			cases = append(cases, refused{ruleset: ruleset, text: text})
		}
	}
	return cases
}

// TestRefused checks the errors for the texts of testdata/refused.txt.
func TestRefused(t *testing.T) {
	t.Parallel()
	for _, c := range readRefused(t) {
		_, err := engine.ParsePosition(lookup(t, c.ruleset), c.text)
		var bad *engine.TextError
		if !errors.As(err, &bad) {
			t.Errorf("%s, %q: error %v", c.ruleset, c.text, err)
			continue
		}
		equal(t, c.ruleset+", "+c.text, "bad position text at "+c.want, err.Error())
	}
}

func TestAppendText(t *testing.T) {
	r := lookup(t, "oware")
	p := r.Start()
	equal(t, "appended", "position "+engine.Text(r, p), string(engine.AppendText([]byte("position "), r, p)))
	buffer := make([]byte, 0, 80)
	if got := testing.AllocsPerRun(10, func() { buffer = engine.AppendText(buffer[:0], r, p) }); got != 0 {
		t.Errorf("AppendText allocates %v times", got)
	}
}
