package notation

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"unicode/utf8"

	"sembra/results"
)

// Error is what is wrong in a file, with its place.
type Error struct {
	Name   string // of the file
	Line   int    // from 1
	Column int    // in characters, from 1; 0: the whole line
	What   string
}

// Error returns the error in one line: "games.txt:12:3: it lacks a result".
func (e *Error) Error() string {
	place := fmt.Sprintf("%s:%d", e.Name, e.Line)
	if e.Column > 0 {
		place += fmt.Sprintf(":%d", e.Column)
	}
	return place + ": " + e.What
}

// Claim is what a file says about one match. Nothing in it is refereed yet. What the file leaves out has its zero
// value, and UnknownCPU for a processor time.
type Claim struct {
	Game
	Name     string // of the file
	Line     int    // where the match begins in the file, from 1
	Unplayed bool   // the line says that the match came to nothing because Sembra failed; there is no match to referee

	lines []int32 // of each move; nil: all are in Line
	gives gives
}

// gives tells which facts a file gives that follow from others.
type gives struct{ stores, donkeys, fault, southTime, northTime, plies, rounds bool }

// lineOf returns the line of a move, from 0, and that of the beginning for -1.
func (c *Claim) lineOf(move int) int {
	if move >= 0 && move < len(c.lines) {
		return int(c.lines[move])
	}
	return c.Line
}

// errorf returns an error at a line of the claim's file.
func (c *Claim) errorf(line int, format string, args ...any) *Error {
	return &Error{Name: c.Name, Line: line, What: fmt.Sprintf(format, args...)}
}

func newClaim(name string, line int) Claim {
	c := Claim{Name: name, Line: line}
	c.Record.SouthCPU, c.Record.NorthCPU = results.UnknownCPU, results.UnknownCPU
	return c
}

// mostLine is the greatest length of a line, in bytes. A line of JSON holds a whole match.
const mostLine = 16 << 20

// Read yields the matches of a file: of text records, or of JSON lines if the file begins with a JSON object. name is
// the name of the file in errors.
//
// An error is an *Error if a match cannot be read. Then Read goes on with the next match, unless a line has more than
// 16 MiB. Any other error is that of the input and the last one.
func Read(input io.Reader, name string) iter.Seq2[Claim, error] {
	return func(yield func(Claim, error) bool) {
		buffered := skipByteOrderMark(input)
		lines := newLineReader(buffered, name)
		if isUTF16(peek(buffered)) {
			yield(Claim{}, &Error{Name: name, Line: 1, What: "the file is UTF-16; save it as UTF-8"})
			return
		}
		if IsJSONLines(peek(buffered)) {
			readJSONLines(lines, yield)
			return
		}
		r := textReader{lines: lines}
		r.next()
		for {
			claim, err := r.record()
			switch {
			case lines.err != nil:
				yield(Claim{}, lines.err)
				return
			case errors.Is(err, io.EOF):
				return
			case !yield(claim, err):
				return
			case err != nil:
				r.skip()
			}
		}
	}
}

// IsJSONLines reports whether a file begins with a JSON object. start is its beginning.
func IsJSONLines(start []byte) bool {
	inside, isObject := bytes.CutPrefix(trimStart(start), []byte("{"))
	return isObject && bytes.HasPrefix(trimStart(inside), []byte(`"`))
}

// IsText reports whether a file begins as a text record does: with a tag, after comments and empty lines. start is its
// beginning. A tournament file also begins with a bracket, but has no quoted text before the closing one.
func IsText(start []byte) bool {
	if IsJSONLines(start) {
		return false
	}
	for line := range bytes.Lines(bytes.ReplaceAll(trimStart(start), []byte("\r"), []byte("\n"))) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == ';' || line[0] == '{' {
			continue
		}
		name, value, quoted := bytes.Cut(line, []byte(`"`))
		return quoted && len(name) > 2 && name[0] == '[' && bytes.ContainsAny(name, " \t") &&
			bytes.HasSuffix(value, []byte("]"))
	}
	return false
}

// trimStart removes a byte order mark and white space. A beginning in UTF-16 is recognised too, so that Read can say
// what is wrong with it.
func trimStart(text []byte) []byte {
	if isUTF16(text) {
		text = bytes.ReplaceAll(text[2:], []byte{0}, nil)
	}
	return bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\uFEFF")), " \t\r\n")
}

// isUTF16 reports whether a file has a byte order mark of UTF-16. start is its beginning.
func isUTF16(start []byte) bool {
	return bytes.HasPrefix(start, []byte("\xff\xfe")) || bytes.HasPrefix(start, []byte("\xfe\xff"))
}

func skipByteOrderMark(input io.Reader) *bufio.Reader {
	buffered := bufio.NewReaderSize(input, 64<<10)
	mark := []byte("\uFEFF")
	if start, _ := buffered.Peek(len(mark)); bytes.Equal(start, mark) { // the next read returns the error again
		_, _ = buffered.Discard(len(mark)) // it was peeked at
	}
	return buffered
}

// peek returns a beginning of the input without reading it.
func peek(r *bufio.Reader) []byte {
	start, _ := r.Peek(4 << 10) // the next read returns the error again
	return start
}

// lineReader reads lines that end with LF, CR LF or CR.
type lineReader struct {
	name    string
	scanner *bufio.Scanner
	number  int // of the last line
	err     error
}

func newLineReader(input io.Reader, name string) *lineReader {
	scanner := bufio.NewScanner(input)
	scanner.Buffer(nil, mostLine)
	scanner.Split(splitLine)
	return &lineReader{name: name, scanner: scanner}
}

// next returns the next line, which is valid until the next call, and false at the end or after an error.
func (l *lineReader) next() (line []byte, more bool) {
	if l.scanner.Scan() {
		l.number++
		return l.scanner.Bytes(), true
	}
	switch err := l.scanner.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		l.err = &Error{Name: l.name, Line: l.number + 1, What: fmt.Sprintf(
			"the line has more than %d bytes, so the rest of the file is not read", mostLine)}
	case err != nil:
		l.err = fmt.Errorf("%s: after line %d: %w", l.name, l.number, err)
	}
	return nil, false
}

// splitLine finds the end of a line for a scanner.
func splitLine(data []byte, atEnd bool) (advance int, line []byte, err error) {
	at := bytes.IndexAny(data, "\r\n")
	switch {
	case at < 0 && atEnd && len(data) > 0:
		return len(data), data, nil
	case at < 0:
		return 0, nil, nil
	case data[at] == '\n':
		return at + 1, data[:at], nil
	case at+1 < len(data) && data[at+1] == '\n':
		return at + 2, data[:at], nil
	case at+1 < len(data) || atEnd:
		return at + 1, data[:at], nil
	}
	return 0, nil, nil // the byte after CR tells
}

// column returns the column of a byte of a line, in characters from 1.
func column(line []byte, at int) int { return utf8.RuneCount(line[:min(at, len(line))]) + 1 }

// clip shortens a text of a file for an error.
func clip(text string) string {
	const most = 40
	if len(text) <= most {
		return text
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}

// faultOf returns the fault that goes with an ending and a result if the file does not tell it.
func faultOf(ending results.Ending, result results.Result) results.Fault {
	if ending < results.EndTime || ending > results.EndStart {
		return results.NoFault
	}
	switch result {
	case results.SouthWins:
		return results.NorthFault
	case results.NorthWins:
		return results.SouthFault
	case results.Void:
		return results.BothFault
	}
	return results.NoFault
}

// seatsOf reads the name of one or both seats, as seatsText writes it.
func seatsOf(text string) (south, north, ok bool) {
	switch text {
	case "south":
		return true, false, true
	case "north":
		return false, true, true
	case "both":
		return true, true, true
	}
	return false, false, false
}

func faultBy(south, north bool) results.Fault {
	switch {
	case south && north:
		return results.BothFault
	case south:
		return results.SouthFault
	case north:
		return results.NorthFault
	}
	return results.NoFault
}
