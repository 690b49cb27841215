package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"reflect"
	"strconv"
	"strings"
)

// object is a JSON object, or a line of CSV, with its fields in their order.
type object []field

// field is a field of an object. Its name is that of JSON and CSV. After a colon it has other names for CSV: one for
// each element of an array, with commas between them, or none.
type field struct {
	name  string
	value any
}

// MarshalJSON writes the object.
func (o object) MarshalJSON() ([]byte, error) {
	var text bytes.Buffer
	encoder := newEncoder(&text, "")
	before := byte('{')
	for _, f := range o {
		if name, _, _ := strings.Cut(f.name, ":"); name != "" {
			text.WriteByte(before)
			text.WriteString(strconv.Quote(name) + ":")
			if err := encoder.Encode(f.value); err != nil {
				return nil, err
			}
			before = ','
		}
	}
	text.WriteByte('}')
	return text.Bytes(), nil
}

// array is a JSON array that is made when it is written, because it may be long.
type array func() ([]byte, error)

// MarshalJSON writes the array.
func (a array) MarshalJSON() ([]byte, error) { return a() }

// objectsOf returns an object for each thing, with the columns that have a name.
func objectsOf[Row any](things []Row, columns []Column[Row]) array {
	return func() ([]byte, error) {
		text := []byte{'['}
		for i, thing := range things {
			if i > 0 {
				text = append(text, ',')
			}
			object, err := objectOf(thing, columns).MarshalJSON()
			if err != nil {
				return nil, err
			}
			text = append(text, object...)
		}
		return append(text, ']'), nil
	}
}

func objectOf[Row any](thing Row, columns []Column[Row]) (o object) {
	for _, c := range columns {
		if c.Name != "" {
			o = append(o, field{c.Name, exactly(c.Value(thing))})
		}
	}
	return o
}

// exactly returns a value as programs see it.
func exactly(value any) any {
	if v, ok := value.(both); ok {
		return v.value
	}
	return value
}

// csvOf returns a header and a line of CSV for each thing.
func csvOf[Row any](things iter.Seq2[Row, error], columns []Column[Row]) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		var header []string
		var counts []int // of the names, by column
		for _, c := range columns {
			names := csvNames(c.Name)
			header, counts = append(header, names...), append(counts, len(names))
		}
		if !yield(header, nil) {
			return
		}
		for line, err := range rowsFrom(things, func(thing Row) []string {
			line := make([]string, 0, len(header))
			for i, c := range columns {
				if counts[i] > 0 {
					line = appendCells(line, counts[i], exactly(c.Value(thing)))
				}
			}
			return line
		}) {
			if !yield(line, err) {
				return
			}
		}
	}
}

// csv returns a header and the object as a line of CSV.
func (o object) csv() iter.Seq2[[]string, error] {
	var header, line []string
	for _, f := range o {
		if names := csvNames(f.name); names != nil {
			header, line = append(header, names...), appendCells(line, len(names), f.value)
		}
	}
	return each([][]string{header, line})
}

// csvNames returns the names of a field in CSV.
func csvNames(name string) []string {
	own, other, differs := strings.Cut(name, ":")
	if differs {
		own = other
	}
	if own == "" {
		return nil
	}
	return strings.Split(own, ",")
}

// appendCells appends the cell of a value, or those of the elements of an array.
func appendCells(line []string, names int, value any) []string {
	if names == 1 {
		return append(line, csvCell(value))
	}
	for i := range names {
		line = append(line, csvCell(reflect.ValueOf(value).Index(i).Interface()))
	}
	return line
}

// csvCell writes a value exactly. For a nil pointer the cell is empty.
func csvCell(of any) string {
	switch value := of.(type) { // the usual ones faster than below
	case string:
		return value
	case int:
		return strconv.Itoa(value)
	case json.Number:
		return string(value)
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
