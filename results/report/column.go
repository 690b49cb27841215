package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"reflect"
	"strconv"
	"strings"

	"sembra/results/safe"
)

// Column is a column of a table with its value in one row. It is all that the formats know about the column. One that
// people see in another place than programs is listed twice: once without a name and once without a title.
type Column struct {
	// Name is that of JSON and CSV; "": only people see the column. After a colon it has other names for CSV: one for
	// each element of an array, with commas between them, or none.
	Name  string
	Title string // for people; "": only programs see the column
	Value any    // exact; a nil pointer is not known; both if people see another text
	Kind  Kind
	Rare  bool // left out if all its cells are "", "-", "0" or "0-0"; other columns only if all are "" or "-"
	Extra bool // tables leave it out unless the report is wide
	Drop  int  // a narrow terminal does not show the columns with 1, then those with 2, and so on; 0: always shown
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

// text returns the cell for people.
func (c Column) text() string {
	if v, ok := c.Value.(both); ok {
		return v.text
	}
	return csvCell(c.Value)
}

// exact returns the value for programs.
func (c Column) exact() any {
	if v, ok := c.Value.(both); ok {
		return v.value
	}
	return c.Value
}

// csvNames returns the names of the column in CSV.
func (c Column) csvNames() []string {
	name, other, differs := strings.Cut(c.Name, ":")
	if differs {
		name = other
	}
	return strings.FieldsFunc(name, func(r rune) bool { return r == ',' })
}

// csvCell writes a value exactly. For a nil pointer the cell is empty.
func csvCell(of any) string {
	switch value := of.(type) { // the usual ones faster than below
	case string:
		return value
	case int:
		return strconv.Itoa(value)
	case float64:
		return exact(value)
	}
	value := reflect.Indirect(reflect.ValueOf(of))
	switch value.Kind() {
	case reflect.Invalid:
		return ""
	case reflect.Float64:
		return exact(value.Float())
	case reflect.String:
		return value.String()
	}
	return fmt.Sprint(value)
}

// Row is a row of a table, or an object of JSON.
type Row []Column

// object returns a row for programs alone, from names and values in turn.
func object(namesAndValues ...any) (row Row) {
	for i := 0; i < len(namesAndValues); i += 2 {
		row = append(row, Column{Name: namesAndValues[i].(string), Value: namesAndValues[i+1]})
	}
	return row
}

// MarshalJSON writes the columns that have a name, in their order.
func (r Row) MarshalJSON() ([]byte, error) {
	text, before := []byte{}, byte('{')
	for _, c := range r {
		if name, _, _ := strings.Cut(c.Name, ":"); name != "" {
			value, err := marshal(c.exact(), "")
			if err != nil {
				return nil, err
			}
			text = append(append(strconv.AppendQuote(append(text, before), name), ':'), value...)
			before = ','
		}
	}
	return append(text, '}'), nil
}

// Rows is a table without its title: its columns, and rows that have each of them. They are made when they are written,
// which may be several times, so a table of any length needs little memory.
type Rows struct {
	columns Row // with any values
	all     iter.Seq2[Row, error]
}

// rowsOf returns a row for each thing. The row of a thing without any content has the same columns.
func rowsOf[T any](things []T, row func(T) Row) Rows { return rowsFrom(Each(things), row) }

// rowsFrom is rowsOf for a sequence. Its first error ends the rows.
func rowsFrom[T any](things iter.Seq2[T, error], row func(T) Row) Rows {
	return Rows{row(*new(T)), mapped(things, row)}
}

// alone returns the table of one row.
func alone(row Row) Rows { return rowsOf([]Row{row}, func(Row) Row { return row }) }

// MarshalJSON writes an array of objects.
func (r Rows) MarshalJSON() ([]byte, error) {
	rows := []Row{} // never null
	for row, err := range r.all {
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return marshal(rows, "")
}

// writeCSV writes the columns that have a name, with a header.
func (r Rows) writeCSV(w io.Writer) error {
	var header []string
	cells := make([]int, len(r.columns)) // of each column
	for i, c := range r.columns {
		names := c.csvNames()
		header, cells[i] = append(header, names...), len(names)
	}
	writer := csv.NewWriter(w)
	if err := writer.Write(header); err != nil {
		return err
	}
	for row, err := range r.all {
		if err != nil {
			writer.Flush()
			return err
		}
		var line []string
		for i, c := range row {
			if cells[i] == 1 {
				line = append(line, safe.Cell(csvCell(c.exact())))
				continue
			}
			for at := range cells[i] { // of an array
				line = append(line, safe.Cell(csvCell(reflect.ValueOf(c.exact()).Index(at).Interface())))
			}
		}
		if err := writer.Write(line); err != nil {
			return err
		}
	}
	writer.Flush()
	return writer.Error()
}

// marshal writes a value as JSON with a line feed, with texts as they are, as far as they can be printed.
func marshal(value any, indent string) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	err := encoder.Encode(value)
	return safe.JSON(text.Bytes()), err
}

// Each yields things that are in memory, and so no error.
func Each[T any](things []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, thing := range things {
			if !yield(thing, nil) {
				return
			}
		}
	}
}

// mapped makes something from each thing of a sequence. The first error ends it.
func mapped[T, R any](things iter.Seq2[T, error], of func(T) R) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		for thing, err := range things {
			if err != nil {
				var none R
				yield(none, err)
				return
			}
			if !yield(of(thing), nil) {
				return
			}
		}
	}
}
