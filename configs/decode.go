package configs

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/xrash/smetrics"

	"sembra/arena/protocol"
	"sembra/engine"
	"sembra/results"
)

// decode writes the values of a table to where its keys say. It refuses unknown keys, and values that do not fit; the
// target stays as it is then.
func (d *document) decode(path string, table map[string]any, known []key) {
	for _, k := range known {
		if value, given := table[k.name]; given {
			d.value(join(path, k.name), value, k)
		}
	}
	keys := namesOf(known, func(k key) string { return k.name })
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
		d.refuse(at, "unknown key %q%s %s", key, in, ListKnown(key, keys))
		if !d.has(meant) { // what is wrong because it is missing has the same cause, and then the same place
			d.places[meant] = d.places[at]
		}
	}
}

// value writes the value of a key to where it goes.
func (d *document) value(path string, value any, k key) {
	fits, expected := false, ""
	switch to := k.to.(type) {
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
	case list:
		fits, expected = d.texts(path, value, to.to), "a list of texts, like ["+to.like+"]"
	case *[]protocol.OptionValue:
		fits, expected = d.pairs(path, value, to), "a table, like { Depth = 6 }"
	case []key:
		var table map[string]any
		if fits, expected = set(&table, value), "a table, under a line ["+path+"]"; strings.Contains(path, ".") {
			expected = "a table, like { " + to[0].name + " = … }"
		}
		if fits {
			d.decode(path, table, to)
		}
	case *[]botTable:
		fits, expected = d.bots(path, value, to), "tables, each under a line [["+path+"]]"
	case *int:
		var n int64
		if fits, expected = set(&n, value), "a whole number"; fits {
			*to = int(n)
		}
	case *uint64:
		var n int64
		if fits, expected = set(&n, value), "a whole number"; fits {
			*to = uint64(n)
		}
	case *string:
		fits, expected = set(to, value), "a text in quotes"
	default:
		panic(fmt.Sprintf("the key %s is for a %T", path, to))
	}
	if !fits {
		d.refuse(path, "%s is %s; it must be %s", named(path), kind(value), expected)
		return
	}
	number := func(text string) float64 { return measure(k.to, text) }
	if least := k.limits.least; least != "" && number(fmt.Sprint(value)) < number(least) {
		d.refuse(path, "%s is %s; it must be at least %s", named(path), kind(value), least)
	}
	if most := k.limits.most; most != "" && number(fmt.Sprint(value)) > number(most) {
		d.refuse(path, "%s is %s; it must be at most %s", named(path), kind(value), most)
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

// measure returns a number as it is written for a target, to compare it with others. The number has been read before.
func measure(target any, text string) float64 {
	switch target.(type) {
	case *time.Duration:
		duration, _ := time.ParseDuration(text)
		return float64(duration)
	case *results.Size:
		size, _ := parseSize(text)
		return float64(size)
	}
	n, _ := strconv.ParseFloat(text, 64)
	return n
}

// bots decodes a list of tables, and reports whether it is one.
func (d *document) bots(path string, value any, to *[]botTable) bool {
	list, _ := value.([]any)
	for i, item := range list {
		table, fits := item.(map[string]any)
		if !fits {
			return false
		}
		var bot botTable
		setDefaults(bot.keys())
		d.decode(join(path, strconv.Itoa(i)), table, bot.keys())
		*to = append(*to, bot)
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
	d.refuse(path+ofText, "unknown %s %q %s", named(path), given, ListKnown(string(given), names))
	return false
}

// ListKnown lists the names that are known, in brackets, and before them asks whether one like an unknown name is meant.
func ListKnown(name string, known []string) string {
	return "(" + DidYouMean(name, known) + "known: " + strings.Join(known, ", ") + ")"
}

// WithSuggestion returns the text of an error. If it says that a name is unknown, the text asks before the known names
// whether a name like that is meant.
func WithSuggestion(err error) string {
	unknown := new(engine.UnknownError)
	if !errors.As(err, &unknown) {
		return err.Error()
	}
	asked := *unknown
	asked.Listed = DidYouMean(unknown.Name, unknown.Known) + unknown.List()
	return strings.Replace(err.Error(), unknown.Error(), asked.Error(), 1)
}

// DidYouMean returns the question whether one of the keys is meant; "" if none is like it.
func DidYouMean(key string, keys []string) string {
	if known := nearest(key, keys); known != "" {
		return "did you mean " + known + "? "
	}
	return ""
}

// nearest returns the key that is most like a mistaken one; "" if none is like it.
func nearest(key string, keys []string) string {
	best, limit := "", min(2, len(key)/2)
	for _, known := range keys {
		if beyond := len(known) - len(key); max(beyond, -beyond) > limit { // so is the distance, which takes longer
			continue
		}
		if d := distance(strings.ToLower(key), strings.ToLower(known)); d <= limit {
			best, limit = known, d-1 // only a nearer one replaces it
		}
	}
	return best
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
