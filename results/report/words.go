package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"sembra/results"
	"sembra/results/stats"
)

// exact writes a number so that it reads back as the same one: "6", "5.5".
func exact(number float64) string { return strconv.FormatFloat(number, 'f', -1, 64) }

// whole rounds to a whole number.
func whole(number float64) string {
	return strconv.FormatFloat(math.Round(number)+0, 'f', 0, 64) // + 0 removes the sign of -0
}

// signedWhole rounds a difference to a whole number, with its sign; 0 has none.
func signedWhole(number float64) string {
	text := whole(number)
	if number > 0 && text != "0" {
		text = "+" + text
	}
	return text
}

// inMilliseconds returns a time for programs. It is exact to the nanosecond below 1e9, 11 days.
func inMilliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// fromMilliseconds returns the time that inMilliseconds wrote.
func fromMilliseconds(ms float64) time.Duration { return time.Duration(math.Round(ms * 1e6)) }

// cpuTime returns a CPU time for programs; nil if it is not known.
func cpuTime(cpu time.Duration, known bool) *float64 { return optional(inMilliseconds(cpu), known) }

// cpuCell writes a CPU time in milliseconds or, from one second on, in seconds; "-" if it is not known.
func cpuCell(cpu time.Duration, known bool) string {
	switch {
	case !known:
		return "-"
	case cpu < time.Second:
		return strconv.FormatInt(cpu.Milliseconds(), 10) + "ms"
	}
	return strconv.FormatFloat(cpu.Seconds(), 'f', 1, 64) + "s"
}

// shareColumn is a column with a share of points, as a percentage for people; "-" if it is not known.
func shareColumn(name, title, group string, of float64, known bool) Column {
	column := Column{Name: name, Title: title, Group: group, Value: optional(of, known), Text: "-"}
	if known {
		column.Text = percentage(of)
	}
	return column
}

// points writes points with the number of matches: "5.5/6".
func points(t results.Tally) string { return exact(t.Points) + "/" + strconv.Itoa(t.Matches) }

// wonDrawnLost returns the columns of the matches that were won, drawn and lost.
func wonDrawnLost(t results.Tally, group string) Row {
	return Row{
		{Name: "wins", Title: "won", Group: group, Value: t.Wins},
		{Name: "draws", Title: "drawn", Group: group, Value: t.Draws},
		{Name: "losses", Title: "lost", Group: group, Value: t.Losses},
	}
}

// percentage writes a share as a percentage.
func percentage(of float64) string { return strconv.FormatFloat(100*of, 'f', 1, 64) + "%" }

// boundCell writes a number as "1523", a one-sided bound as "> 1710" or "< 1290", and "-" if nothing is known.
func boundCell(number, low, high *float64, write func(float64) string) string {
	switch {
	case number != nil:
		return write(*number)
	case low != nil && high == nil:
		return "> " + write(*low)
	case low == nil && high != nil:
		return "< " + write(*high)
	}
	return "-"
}

// optional returns a value if it is known, otherwise nil.
func optional[T any](value T, known bool) *T {
	if !known {
		return nil
	}
	return &value
}

// orDash writes a number from 1; 0 is not known.
func orDash(number int) string {
	if number == 0 {
		return "-"
	}
	return strconv.Itoa(number)
}

// groupColumn is the column with the group of a rating, which people see if there are several.
func groupColumn(name, group string, r stats.Rating, f results.RatedPlayers) Column {
	return Column{Name: name, Title: titleIf(f.Groups > 1, "group"), Group: group, Value: r.Group, Text: orDash(r.Group)}
}

// estimate is a number with its 95% interval, or a one-sided bound of it.
type estimate struct {
	number, margin, low, high *float64 // nil: not known
	write                     func(float64) string
	even                      float64 // distances to the two ends that differ by less count as equal
	inWords                   bool    // a bound of a rating: "< 1710" was read as a good one
}

func ratingOf(r stats.Rating) estimate {
	return estimate{r.Rating, r.Error, r.Low, r.High, whole, 1, true}
}

func eloOf(f stats.Figures) estimate {
	return estimate{f.Elo, f.EloError, f.EloLow, f.EloHigh, signedWhole, 1, false}
}

func nEloOf(f stats.Figures) estimate {
	return estimate{f.NElo, f.NEloError, f.NEloLow, f.NEloHigh, signedWhole, 1, false}
}

func scoreOf(f stats.Figures) estimate {
	return estimate{f.Score, f.ScoreError, f.ScoreLow, f.ScoreHigh, percentage, 0.001, false}
}

// text writes the number, or the bound.
func (e estimate) text() string {
	text := boundCell(e.number, e.low, e.high, e.write)
	if e.inWords {
		text = strings.NewReplacer("> ", "above ", "< ", "below ").Replace(text)
	}
	return text
}

// interval writes the interval as "±41" if the number is in its middle, else its two ends as "-11…+364". With one end
// it is "> +311" or "< -161". It is "-" if it is not known, or if there is no number, because then text has the end.
func (e estimate) interval() string {
	switch {
	case e.number == nil:
		return "-"
	case e.low == nil || e.high == nil:
		return boundCell(nil, e.low, e.high, e.write)
	case math.Abs(*e.high-*e.number-(*e.number-*e.low)) >= e.even:
		return e.write(*e.low) + "…" + e.write(*e.high)
	}
	return "±" + strings.TrimPrefix(e.write((*e.high-*e.low)/2), "+")
}

// inOne writes the number with its interval: "+132 ±109". If that is not known, the number stands alone.
func (e estimate) inOne() string {
	if interval := e.interval(); interval != "-" {
		return e.text() + " " + interval
	}
	return e.text()
}

// columns returns the columns of the number, of its error and of the ends of its interval.
func (e estimate) columns(name, title, group string) Row {
	return Row{
		{Name: name, Title: title, Group: group, Value: e.number, Text: e.text()},
		{Name: name + "_error", Title: intervalTitle, Group: group, Value: e.margin, Text: e.interval()},
		{Name: name + "_low", Value: e.low},
		{Name: name + "_high", Value: e.high},
	}
}

// likelihoodCell writes a likelihood of superiority.
func likelihoodCell(los *float64) string { return boundCell(los, nil, nil, percentage) }

// pairsTitle names the pairs by their two matches. Level pairs have two draws, or a match won by each bot.
const pairsTitle = "LL-LD-level-WD-WW"

// The notes about words of tables that a newcomer does not know.
const (
	losLegend   = "LOS: likelihood of superiority"
	ratingScale = "ratings are on the Elo scale; ± gives the 95%% interval"
)

// pairsLegend explains the columns of pairs, with nElo if it is known.
func pairsLegend(normalized bool) string {
	nElo := ""
	if normalized {
		nElo = "nElo: normalized by the spread of results; "
	}
	return "Elo: the difference by the score; " + nElo + losLegend + "; LL to WW: pairs by result"
}

func pairsCell(pairs stats.Pentanomial) string {
	counts := make([]string, len(pairs))
	for i, count := range pairs {
		counts[i] = strconv.Itoa(count)
	}
	return strings.Join(counts, "-")
}

// versus writes two numbers as "2-1".
func versus(n [2]int) string { return strconv.Itoa(n[0]) + "-" + strconv.Itoa(n[1]) }

// notes are sentences below a table.
type notes []string

// add adds a sentence.
func (n *notes) add(format string, args ...any) { *n = append(*n, fmt.Sprintf(format, args...)) }

// when adds a sentence if it is true.
func (n *notes) when(isTrue bool, format string, args ...any) {
	if isTrue {
		n.add(format, args...)
	}
}

// about adds what is true of some names; nothing if there are none.
func (n *notes) about(names []string, what string) {
	n.when(names != nil, "%s: %s", listNames(names), what)
}

// withdrawn says which bots have withdrawn.
func (n *notes) withdrawn(t results.Tournament) {
	for _, bot := range t.Withdrawn {
		n.add("%s has withdrawn: its matches count in no table", bot)
	}
}

// listNames lists up to ten names.
func listNames(names []string) string {
	const most = 10
	text := strings.Join(names[:min(most, len(names))], ", ")
	if len(names) > most {
		text += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return text
}

// repeatHint says how to avoid matches that repeat others.
const repeatHint = "hint: deterministic bots repeat their matches; " +
	"plies under [openings] gives them different openings"

// intervalTitle is the title of the column with the interval of the number in the column before it.
const intervalTitle = "±"
