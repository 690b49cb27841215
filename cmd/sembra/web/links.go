package web

import (
	"net/url"
	"strconv"
	"strings"
)

// links writes the addresses of pages and of parts of them, for the pages that show
// them. An address is "" where the page does not exist: a report has no page for
// play.
type links interface {
	tournaments() string
	tournament(name string) string
	crosstable(tournament string) string // of many bots
	matches(tournament string, of matchChoice) string
	matchForm(tournament string) string // the form that chooses among matches leads there
	match(tournament string, slot int) string
	ply(match string, ply int) string // the board after a number of plies of the match at an address
	bot(tournament, bot string) string
	rules(ruleset string) string     // "": the list of rulesets
	play(ruleset, bot string) string // both may be ""
	live(tournament string) string   // the events of a tournament that is being played
	navigation() []navigated
}

// navigated is a page that every page leads to.
type navigated struct {
	section
	link
}

// matchChoice says which matches of a tournament a list shows. A zero field chooses
// all. Without a form there are only lists by Bot, Opponent, Stage and Page.
type matchChoice struct {
	Bot      string // on either side
	Opponent string // of Bot
	Stage    int    // from 1
	Ending   string // its name
	Fault    string // the bot at fault, or anyFault
	Kind     matchKind
	Page     int // of a long list, from 1; 0 is 1
}

// anyFault chooses the matches in which a bot was at fault, whichever it was.
const anyFault = "any"

// matchKind is a kind of matches.
type matchKind string

const (
	recordedMatches matchKind = ""     // those that count
	voidMatches     matchKind = "void" // without a result
)

// query writes the choice as the query of an address.
func (c matchChoice) query() string {
	values := url.Values{}
	for key, value := range map[string]string{
		"bot": c.Bot, "opponent": c.Opponent, "ending": c.Ending, "fault": c.Fault, "kind": string(c.Kind),
	} {
		if value != "" {
			values.Set(key, value)
		}
	}
	for key, value := range map[string]int{"stage": c.Stage, "page": c.Page} {
		if value != 0 {
			values.Set(key, strconv.Itoa(value))
		}
	}
	if len(values) == 0 {
		return ""
	}
	return "?" + values.Encode()
}

// servedLinks writes the addresses of the pages of a Server.
type servedLinks struct{}

func (l servedLinks) navigation() []navigated {
	return []navigated{
		{tournamentsSection, link{"Tournaments", l.tournaments()}},
		{playSection, link{"Play", l.play("", "")}},
		{rulesSection, link{"Rules", l.rules("")}},
	}
}

func (servedLinks) tournaments() string           { return "/" }
func (servedLinks) tournament(name string) string { return "/t/" + segment(name) + "/" }

func (l servedLinks) crosstable(tournament string) string {
	return l.tournament(tournament) + "crosstable"
}

func (l servedLinks) matches(tournament string, of matchChoice) string {
	return l.tournament(tournament) + "matches" + of.query()
}

func (l servedLinks) matchForm(tournament string) string { return l.matches(tournament, matchChoice{}) }

func (l servedLinks) match(tournament string, slot int) string {
	return l.tournament(tournament) + "match/" + strconv.Itoa(slot)
}

func (servedLinks) ply(match string, ply int) string { return match + "#ply=" + strconv.Itoa(ply) }

func (l servedLinks) bot(tournament, bot string) string {
	return l.tournament(tournament) + "bot/" + segment(bot)
}

func (servedLinks) rules(ruleset string) string {
	return "/rules/" + segment(ruleset)
}

func (servedLinks) play(ruleset, bot string) string {
	values := url.Values{}
	if ruleset != "" {
		values.Set("ruleset", ruleset)
	}
	if bot != "" {
		values.Set("bot", bot)
	}
	if len(values) == 0 {
		return "/play/"
	}
	return "/play/?" + values.Encode()
}

func (l servedLinks) live(tournament string) string { return l.tournament(tournament) + "live" }

// segment writes a name as one segment of a path. Browsers take the segments "." and
// ".." for something else, even if they are escaped, and [http.ServeMux] does so with
// "/". So such a name gets a tilde before it.
func segment(name string) string {
	if name == "." || name == ".." || name == "/" || strings.HasPrefix(name, "~") {
		name = "~" + name
	}
	return url.PathEscape(name)
}

// unsegment returns the name that segment wrote. The segment is no longer escaped. A tilde alone is a name, because the
// empty name would be that of the newest tournament.
func unsegment(text string) string {
	if name, ok := strings.CutPrefix(text, "~"); ok && name != "" {
		return name
	}
	return text
}
