package web

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sembra/results"
)

// links writes the addresses of pages on a server. A report translates them into those of its parts, and into "" where
// it has none.
type links struct {
	translate func(address string) string // nil: on a server
}

func (l links) to(address string) string {
	if l.translate == nil {
		return address
	}
	return l.translate(address)
}

func (l links) tournaments() string           { return l.to("/") }
func (l links) tournament(name string) string { return l.to(homeOf(name)) }
func (l links) bot(tournament, bot string) string {
	return l.to(homeOf(tournament) + "bot/" + segment(bot))
}
func (l links) rules(ruleset string) string { return l.to("/rules/" + segment(ruleset)) }

// play returns the address of the form for a match, with choices for some of its fields.
func (l links) play(c choices) string { return l.to("/play/" + queryOf(c)) }

// ply returns the address of the board after a number of plies of the match at an address.
func (l links) ply(match string, ply int) string {
	if l.translate == nil {
		return match + "#ply=" + strconv.Itoa(ply)
	}
	return match + "&ply=" + strconv.Itoa(ply)
}

// homeOf returns the address of the page of a tournament on a server, with which those of its other pages begin.
func homeOf(tournament string) string { return "/t/" + segment(tournament) + "/" }

// matchChoice says which matches of a tournament a list shows: the values of the fields of its form, by the keys
// below. A field that is missing chooses all.
type matchChoice map[string]string

const (
	byBot      = "bot"      // on either side
	byOpponent = "opponent" // of the bot
	byStage    = "stage"    // from 1
	byEnding   = "ending"   // its name
	byFault    = "fault"    // the bot at fault, or anyFault
	byKind     = "kind"     // voidKind, or missing for the matches that count
	byPage     = "page"     // of a long list, from 2
	bySort     = "sort"     // the title of a column, or missing for the order of the schedule
	byDesc     = "desc"     // with any value: the largest first

	anyFault = "any"
	voidKind = "void"
)

// queryOf writes values by their keys as the query of an address.
func queryOf(of map[string]string) string {
	values := url.Values{}
	for key, value := range of {
		values.Set(key, value)
	}
	return strings.TrimSuffix("?"+values.Encode(), "?")
}

// number returns the number in a field; 0 if it is missing.
func (c matchChoice) number(key string) int {
	n, _ := strconv.Atoi(c[key]) // readMatchChoice has checked it
	return n
}

// segment writes a name as one segment of a path. Browsers take the segments "." and ".." for something else, even if
// they are escaped, and [http.ServeMux] does so with "/". So such a name gets a tilde before it.
func segment(name string) string {
	if slices.Contains([]string{".", "..", "/"}, name) || strings.HasPrefix(name, "~") {
		name = "~" + name
	}
	return url.PathEscape(name)
}

// unsegment returns the name that segment wrote. The segment is no longer escaped. A tilde alone is a name, because
// the empty name would be that of the newest tournament.
func unsegment(text string) string {
	if name, ok := strings.CutPrefix(text, "~"); ok && name != "" {
		return name
	}
	return text
}

// reportLinks translates the addresses of pages on a server into those of the parts of a report, and notes which parts
// they lead to.
type reportLinks struct {
	home, rules string // the addresses of the pages of the tournament and its rules on a server
	folder      bool   // the report is a folder of files, not one file
	bots        []string
	matches     []results.Numbered // in their order
	known       map[string]bool    // names of parts
	found       []reportPage       // that nobody has taken yet
}

// reportPage is a page of a server inside a report. The zero value is none.
type reportPage struct {
	name    string     // of the fragment that leads to it, or of its file
	address string     // see reader.page
	query   url.Values // see reader.page
	chunk   string     // the file of data in a folder that has it, without its ending; "": it is a page of its own
	number  int        // of the match that it is; 0: it is none
}

func newReportLinks(t results.Tournament, matches []results.Numbered, folder bool) *reportLinks {
	return &reportLinks{
		home: homeOf(t.Name), rules: links{}.rules(t.Ruleset), folder: folder, bots: t.Bots, matches: matches,
		known: make(map[string]bool),
	}
}

// number returns the number of a bot from 1; 0: there is no such bot.
func (l *reportLinks) number(bot string) int { return slices.Index(l.bots, bot) + 1 }

// take returns the parts that are found since the last call, without matches, in the order in which they were found.
func (l *reportLinks) take() []reportPage {
	parts := l.found
	l.found = nil
	return parts
}

// translate returns the address of the part that is a page of a server; "" if there is none.
func (l *reportLinks) translate(served string) string {
	p := l.part(served)
	if p.number == 0 && p.name != "" && !l.known[p.name] {
		l.known[p.name] = true
		l.found = append(l.found, p)
	}
	switch {
	case p.name == "":
		return ""
	case !l.folder:
		return "#" + p.name
	case p.chunk == "":
		return fileOf(p.name)
	}
	return packedFile + "#" + p.chunk + "/" + p.name
}

// part returns the part that is a page of a server.
func (l *reportLinks) part(served string) reportPage {
	if served == l.rules {
		return reportPage{name: rulesPart}
	}
	path, query, _ := strings.Cut(served, "?")
	escaped, isOurs := strings.CutPrefix(path, l.home)
	if !isOurs {
		return reportPage{}
	}
	var p reportPage
	p.address, _ = url.PathUnescape(escaped) // links has escaped it
	p.query, _ = url.ParseQuery(query)
	kind, of, _ := strings.Cut(p.address, "/")
	switch kind {
	case "":
		p.name = tournamentPart
	case "crosstable":
		p.name = kind
	case "bot":
		p.name = "bot-" + strconv.Itoa(l.number(unsegment(of)))
	case "match":
		p.number, _ = strconv.Atoi(of)
		compare := func(m results.Numbered, number int) int { return cmp.Compare(m.Number, number) }
		if _, isPlayed := slices.BinarySearchFunc(l.matches, p.number, compare); !isPlayed {
			return reportPage{}
		}
		p.name, p.chunk = "match-"+of, fmt.Sprintf("replays-%d", (p.number-1)/matchesOnPage+1)
	case "matches":
		p.name, p.chunk = l.list(p.query)
	default:
		return reportPage{}
	}
	return p
}

// list returns the name of the part that is a list of matches, and the file of data that has it.
func (l *reportLinks) list(query url.Values) (name, chunk string) {
	name = "matches"
	page := query.Get(byPage)
	switch {
	case len(query) == 0:
		return name, ""
	case len(query) == 1 && page != "":
		return name + "-" + page, ""
	}
	for _, key := range []string{byBot, byOpponent, byStage, byEnding, byFault, byKind, byPage} {
		value := query.Get(key)
		if number := l.number(value); number > 0 && (key == byBot || key == byOpponent || key == byFault) {
			value = strconv.Itoa(number)
		}
		if value != "" {
			name += "/" + key + "=" + value
		}
	}
	return name, "lists-" + strconv.Itoa(l.number(query.Get(byBot)))
}

const (
	// FirstReportFile is the file of a folder with which a reader begins.
	FirstReportFile = "index.html"

	tournamentPart = "tournament"
	rulesPart      = "rules"
	packedFile     = "page.html" // shows the parts in the files of data
)

func fileOf(name string) string {
	if name == tournamentPart {
		return FirstReportFile
	}
	return name + ".html"
}

// IsReportFile reports whether a report in a folder can have a file of this name.
func IsReportFile(name string) bool {
	return regexp.MustCompile(`^((index|page|crosstable|rules|matches|(bot|matches)-[1-9][0-9]*)\.html|style\.css|` +
		`(theme|script|replays-[1-9][0-9]*|lists-[0-9]+)\.js)$`).MatchString(name)
}
