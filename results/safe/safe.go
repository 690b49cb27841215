// Package safe makes text from bots, files and other machines safe to show. Each function names the place where the text
// is to stand. Nothing that it returns can move a cursor, reverse a text or run a formula, and no text is refused.
package safe

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Line makes a text one line of a terminal or of a page. Control characters become their Unicode pictures, bytes that
// are not UTF-8 become \x and two digits, and other characters that cannot be printed become \u and their number.
func Line(text string) string { return printed(text, "") }

// Lines is like Line for several lines: it keeps line feeds and tabs.
func Lines(text string) string { return printed(text, "\n\t") }

// Short is like Line for a text inside a message: at most the last 400 bytes, without white space around them.
func Short(text string) string { return Tail(text, 400) }

// Tail is like Short for at most the last so many bytes.
func Tail(text string, most int) string {
	text = strings.TrimSpace(text)
	if len(text) <= most {
		return Line(text)
	}
	text = text[len(text)-most:]
	for !utf8.RuneStart(text[0]) && len(text) > most-utf8.UTFMax {
		text = text[1:]
	}
	return "…" + Line(text)
}

// Quote quotes the first 40 characters of a text.
func Quote(text string) string {
	if runes := []rune(text); len(runes) > 40 {
		text = string(runes[:40]) + "…"
	}
	return strconv.Quote(text)
}

// Cell makes a text a cell of CSV. Control characters, and those that change the direction of writing, become spaces; all
// others stay. A text that a spreadsheet would execute gets an apostrophe in front.
func Cell(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return ' '
		}
		return r
	}, text)
	if text != "" && strings.Contains("=+-@", text[:1]) {
		if _, err := strconv.ParseFloat(text, 64); err != nil {
			return "'" + text
		}
	}
	return text
}

// JSON writes an escape in place of each character of valid JSON that cannot be printed.
func JSON(text []byte) []byte {
	if !slices.ContainsFunc(text, func(b byte) bool { return b >= 0x7f }) {
		return text
	}
	var safe []byte
	for _, r := range string(text) {
		if r < 0x7f || unicode.IsPrint(r) {
			safe = utf8.AppendRune(safe, r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			safe = fmt.Appendf(safe, `\u%04x`, unit)
		}
	}
	return safe
}

func printed(text, kept string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
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
		text = text[size:]
	}
	return b.String()
}
