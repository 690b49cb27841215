package protocol

import (
	"strconv"
	"strings"

	"sembra/engine"
)

// uci is the body that speaks UCI as Aualé does. The documentation of the package
// tells what differs from MBI.
type uci struct{}

func wordsOfUCI() Words {
	return Words{
		Hello: "uci", OK: "uciok", NewMatch: "ucinewgame",
		left: [2]string{" wtime ", " btime "}, increment: [2]string{" winc ", " binc "},
		Hint: `this looks like UCI (hint: protocol = "uci" in a tournament file, ` +
			`--protocol uci with check, uci: before the command with duel and play)`,
	}
}

func (uci) identify(*Identity, string, string) bool { return false }

func (uci) appendNewMatch(b []byte, _ NewMatch) []byte { return append(b, "ucinewgame\n"...) }

// appendStart takes the start from the match, which has read the opening.
func (uci) appendStart(b []byte, _ string, m *engine.Match) []byte {
	start := m.Begun()
	if start == m.Rules().Start() {
		return append(b, "position startpos"...)
	}
	return appendBoard(append(b, "position fen "...), start, m.Rules().Info().Holes)
}

// appendBoard appends a position as Aualé writes it: the holes counter-clockwise from
// South's left, the stores of South and North, and the side to move.
func appendBoard(b []byte, p engine.Position, holes int) []byte {
	seats := []engine.Seat{engine.South, engine.North}
	for _, seat := range seats {
		for hole := range holes {
			b = append(strconv.AppendInt(b, int64(p.Seeds(seat, hole)), 10), '-')
		}
	}
	for _, seat := range seats {
		b = append(strconv.AppendInt(b, int64(p.Store(seat)), 10), '-')
	}
	return append(b, strings.ToUpper(p.Side().String()[:1])...)
}

// judge explains the tokens of engines that have no move.
func (uci) judge(token string) (resigns bool, remark string) {
	switch strings.ToLower(token) {
	case "0000", "(none)", "none", "null":
		return false, ": by this answer the engine has no move, so it takes the match for ended"
	case Resign:
		return false, ": UCI has no word for giving up a match"
	}
	return false, ""
}
