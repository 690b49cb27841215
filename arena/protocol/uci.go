package protocol

import (
	"slices"
	"strconv"
	"strings"

	"sembra/engine"
)

// uci is the body that speaks UCI as the program Aualé does. The position is always that
// from which the match began, with all moves since, so that the engine can see
// repetitions. UCI has no ruleset, seat, seed, limit of rounds, legal, error, endmatch or
// resign, so the host cannot tell an engine of the limit of a hundred quiet sowings, of
// a fault of its opponent, or of an adjudication.
//
// These facts are from the sources of Aualé (github.com/joansalasoler/auale,
// src/auale/uci/client.py and rules.py) and of its engine Aalina
// (github.com/joansalasoler/oware, src/com/joansala/uci/UCIService.java and
// src/com/joansala/oware/OwareBoard.java; newer: github.com/joansalasoler/samurai,
// src/main/java/com/joansala/uci):
//   - the order of holes and stores in a fen, and the letters
//   - Aalina accepts moves only as one word, and only where the sides alternate
//   - Aalina 1 does not know wtime and btime; without movetime it thinks for two
//     seconds. Later versions know them. No version knows nodes.
//   - Aalina answers "bestmove 0000" if the match has ended: a store holds more than
//     half of the seeds, a position repeated, or there is no legal move
//   - a score is from the side to move. The newer sources convert captured seeds to
//     cp with the factor 62.5, so its cp are only about hundredths of a seed.
//
// These are assumptions, because no source says them: that other engines may know nodes,
// and that their cp are hundredths of a seed. That white space is free, and that unknown words
// are ignored, is from the specification of UCI (Stefan Meyer-Kahlen, 2006).
type uci struct{ talk }

func wordsOfUCI() Words {
	return Words{
		Hello: "uci", OK: "uciok", NewMatch: "ucinewgame", Answer: "bestmove",
		left: [2]string{" wtime ", " btime "}, increment: [2]string{" winc ", " binc "},
		Hint: `this looks like UCI (hint: protocol = "uci" in a tournament file, ` +
			`--protocol uci with check, uci: before the command with duel and play)`,
	}
}

func (uci) identify(*Identity, string, string) bool { return false }

func (uci) appendNewMatch(b []byte, _ NewMatch) []byte { return append(b, "ucinewgame\n"...) }

// appendQuestion takes the start from the match, which has read the opening.
func (t uci) appendQuestion(b []byte, h *Host, m *engine.Match, limits Limits) []byte {
	if start := m.RoundStart(); start == m.Rules().Start() {
		b = append(b, "position startpos"...)
	} else {
		b = appendBoard(append(b, "position fen "...), start, m.Rules().Info().Holes)
	}
	return t.ask(append(b, h.moves...), h, m, limits)
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

// readAnswer explains the tokens of engines that have no move.
func (t uci) readAnswer(line []byte, a *Answer) error {
	err := t.talk.readAnswer(line, a)
	if slices.Contains([]string{"0000", "(none)", "none", "null"}, strings.ToLower(a.Token)) {
		a.Remark = ": by this answer the engine has no move, so it takes the match for ended"
	}
	return err
}

func (uci) appendError(b []byte, _ string) []byte { return b }

func (uci) appendEnd(b []byte, _ EndMatch) []byte { return b }
