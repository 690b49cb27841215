package protocol_test

import (
	"testing"

	"sembra/arena/protocol"
)

// options is one of each type.
var options = []protocol.Option{
	{Name: "Depth", Type: "spin", Default: "0", Min: 0, Max: 64},
	{Name: "Own Book", Type: "check", Default: "true"},
	{Name: "Style of Play", Type: "combo", Default: "very calm", Vars: []string{"very calm", "wild"}},
	{Name: "Book File", Type: "string", Default: "a book.txt"},
	{Name: "Log File", Type: "string"},
	{Name: "Clear Tables", Type: "button"},
}

func TestParseOption(t *testing.T) {
	for _, c := range []struct {
		says string
		want protocol.Option
	}{
		{"name A type check", protocol.Option{Name: "A", Type: "check"}},
		{"name A B  C type check default false", protocol.Option{Name: "A B  C", Type: "check", Default: "false"}},
		{"name name type string", protocol.Option{Name: "name", Type: "string"}},
		{"name A type spin min -5 max 5 default 0", protocol.Option{Name: "A", Type: "spin", Default: "0", Min: -5, Max: 5}},
		{"name A type spin default 1 max 3 min 2 step 4", protocol.Option{}}, // min is "2 step 4"
		{"name A type combo var x var y default x", protocol.Option{Name: "A", Type: "combo", Default: "x", Vars: []string{"x", "y"}}},
		{"name A type combo default min var min var max", protocol.Option{Name: "A", Type: "combo", Default: "min", Vars: []string{"min", "max"}}},
		{"name A type combo var", protocol.Option{Name: "A", Type: "combo", Vars: []string{""}}},
		{"name A type string default", protocol.Option{Name: "A", Type: "string"}},
		{"name A type string default ", protocol.Option{Name: "A", Type: "string"}},
		{"name A type string default default value var min 3", protocol.Option{Name: "A", Type: "string", Default: "default value var min 3"}},
		{"name A type string other", protocol.Option{Name: "A", Type: "string"}},
		{"name A type button default x", protocol.Option{Name: "A", Type: "button", Default: "x"}},
		{"name A type type check", protocol.Option{}},
		{"name A type Check", protocol.Option{}},
		{"name type check", protocol.Option{}},
	} {
		h := protocol.MBI.NewHost(&wire{script: []string{"option " + c.says + "\nmbiok\n"}})
		diffError(t, c.says, h.Handshake(), "")
		var want []protocol.Option
		if c.want.Name != "" {
			want = []protocol.Option{c.want}
		}
		equal(t, c.says, want, h.Identity.Options)
	}
}

func TestCheck(t *testing.T) {
	spin := protocol.Option{Name: "Depth", Type: "spin", Default: "4", Min: -1, Max: 64}
	check := protocol.Option{Name: "Own Book", Type: "check"}
	combo := protocol.Option{Name: "Style", Type: "combo", Vars: []string{"very calm", "wild"}}
	text := protocol.Option{Name: "File", Type: "string"}
	button := protocol.Option{Name: "Clear", Type: "button"}
	for _, c := range []struct {
		option protocol.Option
		value  string
		want   string
	}{
		{spin, "-1", ""},
		{spin, "0", ""},
		{spin, "64", ""},
		{spin, "65", `option Depth: "65" is not a whole number from -1 to 64`},
		{spin, "-2", `option Depth: "-2" is not a whole number from -1 to 64`},
		{spin, "", `option Depth: "" is not a whole number from -1 to 64`},
		{spin, "6.5", `option Depth: "6.5" is not a whole number from -1 to 64`},
		{spin, " 6", `option Depth: " 6" is not a whole number from -1 to 64`},
		{spin, "99999999999999999999", `option Depth: "99999999999999999999" is not a whole number from -1 to 64`},
		{check, "true", ""},
		{check, "false", ""},
		{check, "True", `option Own Book: "True" is neither true nor false`},
		{check, "1", `option Own Book: "1" is neither true nor false`},
		{combo, "very calm", ""},
		{combo, "wild", ""},
		{combo, "Wild", `option Style: "Wild" is none of very calm, wild`},
		{combo, "", `option Style: "" is none of very calm, wild`},
		{text, "", ""},
		{text, "any thing, really: <\"é\">", ""},
		{text, "a\nquit", `option File: "a\nquit" holds a line end or a NUL`},
		{text, "a\r", `option File: "a\r" holds a line end or a NUL`},
		{text, "\x00", `option File: "\x00" holds a line end or a NUL`},
		{button, "", ""},
		{button, "now", `option Clear is a button and takes no value, not "now"`},
	} {
		diffError(t, c.option.Name+" "+c.value, c.option.Check(c.value), c.want)
	}
}

func TestLookUpOption(t *testing.T) {
	id := protocol.Identity{Options: options}
	o, err := id.Option("Style of Play")
	diffError(t, "known", err, "")
	equal(t, "known", options[2], o)
	_, err = id.Option("depth")
	diffError(t, "unknown", err,
		`unknown option "depth" (the bot offers: Depth, Own Book, Style of Play, Book File, Log File, Clear Tables)`)
	_, err = new(protocol.Identity).Option("Depth")
	diffError(t, "none", err, `unknown option "Depth" (the bot offers none)`)
}
