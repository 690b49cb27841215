package results

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Format is a way of writing a report.
type Format string

// The formats. Not every report knows each of them.
const (
	FormatTable    Format = "table"    // for people
	FormatMarkdown Format = "markdown" // pipe tables
	FormatCSV      Format = "csv"      // RFC 4180, with a header
	FormatJSON     Format = "json"     // one object
	FormatJSONL    Format = "jsonl"    // an object a line
	FormatChart    Format = "chart"    // ratings with their intervals, drawn for people
)

// StandingsFormats lists what Report.Write knows.
func StandingsFormats() []Format {
	return []Format{FormatTable, FormatMarkdown, FormatCSV, FormatJSON, FormatChart}
}

// CrosstableFormats lists what Report.WriteCrosstable knows.
func CrosstableFormats() []Format {
	return []Format{FormatTable, FormatMarkdown, FormatCSV, FormatJSON}
}

// MatchFormats lists what MatchList.Write knows.
func MatchFormats() []Format {
	return []Format{FormatTable, FormatCSV, FormatJSONL}
}

// ParseFormat finds a name among the known formats; the error lists them.
func ParseFormat(name string, known []Format) (Format, error) {
	if slices.Contains(known, Format(name)) {
		return Format(name), nil
	}
	names := make([]string, len(known))
	for i, format := range known {
		names[i] = string(format)
	}
	return "", fmt.Errorf("unknown format %q (known: %s)", name, strings.Join(names, ", "))
}

// points writes points: "6" or "5.5".
func points(number float64) string { return exact(number) }

// whole rounds a rating to a whole number.
func whole(number float64) string {
	return strconv.FormatFloat(math.Round(number)+0, 'f', 0, 64) // + 0 takes the sign off -0
}

// millis writes a duration in milliseconds, exactly, with no more digits than it needs.
func millis(d time.Duration) string {
	const inMilli = int64(time.Millisecond)
	text := strconv.FormatInt(int64(d)/inMilli, 10)
	if rest := int64(d) % inMilli; rest != 0 {
		text += "." + strings.TrimRight(fmt.Sprintf("%06d", rest), "0")
	}
	return text
}
