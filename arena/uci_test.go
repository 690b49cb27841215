package arena

import (
	"strings"
	"testing"

	"sembra/arena/guest"
	"sembra/arena/protocol"
	"sembra/results"
)

// replies is a bot in memory that answers each line by its first word.
func replies(answers map[string]string) guest.Launcher {
	return scripted{Line: func(q *question, line string) bool {
		word, _, _ := strings.Cut(line, " ")
		if answer := answers[word]; answer != "" {
			q.Say("%s", answer)
		}
		return word != "quit"
	}}
}

// TestBadEngines: what a person reads of an engine that speaks UCI badly. The engine is South and is asked first.
func TestBadEngines(t *testing.T) {
	t.Parallel()
	const (
		first   = "bot a did not start: "
		noMove  = ": by this answer the engine has no move, so it takes the match for ended"
		legal   = "legal: A B C D E F)"
		likeMBI = `this looks like MBI (hint: protocol = "mbi" in a tournament file, --protocol mbi with check, ` +
			"no uci: or board: before the command with duel and play)"
		likeUCI = `this looks like UCI (hint: protocol = "uci" in a tournament file, --protocol uci with check, ` +
			"uci: before the command with duel and play)"
	)
	for _, c := range []struct {
		name    string
		dialect protocol.Dialect
		answers map[string]string // instead of those of a good engine; without "go" the match ends later
		ending  results.Ending
		what    string
	}{
		{
			"speaks only MBI", protocol.UCI,
			map[string]string{"uci": "", "mbi": "mbiok"},
			results.EndStart,
			first + `it did not answer "uci", but answered "mbi 1": ` + likeMBI,
		},
		{
			"speaks only UCI", protocol.MBI, nil, results.EndStart,
			first + `it did not answer "mbi 1", but answered "uci": ` + likeUCI,
		},
		{
			"is not ready for a match", protocol.UCI,
			map[string]string{"ucinewgame": "\x00"},
			results.EndStart,
			"after ucinewgame protocol violation: a NUL byte at byte 1 of a line",
		},
		{"0000", protocol.UCI, map[string]string{"go": "bestmove 0000"}, results.EndIllegal, `illegal move "0000" (` + legal + noMove},
		{
			"resigns", protocol.UCI,
			map[string]string{"go": "bestmove resign"},
			results.EndIllegal,
			`illegal move "resign" (` + legal,
		},
	} {
		inBubble(t, c.name, func(t *testing.T) {
			answers := map[string]string{"uci": "uciok", "isready": "readyok"}
			for word, answer := range c.answers {
				answers[word] = answer
			}
			tour := tournament(t, 1, unclocked(), replies(answers), scripted{})
			tour.under(ruleset(t, "oware"))
			tour.Entries[0].Dialect = c.dialect
			rec, what := playFirst(t, tour)
			equal(t, "verdict", verdict{c.ending, results.SouthFault, c.what}, verdictOf(rec, what))
		})
	}
}
