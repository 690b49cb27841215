package web

import (
	"slices"
	"strconv"
	"strings"

	"sembra/results"
	"sembra/results/report"
)

// tableView is a table of a report.
type tableView struct {
	Caption string
	Fixed   bool // its rows cannot be sorted
	Columns []columnView
	Rows    [][]cellView
	Notes   []noteView
}

// columnView is the header of a column.
type columnView struct {
	Title string
	Class string // of its cells
	Axis  *axis  // of a column of bars; otherwise nil
}

// cellView is a cell of a table.
type cellView struct {
	link
	Value string // what the cell is sorted by; "": its text
	Bar   *barView
}

// noteView is a sentence below a table.
type noteView struct {
	Text string
	More bool // it belongs to the sentence before it
}

// cellLinks writes the addresses to which the cells of a tournament's tables lead.
type cellLinks struct {
	links
	tournament string
	bots       map[string]bool
}

func newCellLinks(t results.Tournament, l links) cellLinks {
	c := cellLinks{l, t.Name, make(map[string]bool, len(t.Bots))}
	for _, bot := range t.Bots {
		c.bots[bot] = true
	}
	return c
}

// link returns a link to a bot.
func (c cellLinks) link(bot string) link { return link{bot, c.bot(c.tournament, bot)} }

// table returns the view of a table. Names of bots lead to their pages, and the
// numbers of slots to their matches.
func (c cellLinks) table(caption string, part report.Part) (tableView, error) {
	columns, rows, err := part.Grid()
	if err != nil {
		return tableView{}, err
	}
	v := tableView{Caption: caption, Notes: newNotes(part.Notes)}
	for _, column := range columns {
		c := columnView{Title: column.Title}
		switch {
		case !column.Left:
			c.Class = "number"
		case column.Cut:
			c.Class = "name"
		default:
			c.Class = "short"
		}
		v.Columns = append(v.Columns, c)
	}
	for _, row := range rows {
		cells := make([]cellView, len(row))
		for i, text := range row {
			cells[i].Text = text
			switch title := columns[i].Title; {
			case columns[i].Cut && c.bots[text]:
				cells[i].URL = c.bot(c.tournament, text)
			case title == "slot" || title == "match":
				cells[i].URL = c.matchOf(text)
			case !columns[i].Left:
				cells[i].Value = sortValue(text)
			}
		}
		v.Rows = append(v.Rows, cells)
	}
	return v, nil
}

// matchOf returns the address of the match in a slot; "" for a text that is no slot.
func (c cellLinks) matchOf(slot string) string {
	number, err := strconv.ParseUint(slot, 10, 31)
	if err != nil {
		return ""
	}
	return c.match(c.tournament, int(number))
}

// sortValue returns a number that a script can read from a cell such as "±41" or
// "> 1710"; "" if it can read the cell itself.
func sortValue(cell string) string {
	if value := strings.TrimLeft(cell, "±<> +"); value != cell {
		return value
	}
	return ""
}

func newNotes(notes []string) []noteView {
	var views []noteView
	for _, note := range notes {
		text := strings.TrimLeft(note, " ")
		views = append(views, noteView{text, text != note})
	}
	return views
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

// remove removes the column with a title.
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
