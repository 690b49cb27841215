package report

import (
	"iter"
	"reflect"
	"strconv"
	"strings"
)

// linesOf returns a header and a line of CSV for each struct. A field has its name from JSON, unless a tag csv gives
// another name. The tag "-" leaves the field out. The tag of an array names each of its elements. The fields of an
// embedded struct replace it.
func linesOf[T any](rows iter.Seq2[T, error]) iter.Seq2[[]string, error] {
	columns := csvColumns(reflect.TypeFor[T]())
	return func(yield func([]string, error) bool) {
		line := make([]string, len(columns))
		for i, column := range columns {
			line[i] = column.name
		}
		if !yield(line, nil) {
			return
		}
		for row, err := range rows {
			if err != nil {
				yield(nil, err)
				return
			}
			line := make([]string, len(columns))
			for i, column := range columns {
				line[i] = column.cell(reflect.ValueOf(row))
			}
			if !yield(line, nil) {
				return
			}
		}
	}
}

// csvColumn is a field of a struct in CSV, or an element of a field that is an array.
type csvColumn struct {
	name    string
	field   []int
	element int // -1: the field is not an array
}

func csvColumns(row reflect.Type) []csvColumn {
	var columns []csvColumn
	for _, field := range reflect.VisibleFields(row) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if own, ok := field.Tag.Lookup("csv"); ok {
			name = own
		}
		switch {
		case field.Anonymous || name == "-":
		case field.Type.Kind() == reflect.Array:
			for i, element := range strings.Split(name, ",") {
				columns = append(columns, csvColumn{element, field.Index, i})
			}
		default:
			columns = append(columns, csvColumn{name, field.Index, -1})
		}
	}
	return columns
}

func (c csvColumn) cell(row reflect.Value) string {
	value := row.FieldByIndex(c.field)
	if c.element >= 0 {
		value = value.Index(c.element)
	}
	return csvCell(value)
}

// csvCell writes a value exactly. For nil the cell is empty.
func csvCell(value reflect.Value) string {
	switch value.Kind() {
	case reflect.Pointer:
		if value.IsNil() {
			return ""
		}
		return csvCell(value.Elem())
	case reflect.Float64:
		return exact(value.Float())
	case reflect.Int, reflect.Int64:
		return strconv.FormatInt(value.Int(), 10)
	case reflect.Uint64:
		return strconv.FormatUint(value.Uint(), 10)
	case reflect.Bool:
		return strconv.FormatBool(value.Bool())
	}
	return value.String()
}
