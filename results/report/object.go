package report

import (
	"bytes"
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

// objectsOf returns an object for each thing, with the columns that have a name.
func objectsOf[Row any](things []Row, columns []Column[Row]) []object {
	objects := make([]object, len(things))
	for i, thing := range things {
		objects[i] = objectOf(thing, columns)
	}
	return objects
}

func objectOf[Row any](thing Row, columns []Column[Row]) (o object) {
	for _, c := range columns {
		if c.Name != "" {
			value := c.Value(thing)
			if v, ok := value.(both); ok {
				value = v.value
			}
			o = append(o, field{c.Name, value})
		}
	}
	return o
}

// csvOf returns a header and a line of CSV for each thing.
func csvOf[Row any](things iter.Seq2[Row, error], columns []Column[Row]) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		var header []string
		for _, c := range columns {
			header = append(header, csvNames(c.Name)...)
		}
		if !yield(header, nil) {
			return
		}
		for line, err := range rowsFrom(things, func(thing Row) []string { return objectOf(thing, columns).csvLine() }) {
			if !yield(line, err) {
				return
			}
		}
	}
}

// csv returns a header and the object as a line of CSV.
func (o object) csv() iter.Seq2[[]string, error] {
	var header []string
	for _, f := range o {
		header = append(header, csvNames(f.name)...)
	}
	return each([][]string{header, o.csvLine()})
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

func (o object) csvLine() (line []string) {
	for _, f := range o {
		value := reflect.ValueOf(f.value)
		switch {
		case strings.HasSuffix(f.name, ":"):
		case value.Kind() == reflect.Array:
			for i := range value.Len() {
				line = append(line, csvCell(value.Index(i).Interface()))
			}
		default:
			line = append(line, csvCell(f.value))
		}
	}
	return line
}

// csvCell writes a value exactly. For a nil pointer the cell is empty.
func csvCell(of any) string {
	value := reflect.Indirect(reflect.ValueOf(of))
	switch value.Kind() {
	case reflect.Invalid:
		return ""
	case reflect.Float64:
		return exact(value.Float())
	}
	return fmt.Sprint(value)
}
