package page

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// reportLinks writes the addresses of the parts of a report. A part of a report is what a page is on a server.
type reportLinks struct {
	ruleset string         // the only one whose rules the report has
	folder  bool           // the report is a folder of files, not one file
	bots    map[string]int // the number of the file of each bot, if it is a folder
	pages   map[int]int    // the number of the file of each match by its slot, if it is a folder
}

func (reportLinks) tournaments() string        { return "" }
func (reportLinks) play(string, string) string { return "" }
func (reportLinks) live(string) string         { return "" }

func (l reportLinks) tournament(string) string { return l.address(FirstReportFile, tournamentPart) }

func (l reportLinks) matches(_ string, of matchChoice) string {
	file := FirstReportFile
	switch {
	case of.Bot != "":
		file = botFile(l.bots[of.Bot])
	case of.Stage == 0:
		file = matchesFile(max(of.Page, 1))
	}
	return l.address(file, matchesPart(of))
}

func (l reportLinks) match(_ string, slot int) string {
	return l.address(matchesFile(l.pages[slot]), matchPart(slot))
}

func (l reportLinks) ply(tournament string, slot, ply int) string {
	return l.match(tournament, slot) + "/ply=" + strconv.Itoa(ply)
}

func (l reportLinks) bot(_, bot string) string { return l.address(botFile(l.bots[bot]), botPart(bot)) }

func (l reportLinks) rules(ruleset string) string {
	if ruleset != "" && ruleset != l.ruleset {
		return ""
	}
	return l.address(FirstReportFile, rulesPart)
}

// address returns the address of a part in a file.
func (l reportLinks) address(file, part string) string {
	if !l.folder {
		file = ""
	}
	return file + "#" + (&url.URL{Fragment: part}).EscapedFragment()
}

// The names of the parts of a report.
const (
	tournamentPart = "tournament"
	rulesPart      = "rules"
)

func matchPart(slot int) string { return "match-" + strconv.Itoa(slot) }

func botPart(bot string) string { return "bot-" + word(bot) }

func matchesPart(of matchChoice) string {
	of.Bot, of.Opponent = word(of.Bot), word(of.Opponent)
	name := "matches"
	if of.Page == 1 {
		of.Page = 0
	}
	for _, part := range []struct{ key, value string }{
		{"bot", of.Bot}, {"opponent", of.Opponent}, {"stage", number(of.Stage)}, {"page", number(of.Page)},
	} {
		if part.value != "" {
			name += "/" + part.key + "=" + part.value
		}
	}
	return name
}

// number returns a number as text; "" for 0.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// word returns a name without spaces, which the id of an element may not have. Two names in one tournament always differ
// by more than that.
func word(name string) string { return strings.ReplaceAll(name, " ", "_") }

// FirstReportFile is the file of a folder with which a reader begins.
const FirstReportFile = "index.html"

func botFile(number int) string { return fmt.Sprintf("bot-%d.html", number) }

func matchesFile(page int) string { return fmt.Sprintf("matches-%d.html", page) }

// IsReportFile reports whether a report in a folder can have a file of this name.
func IsReportFile(name string) bool {
	if name == FirstReportFile {
		return true
	}
	kind, number, _ := strings.Cut(strings.TrimSuffix(name, ".html"), "-")
	n, err := strconv.Atoi(number)
	return err == nil && (name == botFile(n) && kind == "bot" || name == matchesFile(n))
}
