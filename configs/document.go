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

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

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
// bot.0.name, and a place. All mistakes are collected, in the order in which they
// are found.
type document struct {
	file    string
	lines   []string
	tree    map[string]any
	places  map[string]place // of keys
	texts   map[string]place // of values that are texts
	lists   map[string]int   // number of [[tables]] in each list, up to the line that locate has reached
	given   map[string]bool  // the paths with a known key
	wrong   []*Error         // values that do not fit
	unknown []*Error         // keys
	missing []*Error         // keys
}

type place struct{ line, column int }

// newDocument returns a document with a tree of values.
func newDocument(file string, lines []string, tree map[string]any) *document {
	return &document{
		file: file, lines: lines, tree: tree, given: make(map[string]bool),
		places: make(map[string]place), texts: make(map[string]place), lists: make(map[string]int),
	}
}

// errors returns all mistakes. Those that may follow from others come last: often
// a missing key is there but misspelled.
func (d *document) errors() []*Error {
	slices.SortStableFunc(d.unknown, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Problem, b.Problem))
	})
	return slices.Concat(d.wrong, d.unknown, d.missing)
}

// parse reads a TOML text.
func parse(file string, text []byte) (*document, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // as some editors on Windows begin a file
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return nil, &Error{File: file, Problem: "the file is UTF-16; save it as UTF-8"}
	}
	d := newDocument(file, strings.Split(string(text), "\n"), nil)
	if err := toml.Unmarshal(text, &d.tree); err != nil {
		if bad := new(toml.DecodeError); errors.As(err, &bad) {
			return nil, d.syntaxError(bad)
		}
		return nil, &Error{File: file, Problem: err.Error()}
	}
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
		d.texts[path] = place{start.Line, start.Column}
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

// refuse records a mistake. Its place is that of the path or, where the file does
// not have the path, that of its table.
func (d *document) refuse(path, format string, args ...any) {
	d.wrong = append(d.wrong, d.errorNear(path, fmt.Sprintf(format, args...)))
}

// miss records a missing key.
func (d *document) miss(path, format string, args ...any) {
	d.missing = append(d.missing, d.errorNear(path, fmt.Sprintf(format, args...)))
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

// has tells whether the file has a path that was decoded.
func (d *document) has(path string) bool { return d.given[path] }

// choose refuses a text that is not one of the known ones. The place of the mistake
// is that of the text, not of the key.
func choose[T ~string](d *document, path string, given T, known ...T) {
	if !d.has(path) || slices.Contains(known, given) {
		return
	}
	var names []string
	for _, k := range known {
		names = append(names, string(k))
	}
	problem := fmt.Sprintf("unknown %s %q (known: %s)", named(path), given, strings.Join(names, ", "))
	if at, ok := d.texts[path]; ok {
		d.wrong = append(d.wrong, d.errorAt(at, problem))
	} else if d.lines == nil { // a command line
		d.refuse(path, "%s", problem)
	}
}
