package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"sembra/results"
	"sembra/results/stats"
)

// differences are the differences in strength of two bots in CSV and JSON; nil: unbounded or not known.
type differences struct {
	Elo       *float64 `json:"elo"`
	EloError  *float64 `json:"elo_error"`
	EloLow    *float64 `json:"elo_low"`
	EloHigh   *float64 `json:"elo_high"`
	NElo      *float64 `json:"nelo"`
	NEloError *float64 `json:"nelo_error"`
	LOS       *float64 `json:"los"`
}

func newDifferences(f stats.Figures) differences {
	return differences{f.Elo, f.EloError, f.EloLow, f.EloHigh, f.NElo, f.NEloError, f.LOS}
}

// meeting is a line of head-to-head in CSV and JSON.
type meeting struct {
	cell
	Score     float64 `json:"score"`
	DrawShare float64 `json:"draw_share"`
	Unit      *string `json:"unit"` // pair or match; nil if nothing is counted
	Units     int     `json:"units"`
	differences
	Pentanomial stats.Pentanomial `json:"pentanomial" csv:"ll,ld,wl_dd,wd,ww"`
	Single      int               `json:"single"`
	Repeats     int               `json:"repeats"`
	FaultLosses int               `json:"fault_losses"`
	Theirs      int               `json:"opponent_fault_losses"`
	CPUMS       *json.Number      `json:"cpu_ms"`
	TheirCPUMS  *json.Number      `json:"opponent_cpu_ms"`
	Note        string            `json:"note" csv:"-"`
	Past        int               `json:"past"`
}

// meetings is head-to-head in JSON.
type meetings struct {
	Tournament string    `json:"tournament"`
	Ruleset    string    `json:"ruleset"`
	Meetings   []meeting `json:"meetings"`
}

// HeadToHead reports the meetings of a tournament. It has the formats Table, Markdown, CSV and JSON.
func HeadToHead(m results.Meetings) Report {
	object := meetings{m.Tournament.Name, m.Tournament.Ruleset, make([]meeting, len(m.List))}
	for i, met := range m.List {
		object.Meetings[i] = newMeeting(met)
	}
	part := Part{
		Title: []string{m.Tournament.Name, m.Tournament.Ruleset},
		Columns: []Column{
			left("bot"), left("opponent"), right("points"), right("won"), right("drawn"), right("lost"),
			right("score"), right("draws"), right("Elo"), right("±"), right("nElo"), right("±"), right("LOS"),
			right(pairsTitle),
			rare(right("single")), rare(right("repeats")), rare(right("past stop")), rare(right("by fault")), right("CPU"),
		},
		Rows: rowsOf(m.List, func(m results.Meeting) []string {
			figures, _, singles := m.Figures()
			return []string{
				m.Bot, m.Opponent, exact(m.Points) + "/" + strconv.Itoa(m.Matches),
				strconv.Itoa(m.Wins), strconv.Itoa(m.Draws), strconv.Itoa(m.Losses),
				percentage(m.Points / float64(m.Matches)), percentage(float64(m.Draws) / float64(m.Matches)),
				differenceCell(figures), differenceMarginCell(figures),
				signedCell(figures.NElo), marginCell(figures.NEloError), likelihoodCell(figures.LOS), pairsCell(m.Pairs),
				strconv.Itoa(singles), strconv.Itoa(m.Repeats), strconv.Itoa(m.Past), scoreOf(m.FaultLosses[0], m.FaultLosses[1]),
				cpuCell(m.CPU[0], m.CPUMatches[0] > 0) + "/" + cpuCell(m.CPU[1], m.CPUMatches[1] > 0),
			}
		}),
		Notes: meetingNotes(object.Meetings),
	}
	return Report{Parts: []Part{part}, CSV: linesOf(each(object.Meetings)), JSON: object}
}

func newMeeting(m results.Meeting) meeting {
	figures, paired, left := m.Figures()
	row := meeting{
		cell:  cell{m.Bot, m.Opponent, m.Tally},
		Score: m.Points / float64(m.Matches), DrawShare: float64(m.Draws) / float64(m.Matches),
		Units: figures.Units, differences: newDifferences(figures),
		Pentanomial: m.Pairs, Single: left, Repeats: m.Repeats, FaultLosses: m.FaultLosses[0], Theirs: m.FaultLosses[1],
		CPUMS: knownMillis(m.CPU[0], m.CPUMatches[0] > 0), TheirCPUMS: knownMillis(m.CPU[1], m.CPUMatches[1] > 0),
		Note: noInformation(m), Past: m.Past,
	}
	switch {
	case paired:
		row.Unit = new("pair")
	case figures.Units > 0:
		row.Unit = new("match")
	}
	return row
}

// meetingNotes returns why numbers are unknown, and what they do not count.
func meetingNotes(all []meeting) []string {
	var notes []string
	for _, m := range all {
		if m.Note != "" {
			notes = append(notes, fmt.Sprintf("%s - %s: %s", m.Bot, m.Opponent, m.Note))
		}
	}
	explain := func(count func(meeting) int, note string) {
		if slices.ContainsFunc(all, func(m meeting) bool { return count(m) > 0 }) {
			notes = append(notes, note)
		}
	}
	const out = "; Elo, nElo, LOS and their errors leave them out"
	explain(func(m meeting) int { return m.Single }, "single: matches without the other match of their pair"+out)
	explain(func(m meeting) int { return m.Repeats }, "repeats: matches that equal an earlier one"+out+" ("+repeatHint+")")
	explain(func(m meeting) int { return m.Past }, "past stop: matches under way when the test was decided"+out)
	explain(func(m meeting) int { return m.FaultLosses + m.Theirs },
		"by fault: matches that the bot and the opponent lost by a fault of their own")
	return notes
}

// The consequences if matches do not show everything.
const (
	nothing = "so nothing is known about strength"
	lower   = "so only a lower bound of the difference is known"
	upper   = "so only an upper bound of the difference is known"
	noError = "so the error is not known"
)

// noInformation returns why the matches give no error, or no difference; "" if they give both.
func noInformation(m results.Meeting) string {
	figures, paired, _ := m.Figures()
	switch {
	case figures.Units == 0:
		return "no match has a result that counts, " + nothing
	case figures.ScoreError == nil && paired:
		return pairsAlike(m)
	case figures.ScoreError == nil:
		return "no pair is complete, and " + singlesAlike(m)
	case !paired:
		return "no pair is complete: the errors are those of single matches"
	case figures.EloError == nil:
		return "too few pairs: the interval is unbounded on one side"
	}
	return ""
}

// pairsAlike returns what all complete pairs have in common.
func pairsAlike(m results.Meeting) string {
	n := 0
	for _, count := range m.Pairs {
		n += count
	}
	all := fmt.Sprintf("all %d pairs, ", n)
	if n == 1 {
		all = "the only pair, "
	}
	switch n {
	case m.Splits[0]:
		return "South won both matches of " + all + nothing
	case m.Splits[1]:
		return "North won both matches of " + all + nothing
	case m.Pairs[2]:
		return "the bots shared the points of " + all + nothing
	case m.Pairs[4]:
		return m.Bot + " won both matches of " + all + lower
	case m.Pairs[0]:
		return m.Opponent + " won both matches of " + all + upper
	case m.Pairs[3]:
		return m.Bot + " won one match and drew the other in " + all + noError
	}
	return m.Opponent + " won one match and drew the other in " + all + noError
}

// singlesAlike returns what all single matches have in common if there are no complete pairs.
func singlesAlike(m results.Meeting) string {
	n := m.Singles.Wins + m.Singles.Draws + m.Singles.Losses
	all := fmt.Sprintf("all %d matches, ", n)
	if n == 1 {
		all = "the only match, "
	}
	switch {
	case m.Singles.Wins > 0:
		return m.Bot + " won " + all + lower
	case m.Singles.Losses > 0:
		return m.Opponent + " won " + all + upper
	}
	return "the bots drew " + all + nothing
}
