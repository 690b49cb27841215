package results

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible makes a stranger's text fit to be shown: without the white space around it, on one line, of
// at most so many bytes (the last; 0: all), control characters as the signs that Unicode has for them,
// and what is no text at all as \x and two digits.
func Visible(text []byte, most int) string {
	s := strings.TrimSpace(string(text))
	var b strings.Builder
	if most > 0 && len(s) > most {
		s = s[len(s)-most:]
		for !utf8.RuneStart(s[0]) && len(s) > most-utf8.UTFMax {
			s = s[1:]
		}
		b.WriteRune('…')
	}
	b.WriteString(VisibleAll(s))
	return b.String()
}

// VisibleAll is Visible for a text of any length that keeps the white space around it.
func VisibleAll(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case r == '\n':
			b.WriteRune('⏎')
		case r < 0x20:
			b.WriteRune(0x2400 + r) // the control pictures
		case r == 0x7f:
			b.WriteRune(0x2421)
		case !unicode.IsPrint(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
		s = s[size:]
	}
	return b.String()
}
