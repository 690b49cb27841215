package engine_test

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"sembra/engine"
)

func TestText(t *testing.T) {
	t.Parallel()
	for _, r := range []engine.Ruleset{lookup(t, "awale"), lookup(t, "oware")} {
		diff(t, "start", engine.Text(r, r.Start()), "4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0")
		for _, text := range []string{
			"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0",
			"4,4,4,4,4,4/4,4,4,4,4,4 0-0 N sow 1 99",
			"1,2,3,4,5,6/6,5,4,3,2,1 2-4 N sow 1 7",
			"0,0,0,0,0,48/0,0,0,0,0,0 0-0 S sow 1 0",
			"0,0,0,0,0,0/48,0,0,0,0,0 0-0 S sow 1 0",
			"0,0,0,0,0,0/0,0,0,0,0,0 24-24 S over 1 0",
			"0,0,0,0,0,0/0,0,0,0,0,0 48-0 N over 1 100",
			"0,0,0,0,1,0/0,0,0,0,0,4 25-18 N over 1 0",
			// Play leads to none of these, but the text does not have to be reachable.
			"0,0,0,0,0,0/0,0,0,0,0,0 24-24 S sow 1 0",
			"0,0,0,0,0,0/1,0,0,0,0,0 23-24 S sow 1 0",
			"1,1,0,0,0,1/0,1,0,1,0,0 26-17 S sow 1 0",
		} {
			diff(t, "text", engine.Text(r, parse(t, r, text)), text)
		}
	}
}

func TestTextOfParts(t *testing.T) {
	t.Parallel()
	r := lookup(t, "oware")
	p := parse(t, r, "1,2,3,4,5,6/0,7,0,8,0,1 5-6 N sow 1 7")
	for hole, want := range []int{1, 2, 3, 4, 5, 6} {
		diff(t, "South's seeds", p.Seeds(engine.South, hole), want)
	}
	for hole, want := range []int{0, 7, 0, 8, 0, 1} {
		diff(t, "North's seeds", p.Seeds(engine.North, hole), want)
	}
	diff(t, "South's store", p.Store(engine.South), 5)
	diff(t, "North's store", p.Store(engine.North), 6)
	diff(t, "side", p.Side(), engine.North)
	diff(t, "phase", p.Phase(), engine.PhaseSow)
	diff(t, "round", p.Round(), 1)
	diff(t, "quiet", p.Quiet(), 7)
}

// TestKeys checks that texts of every phase and key are read and written back.
func TestKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ ruleset, text string }{
		{"bechi", "6,6,6,6/6,6,6,6 0-0 S sow 1 0 first=S"},
		{"bechi", "0*,7,1*,x/3,0,x,6* 20-11 N sow 3 99 first=N"},
		{"bechi", "0,0,0,0/6,6,6,6 14-10 S fill 2 0 first=N"},
		{"bechi", "6,6,6,6/0,0,0,0 1-23 N fill 8 0 first=N"},
		{"bechi", "0*,0,0*,x/0,0,0,0* 20-28 N over 8 100 first=S"},
		{"bechi", "x,x,x,x/6,6,6,6 5-19 S sow 2 0 first=S"},
		{"bechi-2x3", "6,6,6/6,6,6 0-0 S sow 1 0 first=S"},
		{"bechi-2x3", "0,0,0/6,6,6 17-1 S fill 2 0 first=S"},
		{"buqruru", "6,6,6,6/6,6,6,6 0-0 S sow 1 0 first=S opened=- donkeys=0-0"},
		{"buqruru", "0,0,0,0/6,6,6,6 1-23 S fill 2 0 first=N opened=- donkeys=0-3"},
		{"buqruru", "48,0,0,0/0,0,0,0 0-0 N sow 4 17 first=S opened=SN donkeys=2-1"},
		{"buqruru", "0,0,0,0/0,0,0,0 48-0 N over 4 17 first=S opened=N donkeys=60-59"},
		{"buqruru-bellin", "6,6,6,6/6,6,6,6 0-0 S start 1 0 first=S opened=- start=-,- donkeys=0-0"},
		{"buqruru-bellin", "6,6,6,6/6,6,6,6 0-0 N start 1 0 first=S opened=- start=D,- donkeys=0-0"},
		{"buqruru-bellin", "6,6,6,6/6,6,2,x 0-10 N sow 2 3 first=S opened=S start=-,c donkeys=0-0"},
		{"buqruru-bellin", "0,6,6,6/6,6,2,x 6-10 N sow 2 3 first=S opened=S start=A,- donkeys=0-0"},
		{"buqruru-ludii", "0,0,0,0/x,x,x,0 47-1 N over 2 3 first=S opened=SN start=-,- donkeys=1-0"},
		{"redu", "4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0 take=- missed=-"},
		{"redu", "2,4,4,4,4,1/1,4,4,4,4,1 5-6 S sow 1 3 take=F:turn missed=a,f"},
		{"redu", "1,4,4,4,4,1/1,4,4,4,4,2 5-6 N sow 1 3 take=a:free missed=A,F"},
		{"redu", "1,4,4,4,4,1/0,0,0,0,0,1 26-3 N over 1 3 take=- missed=-"},
	} {
		r := lookup(t, c.ruleset)
		diff(t, "text", engine.Text(r, parse(t, r, c.text)), c.text)
	}
}

// refused is a position text that is refused, and the error.
type refused struct{ ruleset, text, want string }

// readRefused reads testdata/refused.txt, whose head says how it is written.
func readRefused(t testing.TB) []refused {
	t.Helper()
	text, err := os.ReadFile("testdata/refused.txt")
	if err != nil {
		t.Fatal(err)
	}
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
		diff(t, c.ruleset+", "+c.text, err.Error(), "bad position text at "+c.want)
	}
}

func TestAppendText(t *testing.T) {
	r := lookup(t, "oware")
	p := r.Start()
	diff(t, "appended", string(engine.AppendText([]byte("position "), r, p)), "position "+engine.Text(r, p))
	buffer := make([]byte, 0, 80)
	if got := testing.AllocsPerRun(10, func() { buffer = engine.AppendText(buffer[:0], r, p) }); got != 0 {
		t.Errorf("AppendText allocates %v times", got)
	}
}
