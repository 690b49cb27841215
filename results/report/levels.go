package report

import (
	"fmt"
	"slices"

	"sembra/results"
)

// ratedBot is a bot in a ruleset in CSV and JSON.
type ratedBot struct {
	Ruleset     string   `json:"ruleset"`
	Pairs       int      `json:"pairs"`
	Seed        uint64   `json:"seed"`
	Bot         string   `json:"bot"`
	Rating      *float64 `json:"rating"` // nil without a rating, like the next three
	RatingError *float64 `json:"rating_error"`
	RatingLow   *float64 `json:"rating_low"`
	RatingHigh  *float64 `json:"rating_high"`
	results.Tally
}

// Levels reports the strength of the built-in bots in some rulesets, a row for each bot in the given order. anchor
// is the bot on which the ratings are anchored. It has the formats Table, Markdown, CSV and JSON.
func Levels(all []results.RulesetRatings, bots []string, anchor string) Report {
	part := Part{Columns: []Column{left("bot")}, Blocks: 1}
	var objects []ratedBot
	cells := make(map[string][]string)
	for _, r := range all {
		part.Columns = append(part.Columns, right(r.Rules.Info().Name))
		for _, bot := range bots {
			at := slices.IndexFunc(r.Lines, func(l results.FieldLine) bool { return l.Player == bot })
			l := r.Lines[at]
			cell := ratingCell(l.Rating)
			if l.Error != nil {
				cell += " ± " + whole(*l.Error)
			}
			cells[bot] = append(cells[bot], cell)
			objects = append(objects, ratedBot{
				Ruleset: r.Rules.Info().Name, Pairs: r.Pairs, Seed: r.Seed, Bot: bot,
				Rating: l.Rating.Rating, RatingError: l.Error, RatingLow: l.Low, RatingHigh: l.High, Tally: l.Tally,
			})
		}
	}
	part.Rows = rowsOf(bots, func(bot string) []string { return append([]string{bot}, cells[bot]...) })
	if len(all) > 0 {
		part.Notes = []string{
			fmt.Sprintf("the rating of %s is given; ± is half of the 95 %% interval of the difference from it", anchor),
			fmt.Sprintf("%s for every two bots that met, seed %d", counted(all[0].Pairs, "pair", "pairs"), all[0].Seed),
		}
	}
	return Report{Parts: []Part{part}, CSV: linesOf(each(objects)), JSON: objects}
}
