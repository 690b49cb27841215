package report

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	"sembra/results"
)

// charges is the report of clock in JSON. Without a move, the measured values are nil.
type charges struct {
	Ruleset      string       `json:"ruleset"`
	Bot          string       `json:"bot"`
	Concurrency  int          `json:"concurrency"`
	Processors   int          `json:"processors"`
	Isolation    string       `json:"isolation"`
	MatchesTotal int          `json:"matches_total"`
	Matches      int          `json:"matches"`
	Moves        int          `json:"moves"`
	P50          *json.Number `json:"p50_ms"`
	P999         *json.Number `json:"p99_9_ms"`
	Max          *json.Number `json:"max_ms"`
	Slow         int          `json:"moves_1ms"`
	SlowShare    *float64     `json:"share_1ms"`
	Margin       *json.Number `json:"margin_ms"`
}

// Charges reports the time that bots which answer immediately are charged for a move. It has the formats
// Table, Markdown and JSON.
func Charges(c results.ChargeResult) Report {
	matches := counted(c.Matches, "match", "matches")
	if c.Matches < c.Total {
		matches = fmt.Sprintf("%d of %d matches", c.Matches, c.Total)
	}
	part := Part{
		Title: []string{c.Ruleset, c.Bot + " against itself", fmt.Sprintf("%s, %d at once on %s, isolation %s",
			matches, c.Concurrency, counted(c.Processors, "processor", "processors"), c.Isolation)},
		Notes: []string{"no move was charged"},
	}
	known := c.Moves > 0
	object := charges{
		Ruleset: c.Ruleset, Bot: c.Bot, Concurrency: c.Concurrency, Processors: c.Processors, Isolation: c.Isolation,
		MatchesTotal: c.Total, Matches: c.Matches, Moves: c.Moves,
		P50: knownMillis(c.Median, known), P999: knownMillis(c.High, known), Max: knownMillis(c.Longest, known),
		Slow: c.Slow, Margin: knownMillis(c.Margin, known),
	}
	if known {
		object.SlowShare = new(float64(c.Slow) / float64(c.Moves))
		part.Columns = []Column{left("a move is charged"), right("")}
		part.Rows = each([][]string{
			{"p50", chargeCell(c.Median)},
			{"p99.9", chargeCell(c.High)},
			{"max", chargeCell(c.Longest)},
			{"1 ms or more", shareOf(c.Slow, c.Moves)},
			{"moves", strconv.Itoa(c.Moves)},
		})
		part.Notes = []string{fmt.Sprintf("suggestion: margin = \"%v\"", c.Margin)}
	}
	return Report{Parts: []Part{part}, JSON: object}
}

// chargeCell writes a time with about three digits.
func chargeCell(d time.Duration) string {
	switch ms := float64(d) / float64(time.Millisecond); {
	case d < time.Millisecond-time.Microsecond/2:
		return fmt.Sprintf("%.0f µs", 1000*ms)
	case ms < 9.995:
		return fmt.Sprintf("%.2f ms", ms)
	case ms < 99.95:
		return fmt.Sprintf("%.1f ms", ms)
	default:
		return fmt.Sprintf("%.0f ms", ms)
	}
}

// shareOf writes a part of all as a percentage, with two digits if it is small.
func shareOf(n, all int) string {
	percent := 100 * float64(n) / float64(all)
	digits := 1
	if 0 < percent && percent < 1 {
		digits = 1 - int(math.Floor(math.Log10(percent)))
	}
	return strconv.FormatFloat(percent, 'f', digits, 64) + "%"
}
