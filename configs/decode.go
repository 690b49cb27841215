package configs

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/xrash/smetrics"

	"sembra/arena"
	"sembra/arena/guest"
)

// decode writes a value of the file into a target: a struct whose fields have their
// keys as tags, or what a field holds. It refuses unknown keys and values that do not
// fit, and leaves the target as it is then. The tags least and most of a field are the
// limits of its value, and like is an example of an element of its list.
func (d *document) decode(path string, value any, target reflect.Value, tag reflect.StructTag) {
	d.given[path] = true
	switch to := target.Addr().Interface().(type) {
	case *bool:
		take(d, path, value, to, "true or false")
	case *float64:
		d.number(path, value, to)
	case *int:
		var n int64
		if take(d, path, value, &n, "a whole number") && within(d, path, n, n, tag, parseCount) {
			*to = int(n)
		}
	case *time.Duration:
		unit(d, path, value, to, tag, time.ParseDuration, "a time, like \"100ms\" or \"10s\"")
	case *arena.Size:
		unit(d, path, value, to, tag, arena.ParseSize, "a whole number of KiB, MiB or GiB in quotes, like \"512MiB\"")
	case *guest.Pause:
		if pause := guest.Pause(fmt.Sprint(value)); value == true || value == false || value == string(guest.AutomaticPause) {
			*to = pause
		} else {
			d.refuse(path, "%s is %s; it must be true, false or %q", path, kind(value), guest.AutomaticPause)
		}
	case *[]string:
		d.textList(path, value, to, "a list of texts, like ["+tag.Get("like")+"]")
	case *[]pair:
		*to = d.pairs(path, value)
	default:
		var text string
		switch {
		case target.Kind() == reflect.Slice:
			d.tables(path, value, target)
		case target.Kind() == reflect.Struct:
			d.table(path, value, target)
		case take(d, path, value, &text, "a text in quotes"):
			target.SetString(text)
		}
	}
}

// table decodes a table into a struct.
func (d *document) table(path string, value any, target reflect.Value) {
	var table map[string]any
	if !take(d, path, value, &table, "a table, under a line ["+path+"]") {
		return
	}
	var keys []string
	for i := range target.NumField() {
		field := target.Type().Field(i)
		key := field.Tag.Get("toml")
		keys = append(keys, key)
		if value, ok := table[key]; ok {
			d.decode(join(path, key), value, target.Field(i), field.Tag)
		}
	}
	for key := range table {
		if !slices.Contains(keys, key) {
			problem := fmt.Sprintf("unknown key %q%s (%sknown: %s)", key, in(path), meant(key, keys), strings.Join(keys, ", "))
			d.unknown = append(d.unknown, d.errorNear(join(path, key), problem))
		}
	}
}

// meant returns the question whether one of the keys is meant; "" if none is like it.
func meant(key string, keys []string) string {
	distance := func(known string) int {
		apart := smetrics.WagnerFischer(strings.ToLower(key), known, 1, 1, 1)
		if _, last, ok := strings.Cut(key, "_"); ok && strings.HasSuffix(known, "_"+last) {
			return min(apart, 2)
		}
		return apart
	}
	nearest := slices.MinFunc(keys, func(a, b string) int { return cmp.Compare(distance(a), distance(b)) })
	if distance(nearest) > min(2, len(key)/2) {
		return ""
	}
	return "did you mean " + nearest + "? "
}

// tables decodes a list of tables into a slice of structs.
func (d *document) tables(path string, value any, target reflect.Value) {
	expected := "tables, each under a line [[" + path + "]]"
	var list []any
	if !take(d, path, value, &list, expected) {
		return
	}
	for i, item := range list {
		if _, ok := item.(map[string]any); !ok {
			d.refuse(path, "%s is %s; it must be %s", named(path), kind(list), expected)
			return
		}
		target.Set(reflect.Append(target, reflect.Zero(target.Type().Elem())))
		d.decode(join(path, strconv.Itoa(i)), item, target.Index(i), "")
	}
}

// take stores a value. It refuses one of another type, and reports whether it fits.
func take[T any](d *document, path string, value any, target *T, expected string) bool {
	v, ok := value.(T)
	if !ok {
		d.refuse(path, "%s is %s; it must be %s", named(path), kind(value), expected)
		return false
	}
	*target = v
	return true
}

// number decodes a number.
func (d *document) number(path string, value any, target *float64) {
	if whole, ok := value.(int64); ok {
		value = float64(whole)
	}
	var n float64
	switch {
	case !take(d, path, value, &n, "a number"):
	case math.IsNaN(n) || math.IsInf(n, 0):
		d.refuse(path, "%s is %v; it must be a number", named(path), n)
	default:
		*target = n
	}
}

// unit decodes a number with a unit.
func unit[T cmp.Ordered](d *document, path string, value any, target *T, tag reflect.StructTag,
	parse func(string) (T, error), expected string,
) {
	var text string
	if !take(d, path, value, &text, expected) {
		return
	}
	n, err := parse(text)
	if err != nil {
		d.refuse(path, "%s is %q; it must be %s", named(path), text, expected)
	} else if within(d, path, strconv.Quote(text), n, tag, parse) {
		*target = n
	}
}

func parseCount(text string) (int64, error) { return strconv.ParseInt(text, 10, 64) }

// within refuses a value that is not within the limits of a tag. given is the value as
// the file has it.
func within[T cmp.Ordered](
	d *document, path string, given any, value T, tag reflect.StructTag, parse func(string) (T, error),
) bool {
	if least, err := parse(tag.Get("least")); err == nil && value < least {
		d.refuse(path, "%s is %v; it must be at least %v", named(path), given, least)
		return false
	}
	if most, err := parse(tag.Get("most")); err == nil && value > most {
		d.refuse(path, "%s is %v; it must be at most %v", named(path), given, most)
		return false
	}
	return true
}

// textList decodes a list of texts.
func (d *document) textList(path string, value any, target *[]string, expected string) {
	var list []any
	if !take(d, path, value, &list, expected) {
		return
	}
	for _, item := range list {
		text, ok := item.(string)
		if !ok {
			d.refuse(path, "%s holds %s; it must be %s", named(path), kind(item), expected)
		}
		*target = append(*target, text)
	}
}

// pair is an entry of a table with any keys.
type pair struct{ key, value string }

// pairs decodes a table with any keys. They come in alphabetical order, with their
// values as texts.
func (d *document) pairs(path string, value any) (pairs []pair) {
	var entries map[string]any
	take(d, path, value, &entries, "a table, like { Depth = 6 }")
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		switch value := entries[key].(type) {
		case string, int64, float64, bool:
			pairs = append(pairs, pair{key, fmt.Sprint(value)})
		default:
			at := join(path, key)
			d.refuse(at, "%s is %s; it must be a text, a number, true or false", named(at), kind(value))
		}
	}
	return pairs
}

// named writes a path for people: a bot has its number, from 1.
func named(path string) string {
	list, rest, _ := strings.Cut(path, ".")
	number, key, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(number)
	switch {
	case list != "bot" || err != nil:
		return path
	case key == "":
		return fmt.Sprintf("bot %d", n+1)
	}
	return fmt.Sprintf("%s of bot %d", key, n+1)
}

// in names the table of a key in a message.
func in(table string) string {
	if table == "" {
		return ""
	}
	name, number, _ := strings.Cut(table, ".")
	if number != "" {
		return " in a [[" + name + "]]"
	}
	return " in [" + name + "]"
}

// kind describes a value in a message.
func kind(value any) string {
	switch v := value.(type) {
	case string:
		return fmt.Sprintf("the text %q", v)
	case float64:
		if v == math.Trunc(v) && !math.IsInf(v, 0) {
			return fmt.Sprintf("%.1f", v)
		}
		return fmt.Sprint(v)
	case bool, int64:
		return fmt.Sprint(v)
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return fmt.Sprintf("the date or time %v", value)
}
