package web

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

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
	hyperlink
	Value string // what the cell is sorted by; "": its text
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
	classes := map[report.Kind]string{report.Number: "number", report.Name: "name"}
	for _, column := range columns {
		v.Columns = append(v.Columns, columnView{Title: column.Title, Class: cmp.Or(classes[column.Kind], "short")})
	}
	for _, row := range rows {
		cells := make([]cellView, len(row))
		for i, text := range row {
			cell := &cells[i]
			cell.Text = text
			switch column := columns[i]; {
			case column.Kind == report.Name && slices.Contains(r.Tournament.Bots, text):
				cell.hyperlink = r.toBot(text)
			case column.Title == "match":
				if number, err := strconv.ParseUint(text, 10, 31); err == nil {
					cell.URL = r.toMatch(int(number))
				}
			case column.Kind == report.Number:
				if value := strings.TrimLeft(text, "±<> +"); value != text { // a script cannot read the number with them
					cell.Value = value
				}
			}
		}
		v.Rows = append(v.Rows, cells)
	}
	return v
}

// note adds notes below the table.
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
