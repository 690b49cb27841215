package safe

import (
	"encoding/json"
	"strings"
	"testing"

	"sembra/engine/expect"
)

func TestLine(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"  plain, Ä\n", "  plain, Ä⏎"},
		{"\x1b[31mred\x00\x7f\ttab", "␛[31mred␀␡␉tab"},
		{"bad \xff, bidi \u202e.", `bad \xff, bidi \u202e.`},
	} {
		expect.Equal(t, test.text, test.want, Line(test.text))
	}
	const text, want = "bot \x1b[2J\u202e\r:\n\tline 2⏎, ␉", `bot ␛[2J\u202e␍:` + "\n\tline 2⏎, ␉"
	expect.Equal(t, "several lines", want, Lines(text))
}

func TestShort(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"  plain, Ä\n", "plain, Ä"},
		{"two\nlines\n", "two⏎lines"},
		{strings.Repeat("x", 1000) + "end", "…" + strings.Repeat("x", 397) + "end"},
		{strings.Repeat("Ä", 300) + "e", "…" + strings.Repeat("Ä", 199) + "e"}, // not cut in half
	} {
		expect.Equal(t, test.text, test.want, Short(test.text))
	}
	expect.Equal(t, "quoted", `"\x1b\xff"`, Quote("\x1b\xff"))
	expect.Equal(t, "quoted", `"\x1b`+strings.Repeat("Ä", 39)+`…"`, Quote("\x1b"+strings.Repeat("Ä", 40)))
}

func TestCell(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "a\x1b[2Jb\u202e\r\u009b|*": "a [2Jb   |*", "=cmd|'/c calc'!A1": "'=cmd|'/c calc'!A1", "@SUM": "'@SUM",
		"a=b": "a=b", "-1.5": "-1.5", "-1x": "'-1x",
	} {
		expect.Equal(t, text, want, Cell(text))
	}
}

// JSON reads back as the same text.
func TestJSON(t *testing.T) {
	t.Parallel()
	const text = "q\u202e\u009b\x7f\U000E0001é😀"
	escaped := JSON(expect.Value(json.Marshal(text)))
	expect.Equal(t, "the JSON", `"q\u202e\u009b\u007f\udb40\udc01é😀"`, string(escaped))
	var back string
	expect.NoError(t, json.Unmarshal(escaped, &back))
	expect.Equal(t, "read back", text, back)
}
