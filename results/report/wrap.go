package report

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// wrapped breaks lines of more than so many columns at their spaces; 0 leaves them whole. What goes on is
// indented by two more than its line. A word that is longer than that stays whole.
func wrapped(lines []string, width int) []string {
	if width <= 0 {
		return lines
	}
	var out []string
	for _, line := range lines {
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		row := ""
		for word := range strings.FieldsSeq(line) {
			switch {
			case row == "":
				row = indent + word
			case displaywidth.String(row+" "+word) <= width:
				row += " " + word
			default:
				out = append(out, row)
				row = indent + "  " + word
			}
		}
		out = append(out, row)
	}
	return out
}
