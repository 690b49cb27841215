package report

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
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

// Report is what a command prints. The fields of formats that it does not have are nil. Rows, lines and objects are
// sequences, so a report of any length needs little memory. The first error of a sequence ends it.
type Report struct {
	Parts []Part                     // of Table and Markdown
	Wide  bool                       // tables have all columns, and do not shrink to fit into the terminal
	CSV   iter.Seq2[[]string, error] // a header and the lines below it
	JSON  any                        // the object
	JSONL iter.Seq2[any, error]      // an object a line
}

// Part is a table with a title and notes. Each of them may be missing.
type Part struct {
	Title   []string                   // the line above; its first element is a name; nil: no title
	Columns []Header                   // of the table; nil: no table
	Rows    iter.Seq2[[]string, error] // of the table, each with a cell for every column; Write goes through them twice
	Tight   bool                       // one space between columns, not two
	Blocks  int                        // number of columns that each block of a wide table repeats; 0: no blocks
	Spared  string                     // what cells have after a slash, which a narrow terminal does not show; "": nothing
	Wrap    int                        // cells of the table are wrapped at this width, in columns; 0: never
	Notes   []string                   // sentences below; one that begins with spaces belongs to the one before it
}

// Write writes the report in a format. columns is the width of the terminal; 0: the output is not a terminal. The
// error says that the report does not have the format, or that reading or writing failed.
func (r Report) Write(w io.Writer, format Format, columns int) error {
	out := bufio.NewWriter(w)
	err := r.write(out, format, columns)
	return cmp.Or(err, out.Flush())
}

func (r Report) write(w *bufio.Writer, format Format, columns int) error {
	text := func(p Part) error { return p.text(w, columns, r.Wide) }
	switch {
	case format == Table && r.Parts != nil:
		return writeParts(w, r.Parts, text)
	case format == Markdown && r.Parts != nil:
		return writeParts(w, r.Parts, func(p Part) error { return p.markdown(w, r.Wide) })
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
func writeParts(w *bufio.Writer, parts []Part, write func(Part) error) error {
	for i, part := range parts {
		if i > 0 {
			w.WriteByte('\n')
		}
		if err := write(part); err != nil {
			return err
		}
	}
	return nil
}

func writeCSV(w io.Writer, lines iter.Seq2[[]string, error]) error {
	writer := csv.NewWriter(w)
	var safe []string
	for line, err := range lines {
		if err != nil {
			return err
		}
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

// text writes a part in columns, without colours or frames. If the width of the terminal is known, title and notes are
// wrapped, and the table shrinks to fit, unless wide is true.
func (p Part) text(w *bufio.Writer, columns int, wide bool) error {
	l, err := p.layout(wide, func(cell string) string { return strings.TrimSpace(printable(cell)) })
	if err != nil {
		return err
	}
	title, notes, blocks := "", p.notes(), [][]int{l.kept}
	if p.Title != nil {
		title = printable(strings.Join(p.Title, "  "))
		if width(title) > columns {
			title = strings.Join(wrapped([]string{title}, columns), "\n")
		}
		title += "\n"
	}
	if columns > 0 && !wide {
		if note := l.fit(columns); note != "" {
			notes = append(notes, note)
		}
		blocks = l.blocks(columns)
	}
	return l.write(w, title, wrapped(notes, columns), func() error {
		for i, block := range blocks {
			if i > 0 {
				w.WriteByte('\n')
			}
			if err := l.text(w, block); err != nil {
				return err
			}
		}
		return nil
	})
}

// markdown writes a part with its table as a pipe table, and its notes as a list.
func (p Part) markdown(w *bufio.Writer, wide bool) error {
	p.Wrap = 0 // a row is one line
	escape := strings.NewReplacer("|", `\|`).Replace
	l, err := p.layout(wide, func(cell string) string { return strings.TrimSpace(printable(escape(cell))) })
	if err != nil {
		return err
	}
	title, notes := "", p.notes()
	if p.Title != nil {
		title = printable(escape("**"+strings.Join(append([]string{p.Title[0] + "**"}, p.Title[1:]...), " · "))) + "\n"
	}
	emphasis := strings.NewReplacer(`*`, `\*`, `_`, `\_`) // otherwise a sign or a name could become emphasis
	for i, note := range notes {
		text := strings.TrimLeft(note, " ")
		notes[i] = note[:len(note)-len(text)] + "- " + emphasis.Replace(text)
	}
	return l.write(w, title, notes, func() error {
		return l.draw(w, l.kept, tablewriter.WithRenderer(renderer.NewMarkdown()))
	})
}

// write writes the title, the table and the notes, as far as they are there, with empty lines between them.
func (l *layout) write(w *bufio.Writer, title string, notes []string, table func() error) error {
	w.WriteString(title)
	written := title != ""
	separate := func() {
		if written {
			w.WriteByte('\n')
		}
		written = true
	}
	if l.rows > 0 {
		separate()
		if err := table(); err != nil {
			return err
		}
	}
	if len(notes) > 0 {
		separate()
		w.WriteString(strings.Join(notes, "\n") + "\n")
	}
	return nil
}

func (p Part) notes() []string {
	notes := make([]string, len(p.Notes))
	for i, note := range p.Notes {
		notes[i] = printable(note)
	}
	return notes
}
