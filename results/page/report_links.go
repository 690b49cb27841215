package page

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"sembra/results"
)

// reportLinks writes the addresses of the parts of a report. A part of a report is what a page is on a server.
type reportLinks struct {
	ruleset string            // the only one whose rules the report has
	names   map[string]string // of bots, as names of parts have them
	folder  bool              // the report is a folder of files, not one file
	numbers map[string]int    // of the files of bots
	pages   map[int]int       // the number of the file of each match by its slot
}

func newReportLinks(t results.Tournament, matches []results.Slotted, folder bool) reportLinks {
	l := reportLinks{
		ruleset: t.Ruleset, names: make(map[string]string), folder: folder, numbers: make(map[string]int), pages: make(map[int]int),
	}
	taken := make(map[string]bool)
	for i, bot := range t.Bots {
		l.numbers[bot] = i + 1
		name := word(bot)
		if taken[name] { // no tournament file has two such names, but a damaged database may
			name = fmt.Sprintf("%s-%d", name, i+1)
		}
		l.names[bot], taken[name] = name, true
	}
	for i, match := range matches {
		l.pages[match.Slot] = i/matchesOnPage + 1
	}
	return l
}

// word returns a name as a part of the id of an element, which cannot have spaces.
func word(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.L, unicode.M, unicode.Nd) || strings.ContainsRune("._+-", r) {
			return r
		}
		return '_'
	}, name)
}

func (reportLinks) tournaments() string        { return "" }
func (reportLinks) play(string, string) string { return "" }
func (reportLinks) live(string) string         { return "" }

func (l reportLinks) tournament(string) string { return l.address(FirstReportFile, tournamentPart) }

func (l reportLinks) matches(_ string, of matchChoice) string {
	file := FirstReportFile
	switch {
	case of.Bot != "":
		file = botFile(l.numbers[of.Bot])
	case of.Stage == 0:
		file = matchesFile(max(of.Page, 1))
	}
	return l.address(file, l.matchesPart(of))
}

func (l reportLinks) match(_ string, slot int) string {
	return l.address(matchesFile(l.pages[slot]), matchPart(slot))
}

func (l reportLinks) ply(tournament string, slot, ply int) string {
	return l.match(tournament, slot) + "/ply=" + strconv.Itoa(ply)
}

func (l reportLinks) bot(_, bot string) string {
	return l.address(botFile(l.numbers[bot]), l.botPart(bot))
}

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

func (l reportLinks) botPart(bot string) string { return "bot-" + l.names[bot] }

func (l reportLinks) matchesPart(of matchChoice) string {
	name := "matches"
	for _, choice := range []struct{ key, value string }{{"bot", l.names[of.Bot]}, {"opponent", l.names[of.Opponent]}} {
		if choice.value != "" {
			name += "/" + choice.key + "=" + choice.value
		}
	}
	if of.Stage > 0 {
		name += "/stage=" + strconv.Itoa(of.Stage)
	}
	if of.Page > 1 {
		name += "/page=" + strconv.Itoa(of.Page)
	}
	return name
}

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
