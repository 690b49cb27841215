package show

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// Wrap breaks a text between words into lines of at most width columns of a terminal. A word that is wider stays whole.
// The first line begins with the text in first, and each other one with the text in rest; width counts them too.
func Wrap(text string, width int, first, rest string) (lines []string) {
	for word := range strings.FieldsSeq(text) {
		if last := len(lines) - 1; last >= 0 && displaywidth.String(lines[last]+" "+word) <= width {
			lines[last] += " " + word
			continue
		}
		lines = append(lines, first+word)
		first = rest
	}
	return lines
}
