package configs

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/xrash/smetrics"

	"sembra/arena/protocol"
	"sembra/engine"
	"sembra/results"
)

// decode writes a table of the file into a struct. It refuses unknown keys, and values that do not fit; the target
// stays as it is then. The tags least and most of a field are the limits of its value, and like is an example of an
// element of its list.
func (d *document) decode(path string, table map[string]any, target reflect.Value) {
	var keys []string
	for key, field := range fieldsOf(target.Type()) {
		keys = append(keys, key)
		if value, given := table[key]; given {
			d.value(join(path, key), value, target.FieldByIndex(field.Index), field.Tag)
		}
	}
	in := "" // the table, for messages
	if name, _, list := strings.Cut(path, "."); list {
		in = " in a [[" + name + "]]"
	} else if path != "" {
		in = " in [" + path + "]"
	}
	for _, key := range slices.Sorted(maps.Keys(table)) {
		if slices.Contains(keys, key) {
			continue
		}
		at, meant := join(path, key), join(path, nearest(key, keys))
		d.refuse(at, "unknown key %q%s %s", key, in, Known(key, keys))
		if !d.has(meant) { // what is wrong because it is missing has the same cause, and then the same place
			d.places[meant] = d.places[at]
		}
	}
}

// fieldsOf returns the fields of a struct by their keys, with those of embedded structs.
func fieldsOf(table reflect.Type) iter.Seq2[string, reflect.StructField] {
	return func(yield func(string, reflect.StructField) bool) {
		for _, field := range reflect.VisibleFields(table) {
			key, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if !field.Anonymous && !yield(key, field) {
				return
			}
		}
	}
}

// value writes a value into the field of a struct.
func (d *document) value(path string, value any, target reflect.Value, tag reflect.StructTag) {
	fits, expected := false, ""
	switch to := target.Addr().Interface().(type) {
	case *bool:
		fits, expected = set(to, value), "true or false"
	case *float64:
		if n, whole := value.(int64); whole {
			value = float64(n)
		}
		n, _ := value.(float64)
		fits, expected = !math.IsNaN(n) && !math.IsInf(n, 0) && set(to, value), "a number"
	case *time.Duration:
		fits, expected = parsed(to, value, time.ParseDuration), "a time, like \"100ms\" or \"10s\""
	case *results.Size:
		fits, expected = parsed(to, value, parseSize), "a whole number of KiB, MiB or GiB in quotes, like \"512MiB\""
	case *[]string:
		fits, expected = d.texts(path, value, to), "a list of texts, like ["+tag.Get("like")+"]"
	case *[]protocol.OptionValue:
		fits, expected = d.pairs(path, value, to), "a table, like { Depth = 6 }"
	default:
		switch target.Kind() {
		case reflect.Struct:
			var table map[string]any
			if fits, expected = set(&table, value), "a table, under a line ["+path+"]"; fits {
				d.decode(path, table, target)
			}
		case reflect.Slice:
			fits, expected = d.tables(path, value, target), "tables, each under a line [["+path+"]]"
		case reflect.Int, reflect.Uint64:
			var n int64
			if fits, expected = set(&n, value), "a whole number"; fits {
				target.Set(reflect.ValueOf(n).Convert(target.Type()))
			}
		default:
			var text string
			fits, expected = set(&text, value), "a text in quotes"
			if fits {
				target.SetString(text)
			}
		}
	}
	if !fits {
		d.refuse(path, "%s is %s; it must be %s", named(path), kind(value), expected)
		return
	}
	for i, name := range []string{"least", "most"} {
		limit := tag.Get(name)
		beyond := cmp.Compare(measure(target, fmt.Sprint(value)), measure(target, limit)) == 2*i-1
		if limit != "" && beyond {
			d.refuse(path, "%s is %s; it must be at %s %s", named(path), kind(value), name, limit)
		}
	}
}

// set stores a value if it has the right type, and reports whether it has.
func set[T any](to *T, value any) bool {
	v, fits := value.(T)
	if fits {
		*to = v
	}
	return fits
}

// parsed stores a number with a unit if it can be read, and reports whether it can.
func parsed[T any](to *T, value any, parse func(string) (T, error)) bool {
	text, fits := value.(string)
	if !fits {
		return false
	}
	n, err := parse(text)
	if err == nil {
		*to = n
	}
	return err == nil
}

// parseSize reads a whole number of KiB, MiB or GiB.
func parseSize(text string) (results.Size, error) {
	for i, unit := range []string{"KiB", "MiB", "GiB"} {
		digits, ok := strings.CutSuffix(text, unit)
		if !ok {
			continue
		}
		shift := 10 * (i + 1)
		n, err := strconv.ParseUint(strings.TrimRight(digits, " "), 10, 63-shift)
		return results.Size(n) << shift, err
	}
	return 0, errors.New("no unit")
}

// measure returns a number as it is written for a target, to compare it with others.
func measure(target reflect.Value, text string) float64 {
	var n float64
	switch target.Interface().(type) {
	case time.Duration:
		duration, _ := time.ParseDuration(text) // it has been read before
		n = float64(duration)
	case results.Size:
		size, _ := parseSize(text)
		n = float64(size)
	default:
		n, _ = strconv.ParseFloat(text, 64)
	}
	return n
}

// tables decodes a list of tables into a slice of structs, and reports whether it is one.
func (d *document) tables(path string, value any, target reflect.Value) bool {
	list, _ := value.([]any)
	for i, item := range list {
		table, fits := item.(map[string]any)
		if !fits {
			return false
		}
		target.Set(reflect.Append(target, reflect.Zero(target.Type().Elem())))
		d.decode(join(path, strconv.Itoa(i)), table, target.Index(i))
	}
	return list != nil
}

// texts decodes a list of texts, and reports whether it is a list.
func (d *document) texts(path string, value any, to *[]string) bool {
	list, fits := value.([]any)
	for _, item := range list {
		text, isText := item.(string)
		if !isText {
			d.refuse(path, "%s holds %s; it must hold texts alone", named(path), kind(item))
		}
		*to = append(*to, text)
	}
	return fits
}

// pairs decodes a table with any keys, and reports whether it is a table. They come in alphabetical order, with their
// values as texts.
func (d *document) pairs(path string, value any, to *[]protocol.OptionValue) bool {
	entries, fits := value.(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		switch value := entries[key].(type) {
		case string, int64, float64, bool:
			*to = append(*to, protocol.OptionValue{Name: key, Value: fmt.Sprint(value)})
		default:
			at := join(path, key)
			d.refuse(at, "%s is %s; it must be a text, a number, true or false", named(at), kind(value))
		}
	}
	return fits
}

// choose refuses a text that is not one of the known ones, and reports whether it is. The place of the mistake is that
// of the text.
func choose[T ~string](d *document, path string, given T, known ...T) bool {
	if slices.Contains(known, given) || given == "" && !d.has(path+ofText) {
		return true
	}
	names := namesOf(known, func(k T) string { return string(k) })
	d.refuse(path+ofText, "unknown %s %q %s", named(path), given, Known(string(given), names))
	return false
}

// Known lists the names that are known, in brackets, and before them asks whether one like an unknown name is meant.
func Known(name string, known []string) string {
	return "(" + Meant(name, known) + "known: " + strings.Join(known, ", ") + ")"
}

// Suggested returns the text of an error. If it says that a name is unknown, the text asks before the known names
// whether a name like that is meant.
func Suggested(err error) string {
	unknown := new(engine.UnknownError)
	if !errors.As(err, &unknown) {
		return err.Error()
	}
	asked := *unknown
	asked.Listed = Meant(unknown.Name, unknown.Known) + unknown.List()
	return strings.Replace(err.Error(), unknown.Error(), asked.Error(), 1)
}

// Meant returns the question whether one of the keys is meant; "" if none is like it.
func Meant(key string, keys []string) string {
	if known := nearest(key, keys); known != "" {
		return "did you mean " + known + "? "
	}
	return ""
}

// nearest returns the key that is most like a mistaken one; "" if none is like it.
func nearest(key string, keys []string) string {
	if now := "disqualify_after"; key == "withdraw_after" && slices.Contains(keys, now) { // as it was called before
		return now
	}
	nearest, least := "", min(2, len(key)/2)
	for _, known := range keys {
		if beyond := len(known) - len(key); max(beyond, -beyond) > least { // so is the distance, which takes longer
			continue
		}
		if distance := distance(strings.ToLower(key), strings.ToLower(known)); distance <= least {
			nearest, least = known, distance-1
		}
	}
	return nearest
}

// distance returns how many letters differ, at most one pair of which may have changed places.
func distance(a, b string) int {
	least := smetrics.WagnerFischer(a, b, 1, 1, 1)
	for i := range min(len(a), len(b)) - 1 {
		if a[:i] == b[:i] && a[i] == b[i+1] && a[i+1] == b[i] {
			least = min(least, 1+smetrics.WagnerFischer(a[i+2:], b[i+2:], 1, 1, 1))
		}
	}
	return least
}

// named writes a path for people: a bot has its number, from 1.
func named(path string) string {
	parts := strings.SplitN(path, ".", 3)
	if parts[0] != "bot" || len(parts) < 3 {
		return path
	}
	n, _ := strconv.Atoi(parts[1])
	return fmt.Sprintf("%s of bot %d", parts[2], n+1)
}

// kind describes a value in a message.
func kind(value any) string {
	switch v := value.(type) {
	case string:
		return strconv.Quote(v)
	case float64:
		text := fmt.Sprint(v)
		if !strings.ContainsAny(text, ".eIN") {
			text += ".0" // 4.0 is not a whole number
		}
		return text
	case bool, int64:
		return fmt.Sprint(v)
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return fmt.Sprintf("the date or time %v", value)
}
