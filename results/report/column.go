package report

import "iter"

// Column is all that the formats know about a column of a table. One that stands elsewhere for people than for programs
// is listed twice, there without a title and here without a name.
type Column[Row any] struct {
	Name  string        // for programs, see field; "": only people see the column
	Title string        // for people, " " if it is empty; "": only programs see the column
	Value func(Row) any // of a row, exact; a nil pointer is not known; both if people see another text
	Kind  Kind
	Rare  bool // see Header, as the next two
	Extra bool
	Drop  int
}

// both is a value, and its text for people.
type both struct {
	value any
	text  string
}

// Kind is what the cells of a column are for people.
type Kind int

const (
	Number Kind = iota // aligned to the right
	Text               // aligned to the left
	Name               // of a bot, or another long text: a narrow terminal does not show its end
)

// Header is the header of a column for people.
type Header struct {
	Title string
	Kind  Kind
	Rare  bool // the column is left out if all its cells are "", "-", "0" or "0-0"; others only if all are "" or "-"
	Extra bool // the column is left out unless the report is wide
	Drop  int  // a narrow terminal does not show the columns with 1, then those with 2, and so on; 0: always shown
}

// each yields things that are in memory, and so no error.
func each[T any](things []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, thing := range things {
			if !yield(thing, nil) {
				return
			}
		}
	}
}

// rowsFrom makes a row from each thing of a sequence. The first error ends it.
func rowsFrom[T, R any](things iter.Seq2[T, error], row func(T) R) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		for thing, err := range things {
			if err != nil {
				var none R
				yield(none, err)
				return
			}
			if !yield(row(thing), nil) {
				return
			}
		}
	}
}

// tableOf returns a part with a table: a row for each thing.
func tableOf[Row any](things iter.Seq2[Row, error], columns []Column[Row]) (p Part) {
	var shown []Column[Row]
	for _, c := range columns {
		if c.Title != "" {
			shown = append(shown, c)
			p.Columns = append(p.Columns, Header{c.Title, c.Kind, c.Rare, c.Extra, c.Drop})
		}
	}
	p.Rows = rowsFrom(things, func(thing Row) []string {
		row := make([]string, len(shown))
		for i, c := range shown {
			value := c.Value(thing)
			if v, ok := value.(both); ok {
				row[i] = v.text
			} else {
				row[i] = csvCell(value)
			}
		}
		return row
	})
	return p
}
