package protocol

import (
	"bytes"
	"fmt"
	"io"
)

// The limits of a bot's output.
const (
	MaxLine   = 64 << 10 // bytes of one line, its end not counted
	MaxOutput = 1 << 20  // bytes between two go lines
)

// Violation is a bot's breach of the protocol.
type Violation struct{ What string }

func (v *Violation) Error() string { return "protocol violation: " + v.What }

// lines reads lines of limited length from a bot.
type lines struct {
	source     io.Reader
	buffer     []byte // read and not yet taken: buffer[start:end]
	start, end int
	scanned    int // buffer[start:scanned] holds no line end
	allowance  int // bytes that may still come before the next go
	heard      bool
	loose      bool // any white space separates words, as in UCI
}

func newLines(source io.Reader) *lines {
	return &lines{source: source, buffer: make([]byte, 4<<10), allowance: MaxOutput}
}

// next returns the next line without its end. The line is valid until the next call.
func (l *lines) next() ([]byte, error) {
	for {
		line, err := l.buffered()
		if line != nil || err != nil {
			return line, err
		}
		if err := l.fill(); err != nil {
			return nil, err
		}
	}
}

// buffered returns the next line if all of it has been read, and otherwise nil.
func (l *lines) buffered() ([]byte, error) {
	length := bytes.IndexByte(l.buffer[l.scanned:l.end], '\n')
	if length < 0 {
		l.scanned = l.end
		if l.end-l.start > MaxLine+1 { // one more, for the CR of CR LF
			return nil, &Violation{fmt.Sprintf("a line of more than %d bytes", MaxLine)}
		}
		return nil, nil
	}
	line := l.buffer[l.start : l.scanned+length]
	l.start = l.scanned + length + 1
	l.scanned = l.start
	line = bytes.TrimSuffix(line, []byte{'\r'})
	if len(line) > MaxLine {
		return nil, &Violation{fmt.Sprintf("a line of more than %d bytes", MaxLine)}
	}
	if at := bytes.IndexByte(line, 0); at >= 0 {
		return nil, &Violation{fmt.Sprintf("a NUL byte at byte %d of a line", at+1)}
	}
	if l.loose {
		line = spaced(line)
	}
	return line, nil
}

// spaced leaves one space between the words of a line, in place. An empty line is
// not nil.
func spaced(line []byte) []byte {
	words := line[:0]
	for word := range bytes.FieldsSeq(line) {
		if len(words) > 0 {
			words = append(words, ' ')
		}
		words = append(words, word...)
	}
	return words
}

// fill reads once, making room first.
func (l *lines) fill() error {
	if l.start > 0 {
		l.end = copy(l.buffer, l.buffer[l.start:l.end])
		l.scanned -= l.start
		l.start = 0
	}
	if l.end == len(l.buffer) {
		l.buffer = append(l.buffer, make([]byte, len(l.buffer))...)
	}
	n, err := l.source.Read(l.buffer[l.end:])
	l.end += n
	l.allowance -= n
	if l.allowance < 0 {
		return &Violation{fmt.Sprintf("more than %d bytes of output without an answer", MaxOutput)}
	}
	if n > 0 {
		l.heard = true
		return nil // the next read returns the error again
	}
	return err
}

// partial returns what has been read of an incomplete line.
func (l *lines) partial() []byte { return l.buffer[l.start:l.end] }
