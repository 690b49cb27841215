package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
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
func signedWhole(number float64) string {
	if text := whole(number); strings.HasPrefix(text, "-") || text == "0" {
		return text
	}
	return "+" + whole(number)
}

// millis returns the exact milliseconds of a duration, without zeros at the end.
func millis(d time.Duration) json.Number {
	const inMilli = int64(time.Millisecond)
	text := strconv.AppendInt(make([]byte, 0, 24), int64(d)/inMilli, 10)
	if rest := int64(d) % inMilli; rest != 0 {
		point := len(text)
		text = strconv.AppendInt(text, inMilli+rest, 10) // "1" and the six digits after the point
		text[point] = '.'
		text = bytes.TrimRight(text, "0")
	}
	return json.Number(text)
}

// knownMillis returns a time in milliseconds; nil if it is not known.
func knownMillis(cpu time.Duration, known bool) *json.Number { return optional(millis(cpu), known) }

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

// rating writes a rating of a field, or a bound of it.
func rating(r stats.Rating) both { return both{r.Rating, boundCell(r.Rating, r.Low, r.High, whole)} }

// marginCell writes half of the interval of a number: "±41", and "-" if it is not known.
func marginCell(margin *float64) string {
	switch {
	case margin == nil:
		return "-"
	case *margin < 0.5:
		return "±<1" // an error of 0 would claim that the number is exact
	}
	return "±" + whole(*margin)
}

// group writes the group of a rating; "-" if it has none, and "" if there are not several groups.
func group(r stats.Rating, f results.RatedPlayers) both {
	switch {
	case f.Groups < 2:
		return both{r.Group, ""}
	case r.Group == 0:
		return both{r.Group, "-"}
	}
	return both{r.Group, strconv.Itoa(r.Group)}
}

// intervalCell writes the 95 % interval of a number: "±41" if the number is in its middle, else the two ends as
// "-11…+364". An interval with one end is written as "> +311" or "< -161". The cell is "-" if the interval is not known,
// or if there is no number, because then boundCell has the end. Distances to the ends that differ by less than even
// count as equal.
func intervalCell(number, low, high *float64, even float64, write func(float64) string) string {
	switch {
	case number == nil:
		return "-"
	case low == nil || high == nil:
		return boundCell(nil, low, high, write)
	case math.Abs(*high-*number-(*number-*low)) >= even:
		return write(*low) + "…" + write(*high)
	}
	unsigned := func(number float64) string { return strings.TrimPrefix(write(number), "+") }
	if half := (*high - *low) / 2; half >= even/2 {
		return "±" + unsigned(half)
	}
	return "±<" + unsigned(even) // an error of 0 would claim that the number is exact
}

// ratingInterval writes the interval of a rating.
func ratingInterval(r stats.Rating) both {
	return both{r.Error, intervalCell(r.Rating, r.Low, r.High, 1, whole)}
}

// elo writes an Elo difference, or a one-sided bound of it.
func elo(f stats.Figures) both {
	return both{f.Elo, boundCell(f.Elo, f.EloLow, f.EloHigh, signedWhole)}
}

// eloInterval writes the interval of an Elo difference.
func eloInterval(f stats.Figures) both {
	return both{f.EloError, intervalCell(f.Elo, f.EloLow, f.EloHigh, 1, signedWhole)}
}

// nElo writes a normalized Elo difference.
func nElo(f stats.Figures) both { return both{f.NElo, boundCell(f.NElo, nil, nil, signedWhole)} }

// nEloInterval writes the interval of a normalized Elo difference.
func nEloInterval(f stats.Figures) both {
	return both{f.NEloError, intervalCell(f.NElo, f.NEloLow, f.NEloHigh, 1, signedWhole)}
}

// likelihood writes the likelihood of superiority; people see the one that also holds for few units.
func likelihood(f stats.Figures) both { return both{f.LOS, likelihoodCell(f.Superiority)} }

// likelihoodCell writes a likelihood of superiority, which is never exactly 0 or 1.
func likelihoodCell(los *float64) string {
	const tiny = 1e-9
	return boundCell(los, nil, nil, func(los float64) string { return percentage(min(max(los, tiny), 1-tiny)) })
}

// pairsTitle names the pairs by their two matches. Level pairs have two draws, or a match won by each bot.
const pairsTitle = "LL-LD-level-WD-WW"

func pairsCell(pairs stats.Pentanomial) string {
	counts := make([]string, len(pairs))
	for i, count := range pairs {
		counts[i] = strconv.Itoa(count)
	}
	return strings.Join(counts, "-")
}

// scoreOf writes two numbers as "2-1".
func scoreOf(south, north int) string { return strconv.Itoa(south) + "-" + strconv.Itoa(north) }

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
	rated, interval := false, ""
	for _, r := range ratings {
		rated = rated || rating(r).text != "-"
		switch cell := ratingInterval(r).text; {
		case strings.Contains(cell, "…"):
			return []string{"ratings are on the Elo scale; " +
				"± is half of the 95 % interval, or its two ends if it is not even"}
		case cell != "-":
			interval = "; ± is half of the 95 % interval"
		}
	}
	if !rated {
		return nil
	}
	return []string{"ratings are on the Elo scale" + interval}
}
