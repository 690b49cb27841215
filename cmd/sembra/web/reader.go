package web

import (
	"fmt"
	"net/url"
	"slices"
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
	unfinished string   // what the tournament is until it is complete
	inPlay     bool     // the run in this process plays it
	playing    *playing // what people can play beside it; nil: it is a report

	// What several pages need. Each panics like got.
	ruleset   func() engine.Ruleset
	recorded  func() []results.Numbered
	notes     func() map[int]string // of the recorded matches that have one, by number
	standings func() results.Standings
}

func newReader(b *store.Records, l links) *reader {
	r := &reader{Records: b, links: l, unfinished: "unfinished"}
	r.ruleset = sync.OnceValue(func() engine.Ruleset { return got(b.Tournament.Rules()) })
	r.recorded = sync.OnceValue(func() []results.Numbered { return got(b.Recorded()) })
	r.standings = sync.OnceValue(func() results.Standings {
		return got(b.Tournament.Standings(report.Each(r.recorded()), b.Schedule.Merits, b.Schedule.GaplessUntil()))
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

// state says whether the tournament is complete, of which so many matches that count are played.
func (r *reader) state(played int) string {
	if r.Schedule.Over() || r.Schedule.Final() && played == r.Schedule.Total() {
		return "complete"
	}
	return r.unfinished
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

func (r *reader) at(page string) string { return r.to(homeOf(r.Tournament.Name) + page) }

func (r *reader) toBot(bot string) hyperlink { return hyperlink{bot, r.bot(r.Tournament.Name, bot)} }

func (r *reader) toMatch(number int) string { return r.at("match/" + strconv.Itoa(number)) }

func (r *reader) toMatches(choice matchChoice) string { return r.at("matches" + queryOf(choice)) }

type tableView struct {
	Caption string
	Fixed   bool // its rows cannot be sorted
	Columns []columnView
	Rows    [][]cellView
	Notes   []noteView
}

type columnView struct {
	Title string
	Class string // of its cells
	Axis  *axis  // of a column of bars; otherwise nil

	URL    string // of the table sorted by the column; "": a script sorts it, or nobody
	Sorted string // ascending or descending; "": it is not sorted by the column
}

// cellView is a cell of a table.
type cellView struct {
	hyperlink
	Value string // what the cell is sorted by; "": its text
	Won   bool   // it names the winner of a match
	Bar   *barView
}

// noteView is a sentence below a table.
type noteView struct {
	Text string
	More bool // it belongs to the sentence before it
}

// table returns the view of a table about the tournament. Names of bots lead to their pages, and match numbers
// to their matches.
func (r *reader) table(caption string, part report.Part) tableView {
	columns, rows, err := part.Grid()
	check(err)
	v := tableView{Caption: caption}
	v.note(part.Notes...)
	for _, column := range columns {
		v.Columns = append(v.Columns, columnView{Title: column.Title, Class: cellClass(column.Kind)})
	}
	for _, row := range rows {
		cells := make([]cellView, len(row))
		for i, text := range row {
			cell := &cells[i]
			cell.Text = text
			column := columns[i]
			switch {
			case column.Kind == report.Name && slices.Contains(r.Tournament.Bots, text):
				cell.hyperlink = r.toBot(text)
			case column.Title == "match":
				if number, err := strconv.ParseUint(text, 10, 31); err == nil {
					cell.URL = r.toMatch(int(number))
				}
			case column.Kind == report.Number:
				value := strings.TrimPrefix(strings.TrimPrefix(text, "above "), "below ")
				if value = strings.TrimLeft(value, "±<> +"); value != text { // a script cannot read the number with them
					cell.Value = value
				}
			}
		}
		v.Rows = append(v.Rows, cells)
	}
	return v
}

func cellClass(kind report.Kind) string {
	switch kind {
	case report.Number:
		return "number"
	case report.Name:
		return "name"
	}
	return "short"
}

func (t *tableView) note(notes ...string) {
	for _, note := range notes {
		text := strings.TrimLeft(note, " ")
		t.Notes = append(t.Notes, noteView{text, text != note})
	}
}

// insert puts a column into the table, with a cell for each row.
func (t *tableView) insert(at int, column columnView, cells []cellView) {
	t.Columns = slices.Insert(t.Columns, at, column)
	for i := range t.Rows {
		t.Rows[i] = slices.Insert(t.Rows[i], at, cells[i])
	}
}

// column returns the index of the column with a title; -1: there is none.
func (t *tableView) column(title string) int {
	return slices.IndexFunc(t.Columns, func(c columnView) bool { return c.Title == title })
}

// narrow leaves only the columns with these titles on a narrow screen.
func (t *tableView) narrow(titles ...string) {
	for i := range t.Columns {
		if !slices.Contains(titles, t.Columns[i].Title) {
			t.Columns[i].Class += " wide"
		}
	}
}

func (t *tableView) remove(title string) {
	at := t.column(title)
	if at < 0 {
		return
	}
	t.Columns = slices.Delete(t.Columns, at, at+1)
	for i := range t.Rows {
		t.Rows[i] = slices.Delete(t.Rows[i], at, at+1)
	}
}
