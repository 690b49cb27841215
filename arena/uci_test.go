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

// TestOtherDialect: what a person reads of a bot that answers only in another protocol than its own.
func TestOtherDialect(t *testing.T) {
	t.Parallel()
	const (
		begin   = "bot a did not start: "
		likeMBI = `it did not answer "uci", but answered "mbi 1": this looks like MBI (`
		likeUCI = `it did not answer "mbi 1", but answered "uci": this looks like UCI (`
	)
	for _, c := range []struct {
		dialect protocol.Dialect
		answers map[string]string
		what    string // the beginning
	}{
		{protocol.UCI, map[string]string{"mbi": "mbiok"}, begin + likeMBI},
		{protocol.MBI, map[string]string{"uci": "uciok", "isready": "readyok"}, begin + likeUCI},
	} {
		inBubble(t, string(c.dialect), func(t *testing.T) {
			tour := tournament(t, 1, unclocked(), replies(c.answers), scripted{})
			tour.under(ruleset(t, "oware"))
			tour.Entries[0].Dialect = c.dialect
			rec, what := playFirst(t, tour)
			if rec.Ending != results.EndStart || rec.Fault != results.SouthFault || !strings.HasPrefix(what, c.what) {
				t.Errorf("%v, %v: %s", rec.Ending, rec.Fault, what)
			}
		})
	}
}
