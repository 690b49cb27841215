package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

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

// smallSample are the figures beside the differences that also hold for few pairs. They are apart, because they came
// later, and new columns are the last ones.
type smallSample struct {
	NEloLow     *float64 `json:"nelo_low"`
	NEloHigh    *float64 `json:"nelo_high"`
	Superiority *float64 `json:"superiority"`
}

func newSmallSample(f stats.Figures) smallSample {
	return smallSample{f.NEloLow, f.NEloHigh, f.Superiority}
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
	smallSample
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
	all, longest := make([]countedMeeting, len(m.List)), time.Duration(0)
	for i, met := range m.List {
		longest = max(longest, met.CPU[0], met.CPU[1])
		all[i] = countMeeting(met)
		object.Meetings[i] = newMeeting(all[i])
	}
	cpuCell := cpuWriter(longest)
	type line = countedMeeting
	part := tableOf(each(all), []column[line]{
		{name("bot"), func(m line) string { return m.Bot }},
		{name("opponent"), func(m line) string { return m.Opponent }},
		{right("points"), func(m line) string { return exact(m.Points) + "/" + strconv.Itoa(m.Matches) }},
		{drop(6, right("won")), number(func(m line) int { return m.Wins })},
		{drop(6, right("drawn")), number(func(m line) int { return m.Draws })},
		{drop(6, right("lost")), number(func(m line) int { return m.Losses })},
		{drop(5, right("score")), func(m line) string { return percentage(m.Points / float64(m.Matches)) }},
		{drop(4, right("draws")), func(m line) string { return percentage(float64(m.Draws) / float64(m.Matches)) }},
		{drop(9, right("Elo")), func(m line) string { return differenceCell(m.figures) }},
		{drop(9, right(intervalTitle)), func(m line) string { return differenceIntervalCell(m.figures) }},
		{drop(3, right("nElo")), func(m line) string { return signedCell(m.figures.NElo) }},
		{drop(3, right(intervalTitle)), func(m line) string { return normalizedIntervalCell(m.figures) }},
		{drop(8, right("LOS")), func(m line) string { return likelihoodCell(m.figures.Superiority) }},
		{drop(2, right(pairsTitle)), func(m line) string { return pairsCell(m.Pairs) }},
		{drop(7, rare(right("single"))), number(func(m line) int { return m.left })},
		{drop(7, rare(right("repeats"))), number(func(m line) int { return m.Repeats })},
		{drop(7, rare(right("past stop"))), number(func(m line) int { return m.Past })},
		{drop(7, rare(right("by fault"))), func(m line) string { return scoreOf(m.FaultLosses[0], m.FaultLosses[1]) }},
		{drop(1, right("CPU")), func(m line) string {
			if m.CPUMatches == [2]int{} {
				return "-"
			}
			return cpuCell(m.CPU[0], m.CPUMatches[0] > 0) + "/" + cpuCell(m.CPU[1], m.CPUMatches[1] > 0)
		}},
	})
	part.Title, part.Notes = []string{m.Tournament.Name, m.Tournament.Ruleset}, meetingNotes(object.Meetings)
	return Report{Parts: []Part{part}, CSV: linesOf(each(object.Meetings)), JSON: object}
}

// countedMeeting is a meeting with its figures; see [results.Meeting.Figures].
type countedMeeting struct {
	results.Meeting
	figures stats.Figures
	paired  bool
	left    int
}

func countMeeting(m results.Meeting) countedMeeting {
	figures, paired, left := m.Figures()
	return countedMeeting{m, figures, paired, left}
}

func newMeeting(m countedMeeting) meeting {
	figures := m.figures
	row := meeting{
		cell:  cell{m.Bot, m.Opponent, m.Tally},
		Score: m.Points / float64(m.Matches), DrawShare: float64(m.Draws) / float64(m.Matches),
		Units: figures.Units, differences: newDifferences(figures),
		Pentanomial: m.Pairs, Single: m.left, Repeats: m.Repeats, FaultLosses: m.FaultLosses[0], Theirs: m.FaultLosses[1],
		CPUMS: knownMillis(m.CPU[0], m.CPUMatches[0] > 0), TheirCPUMS: knownMillis(m.CPU[1], m.CPUMatches[1] > 0),
		Note: noInformation(m), Past: m.Past, smallSample: newSmallSample(figures),
	}
	switch {
	case m.paired:
		row.Unit = new("pair")
	case figures.Units > 0:
		row.Unit = new("match")
	}
	return row
}

// meetingNotes returns why numbers are unknown, and what they do not count.
func meetingNotes(all []meeting) []string {
	var reasons, notes []string
	alike := make(map[string][]string) // meetings by their reason, which many can share
	for _, m := range all {
		if m.Note == "" {
			continue
		}
		if alike[m.Note] == nil {
			reasons = append(reasons, m.Note)
		}
		alike[m.Note] = append(alike[m.Note], m.Bot+" - "+m.Opponent)
	}
	for _, reason := range reasons {
		notes = append(notes, listNames(alike[reason])+": "+reason)
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
	equal   = "so nothing shows which bot is stronger"
	lower   = "so only a lower bound of the difference is known"
	upper   = "so only an upper bound of the difference is known"
	noError = "so the interval comes from the usual spread of results"
)

// noInformation returns why the matches give no difference, or an interval that says less than it seems to; "" if
// there is nothing to say.
func noInformation(m countedMeeting) string {
	switch {
	case m.figures.Units == 0:
		return "no match has a result that counts, " + nothing
	case m.figures.ScoreError == nil && m.paired:
		return pairsAlike(m.Meeting)
	case m.figures.ScoreError == nil:
		return "no pair is complete, and " + singlesAlike(m.Meeting)
	case !m.paired:
		return "no pair is complete: the errors are those of single matches"
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
		return "South won both matches of " + all + equal
	case m.Splits[1]:
		return "North won both matches of " + all + equal
	case m.Pairs[2]:
		return "the bots shared the points of " + all + equal
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
	return "the bots drew " + all + equal
}
