package report

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
)

// Format is a way of writing a report.
type Format string

// The formats. Not every report has each of them.
const (
	Table    Format = "table"    // for people
	Markdown Format = "markdown" // the same with pipe tables
	CSV      Format = "csv"      // RFC 4180, with a header
	JSON     Format = "json"     // one object
	JSONL    Format = "jsonl"    // an object a line
	Chart    Format = "chart"    // ratings with their intervals, drawn for people
)

// ParseFormat finds a name among the known formats. The error lists them.
func ParseFormat(name string, known ...Format) (Format, error) {
	if slices.Contains(known, Format(name)) {
		return Format(name), nil
	}
	return "", fmt.Errorf("unknown format %q (known: %s)", name, List(known...))
}

// List writes the names of formats.
func List(formats ...Format) string {
	names := make([]string, len(formats))
	for i, format := range formats {
		names[i] = string(format)
	}
	return strings.Join(names, ", ")
}

// Report is what a command prints. The fields of formats that it does not have are nil.
type Report struct {
	Parts []Part                // of Table and Markdown
	Chart []Part                // of Chart
	CSV   iter.Seq[[]string]    // a header and the lines below it
	JSON  any                   // the object
	JSONL iter.Seq2[any, error] // an object a line; the first error ends it
}

// Part is a table or a chart, or neither, with a title and notes.
type Part struct {
	Title   []string           // the line above; its first element is a name; nil: no title
	Columns []Column           // of the table; nil: no table
	Rows    iter.Seq[[]string] // of the table, each with a cell for every column; Write goes through them several times
	Narrow  int                // one space between columns, not two, if a line would be longer than this; 0: never
	Wrap    int                // cells of the table are wrapped at this width, in columns; 0: never
	Bars    []Bar              // of the chart
	Notes   []string           // sentences below; a sentence that begins with spaces belongs to the one before it
}

// Column is the header of a column.
type Column struct {
	Title string
	Left  bool // its cells are aligned to the left, otherwise to the right
	Rare  bool // the column is left out if all its cells are "", "0", "0-0" or "-"
}

// Write writes the report in a format. columns is the width of the terminal; 0: the output is not a terminal. The
// error says that the report does not have the format, or that writing failed.
func (r Report) Write(w io.Writer, format Format, columns int) error {
	switch {
	case format == Table && r.Parts != nil:
		return writeParts(w, r.Parts, func(p Part) (string, error) { return p.text(columns) })
	case format == Markdown && r.Parts != nil:
		return writeParts(w, r.Parts, Part.markdown)
	case format == Chart && r.Chart != nil:
		return writeParts(w, r.Chart, func(p Part) (string, error) { return p.text(columns) })
	case format == CSV && r.CSV != nil:
		return writeCSV(w, r.CSV)
	case format == JSON && r.JSON != nil:
		return newEncoder(w, "  ").Encode(r.JSON)
	case format == JSONL && r.JSONL != nil:
		encoder := newEncoder(w, "")
		for object, err := range r.JSONL {
			if err != nil {
				return err
			}
			if err := encoder.Encode(object); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("this report has no format %q", format)
}

// writeParts writes parts with an empty line between them.
func writeParts(w io.Writer, parts []Part, text func(Part) (string, error)) error {
	for i, part := range parts {
		out, err := text(part)
		if err != nil {
			return err
		}
		if i > 0 {
			out = "\n" + out
		}
		if _, err := io.WriteString(w, out); err != nil {
			return err
		}
	}
	return nil
}

func writeCSV(w io.Writer, lines iter.Seq[[]string]) error {
	writer := csv.NewWriter(w)
	var safe []string
	for line := range lines {
		safe = safe[:0]
		for _, cell := range line {
			safe = append(safe, withoutControls(cell))
		}
		if err := writer.Write(safe); err != nil {
			return err
		}
	}
	writer.Flush()
	return writer.Error()
}

func newEncoder(w io.Writer, indent string) *json.Encoder {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	return encoder
}

// text writes a part in columns, without colours or frames. It wraps notes if the number of columns is known.
func (p Part) text(columns int) (string, error) {
	blocks := []string{"", "", chart(p.Bars, columns), ""}
	if p.Title != nil {
		blocks[0] = printable(strings.Join(p.Title, "  ")) + "\n"
	}
	if p.Columns != nil {
		var err error
		if blocks[1], err = p.textTable(); err != nil {
			return "", err
		}
	}
	for _, line := range wrapped(p.notes(), columns) {
		blocks[3] += line + "\n"
	}
	return joined(blocks), nil
}

// markdown writes a part with its table as a pipe table, and its notes as a list.
func (p Part) markdown() (string, error) {
	blocks := make([]string, 3)
	if p.Title != nil {
		escape := strings.NewReplacer("|", `\|`).Replace
		blocks[0] = printable(escape("**"+strings.Join(append([]string{p.Title[0] + "**"}, p.Title[1:]...), " · "))) + "\n"
	}
	if p.Columns != nil {
		var err error
		if blocks[1], err = p.markdownTable(); err != nil {
			return "", err
		}
	}
	emphasis := strings.NewReplacer(`*`, `\*`, `_`, `\_`) // otherwise a sign or a name could become emphasis
	for _, note := range p.notes() {
		text := strings.TrimLeft(note, " ")
		blocks[2] += note[:len(note)-len(text)] + "- " + emphasis.Replace(text) + "\n"
	}
	return joined(blocks), nil
}

func (p Part) notes() []string {
	notes := make([]string, len(p.Notes))
	for i, note := range p.Notes {
		notes[i] = printable(note)
	}
	return notes
}

// joined joins the blocks that are not empty by an empty line.
func joined(blocks []string) string {
	return strings.Join(slices.DeleteFunc(blocks, func(block string) bool { return block == "" }), "\n")
}
