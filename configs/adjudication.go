package configs

import (
	"errors"

	"sembra/results"
)

// mostPlies is the largest number of plies that a file may give.
const mostPlies = 1_000_000

// readAdjudication reads when the arena ends a match early. It returns nil if it
// never does.
func readAdjudication(d *document) *results.Adjudication {
	d.section("adjudication")
	var a results.Adjudication
	d.count("adjudication.plies", &a.Plies, 1, mostPlies)
	by := results.Decisions()[0]
	choice(d, "adjudication.by", &by, results.Decisions()...)
	d.number("adjudication.win_score", &a.WinScore)
	d.count("adjudication.win_plies", &a.WinPlies, 2, mostPlies)
	d.number("adjudication.draw_score", &a.DrawScore)
	d.count("adjudication.draw_plies", &a.DrawPlies, 2, mostPlies)
	d.count("adjudication.draw_after", &a.DrawAfter, 0, mostPlies)
	for _, pair := range [][2]string{
		{"by", "plies"},
		{"win_score", "win_plies"},
		{"win_plies", "win_score"},
		{"draw_score", "draw_plies"},
		{"draw_plies", "draw_score"},
		{"draw_after", "draw_plies"},
	} {
		if given, lacks := "adjudication."+pair[0], "adjudication."+pair[1]; d.has(given) && !d.has(lacks) {
			d.refuse(given, "%s is given without %s", given, lacks)
		}
	}

	if a.Plies > 0 {
		a.By = by
	}
	if wrong := new(results.AdjudicationError); errors.As(a.Check(), &wrong) {
		d.refuse("adjudication."+wrong.Key, "%v", wrong)
	}
	if a == (results.Adjudication{}) {
		return nil
	}
	return &a
}
