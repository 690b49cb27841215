package report

import (
	"iter"
	"reflect"
	"strconv"
	"strings"
)

// linesOf makes a header and a line of CSV for each struct. The name of a field is the one that it has in JSON, unless
// a tag csv gives another. The tag "-" leaves the field out, and that of an array names each of its elements. The
// fields of an embedded struct stand in its place.
func linesOf[T any](rows iter.Seq[T]) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		names, _ := fields(reflect.Zero(reflect.TypeFor[T]()))
		if !yield(names) {
			return
		}
		for row := range rows {
			if _, cells := fields(reflect.ValueOf(row)); !yield(cells) {
				return
			}
		}
	}
}

// fields gives the names of the fields of a struct, and what is in them.
func fields(row reflect.Value) (names, cells []string) {
	for field, value := range row.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if own, ok := field.Tag.Lookup("csv"); ok {
			name = own
		}
		switch {
		case field.Anonymous:
			inner, values := fields(value)
			names, cells = append(names, inner...), append(cells, values...)
		case name == "-":
		case value.Kind() == reflect.Array:
			names = append(names, strings.Split(name, ",")...)
			for i := range value.Len() {
				cells = append(cells, csvCell(value.Index(i)))
			}
		default:
			names, cells = append(names, name), append(cells, csvCell(value))
		}
	}
	return names, cells
}

// csvCell writes a value exactly. Nil is an empty cell.
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
