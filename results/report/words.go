package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/clipperhouse/displaywidth"

	"sembra/results"
	"sembra/results/stats"
)

// printable replaces every character that could move a terminal's cursor or reverse its text with a space.
func printable(text string) string {
	return spaced(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

// withoutControls replaces every control character with a space. It is for CSV, which keeps all other characters.
func withoutControls(text string) string { return spaced(text, unicode.IsControl) }

func spaced(text string, bad func(rune) bool) string {
	return strings.Map(func(r rune) rune {
		if bad(r) {
			return ' '
		}
		return r
	}, text)
}

// exact writes a number so that it reads back as the same one: "6", "5.5".
func exact(number float64) string { return strconv.FormatFloat(number, 'f', -1, 64) }

// whole rounds to a whole number.
func whole(number float64) string {
	return strconv.FormatFloat(math.Round(number)+0, 'f', 0, 64) // + 0 removes the sign of -0
}

// signedWhole rounds a difference to a whole number, with its sign.
func signedWhole(number float64) string { return signed(number, whole(number)) }

// signed puts the sign before a number that is written without it. What is written as 0 has none.
func signed(number float64, text string) string {
	if number > 0 && strings.Trim(text, "0.") != "" {
		return "+" + text
	}
	return text
}

// milliseconds is a time that programs read and write in milliseconds, exactly.
type milliseconds time.Duration

// String writes the milliseconds without zeros at the end: "0.25".
func (m milliseconds) String() string { return string(m.appendTo(make([]byte, 0, 24))) }

// MarshalJSON writes a number.
func (m milliseconds) MarshalJSON() ([]byte, error) { return m.appendTo(nil), nil }

func (m milliseconds) appendTo(text []byte) []byte {
	const inMilli = int64(time.Millisecond)
	text = strconv.AppendInt(text, int64(m)/inMilli, 10)
	if rest := int64(m) % inMilli; rest != 0 {
		point := len(text)
		text = strconv.AppendInt(text, inMilli+rest, 10) // "1" and the six digits after the point
		text[point] = '.'
		text = bytes.TrimRight(text, "0")
	}
	return text
}

// moveTimes is the times of the moves of a match.
type moveTimes []milliseconds

// MarshalJSON writes all times together, which is faster than one after the other.
func (t moveTimes) MarshalJSON() ([]byte, error) {
	text := []byte{'['}
	for i, elapsed := range t {
		if i > 0 {
			text = append(text, ',')
		}
		text = elapsed.appendTo(text)
	}
	return append(text, ']'), nil
}

// UnmarshalJSON reads a number as String writes it, also in quotes.
func (m *milliseconds) UnmarshalJSON(text []byte) error {
	number := strings.Trim(string(text), `"`)
	whole, part, point := strings.Cut(number, ".")
	if len(whole) <= 13 && len(part) <= 6 && (part != "" || !point) {
		if nanos, err := strconv.ParseUint(whole+part+"000000"[len(part):], 10, 63); err == nil {
			*m = milliseconds(nanos)
			return nil
		}
	}
	return &json.UnmarshalTypeError{Value: number, Type: reflect.TypeFor[milliseconds]()} // encoding/json adds the field
}

// cpuTime returns a processor time for programs; nil if it is not known.
func cpuTime(cpu time.Duration, known bool) *milliseconds { return optional(milliseconds(cpu), known) }

// cpuWriter returns a function that writes the processor times of a column, of which longest is the longest one. All
// have the same unit and the same digits. A time that is not known is "-".
func cpuWriter(longest time.Duration) func(cpu time.Duration, known bool) string {
	unit, suffix, digits := time.Second, "s", 0
	switch {
	case longest.Round(time.Millisecond) < time.Second:
		unit, suffix = time.Millisecond, "ms"
	case longest.Round(time.Second/10) < 100*time.Second:
		digits = 1
	}
	return func(cpu time.Duration, known bool) string {
		if !known {
			return "-"
		}
		return strconv.FormatFloat(float64(cpu)/float64(unit), 'f', digits, 64) + suffix
	}
}

// shareCell writes a share of points as a percentage; "-" if it is not known.
func shareCell(of float64, known bool) both {
	if !known {
		return both{nil, "-"}
	}
	return both{of, strconv.FormatFloat(100*of, 'f', 1, 64) + "%"}
}

// percent writes a part of all matches as a percentage.
func percent(part float64, matches int) both {
	of := part / float64(matches)
	return both{of, percentage(of)}
}

// points writes points with the number of matches: "5.5/6".
func points(t results.Tally) both {
	return both{t.Points, exact(t.Points) + "/" + strconv.Itoa(t.Matches)}
}

// wonDrawnLost returns the columns of the matches that were won, drawn and lost. drop is their place; see [Column].
func wonDrawnLost(t results.Tally, drop int) Row {
	return Row{
		{Name: "wins", Title: "won", Drop: drop, Value: t.Wins},
		{Name: "draws", Title: "drawn", Drop: drop, Value: t.Draws},
		{Name: "losses", Title: "lost", Drop: drop, Value: t.Losses},
	}
}

// percentage writes a share as a percentage. Only 0 becomes "0%", and only 1 becomes "100%".
func percentage(of float64) string {
	switch {
	case of == 0:
		return "0%"
	case of < 0.0005:
		return "<0.1%"
	case of == 1:
		return "100%"
	case 0.9995 <= of && of < 1:
		return ">99.9%"
	}
	return shareCell(of, true).text
}

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
func orDash(number int) both {
	return both{optional(number, number > 0), cmp.Or(positive(number), "-")}
}

// marginCell writes half of an interval: "±41". What is less than half of the least margin is not written as 0, because
// the number is not exact.
func marginCell(margin, least float64, write func(float64) string) string {
	sign := "±"
	if margin < least/2 {
		sign, margin = "±<", least
	}
	return sign + strings.TrimPrefix(write(margin), "+")
}

// group writes the group of a rating; "-" if it has none, and "" if there are not several groups.
func group(r stats.Rating, f results.RatedPlayers) both {
	if f.Groups < 2 {
		return both{r.Group, ""}
	}
	return both{r.Group, orDash(r.Group).text}
}

// estimate is a number with its 95 % interval, or a one-sided bound of it.
type estimate struct {
	number, margin, low, high *float64 // nil: not known
	write                     func(float64) string
	even                      float64 // distances to the two ends that differ by less count as equal
}

func ratingOf(r stats.Rating) estimate {
	return estimate{r.Rating, r.Error, r.Low, r.High, whole, 1}
}

func eloOf(f stats.Figures) estimate {
	return estimate{f.Elo, f.EloError, f.EloLow, f.EloHigh, signedWhole, 1}
}

func nEloOf(f stats.Figures) estimate {
	return estimate{f.NElo, f.NEloError, f.NEloLow, f.NEloHigh, signedWhole, 1}
}

func scoreOf(f stats.Figures) estimate {
	return estimate{f.Score, f.ScoreError, f.ScoreLow, f.ScoreHigh, percentage, 0.001}
}

// text writes the number, or the bound.
func (e estimate) text() string { return boundCell(e.number, e.low, e.high, e.write) }

// interval writes the interval as "±41" if the number is in its middle, else its two ends as "-11…+364". One with one
// end is written as "> +311" or "< -161". It is "-" if it is not known, or if there is no number, because then text has
// the end.
func (e estimate) interval() string {
	switch {
	case e.number == nil:
		return "-"
	case e.low == nil || e.high == nil:
		return boundCell(nil, e.low, e.high, e.write)
	case math.Abs(*e.high-*e.number-(*e.number-*e.low)) >= e.even:
		return e.write(*e.low) + "…" + e.write(*e.high)
	}
	return marginCell((*e.high-*e.low)/2, e.even, e.write)
}

// inOne writes the number with its interval: as "+132 ± 109", or in parentheses if the interval is uneven or has only
// one end. If it is not known, the number stands alone.
func (e estimate) inOne() string {
	interval := e.interval()
	half, even := strings.CutPrefix(interval, "±")
	switch {
	case interval == "-":
		return e.text()
	case even:
		return e.text() + " ± " + half
	}
	return e.text() + " (" + interval + ")"
}

// columns returns the columns of the number, of its error and of the ends of its interval. drop and dropError are the
// places of the first two; see [Column].
func (e estimate) columns(name, title string, drop, dropError int) Row {
	return Row{
		{Name: name, Title: title, Drop: drop, Value: both{e.number, e.text()}},
		{Name: name + "_error", Title: intervalTitle, Drop: dropError, Value: both{e.margin, e.interval()}},
		{Name: name + "_low", Value: e.low},
		{Name: name + "_high", Value: e.high},
	}
}

// likelihoodCell writes a likelihood of superiority, which is never exactly 0 or 1.
func likelihoodCell(los *float64) string {
	const tiny = 1e-9
	return boundCell(los, nil, nil, func(los float64) string { return percentage(min(max(los, tiny), 1-tiny)) })
}

// pairsTitle names the pairs by their two matches. Level pairs have two draws, or a match won by each bot.
const pairsTitle = "LL-LD-level-WD-WW"

// legends returns a note about those of some titles that a newcomer does not know; nil if there are none.
func legends(titles ...string) []string {
	known := map[string]string{
		"nElo":     "nElo: normalized Elo",
		"LOS":      "LOS: likelihood of superiority",
		pairsTitle: "LL to WW: pairs by result",
	}
	var all []string
	for _, title := range titles {
		if what := known[title]; what != "" {
			all = append(all, what)
		}
	}
	if all != nil {
		all = []string{strings.Join(all, "; ")}
	}
	return all
}

func pairsCell(pairs stats.Pentanomial) string {
	counts := make([]string, len(pairs))
	for i, count := range pairs {
		counts[i] = strconv.Itoa(count)
	}
	return strings.Join(counts, "-")
}

// versus writes two numbers as "2-1".
func versus(south, north int) string { return strconv.Itoa(south) + "-" + strconv.Itoa(north) }

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

// listNames lists up to ten names.
func listNames(names []string) string {
	const most = 10
	var short []string
	for _, name := range names[:min(most, len(names))] {
		short = append(short, shortName(name))
	}
	text := strings.Join(short, ", ")
	if len(names) > most {
		text += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return text
}

// shortName cuts a name that is wider than 64 columns, because a list of games may have names of any length.
func shortName(name string) string {
	const widest = 64
	if displaywidth.String(name) <= widest {
		return name
	}
	return displaywidth.TruncateString(printable(name), widest, "…")
}

// repeatHint says how to avoid matches that repeat others.
const repeatHint = "hint: bots that choose nothing at random repeat their matches; " +
	"plies under [openings] gives them different openings"

// intervalTitle is the title of the column with the interval of the number in the column before it.
const intervalTitle = "±"

// ratingScaleNotes explains the columns rating and ±, if any of their cells has a number.
func ratingScaleNotes(ratings []stats.Rating) []string {
	some := func(is func(estimate) bool) bool {
		return slices.ContainsFunc(ratings, func(r stats.Rating) bool { return is(ratingOf(r)) })
	}
	interval := ""
	switch {
	case !some(func(e estimate) bool { return e.text() != "-" }):
		return nil
	case some(func(e estimate) bool { return strings.Contains(e.interval(), "…") }):
		interval = "; ± is half of the 95 % interval, or its two ends if it is not even"
	case some(func(e estimate) bool { return e.interval() != "-" }):
		interval = "; ± is half of the 95 % interval"
	}
	return []string{"ratings are on the Elo scale" + interval}
}
