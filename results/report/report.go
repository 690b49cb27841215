package report

import (
	"bufio"
	"fmt"
	"io"
	"iter"
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

// Report is what a command prints. The fields of formats that it does not have are empty.
type Report struct {
	Parts []Part                // of Table and Markdown
	Wide  bool                  // tables have all columns, and do not shrink to fit into the terminal
	CSV   Rows                  // a line a row
	JSON  any                   // the object
	JSONL iter.Seq2[any, error] // an object a line; the first error ends them
}

// Part is a table with a title and notes, which may be missing.
type Part struct {
	Rows
	Title  []string // the line above; its first element is a name; nil: no title
	Groups []string // of columns, the most important first: a narrow terminal leaves them out from the end
	Tight  bool     // one space between columns, not two
	Blocks int      // number of columns that each block of a wide table repeats; 0: no blocks
	Wrap   int      // cells of the table are wrapped at this width, in columns; 0: never
	Notes  notes    // sentences below; one that begins with spaces belongs to the one before it
}

// Write writes the report in a format. columns is the width of the terminal; 0: the output is not a terminal. The
// error says that the report does not have the format, or that reading or writing failed.
func (r Report) Write(w io.Writer, format Format, columns int) error {
	out := bufio.NewWriter(w)
	if err := r.write(out, format, columns); err != nil {
		out.Flush() // what was written before the error
		return err
	}
	return out.Flush()
}

func (r Report) write(w *bufio.Writer, format Format, columns int) error {
	switch {
	case (format == Table || format == Markdown) && r.Parts != nil:
		for i, part := range r.Parts {
			if i > 0 {
				w.WriteByte('\n')
			}
			write := part.text
			if format == Markdown {
				write = part.markdown
			}
			if err := write(w, columns, r.Wide); err != nil {
				return err
			}
		}
		return nil
	case format == CSV && r.CSV.all != nil:
		return r.CSV.writeCSV(w)
	case format == JSON && r.JSON != nil:
		return writeJSON(w, r.JSON, "  ")
	case format == JSONL && r.JSONL != nil:
		for object, err := range r.JSONL {
			if err == nil {
				err = writeJSON(w, object, "")
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("this report has no format %q", format)
}

// writeJSON writes a value as JSON.
func writeJSON(w io.Writer, value any, indent string) error {
	text, err := marshal(value, indent)
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}
