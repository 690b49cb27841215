package results

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/olekukonko/tablewriter/tw"
)

// Charges measures what bots that answer at once are charged for a move: what the machine and the
// runner take of a bot's time. It is handed the records as they come, in any order, and keeps the
// times alone.
type Charges struct {
	setup   ChargeSetup
	matches int
	charged []time.Duration // of every move that a bot was asked for
}

// ChargeSetup is what was played, and where.
type ChargeSetup struct {
	Ruleset     string
	Bot         string // that played against itself
	Concurrency int    // matches at once
	Processors  int    // of the machine
	Isolation   string // its mode
	Total       int    // matches that were asked for
}

// NewCharges returns the charges of matches of which none has been played.
func NewCharges(setup ChargeSetup) *Charges { return &Charges{setup: setup} }

// Put takes the times out of records. A pass is no move that a bot was asked for.
func (c *Charges) Put(records []Record) error {
	for _, r := range records {
		if len(r.Moves) != len(r.Elapsed) {
			return fmt.Errorf("record of %v: %d moves, but %d times", r.Key, len(r.Moves), len(r.Elapsed))
		}
		c.matches++
		for i, token := range r.Moves {
			if token != "pass" {
				c.charged = append(c.charged, r.Elapsed[i])
			}
		}
	}
	return nil
}

// PutVoid takes a match that came to nothing by the runner's own fault: there is nothing to measure.
func (c *Charges) PutVoid(Key, string) error { return nil }

// slowCharge is from where on a charge is counted: a bot that is told its time in milliseconds notices it.
const slowCharge = time.Millisecond

// figures computes what is told of the charges; ok is false if there are none.
func (c *Charges) figures() (f chargeFigures, ok bool) {
	if len(c.charged) == 0 {
		return chargeFigures{}, false
	}
	sorted := slices.Sorted(slices.Values(c.charged))
	fast, _ := slices.BinarySearch(sorted, slowCharge)
	longest := sorted[len(sorted)-1]
	return chargeFigures{
		median: quantile(sorted, 500), high: quantile(sorted, 999), longest: longest,
		slow: len(sorted) - fast, margin: suggestedMargin(longest),
	}, true
}

type chargeFigures struct {
	median, high, longest time.Duration
	slow                  int // moves that were charged slowCharge or more
	margin                time.Duration
}

// quantile returns the smallest time that at least so many of 1000 do not exceed (the nearest rank).
func quantile(sorted []time.Duration, of1000 int) time.Duration {
	return sorted[(len(sorted)*of1000+999)/1000-1]
}

// suggestedMargin is twice the longest charge, as what comes later may be longer still, rounded up to
// 1, 2 or 5 times a power of ten, and at least leastMargin.
func suggestedMargin(longest time.Duration) time.Duration {
	for margin := leastMargin; ; margin *= 10 {
		for _, times := range []time.Duration{1, 2, 5} {
			if times*margin >= 2*longest {
				return times * margin
			}
		}
	}
}

// leastMargin is the smallest margin that is suggested: bots that think make a machine busier than
// those that do not.
const leastMargin = 10 * time.Millisecond

// ChargeFormats lists what Charges.Write knows.
func ChargeFormats() []Format { return []Format{FormatTable, FormatJSON} }

// Write writes the figures of the records that have been put in so far; see ChargeFormats.
func (c *Charges) Write(w io.Writer, format Format) error {
	switch format {
	case FormatTable:
		return c.writeTable(w)
	case FormatJSON:
		return c.writeJSON(w)
	}
	_, err := ParseFormat(string(format), ChargeFormats())
	return err
}

func (c *Charges) writeTable(w io.Writer) error {
	matches := counted(c.matches, "match", "matches")
	if c.matches < c.setup.Total {
		matches = fmt.Sprintf("%d of %d matches", c.matches, c.setup.Total)
	}
	_, err := fmt.Fprintf(w, "%s  %s against itself  %s, %d at once on %s, isolation %s\n\n", c.setup.Ruleset, c.setup.Bot,
		matches, c.setup.Concurrency, counted(c.setup.Processors, "processor", "processors"), c.setup.Isolation)
	if err != nil {
		return err
	}
	f, ok := c.figures()
	if !ok {
		_, err = fmt.Fprintln(w, "no move was charged")
		return err
	}
	t := new(table)
	t.column("a move is charged", tw.AlignLeft)
	t.column("", tw.AlignRight)
	t.row("p50", charge(f.median))
	t.row("p99.9", charge(f.high))
	t.row("max", charge(f.longest))
	t.row("1 ms or more", shareOf(f.slow, len(c.charged)))
	t.row("moves", strconv.Itoa(len(c.charged)))
	if err := t.text(w); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "\nsuggestion: margin = \"%v\"\n", f.margin)
	return err
}

// charge writes a time for people, with about three digits.
func charge(d time.Duration) string {
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

// shareOf writes a part of all as a percentage, with two digits where it is small.
func shareOf(n, all int) string {
	percent := 100 * float64(n) / float64(all)
	digits := 1
	if 0 < percent && percent < 1 {
		digits = 1 - int(math.Floor(math.Log10(percent)))
	}
	return strconv.FormatFloat(percent, 'f', digits, 64) + "%"
}

// The shape of the JSON. Its names are stable. Without a move what is measured is null.
type chargesJSON struct {
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

func (c *Charges) writeJSON(w io.Writer) error {
	s := c.setup
	report := chargesJSON{
		Ruleset: s.Ruleset, Bot: s.Bot, Concurrency: s.Concurrency, Processors: s.Processors, Isolation: s.Isolation,
		MatchesTotal: s.Total, Matches: c.matches, Moves: len(c.charged),
	}
	if f, ok := c.figures(); ok {
		number := func(d time.Duration) *json.Number {
			n := json.Number(millis(d))
			return &n
		}
		share := float64(f.slow) / float64(len(c.charged))
		report.P50, report.P999, report.Max = number(f.median), number(f.high), number(f.longest)
		report.Slow, report.SlowShare, report.Margin = f.slow, &share, number(f.margin)
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(report)
}
