package show

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// Wrap breaks a text between words into lines of at most width columns of a terminal. A word that is wider stays whole.
// The first line begins with the text in first, and each other one with the text in rest; width counts them too.
func Wrap(text string, width int, first, rest string) (lines []string) {
	var line []byte
	used := 0 // columns of the line
	for word := range strings.FieldsSeq(text) {
		end := len(line)
		line = append(append(line, ' '), word...)
		if used += columns(line[end:]); end > 0 && used <= width {
			continue
		}
		if end > 0 {
			lines, first = append(lines, string(line[:end])), rest
		}
		line = append(append(line[:0], first...), word...)
		used = columns(line)
	}
	if line != nil {
		lines = append(lines, string(line))
	}
	return lines
}

// columns returns the width of a text on a terminal. It is quick for a text of ASCII with the sign of microseconds.
func columns(text []byte) (width int) {
	for _, r := range string(text) {
		if width++; r < ' ' || r > '~' && r != 'µ' {
			return displaywidth.Bytes(text)
		}
	}
	return width
}
