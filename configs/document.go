package configs

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"sembra/arena"
	"sembra/results"
)

// Error is a mistake in a configuration and its place.
type Error struct {
	File    string
	Line    int    // from 1; 0: the file as a whole
	Column  int    // from 1
	Source  string // the line itself
	Problem string // what was found and what was expected
	Err     error  // why a file could not be read; nil: it was read
}

// Unwrap returns the system's error if a file could not be read.
func (e *Error) Unwrap() error { return e.Err }

// Error returns one sentence with the place. Below it stands the line itself,
// with a mark under the place. All of it is safe to print.
func (e *Error) Error() string {
	problem := results.VisibleAll(e.Problem)
	if e.Line == 0 {
		return e.File + ": " + problem
	}
	number := fmt.Sprintf("%5d", e.Line)
	indent := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, results.VisibleLines(e.Source[:min(e.Column-1, len(e.Source))]))
	return fmt.Sprintf("%s:%d:%d: %s\n%s | %s\n%s | %s^",
		e.File, e.Line, e.Column, problem, number, results.VisibleLines(e.Source), strings.Repeat(" ", len(number)), indent)
}

// document is a TOML file. A value has a path, such as tournament.pairs or
// bot.0.name, and a place. A caller reads one value after the other; a key that
// nobody has read is unknown. Only the first error is kept.
type document struct {
	file   string
	lines  []string
	values map[string]any
	places map[string]place
	given  map[string]place    // of values that are texts
	lists  map[string]int      // number of [[tables]] in each list, up to the line that locate has reached
	asked  map[string][]string // the keys that were read, by table
	err    error
	lack   error // the first missing key; told only if there is no other error
}

type place struct{ line, column int }

// newDocument returns a document without any value.
func newDocument(file string, lines []string) *document {
	return &document{
		file: file, lines: lines,
		values: make(map[string]any), places: make(map[string]place), given: make(map[string]place),
		lists: make(map[string]int), asked: make(map[string][]string),
	}
}

// parse reads a TOML text.
func parse(file string, text []byte) (*document, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // as some editors on Windows begin a file
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return nil, &Error{File: file, Problem: "the file is UTF-16; save it as UTF-8"}
	}
	d := newDocument(file, strings.Split(string(text), "\n"))
	var tree map[string]any
	if err := toml.Unmarshal(text, &tree); err != nil {
		if bad := new(toml.DecodeError); errors.As(err, &bad) {
			return nil, d.syntaxError(bad)
		}
		return nil, &Error{File: file, Problem: err.Error()}
	}
	d.flatten("", tree)
	if err := d.locate(text); err != nil {
		return nil, err
	}
	return d, nil
}

// syntaxError says what is wrong with the TOML, and what to write instead for the
// mistakes that people make most.
func (d *document) syntaxError(bad *toml.DecodeError) *Error {
	line, column := bad.Position()
	at, problem := place{line, column}, strings.TrimPrefix(bad.Error(), "toml: ")
	if table, twice := strings.CutSuffix(problem, " already exists"); twice {
		table = strings.TrimPrefix(table, "table ")
		problem = fmt.Sprintf("there are two tables [%s]: write all its keys under one of them", table)
		if table == "bot" {
			problem = "there are two tables [bot]: each bot stands under a line [[bot]], with two brackets on each side"
		}
		return d.errorAt(at, problem)
	}
	if problem == "basic strings cannot have new lines" || problem == "literal strings cannot have new lines" {
		return d.errorAt(at, "a text lacks the quote at its end")
	}
	if line < 1 || line > len(d.lines) {
		return d.errorAt(at, problem)
	}
	if value, begins, ok := unquoted(d.lines[line-1], column); ok {
		return d.errorAt(place{line, begins}, fmt.Sprintf("a text must be in quotes: %q", value))
	}
	return d.errorAt(at, problem)
}

// unquoted returns the value in a line of TOML that is a text without quotes, and the
// column in which it begins. It is the whole value of a key or, in a list, the word
// at a column.
func unquoted(line string, column int) (value string, begins int, ok bool) {
	whole := regexp.MustCompile(`^\s*[\w.-]+\s*=\s*([^\s"'\[{=#][^"'\[\]{}=#]*)`).FindStringSubmatchIndex(line)
	if whole == nil {
		word := regexp.MustCompile(`[A-Za-z./~_][\w./~+-]*`)
		for _, span := range word.FindAllStringIndex(line, -1) {
			if at := column - 1; span[0] == at && strings.Contains(line[:at], "=") {
				whole = []int{0, 0, span[0], span[1]}
			}
		}
	}
	if whole == nil {
		return "", 0, false
	}
	value = strings.TrimSpace(line[whole[2]:whole[3]])
	var tree map[string]any
	return value, whole[2] + 1, toml.Unmarshal([]byte("x = "+value), &tree) != nil
}

// flatten stores the values of a tree under their paths. The tables of a list
// have their numbers as keys.
func (d *document) flatten(path string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			d.flatten(join(path, key), inner)
		}
		if path != "" {
			d.values[path] = v
		}
	case []any:
		if len(v) > 0 {
			if _, tables := v[0].(map[string]any); tables {
				for i, inner := range v {
					d.flatten(join(path, fmt.Sprint(i)), inner)
				}
			}
		}
		d.values[path] = v
	default:
		d.values[path] = v
	}
}

// join adds a key to a path. It quotes a key that would not read as one part.
func join(path, key string) string {
	if key == "" || strings.ContainsAny(key, `."`) {
		key = strings.ReplaceAll(strconv.Quote(key), ".", `\u002e`)
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

// locate finds the place of every key.
func (d *document) locate(text []byte) error {
	var p unstable.Parser
	p.Reset(text)
	table := ""
	for p.NextExpression() {
		node := p.Expression()
		switch node.Kind {
		case unstable.Table:
			table = d.locateKey(&p, "", node.Key())
		case unstable.ArrayTable:
			list := d.locateKey(&p, "", node.Key())
			d.lists[list]++
			table = d.inLast(list)
			d.places[table] = d.keyPlace(&p, node)
		case unstable.KeyValue:
			d.locateValue(&p, d.locateKey(&p, table, node.Key()), node.Value())
		}
	}
	if err := p.Error(); err != nil {
		return &Error{File: d.file, Problem: err.Error()}
	}
	return nil
}

func (d *document) locateValue(p *unstable.Parser, path string, value *unstable.Node) {
	switch value.Kind {
	case unstable.String:
		start := p.Shape(value.Raw).Start
		d.given[path] = place{start.Line, start.Column}
	case unstable.InlineTable:
		for it := value.Children(); it.Next(); {
			d.locateValue(p, d.locateKey(p, path, it.Node().Key()), it.Node().Value())
		}
	case unstable.Array:
		i := 0
		for it := value.Children(); it.Next(); i++ {
			d.locateValue(p, join(path, fmt.Sprint(i)), it.Node())
		}
	}
}

// locateKey notes the first place of each part of a dotted key in the table at
// path. It returns the path of the key.
func (d *document) locateKey(p *unstable.Parser, path string, key unstable.Iterator) string {
	for key.Next() {
		path = join(d.inLast(path), string(key.Node().Data))
		if _, known := d.places[path]; !known {
			start := p.Shape(key.Node().Raw).Start
			d.places[path] = place{start.Line, start.Column}
		}
	}
	return path
}

// keyPlace returns the place of the first part of an expression's key.
func (d *document) keyPlace(p *unstable.Parser, node *unstable.Node) place {
	key := node.Key()
	key.Next()
	start := p.Shape(key.Node().Raw).Start
	return place{start.Line, start.Column}
}

// inLast returns the path of the last table so far if path is a list of tables,
// because the lines below belong to that table. Else it returns path.
func (d *document) inLast(path string) string {
	if n := d.lists[path]; n > 0 {
		return join(path, fmt.Sprint(n-1))
	}
	return path
}

func (d *document) errorAt(at place, problem string) *Error {
	e := &Error{File: d.file, Line: at.line, Column: max(1, at.column), Problem: problem}
	if at.line >= 1 && at.line <= len(d.lines) {
		e.Source = strings.TrimRight(d.lines[at.line-1], "\r")
	}
	return e
}

// refuse records an error if it is the first. Its place is that of the path or,
// where the file does not have the path, that of its table.
func (d *document) refuse(path, format string, args ...any) {
	if d.err == nil {
		d.err = d.errorNear(path, fmt.Sprintf(format, args...))
	}
}

// refuseText is refuse for a text that stands at the path: its place is that of the
// text, not of the key.
func (d *document) refuseText(path, format string, args ...any) {
	if at, ok := d.given[path]; ok && d.err == nil {
		d.err = d.errorAt(at, fmt.Sprintf(format, args...))
	}
	d.refuse(path, format, args...)
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

// miss records a missing key if it is the first. Often the key is there but
// misspelled; then the user is told of that error instead.
func (d *document) miss(path, format string, args ...any) {
	if d.lack == nil {
		d.lack = d.errorNear(path, fmt.Sprintf(format, args...))
	}
}

func (d *document) errorNear(path, problem string) *Error {
	for at := path; at != ""; {
		if found, ok := d.places[at]; ok {
			return d.errorAt(found, problem)
		}
		at = at[:max(0, strings.LastIndexByte(at, '.'))]
	}
	return &Error{File: d.file, Problem: problem}
}

// has tells whether the file has a path.
func (d *document) has(path string) bool {
	_, ok := d.values[path]
	return ok
}

// ask returns the value of a path and notes that its key is known.
func (d *document) ask(path string) (value any, ok bool) {
	at := strings.LastIndexByte(path, '.')
	table := path[:max(0, at)]
	d.asked[table] = append(d.asked[table], path[at+1:])
	value, ok = d.values[path]
	return value, ok
}

// take returns the value of a path. ok is false where the file gives none, or
// one of another type, which take refuses.
func take[T any](d *document, path, expected string) (value T, ok bool) {
	given, has := d.ask(path)
	if !has {
		return value, false
	}
	if value, ok = given.(T); !ok {
		d.refuse(path, "%s is %s; it must be %s", named(path), kind(given), expected)
	}
	return value, ok
}

// text reads a text. Like the other methods that read a value, it leaves the
// target as it is where the file gives no good value.
func (d *document) text(path string, target *string) {
	if text, ok := take[string](d, path, "a text in quotes"); ok {
		*target = text
	}
}

// choice reads one of the known texts.
func choice[T ~string](d *document, path string, target *T, known ...T) {
	text := string(*target)
	d.text(path, &text)
	*target = T(text)
	if d.has(path) && !slices.Contains(known, *target) {
		var names []string
		for _, k := range known {
			names = append(names, string(k))
		}
		d.refuseText(path, "unknown %s %q (known: %s)", named(path), text, strings.Join(names, ", "))
	}
}

// texts reads a list of texts. An error shows the example.
func (d *document) texts(path string, target *[]string, example string) {
	expected := "a list of texts, like [" + example + "]"
	list, _ := take[[]any](d, path, expected)
	for _, item := range list {
		text, ok := item.(string)
		if !ok {
			d.refuse(path, "%s holds %s; it must be %s", named(path), kind(item), expected)
		}
		*target = append(*target, text)
	}
}

// flag reads true or false.
func (d *document) flag(path string, target *bool) {
	if flag, ok := take[bool](d, path, "true or false"); ok {
		*target = flag
	}
}

// pause reads true, false or "automatic".
func (d *document) pause(path string, target *arena.Pause) {
	value, has := d.ask(path)
	switch {
	case !has:
	case value == true || value == false:
		*target = arena.Pause(fmt.Sprint(value))
	case value == string(arena.AutomaticPause):
		*target = arena.AutomaticPause
	default:
		d.refuse(path, "%s is %s; it must be true, false or %q", path, kind(value), arena.AutomaticPause)
	}
}

// count reads a whole number from least to most.
func (d *document) count(path string, target *int, least, most int) {
	if n, ok := take[int64](d, path, "a whole number"); ok && inRange(d, path, n, n, int64(least), int64(most)) {
		*target = int(n)
	}
}

// inRange refuses a value below least or above most. given is the value as the
// file has it.
func inRange[T cmp.Ordered](d *document, path string, given any, value, least, most T) bool {
	switch {
	case value < least:
		d.refuse(path, "%s is %v; it must be at least %v", named(path), given, least)
	case value > most:
		d.refuse(path, "%s is %v; it must be at most %v", named(path), given, most)
	}
	return least <= value && value <= most
}

// size reads a number of bytes with a unit, from least to most.
func (d *document) size(path string, target *int64, least, most arena.Size) {
	const expected = `a whole number of KiB, MiB or GiB in quotes, like "512MiB"`
	text, ok := take[string](d, path, expected)
	if !ok {
		return
	}
	size, err := arena.ParseSize(text)
	if err != nil {
		d.refuse(path, "%s is %q; it must be %s", named(path), text, expected)
	} else if inRange(d, path, strconv.Quote(text), size, least, most) {
		*target = int64(size)
	}
}

// number reads a number.
func (d *document) number(path string, target *float64) {
	if whole, ok := d.values[path].(int64); ok {
		d.ask(path)
		*target = float64(whole)
		return
	}
	if n, ok := take[float64](d, path, "a number"); ok {
		*target = n
		if math.IsNaN(n) || math.IsInf(n, 0) {
			d.refuse(path, "%s is %v; it must be a number", named(path), n)
		}
	}
}

// longest is the longest time that a file may give, so that a sum of a few
// still fits.
const longest = 1000 * time.Hour

// duration reads a time of at least least.
func (d *document) duration(path string, target *time.Duration, least time.Duration) {
	text, ok := take[string](d, path, `a time in quotes, like "100ms" or "10s"`)
	if !ok {
		return
	}
	duration, err := time.ParseDuration(text)
	if err != nil {
		d.refuse(path, `%s is %q; it must be a time, like "100ms" or "10s"`, named(path), text)
	} else if inRange(d, path, strconv.Quote(text), duration, least, longest) {
		*target = duration
	}
}

// table reads a table with any keys. It returns them in alphabetical order, with
// their values as texts.
func (d *document) table(path string) (pairs []pair) {
	entries, _ := take[map[string]any](d, path, "a table, like { Depth = 6 }")
	for key, value := range entries {
		d.ask(join(path, key))
		switch value.(type) {
		case string, int64, float64, bool:
			pairs = append(pairs, pair{key, fmt.Sprint(value)})
		default:
			d.refuse(join(path, key), "%s is %s; it must be a text, a number, true or false", named(join(path, key)), kind(value))
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Compare(a.key, b.key) })
	return pairs
}

type pair struct{ key, value string }

// tables returns how many tables a list of tables has.
func (d *document) tables(path string) int {
	expected := "tables, each under a line [[" + path + "]]"
	list, _ := take[[]any](d, path, expected)
	for i, item := range list {
		if _, ok := item.(map[string]any); !ok {
			d.refuse(path, "%s is %s; it must be %s", named(path), kind(list), expected)
			return 0
		}
		d.ask(join(path, fmt.Sprint(i)))
	}
	return len(list)
}

// section notes that a table is known.
func (d *document) section(path string) {
	take[map[string]any](d, path, "a table, under a line ["+path+"]")
}

// refuseUnknown refuses the first key in the file that nobody has read.
func (d *document) refuseUnknown() {
	var unknown []string
	for path := range d.values {
		at := strings.LastIndexByte(path, '.')
		if !slices.Contains(d.asked[path[:max(0, at)]], path[at+1:]) {
			unknown = append(unknown, path)
		}
	}
	if len(unknown) == 0 {
		return
	}
	first := slices.MinFunc(unknown, func(a, b string) int {
		pa, pb := d.places[a], d.places[b]
		return cmp.Or(cmp.Compare(pa.line, pb.line), cmp.Compare(pa.column, pb.column), cmp.Compare(a, b))
	})
	at := strings.LastIndexByte(first, '.')
	table, key := first[:max(0, at)], first[at+1:]
	if plain, err := strconv.Unquote(key); err == nil {
		key = plain
	}
	d.refuse(first, "unknown key %q%s (known: %s)", key, in(table), strings.Join(d.asked[table], ", "))
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
