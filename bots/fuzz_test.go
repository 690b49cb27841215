package bots

import (
	"bytes"
	"strings"
	"testing"

	"sembra/arena/protocol"
	"sembra/engine"
)

// hasty is a player that never thinks for long, whatever its limits are.
type hasty struct{ Player }

func (h hasty) Choose(m *engine.Match, l protocol.Limits, report func(protocol.Info)) engine.Move {
	if l.Nodes == 0 || l.Nodes > 200 {
		l.Nodes = 200
	}
	return h.Player.Choose(m, l, report)
}

// FuzzServe: whatever a host sends, a bot reads it to the end, answers each question
// once, and sends only lines of the protocol.
func FuzzServe(f *testing.F) {
	for which := range Builtins() {
		for _, says := range []string{
			"",
			"mbi 1\nisready\nnewmatch awale south seed 71532\nisready\nposition startpos\ngo\nposition startpos moves C b\ngo stime 1000 ntime 1000 sinc 0 ninc 0\nendmatch win 26-22 normal\nquit\n",
			"newmatch oware north seed 1\r\nposition startpos moves C\r\nlegal a b c d e f\r\ngo movetime 1\r\ngo depth 3\r\n",
			"newmatch awale south\nposition fen 0,1,0,1,0,0/0,0,0,0,0,4 21-21 S sow 1 3\ngo nodes 5\nposition fen 0,0,0,0,0,0/0,0,0,0,0,0 24-24 S over 1 0\ngo\n",
			"setoption name Depth value 64\nnewmatch awale south seed 18446744073709551615\nposition startpos\ngo\n",
			"setoption name Depth value -1\n",
			"mbi 1\nmbi 2\n",
			"position startpos\n",
			"newmatch awale south seed 1\ngo\n",
			"newmatch awale south seed 1\nposition startpos moves C C\n",
			"newmatch awale south seed 1\nposition fen 4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 99 moves A\ngo movetime 9223372036854775807\n",
			"newmatch bechi south rounds 2 seed 1\nposition fen 0,0,0,0/6,6,6,6 17-7 S fill 2 0 first=N\ngo\nposition fen 1,0*,0,0/6,6,6,6 18-5 S sow 2 0 first=N\ngo\n",
			"newmatch bechi-2x3 south rounds 1 seed 1\nposition startpos moves B+ b-\ngo\nposition startpos moves pass\n",
			"newmatch buqruru north rounds 100 seed 1\nposition fen 0,0,1,1/0,0,0,0 46-0 S sow 3 0 first=S opened=SN donkeys=1-0 moves C\ngo\n",
			"newmatch buqruru-bellin north rounds 8 seed 1\nposition startpos moves start=A\ngo\nposition startpos moves start=A start=b A1\ngo\n",
			"newmatch buqruru-ludii south rounds 101 seed 1\nposition startpos moves start=D start=a\ngo\n",
			"newmatch redu south seed 1\nposition fen 0,1,2,0,0,0/0,0,0,1,0,0 22-22 S sow 1 0 take=B:free missed=d\ngo\nposition fen 4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0 take=- missed=- moves A+\ngo\n",
			"newmatch redu south rounds 2 seed 1\n",
			"error \x00\nendmatch loss 0-0 protocol\n\xff\n",
			"go",
		} {
			f.Add(uint8(which), says)
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, says string) {
		b := Builtins()[int(which)%len(Builtins())]
		var said bytes.Buffer
		err := Serve(strings.NewReader(says), &said, hasty{b.New()})
		if err != nil && (err.Error() == "" || strings.ContainsAny(err.Error(), "\n\x00")) {
			t.Fatalf("error %q", err)
		}
		asked := strings.Count("\n"+says, "\ngo")
		for line := range strings.Lines(said.String()) {
			word, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			switch word {
			case "id", "option", "mbiok", "readyok", "info":
			case "bestmove":
				asked--
			default:
				t.Fatalf("it said %q", line)
			}
		}
		if asked < 0 {
			t.Fatalf("more answers than questions:\n%s", said.String())
		}
	})
}
