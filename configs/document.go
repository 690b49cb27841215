package configs

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// Error is what is wrong with a configuration, and where.
type Error struct {
	File    string
	Line    int    // from 1; 0: the file as a whole
	Column  int    // from 1
	Source  string // the line itself
	Problem string // what was found and what was expected
}

// Error returns one sentence with the place, and below it the line itself with
// a mark.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Problem
	}
	number := fmt.Sprintf("%5d", e.Line)
	indent := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, e.Source[:min(e.Column-1, len(e.Source))])
	return fmt.Sprintf("%s:%d:%d: %s\n%s | %s\n%s | %s^",
		e.File, e.Line, e.Column, e.Problem, number, e.Source, strings.Repeat(" ", len(number)), indent)
}

// document is a TOML file in which every value is known by its path, such as
// tournament.pairs or bot.0.name, together with its place. Values are taken
// out one by one; what was not asked for is unknown. The first error stays.
type document struct {
	file   string
	lines  []string
	values map[string]any
	places map[string]place
	lists  map[string]int      // how many [[tables]] a list has so far, while places are found
	asked  map[string][]string // the keys asked for, by table
	err    error
	lack   error // what is missing; told where nothing else is wrong
}

type place struct{ line, column int }

// parse reads a TOML text.
func parse(file string, text []byte) (*document, error) {
	d := &document{
		file: file, lines: strings.Split(string(text), "\n"),
		values: make(map[string]any), places: make(map[string]place),
		lists: make(map[string]int), asked: make(map[string][]string),
	}
	var tree map[string]any
	if err := toml.Unmarshal(text, &tree); err != nil {
		if bad := new(toml.DecodeError); errors.As(err, &bad) {
			line, column := bad.Position()
			return nil, d.errorAt(place{line, column}, strings.TrimPrefix(bad.Error(), "toml: "))
		}
		return nil, &Error{File: file, Problem: err.Error()}
	}
	d.flatten("", tree)
	if err := d.locate(text); err != nil {
		return nil, err
	}
	return d, nil
}

// flatten puts the leaves of a tree under their paths. A list of tables is a
// table of its numbers; the number of its tables is a value.
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

// join adds a key to a path. A key that would not be one part of it is quoted.
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

// locateKey notes where the parts of a dotted key, in the table at path, come
// first, and returns the path that it leads to.
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

// inLast returns the path of the last table so far, if path is a list of
// tables: what is written below belongs to it.
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

// refuse records the first error, at the place of a path or, where the file
// does not have it, of the table that it belongs to.
func (d *document) refuse(path, format string, args ...any) {
	if d.err == nil {
		d.err = d.errorNear(path, fmt.Sprintf(format, args...))
	}
}

// named says which key a path is, to people: of a bot by its number, from 1.
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

// miss records the first thing that is missing. It is often there under a
// misspelled key, which is then the error to tell.
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

// has reports whether the file gives a value.
func (d *document) has(path string) bool {
	_, ok := d.values[path]
	return ok
}

// ask notes that a key is known, and returns its value.
func (d *document) ask(path string) (value any, ok bool) {
	at := strings.LastIndexByte(path, '.')
	table := path[:max(0, at)]
	d.asked[table] = append(d.asked[table], path[at+1:])
	value, ok = d.values[path]
	return value, ok
}

// text takes a text out of the file; without one target stays as it is.
func (d *document) text(path string, target *string) {
	if value, ok := d.ask(path); ok {
		if text, ok := value.(string); ok {
			*target = text
		} else {
			d.refuse(path, `%s is %s, a text in quotes expected`, named(path), kind(value))
		}
	}
}

// choice takes one of several texts out of the file.
func (d *document) choice(path string, target *string, known ...string) {
	d.text(path, target)
	if d.has(path) && !slices.Contains(known, *target) {
		d.refuse(path, "unknown %s %q (known: %s)", named(path), *target, strings.Join(known, ", "))
	}
}

// texts takes a list of texts, such as the example, out of the file.
func (d *document) texts(path string, target *[]string, example string) {
	value, ok := d.ask(path)
	if !ok {
		return
	}
	expected := "a list of texts expected, like [" + example + "]"
	list, ok := value.([]any)
	if !ok {
		d.refuse(path, "%s is %s, %s", named(path), kind(value), expected)
	}
	for _, item := range list {
		text, ok := item.(string)
		if !ok {
			d.refuse(path, "%s holds %s, %s", named(path), kind(item), expected)
		}
		*target = append(*target, text)
	}
}

// flag takes a truth value out of the file.
func (d *document) flag(path string, target *bool) {
	if value, ok := d.ask(path); ok {
		if flag, ok := value.(bool); ok {
			*target = flag
		} else {
			d.refuse(path, "%s is %s, true or false expected", named(path), kind(value))
		}
	}
}

// count takes a whole number of at least least and at most most out of the
// file.
func (d *document) count(path string, target *int, least, most int) {
	value, ok := d.ask(path)
	if !ok {
		return
	}
	n, ok := value.(int64)
	switch {
	case !ok:
		d.refuse(path, "%s is %s, a whole number expected", named(path), kind(value))
	case n < int64(least):
		d.refuse(path, "%s is %d, at least %d expected", named(path), n, least)
	case n > int64(most):
		d.refuse(path, "%s is %d, at most %d expected", named(path), n, most)
	default:
		*target = int(n)
	}
}

// size takes a number of bytes, from least to most, out of the file.
func (d *document) size(path string, target *int64, least, most string) {
	value, ok := d.ask(path)
	if !ok {
		return
	}
	const expected = `a whole number of KiB, MiB or GiB in quotes expected, like "512MiB"`
	text, ok := value.(string)
	size, err := parseSize(text)
	lowest, errLeast := parseSize(least)
	highest, errMost := parseSize(most)
	switch {
	case !ok:
		d.refuse(path, "%s is %s, %s", named(path), kind(value), expected)
	case cmp.Or(err, errLeast, errMost) != nil:
		d.refuse(path, "%s is %q, %s", named(path), text, expected)
	case size < lowest:
		d.refuse(path, "%s is %q, at least %s expected", named(path), text, least)
	case size > highest:
		d.refuse(path, "%s is %q, at most %s expected", named(path), text, most)
	default:
		*target = size
	}
}

// parseSize reads a whole number of KiB, MiB or GiB. One that is too large is
// as large as can be.
func parseSize(text string) (int64, error) {
	for i, unit := range []string{"KiB", "MiB", "GiB"} {
		digits, ok := strings.CutSuffix(text, unit)
		if !ok {
			continue
		}
		shift := 10 * (i + 1)
		n, err := strconv.ParseUint(strings.TrimRight(digits, " "), 10, 63-shift)
		if errors.Is(err, strconv.ErrRange) {
			return math.MaxInt64, nil
		}
		return int64(n) << shift, err
	}
	return 0, errors.New("no unit")
}

// number takes a number out of the file.
func (d *document) number(path string, target *float64) {
	value, ok := d.ask(path)
	if !ok {
		return
	}
	switch n := value.(type) {
	case int64:
		*target = float64(n)
	case float64:
		*target = n
		if math.IsNaN(n) || math.IsInf(n, 0) {
			d.refuse(path, "%s is %v, a number expected", named(path), n)
		}
	default:
		d.refuse(path, "%s is %s, a number expected", named(path), kind(value))
	}
}

// longest is the longest time, so that a few of them can be added.
const longest = 1000 * time.Hour

// duration takes a time of at least least out of the file.
func (d *document) duration(path string, target *time.Duration, least time.Duration) {
	value, ok := d.ask(path)
	if !ok {
		return
	}
	text, ok := value.(string)
	duration, err := time.ParseDuration(text)
	switch {
	case !ok:
		d.refuse(path, `%s is %s, a time in quotes expected, like "100ms" or "10s"`, named(path), kind(value))
	case err != nil:
		d.refuse(path, `%s is %q, a time expected, like "100ms" or "10s"`, named(path), text)
	case duration < least:
		d.refuse(path, "%s is %q, at least %v expected", named(path), text, least)
	case duration > longest:
		d.refuse(path, "%s is %q, at most %v expected", named(path), text, longest)
	default:
		*target = duration
	}
}

// table takes the keys and values of a free table out of the file, sorted by
// key. Each value is written as text.
func (d *document) table(path string) (pairs []pair) {
	value, ok := d.ask(path)
	if !ok {
		return nil
	}
	entries, ok := value.(map[string]any)
	if !ok {
		d.refuse(path, "%s is %s, a table expected, like { Depth = 6 }", named(path), kind(value))
		return nil
	}
	for key, value := range entries {
		d.ask(join(path, key))
		switch value.(type) {
		case string, int64, float64, bool:
			pairs = append(pairs, pair{key, fmt.Sprint(value)})
		default:
			d.refuse(join(path, key), "%s is %s, a text, a number, true or false expected", named(join(path, key)), kind(value))
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Compare(a.key, b.key) })
	return pairs
}

type pair struct{ key, value string }

// tables returns how many tables a list of tables has.
func (d *document) tables(path string) int {
	value, ok := d.ask(path)
	if !ok {
		return 0
	}
	list, ok := value.([]any)
	for i := range list {
		_, table := list[i].(map[string]any)
		ok = ok && table
		d.ask(join(path, fmt.Sprint(i)))
	}
	if !ok {
		d.refuse(path, "%s is %s, tables expected, each under a line [[%s]]", named(path), kind(value), path)
		return 0
	}
	return len(list)
}

// section notes that a table is known.
func (d *document) section(path string) {
	if value, ok := d.ask(path); ok {
		if _, ok := value.(map[string]any); !ok {
			d.refuse(path, "%s is %s, a table expected, under a line [%s]", named(path), kind(value), path)
		}
	}
}

// refuseUnknown refuses the first key, by its place, that was not asked for.
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

// in says which table a key is in.
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

// kind says what a value is.
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
