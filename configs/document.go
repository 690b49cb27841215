package configs

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"sembra/results/safe"
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
	problem := safe.Line(e.Problem)
	if e.Line == 0 {
		return e.File + ": " + problem
	}
	before := safe.Lines(e.Source[:min(e.Column-1, len(e.Source))])
	indent := regexp.MustCompile(`[^\t]`).ReplaceAllString(before, " ")
	return fmt.Sprintf("%s:%d:%d: %s\n%5d | %s\n%5s | %s^",
		e.File, e.Line, e.Column, problem, e.Line, safe.Lines(e.Source), "", indent)
}

// document is a TOML file. A value has a path, such as tournament.pairs or
// bot.0.name, and a place. All mistakes are collected.
type document struct {
	file   string
	lines  []string // with their ends; nil: it is the tournament of a command line
	starts []int    // of the lines, as bytes from the start of the file
	tree   map[string]any
	places map[string]int // of keys and, with ofText after the path, of values that are texts, as bytes from the start
	keys   map[string]int // number of keys in each table
	lists  map[string]int // number of [[tables]] in each list, up to the line that locate has reached
	vast   *Error         // refuses a file that would take long to read
	wrong  []*Error
}

// The most that a document may have. The parser compares each key with all others of its table.
const (
	mostKeys = 1000
	mostPath = 4096 // bytes
)

// ofText stands after the path of a key whose value is a text.
const ofText = "\x00"

// err returns the mistakes by their places, or nil. Those of the file as a whole come last. Of several in one place it
// returns the first that was found, because the others may follow from it. It lists only the first of very many.
func (d *document) err() error {
	compare := func(a, b *Error) int {
		if a.Line == 0 || b.Line == 0 { // of the file as a whole
			return cmp.Compare(b.Line, a.Line)
		}
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	}
	slices.SortStableFunc(d.wrong, compare)
	d.wrong = slices.CompactFunc(d.wrong, func(a, b *Error) bool { return a.Line > 0 && compare(a, b) == 0 })
	const most = 20
	var all []error
	for _, wrong := range d.wrong[:min(most, len(d.wrong))] {
		all = append(all, wrong)
	}
	if more := len(d.wrong) - most; more > 0 {
		all = append(all, fmt.Errorf("and %d more", more))
	}
	return errors.Join(all...)
}

// parse reads a TOML text.
func parse(file string, text []byte) (*document, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // as some editors on Windows begin a file
	if bytes.IndexByte(text, 0) >= 0 {
		return nil, &Error{File: file, Problem: "the file is binary or UTF-16, and not a text in UTF-8"}
	}
	d := &document{
		file: file, lines: strings.SplitAfter(string(text), "\n"),
		places: make(map[string]int), keys: make(map[string]int), lists: make(map[string]int),
	}
	at := 0
	for _, line := range d.lines {
		d.starts = append(d.starts, at)
		at += len(line)
	}
	unlocated := d.locate(text)
	if d.vast != nil {
		return nil, d.vast
	}
	err := toml.Unmarshal(text, &d.tree)
	if bad := new(toml.DecodeError); errors.As(err, &bad) {
		return nil, d.syntaxError(bad)
	}
	if err = cmp.Or(err, unlocated); err != nil {
		return nil, &Error{File: file, Problem: err.Error()}
	}
	return d, nil
}

// syntaxError says what is wrong with the TOML, with a hint for the mistakes that people make most.
func (d *document) syntaxError(bad *toml.DecodeError) *Error {
	const quotes = `a text must be in quotes, which are straight, as in "awale"`
	line, column := bad.Position()
	at := d.starts[line-1] + column - 1
	problem := strings.TrimPrefix(bad.Error(), "toml: ")
	if rest := d.lines[line-1][column-1:]; rest != "" { // of a character of several bytes the parser names the first
		first, _ := utf8.DecodeRuneInString(rest)
		problem = strings.Replace(problem, fmt.Sprintf("%#U", rune(rest[0])), fmt.Sprintf("%#U", first), 1)
	}
	for _, hint := range [][2]string{
		{"too large to fit", "a number is at most 9223372036854775807"},
		{"at start of value", quotes},
		{"strings must be quoted", quotes},
		{"escape", `double a backslash, as in "C:\\bots\\x.exe", or put the text into single quotes`},
		{"already exists", "each bot begins with a line [[bot]], with two brackets; any other table stands once"},
	} {
		if strings.Contains(problem, hint[0]) {
			problem += " (hint: " + hint[1] + ")"
		}
	}
	return d.errorAt(at, problem+"; the rest of the file was not checked")
}

// join adds a key to a path.
func join(path, key string) string {
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
			table = d.locateKey("", node.Key())
		case unstable.ArrayTable:
			list := d.locateKey("", node.Key())
			d.lists[list]++
			table = d.inLast(list)
			key := node.Key()
			key.Next()
			d.places[table] = int(key.Node().Raw.Offset)
		case unstable.KeyValue:
			d.locateValue(d.locateKey(table, node.Key()), node.Value())
		}
	}
	return p.Error()
}

func (d *document) locateValue(path string, value *unstable.Node) {
	switch value.Kind {
	case unstable.String:
		d.places[path+ofText] = int(value.Raw.Offset)
	case unstable.InlineTable:
		for it := value.Children(); it.Next(); {
			d.locateValue(d.locateKey(path, it.Node().Key()), it.Node().Value())
		}
	case unstable.Array:
		i := 0
		for it := value.Children(); it.Next(); i++ {
			d.locateValue(join(path, strconv.Itoa(i)), it.Node())
		}
	}
}

// locateKey notes the first place of each part of a dotted key in the table at
// path. It returns the path of the key.
func (d *document) locateKey(path string, key unstable.Iterator) string {
	for key.Next() {
		table := d.inLast(path)
		path = join(table, string(key.Node().Data))
		if d.has(path) {
			continue
		}
		at := int(key.Node().Raw.Offset)
		if d.keys[table]++; d.vast == nil && (d.keys[table] > mostKeys || len(path) > mostPath) {
			d.vast = d.errorAt(at, fmt.Sprintf("a table has at most %d keys, and a key %d bytes", mostKeys, mostPath))
		}
		if d.vast != nil {
			break
		}
		d.places[path] = at
	}
	return path
}

// inLast returns the path of the last table so far if path is a list of tables,
// because the lines below belong to that table. Else it returns path.
func (d *document) inLast(path string) string {
	if n := d.lists[path]; n > 0 {
		return join(path, strconv.Itoa(n-1))
	}
	return path
}

// has reports whether the file has a path.
func (d *document) has(path string) bool {
	_, given := d.places[path]
	return given
}

// refuse records a mistake. Its place is that of the path or, where the file does
// not have the path, that of its table.
func (d *document) refuse(path, format string, args ...any) {
	d.wrong = append(d.wrong, d.errorNear(path, fmt.Sprintf(format, args...)))
}

func (d *document) errorNear(path, problem string) *Error {
	for at := path; at != ""; at = at[:max(0, strings.LastIndexByte(at, '.'))] {
		if found, ok := d.places[at]; ok {
			return d.errorAt(found, problem)
		}
	}
	return &Error{File: d.file, Problem: problem}
}

func (d *document) errorAt(at int, problem string) *Error {
	if d.lines == nil {
		return &Error{File: d.file, Problem: problem}
	}
	line, begins := slices.BinarySearch(d.starts, at)
	if !begins {
		line--
	}
	source := strings.TrimRight(d.lines[line], "\r\n")
	return &Error{File: d.file, Line: line + 1, Column: at - d.starts[line] + 1, Source: source, Problem: problem}
}
