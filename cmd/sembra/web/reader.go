package web

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"sembra/engine"
	"sembra/results"
	"sembra/results/report"
	"sembra/results/store"
)

// reader reads a tournament for its pages, which have links. It reads only once what several pages need. It may be
// used by several goroutines, as long as nobody stores anything in the records.
type reader struct {
	*store.Records
	links

	// What several pages need. Each panics like got.
	ruleset   func() engine.Ruleset
	recorded  func() []results.Numbered
	notes     func() map[int]string // of the recorded matches that have one, by number
	standings func() results.Standings
}

func newReader(b *store.Records, l links) *reader {
	r := &reader{Records: b, links: l}
	r.ruleset = sync.OnceValue(func() engine.Ruleset { return got(b.Tournament.Rules()) })
	r.recorded = sync.OnceValue(func() []results.Numbered { return got(b.Recorded()) })
	r.standings = sync.OnceValue(func() results.Standings {
		return got(b.Tournament.Standings(report.Each(r.recorded()), b.Schedule.Merits, b.Schedule.Unbroken()))
	})
	r.notes = sync.OnceValue(func() map[int]string {
		notes := make(map[int]string)
		for match, err := range b.Tournament.WithNotes(report.Each(r.recorded())) {
			check(err)
			if match.Note != "" {
				notes[match.Number] = match.Note
			}
		}
		return notes
	})
	return r
}

// wrong says what is wrong with a record, without the place of the database on this machine.
func (r *reader) wrong(err error) string {
	return strings.TrimPrefix(err.Error(), fmt.Sprintf("database %s: ", r.Store().Path()))
}

// page returns the page of the tournament at an address: what follows that of the tournament itself, no longer
// escaped, and the query. A *refusal says that there is no such page.
func (r *reader) page(address string, query url.Values) (c content, err error) {
	defer catch(&err)
	kind, of, below := strings.Cut(address, "/")
	switch {
	case address == "":
		c = r.summaryPage()
	case address == "crosstable":
		c = r.crosstablePage()
	case address == "matches":
		c = r.matchesPage(query)
	case kind == "match" && below:
		c = r.matchPage(of)
	case kind == "bot" && below:
		c = r.botPage(unsegment(of))
	default:
		err = missing(fmt.Sprintf("there is no page %q", homeOf(r.Tournament.Name)+address), hyperlink{})
	}
	return c, err
}

// below returns the content of a page below the one of the tournament.
func (r *reader) below(template, title string, view any) content {
	c := content{Title: title, Section: tournamentsSection, Trail: r.trail(), Template: template, View: view}
	name := r.Tournament.Name
	c.Trail = append(c.Trail, hyperlink{name, r.tournament(name)})
	return c
}

// trail is the trail of the page of the tournament. A report has no list of tournaments.
func (r *reader) trail() []hyperlink {
	if all := r.tournaments(); all != "" {
		return []hyperlink{{"Tournaments", all}}
	}
	return nil
}

// at returns the address of a page of the tournament.
func (r *reader) at(page string) string { return r.to(homeOf(r.Tournament.Name) + page) }

// toBot returns a link to a bot.
func (r *reader) toBot(bot string) hyperlink { return hyperlink{bot, r.bot(r.Tournament.Name, bot)} }

// toMatch returns the address of a match.
func (r *reader) toMatch(number int) string { return r.at("match/" + strconv.Itoa(number)) }

// toMatches returns the address of a list of matches.
func (r *reader) toMatches(choice matchChoice) string { return r.at("matches" + queryOf(choice)) }
