package page

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
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
	old     map[[2]int]int    // the number of the file of each superseded match by its slot and its replacement

	mu     sync.Mutex
	wanted map[matchChoice]bool // lists of matches that have an address
}

func newReportLinks(t results.Tournament, matches []results.Slotted, superseded []results.Noted, folder bool) *reportLinks {
	l := &reportLinks{
		ruleset: t.Ruleset, names: make(map[string]string), folder: folder, numbers: make(map[string]int), pages: make(map[int]int),
		old: make(map[[2]int]int), wanted: make(map[matchChoice]bool),
	}
	taken := make(map[string]bool)
	for i, bot := range t.Bots {
		l.numbers[bot] = i + 1
		name := word(bot)
		for taken[name] { // no tournament file has two such names, but a database may
			name = fmt.Sprintf("%s-%d", name, i+1)
		}
		l.names[bot], taken[name] = name, true
	}
	for i, match := range matches {
		l.pages[match.Slot] = i/matchesOnPage + 1
	}
	for i, match := range superseded {
		l.old[[2]int{match.Slot, match.Superseded}] = i/matchesOnPage + 1
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

func (*reportLinks) tournaments() string        { return "" }
func (*reportLinks) play(string, string) string { return "" }
func (*reportLinks) live(string) string         { return "" }
func (*reportLinks) matchForm(string) string    { return "" }

func (l *reportLinks) tournament(string) string { return l.address(FirstReportFile, tournamentPart) }

func (l *reportLinks) crosstable(string) string { return l.address(FirstReportFile, crosstablePart) }

func (l *reportLinks) matches(_ string, of matchChoice) string {
	list := of
	list.Page = 0
	l.mu.Lock()
	l.wanted[list] = true
	l.mu.Unlock()
	return l.address(l.listFile(of), l.listPart(of))
}

// choices returns the lists of matches that have an address so far, in an order that is always the same.
func (l *reportLinks) choices() []matchChoice {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.SortedFunc(maps.Keys(l.wanted), func(a, b matchChoice) int {
		return cmp.Compare(l.listPart(a), l.listPart(b))
	})
}

// listFile returns the file of a list of matches.
func (l *reportLinks) listFile(of matchChoice) string {
	page := max(1, of.Page)
	of.Page = 0
	switch {
	case of.Bot != "":
		return botFile(l.numbers[of.Bot])
	case of == matchChoice{}:
		return matchesFile(page)
	}
	return FirstReportFile
}

func (l *reportLinks) match(_ string, slot int) string {
	if l.pages[slot] == 0 {
		return "" // the match is not played
	}
	return l.address(matchesFile(l.pages[slot]), matchPart(slot))
}

func (l *reportLinks) superseded(_ string, slot, replacement int) string {
	return l.address(supersededFile(l.old[[2]int{slot, replacement}]), supersededPart(slot, replacement))
}

func (*reportLinks) ply(match string, ply int) string { return match + "&ply=" + strconv.Itoa(ply) }

func (l *reportLinks) bot(_, bot string) string {
	return l.address(botFile(l.numbers[bot]), l.botPart(bot))
}

func (l *reportLinks) rules(ruleset string) string {
	if ruleset != "" && ruleset != l.ruleset {
		return ""
	}
	return l.address(FirstReportFile, rulesPart)
}

// address returns the address of a part in a file.
func (l *reportLinks) address(file, part string) string {
	if !l.folder {
		file = ""
	}
	return file + "#" + (&url.URL{Fragment: part}).EscapedFragment()
}

// The names of the parts of a report.
const (
	tournamentPart = "tournament"
	crosstablePart = "crosstable"
	rulesPart      = "rules"
)

func matchPart(slot int) string { return "match-" + strconv.Itoa(slot) }

func supersededPart(slot, replacement int) string {
	return fmt.Sprintf("%s/superseded=%d", matchPart(slot), replacement)
}

func (l *reportLinks) botPart(bot string) string { return "bot-" + l.names[bot] }

func (l *reportLinks) listPart(of matchChoice) string {
	if of.Page == 1 {
		of.Page = 0
	}
	name := "matches"
	for _, choice := range []struct{ key, value string }{
		{"bot", l.names[of.Bot]},
		{"opponent", l.names[of.Opponent]},
		{"stage", number(of.Stage)},
		{"ending", of.Ending},
		{"fault", cmp.Or(l.names[of.Fault], of.Fault)},
		{"kind", string(of.Kind)},
		{"page", number(of.Page)},
	} {
		if choice.value != "" {
			name += "/" + choice.key + "=" + choice.value
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

// FirstReportFile is the file of a folder with which a reader begins.
const FirstReportFile = "index.html"

func botFile(number int) string { return fmt.Sprintf("bot-%d.html", number) }

func matchesFile(page int) string { return fmt.Sprintf("matches-%d.html", page) }

func supersededFile(page int) string { return fmt.Sprintf("superseded-%d.html", page) }

// IsReportFile reports whether a report in a folder can have a file of this name.
func IsReportFile(name string) bool {
	if name == FirstReportFile {
		return true
	}
	_, number, _ := strings.Cut(strings.TrimSuffix(name, ".html"), "-")
	n, err := strconv.Atoi(number)
	return err == nil && slices.Contains([]string{botFile(n), matchesFile(n), supersededFile(n)}, name)
}
