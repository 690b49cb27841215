package configs

import (
	"errors"

	"sembra/results"
)

// readAdjudication reads when the arena ends a match early. It returns nil if it
// never does.
func readAdjudication(d *document, f *adjudicationTable) *results.Adjudication {
	choose(d, "adjudication.by", f.By, results.Decisions()...)
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

	a := results.Adjudication{
		Plies: f.Plies, WinScore: f.WinScore, WinPlies: f.WinPlies,
		DrawScore: f.DrawScore, DrawPlies: f.DrawPlies, DrawAfter: f.DrawAfter,
	}
	if a.Plies > 0 {
		a.By = f.By
	}
	if wrong := new(results.AdjudicationError); errors.As(a.Check(), &wrong) {
		d.refuse("adjudication."+wrong.Key, "%v", wrong)
	}
	if a == (results.Adjudication{}) {
		return nil
	}
	return &a
}
