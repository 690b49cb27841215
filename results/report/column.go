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

	"sembra/results/safe"
)

// Column is a column of a table with its value in one row. It is all that the formats know about the column. One that
// people see in another place than programs is listed twice: once without a name and once without a title.
type Column struct {
	Name  string // in JSON and CSV; "": only people see the column
	Title string // for people; "": only programs see the column
	Value any    // exact; a nil pointer is not known
	Text  string // what people see; "": the value
	Kind  Kind
	Group string // the columns that a narrow terminal leaves out together; see Part.Groups; "": it never does
}

// Kind is what the cells of a column are for people.
type Kind int

const (
	Number Kind = iota // aligned to the right
	Text               // aligned to the left
	Name               // of a bot, or another long text: a narrow terminal does not show its end
)

// wideOnly is the group of the columns that only the wide table has.
const wideOnly = "wide"

// titleIf returns the title of a column that is shown on a condition.
func titleIf(shown bool, title string) string {
	if !shown {
		return ""
	}
	return title
}

// nested is an array or an object of JSON. CSV has its elements in columns with other names, or nothing of it.
type nested struct {
	value   any
	columns []string // of CSV; nil: it has none
}

func (n nested) MarshalJSON() ([]byte, error) { return marshal(n.value, "") }

// text returns the cell for people.
func (c Column) text() string {
	if c.Text != "" {
		return c.Text
	}
	return valueText(c.Value)
}

// csvNames returns the names of the column in CSV.
func (c Column) csvNames() []string {
	if c.Name == "" {
		return nil
	}
	if n, ok := c.Value.(nested); ok {
		return n.columns
	}
	return []string{c.Name}
}

// csvCells returns a cell for each of the names.
func (c Column) csvCells() []string {
	if c.Name == "" {
		return nil
	}
	n, ok := c.Value.(nested)
	if !ok {
		return []string{safe.Cell(valueText(c.Value))}
	}
	var cells []string
	for i := range n.columns {
		cells = append(cells, safe.Cell(valueText(reflect.ValueOf(n.value).Index(i).Interface())))
	}
	return cells
}

// valueText writes a value exactly. A nil pointer is "".
func valueText(of any) string {
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
func object(namesAndValues ...any) Row {
	var row Row
	for i := 0; i < len(namesAndValues); i += 2 {
		row = append(row, Column{Name: namesAndValues[i].(string), Value: namesAndValues[i+1]})
	}
	return row
}

// MarshalJSON writes the columns that have a name, in their order.
func (r Row) MarshalJSON() ([]byte, error) {
	text, before := []byte{}, byte('{')
	for _, c := range r {
		if c.Name == "" {
			continue
		}
		value, err := marshal(c.Value, "")
		if err != nil {
			return nil, err
		}
		text = append(append(strconv.AppendQuote(append(text, before), c.Name), ':'), value...)
		before = ','
	}
	return append(text, '}'), nil
}

// Rows is a table without its title: its columns, and rows that have each of them. They are made when they are written,
// which may be several times, so a table of any length needs little memory.
type Rows struct {
	columns Row // with any values
	all     iter.Seq2[Row, error]
}

// RowsOf returns a row for each thing. The row of a thing without any content has the same columns.
func RowsOf[T any](things []T, row func(T) Row) Rows { return rowsFrom(Each(things), row) }

// rowsFrom is RowsOf for a sequence. Its first error ends the rows.
func rowsFrom[T any](things iter.Seq2[T, error], row func(T) Row) Rows {
	return Rows{row(*new(T)), mapped(things, row)}
}

// alone returns the table of one row.
func alone(row Row) Rows { return RowsOf([]Row{row}, func(Row) Row { return row }) }

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
	for _, c := range r.columns {
		header = append(header, c.csvNames()...)
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
		for _, c := range row {
			line = append(line, c.csvCells()...)
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
