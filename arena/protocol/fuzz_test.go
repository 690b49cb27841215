package protocol_test

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"sembra/arena/protocol"
)

// between separates what a fuzzed bot says at one stage from what it says at the next.
const between = "\x1e"

// FuzzHost: whatever a bot says at whatever stage, the host ends with a
// violation or with the error of the wire, having read no more than it may.
func FuzzHost(f *testing.F) {
	stages := func(says ...string) string { return strings.Join(says, between) }
	for _, says := range []string{
		"",
		"\n",
		"mbi",
		stages("id name x\nid author y\nplays oware\nwants legal position\nmbiok\n", ready, ready,
			"info score 3\nbestmove A\n", "bestmove a ponder B\n", "bestmove resign\n"),
		stages("mbiok\r\n", "readyok\r\n", "readyok\r\n", "bestmove A\r\n", "info score cp 7\r\nbestmove a\r\n"),
		stages("option name A type spin default 1 min 0 max 2\noption name B type combo var a var b c\nmbiok\n", ready, ready, "bestmove A\n"),
		stages(identified, ready, ready, "bestmove A\nbestmove A\n"),
		stages(identified, ready, ready, "bestmove A\nbestm", "ove a\n"),
		stages(identified, ready, ready, "bestmove\n"),
		stages(identified, ready, ready, "info score NaN\ninfo score 1e300\ninfo score cp\nbestmove \x00\n"),
		stages(identified, ready, ready+"bestmove A\n", "bestmove A\n"),
		stages(identified, "", "readyok"),
		stages(identified, ready, ready, line(protocol.MaxLine, "info ", "\n")+"bestmove A\n"),
		stages(identified, ready, ready, line(protocol.MaxLine+1, "bestmove ", "\r\n")),
		stages(identified, ready, line(3*protocol.MaxLine, "", "")),
	} {
		f.Add(says, uint16(0), true)
		f.Add(says, uint16(1), false)
	}

	fuzzHost(f, protocol.MBI)
}

// FuzzUCI is FuzzHost for a bot that speaks UCI.
func FuzzUCI(f *testing.F) {
	for _, parts := range [][]string{
		{"uciok\n", ready, ready, "bestmove 0000\n"},
		{
			"id name x\noption name Hash type spin default 1 min 1 max 9\n\t uciok \n", " readyok\n", ready,
			"info  score\tcp 3 mate 1 pv AbC\nbestmove\tA  ponder b\n", "bestmove (none)\n",
		},
		{"\n \noption\noption name\n\t\t\nuciok\n", ready, ready, "bestmove \n", "bestmove"},
	} {
		f.Add(strings.Join(parts, between), uint16(0), true)
		f.Add(strings.Join(parts, between), uint16(1), false)
	}
	fuzzHost(f, protocol.UCI)
}

// FuzzBoard is FuzzHost for a bot that reads seeds and answers numbers.
func FuzzBoard(f *testing.F) {
	for _, parts := range [][]string{{"0\n", "1\n"}, {"0\r\n\n", " 2 x"}, {"-9999999999999999999\n", "9\n", "2\n2\n"}} {
		f.Add(strings.Join(parts, between), uint16(0), true)
		f.Add(strings.Join(parts, between), uint16(1), false)
	}
	fuzzHost(f, protocol.OneLine)
}

func fuzzHost(f *testing.F, dialect protocol.Dialect) {
	f.Fuzz(func(t *testing.T, says string, most uint16, pender bool) {
		flood := strings.Contains(says, floodMark)
		says = strings.Replace(says, floodMark, strings.Repeat("info depth 1\n", protocol.MaxOutput/12), 1)
		says = strings.Replace(says, longMark, strings.Repeat("x", protocol.MaxLine-16), 1)
		w := &watchedWire{t: t}
		if w.most = int(most); flood {
			w.most = 0 // byte by byte it would take too long
		}
		w.script = strings.Split(says, between)
		var err error
		if pender {
			err = drive(t, dialect.NewHost(w), w)
		} else {
			err = drive(t, dialect.NewHost(struct{ io.ReadWriter }{w}), w)
		}
		if violation := new(protocol.Violation); !errors.As(err, &violation) && !errors.Is(err, io.EOF) {
			t.Fatalf("ended with %v", err)
		}
	})
}

// What is too long for a fuzzed text is made of a short one: the first floodMark stands for more than MaxOutput bytes
// of info lines, the first longMark for the most of a longest line.
const (
	floodMark = "\x1d"
	longMark  = "\x1c"
)

// drive plays the host's side, match after match, until there is an error. Every script comes to its end.
func drive(t *testing.T, h *protocol.Host, w *watchedWire) error {
	if err := h.Handshake(); err != nil {
		return err
	}
	for _, o := range h.Identity.Options {
		if o.Name == "" || strings.ContainsAny(o.Name, "\n\x00") {
			t.Fatalf("option named %q", o.Name)
		}
		_ = o.Check("1")
	}
	if err := h.Configure([]protocol.OptionValue{{Name: "base", Value: "1"}}); err != nil {
		return err
	}
	for {
		w.asked()
		if err := h.Begin(protocol.NewMatch{Ruleset: "oware"}, ""); err != nil {
			return err
		}
		m := oware(t)
		for !m.Over() {
			w.asked()
			if err := ask(h, m, protocol.Limits{Depth: 1}); err != nil {
				return err
			}
			a, err := h.Answer()
			if err != nil {
				return err
			}
			if a.Token == "" || len(a.Token) > protocol.MaxLine || strings.ContainsAny(a.Token, " \n\x00") {
				t.Fatalf("token %q", a.Token)
			}
			if math.IsNaN(a.Score) || math.Abs(a.Score) > 1e6 || !a.HasScore && a.Score != 0 {
				t.Fatalf("score %v", a.Score)
			}
			move, err := m.Find(a.Token)
			if err != nil {
				break
			}
			h.AddMove(a.Token)
			m.Play(move)
		}
		if err := h.End(protocol.EndMatch{Result: protocol.Draw, Ending: "normal"}); err != nil {
			return err
		}
	}
}

// watchedWire watches how much the host reads.
type watchedWire struct {
	pendingWire
	t     *testing.T
	since int // bytes since the last question or announcement
	after int // reads after the end
}

func (w *watchedWire) asked() { w.since = 0 }

func (w *watchedWire) Read(b []byte) (int, error) {
	if len(b) == 0 || len(b) > 2*protocol.MaxLine {
		w.t.Fatalf("a read of %d bytes", len(b))
	}
	n, err := w.pendingWire.Read(b)
	w.since += n
	// Before a question the host may have to read what came since the answer.
	if w.since > 2*protocol.MaxOutput+2*protocol.MaxLine {
		w.t.Fatalf("%d bytes read without a question", w.since)
	}
	if err != nil {
		w.after++
	}
	if w.after > 1 {
		w.t.Fatal("read on after the end")
	}
	return n, err
}

// FuzzGuest: any text is read to its end, one message or error a line at most.
func FuzzGuest(f *testing.F) {
	for _, says := range []string{
		"",
		"mbi 1\nsetoption name Depth value 6\nisready\n",
		"newmatch oware south seed 71532\nisready\nposition startpos moves C b\nlegal A B D\ngo stime 10000 ntime 9800 sinc 100 ninc 100\nendmatch win 26-22 normal\nquit\n",
		"newmatch bechi north rounds 8 seed 18446744073709551615\r\nposition fen 4,4,0,5,5,5/5,4,4,4,4,4 0-0 N sow 1 1 moves a pass\r\ngo movetime 250 depth 6 nodes 1000\r\n",
		"error illegal move \"Q\" (legal: A B D)\nendmatch loss 3-5 illegal\n",
		"mbi 2\nsetoption\nnewmatch\nnewmatch a b\nnewmatch a south seed x\nposition\nposition fen\ngo depth x\nendmatch\n",
		"go movetime 9223372036854775807 depth 9223372036854775807 nodes 9223372036854775807\n",
		"\x00\xff\n\n\r\n \n",
	} {
		f.Add(says)
	}
	f.Fuzz(func(t *testing.T, says string) {
		g := protocol.NewGuest(strings.NewReader(says), io.Discard)
		for left := strings.Count(says, "\n"); ; left-- {
			m, err := g.Next()
			if err == io.EOF {
				return
			}
			if left == 0 || (m == nil) != (err != nil) {
				t.Fatalf("message %#v, error %v, %d lines left", m, err, left)
			}
		}
	})
}
