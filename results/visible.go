package results

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible makes a text from a bot or a file safe to print, on one line and without white space around it. It keeps
// at most the last most bytes (0: all). Control characters become their Unicode pictures, and bytes that are not
// UTF-8 become \x and two digits.
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

// VisibleLines makes a text of several lines safe to print, as VisibleAll does. It keeps line feeds and tabs.
func VisibleLines(text string) string { return visible(text, "\n\t") }

// VisibleAll is like Visible, but keeps the white space around the text, and all of its bytes.
func VisibleAll(text string) string { return visible(text, "") }

func visible(s, kept string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case strings.ContainsRune(kept, r):
			b.WriteRune(r)
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

// Clip shortens a text from a file for an error: it keeps the first 40 characters.
func Clip(text string) string {
	if runes := []rune(text); len(runes) > 40 {
		return string(runes[:40]) + "…"
	}
	return text
}
