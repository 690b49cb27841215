package web

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"sembra/results"
)

// reportLinks writes the addresses of the parts of a report, and notes which parts they lead to.
type reportLinks struct {
	served  servedLinks
	plan    results.Tournament
	folder  bool           // the report is a folder of files, not one file
	numbers map[string]int // of bots, from 1
	played  map[int]bool   // the slots of matches

	mu    sync.Mutex      // guards what follows
	known map[string]bool // names of parts
	found []part          // that nobody has taken yet
}

// part is a page of a server inside a report.
type part struct {
	name   string // of the fragment that leads to it, or of its file
	served string // its address on a server
	chunk  string // the file of data in a folder that has it, without its ending; "": it is a page of its own
	slot   int    // of the match that it is; 0: it is none
}

func (p part) isMatch() bool { return p.slot > 0 }

func newReportLinks(t results.Tournament, matches []results.Slotted, folder bool) *reportLinks {
	l := &reportLinks{
		plan: t, folder: folder, numbers: make(map[string]int), played: make(map[int]bool), known: make(map[string]bool),
	}
	for i, bot := range t.Bots {
		l.numbers[bot] = i + 1
	}
	for _, match := range matches {
		l.played[match.Slot] = true
	}
	return l
}

// take returns the parts that are found since the last call, the shortest names first.
func (l *reportLinks) take() []part {
	l.mu.Lock()
	defer l.mu.Unlock()
	parts := l.found
	l.found = nil
	slices.SortFunc(parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(len(a.name), len(b.name)), cmp.Compare(a.name, b.name))
	})
	return parts
}

// matchParts returns the parts of matches.
func (l *reportLinks) matchParts(matches []results.Slotted) (parts []part) {
	for _, m := range matches {
		parts = append(parts, l.matchPart(m.Slot))
	}
	return parts
}

func (l *reportLinks) matchPart(slot int) part {
	return part{
		name: "match-" + strconv.Itoa(slot), served: l.served.match(l.plan.Name, slot), slot: slot,
		chunk: fmt.Sprintf("replays-%d", (slot-1)/matchesOnPage+1),
	}
}

// to returns the address of a part.
func (l *reportLinks) to(p part) string {
	switch {
	case !l.folder:
		return "#" + p.name
	case p.chunk == "":
		return fileOf(p.name)
	}
	return packedFile + "#" + p.chunk + "/" + p.name
}

// find is to for parts that are not matches. It notes the part.
func (l *reportLinks) find(p part) string {
	l.mu.Lock()
	if !l.known[p.name] {
		l.known[p.name] = true
		l.found = append(l.found, p)
	}
	l.mu.Unlock()
	return l.to(p)
}

func (*reportLinks) tournaments() string        { return "" }
func (*reportLinks) play(string, string) string { return "" }
func (*reportLinks) live(string) string         { return "" }
func (*reportLinks) matchForm(string) string    { return "" }

func (l *reportLinks) navigation() []navigated {
	return []navigated{
		{tournamentsSection, link{"Tournament", l.tournament("")}},
		{matchesSection, link{"Matches", l.matches("", matchChoice{})}},
		{rulesSection, link{"Rules", l.rules("")}},
	}
}

func (l *reportLinks) tournament(string) string {
	return l.find(part{name: tournamentPart, served: l.served.tournament(l.plan.Name)})
}

func (l *reportLinks) crosstable(string) string {
	return l.find(part{name: "crosstable", served: l.served.crosstable(l.plan.Name)})
}

func (l *reportLinks) matches(_ string, of matchChoice) string {
	if of.Page == 1 {
		of.Page = 0
	}
	p := part{name: "matches", served: l.served.matches(l.plan.Name, of)}
	if of == (matchChoice{Page: of.Page}) {
		if of.Page > 0 {
			p.name += "-" + strconv.Itoa(of.Page)
		}
		return l.find(p)
	}
	p.chunk = fmt.Sprintf("lists-%d", l.numbers[of.Bot])
	for _, choice := range []struct{ key, value string }{
		{"bot", number(l.numbers[of.Bot])},
		{"opponent", number(l.numbers[of.Opponent])},
		{"stage", number(of.Stage)},
		{"ending", of.Ending},
		{"fault", cmp.Or(number(l.numbers[of.Fault]), of.Fault)},
		{"kind", string(of.Kind)},
		{"page", number(of.Page)},
	} {
		if choice.value != "" {
			p.name += "/" + choice.key + "=" + choice.value
		}
	}
	return l.find(p)
}

func (l *reportLinks) match(_ string, slot int) string {
	if !l.played[slot] {
		return ""
	}
	return l.to(l.matchPart(slot))
}

func (*reportLinks) ply(match string, ply int) string { return match + "&ply=" + strconv.Itoa(ply) }

func (l *reportLinks) bot(_, bot string) string {
	return l.find(part{name: fmt.Sprintf("bot-%d", l.numbers[bot]), served: l.served.bot(l.plan.Name, bot)})
}

func (l *reportLinks) rules(ruleset string) string {
	if ruleset != "" && ruleset != l.plan.Ruleset {
		return ""
	}
	return l.find(part{name: "rules", served: l.served.rules(l.plan.Ruleset)})
}

// number returns a number as text; "" for 0.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

const (
	// FirstReportFile is the file of a folder with which a reader begins.
	FirstReportFile = "index.html"

	tournamentPart = "tournament"
	packedFile     = "page.html" // shows the parts in the files of data
)

// fileOf returns the file of a part that is a page of its own.
func fileOf(name string) string {
	if name == tournamentPart {
		return FirstReportFile
	}
	return name + ".html"
}

// IsReportFile reports whether a report in a folder can have a file of this name.
func IsReportFile(name string) bool {
	stem, isPage := strings.CutSuffix(name, ".html")
	if isPage {
		return regexp.MustCompile(`^(index|page|crosstable|rules|matches|(bot|matches)-[1-9][0-9]*)$`).MatchString(stem)
	}
	return regexp.MustCompile(`^(style\.css|(theme|script|replays-[1-9][0-9]*|lists-[0-9]+)\.js)$`).MatchString(name)
}
