package web

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
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
