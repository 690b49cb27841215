package arena

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"sembra/arena/guest"
	"sembra/results"
)

// tells returns answers with the first legal move, each after a score: the next
// of those, "" for none, and at last the same again and again.
func tells(scores ...string) func(*question) string {
	return func(q *question) string {
		score := scores[min(q.Ply, len(scores))-1]
		if score == "" {
			return q.First()
		}
		return fmt.Sprintf("info depth 3 score %s\n%s", score, q.First())
	}
}

// whatOf returns what was said of a fault.
func whatOf(rec results.Record) string {
	if rec.Evidence == nil {
		return ""
	}
	return rec.Evidence.What
}

// playFirst plays the first match of a tournament inside a bubble of time, and
// returns its record, which agrees with itself, and what was said of a fault.
func playFirst(t *testing.T, tour *Run) (rec results.Record, what string) {
	t.Helper()
	n := guest.NewSpawner(nil)
	l := &Local{run: tour, spawner: n, idle: guest.NewPool(n), release: func() {}}
	l.tables = []*table{newTable(l, nil)}
	ended, err := l.tables[0].play(t.Context(), tour.job(1, tour.Schedule().Key(1)), [2]int{})
	l.Close()
	settle()
	must(t, err)
	must(t, ended.Record.Check())
	return ended.Record, whatOf(ended.Record)
}

// TestAdjudication plays matches that the arena ends, and sees what the record says and what the bots are told.
func TestAdjudication(t *testing.T) {
	t.Parallel()
	win := &results.Adjudication{WinScore: 20, WinPlies: 4}
	draw := &results.Adjudication{DrawScore: 0.5, DrawPlies: 4, DrawAfter: 6}
	for _, test := range []struct {
		name         string
		rule         *results.Adjudication
		opening      string
		south, north func(*question) string
		result       results.Result
		plies        int
		scores       string // as the record has them, "-" for none
		told         [2]string
	}{
		{
			name: "ply limit, North has more", rule: &results.Adjudication{Plies: 1, By: "stores"},
			opening: "4,4,4,4,4,4/4,4,4,4,4,2 0-2 S sow 1 0",
			result:  results.NorthWins, plies: 1,
			told: [2]string{"endmatch loss 0-2 adjudicated", "endmatch win 0-2 adjudicated"},
		},
		{
			name: "South wins", rule: win, south: tells("1", "20"), north: tells("-30"),
			result: results.SouthWins, plies: 5, scores: "1 -30 20 -30 20",
			told: [2]string{"endmatch win 0-0 adjudicated", "endmatch loss 0-0 adjudicated"},
		},
		{
			name: "North wins", rule: win, south: tells("cp -2000"), north: tells("20", "cp 1999", "20"),
			result: results.NorthWins, plies: 8, scores: "-20 20 -20 19.99 -20 20 -20 20",
			told: [2]string{"endmatch loss 0-0 adjudicated", "endmatch win 0-0 adjudicated"},
		},
		{
			name: "a draw", rule: draw, south: tells("", "0.5"), north: tells("", "0", "-0.5"),
			result: results.Draw, plies: 6, scores: "- - 0.5 0 0.5 -0.5",
			told: [2]string{"endmatch draw 0-0 adjudicated", "endmatch draw 0-0 adjudicated"},
		},
	} {
		inBubble(t, test.name, func(t *testing.T) {
			var heard [2]transcript
			tour := tournament(t, 1, unclocked(),
				scripted{Answer: test.south, Heard: &heard[0]}, scripted{Answer: test.north, Heard: &heard[1]})
			tour.Openings, tour.Adjudication = []string{cmp.Or(test.opening, startText)}, test.rule
			rec, what := playFirst(t, tour)
			if rec.Ending != results.EndAdjudicated || rec.Fault != results.NoFault || rec.Evidence != nil || what != "" {
				t.Errorf("it ended by %v with fault %d, evidence %v, %q", rec.Ending, rec.Fault, rec.Evidence, what)
			}
			if rec.Result != test.result || rec.Plies != test.plies {
				t.Errorf("%v after %d plies, not %v after %d", rec.Result, rec.Plies, test.result, test.plies)
			}
			equal(t, "its scores", test.scores, scoresText(rec.Scores))
			if last := rec.Body.Rounds[len(rec.Body.Rounds)-1]; last.Reason != "adjudicated" || last.Plies != test.plies {
				t.Errorf("its round ended by %s after %d plies", last.Reason, last.Plies)
			}
			told := [2]string{strings.Join(heard[0].Of("error", "endmatch"), "\n"), strings.Join(heard[1].Of("error", "endmatch"), "\n")}
			equal(t, "the bots are told", test.told, told)
		})
	}
}

// scoresText writes scores as a test has them.
func scoresText(scores []*float64) string {
	var words []string
	for _, score := range scores {
		if score == nil {
			words = append(words, "-")
		} else {
			words = append(words, fmt.Sprint(*score))
		}
	}
	return strings.Join(words, " ")
}

// TestAdjudicationAtPasses: a pass, for which no bot is asked, does not break an
// agreement, and a new round does not either.
func TestAdjudicationAtPasses(t *testing.T) {
	t.Parallel()
	const opening = "0,0,2,2/0,0,0,0 27-17 S sow 1 0 first=S" // North cannot sow after C
	synctest.Test(t, func(t *testing.T) {
		rule := &results.Adjudication{WinScore: 20, WinPlies: 3}
		tour := tournament(t, 1, unclocked(), scripted{Answer: tells("20")}, scripted{Answer: tells("-20")})
		tour.under(limited(t, "bechi", 2))
		tour.Openings, tour.Adjudication = []string{opening}, rule
		rec, _ := playFirst(t, tour)
		equal(t, "moves", []string{"C", "pass", "D", "fill=6.6.6.0"}, rec.Moves)
		if scores := scoresText(rec.Scores); rec.Result != results.SouthWins || scores != "20 - 20 -20" {
			t.Errorf("%v, with the scores %s", rec.Result, scores)
		}
	})
}
