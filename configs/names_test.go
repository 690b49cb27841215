package configs

import (
	"strings"
	"testing"
)

func TestNameOfBot(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"a": "", "v1.0_beta+x-2": "", "...": "", "-": "", strings.Repeat("x", 32): "", // as in all versions
		"Übung 1": "", "Leo 2 b": "", "Ёлка": "", "Αθηνά": "", "ابن": "", "דג": "", "awalé_β-2 γ": "",
		"囲碁ボット": "", "바둑 棋士": "", "a - b": "", "हिन्दी": "", "ไทย": "", "Việt": "",
		strings.Repeat("字", 32): "",

		"":                          "it must be 1 to 32 characters",
		strings.Repeat("ü", 33):     "it must be 1 to 32 characters",
		" a":                        "with up to 3 marks each",
		"a ":                        "with up to 3 marks each",
		"a  b":                      "with up to 3 marks each",
		"a\tb":                      "U+0009",
		"a\x1b[31mb":                "U+001B",
		"a\u00a0b":                  "U+00A0", // a space that breaks no line
		"a\u200bb":                  "U+200B", // no width
		"\ufeffa":                   "U+FEFF", // a byte order mark
		"a\u00adb":                  "U+00AD", // a soft hyphen
		"a\u202eb":                  "U+202E", // from right to left
		"a\u115f":                   "U+115F", // a letter that shows nothing
		"a\ufe0f":                   "U+FE0F", // a variation selector
		"a\u034f":                   "U+034F",
		"a\ue000":                   "U+E000", // private
		"a/b":                       "U+002F",
		"bot 🤖":                     "U+1F916",
		"\u0301a":                   "with up to 3 marks each",
		"1\u0301":                   "with up to 3 marks each",
		"a\u0316\u0317\u0318\u0319": "with up to 3 marks each",
		"pаypal":                    "mixes scripts",
		"αb":                        "mixes scripts",
	} {
		got := nameProblem(name)
		if (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestAlike(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"leo", "Leo", true},
		{"straße", "STRAẞE", true},
		{"my bot", "my_bot", true},
		{"ｂｏｔ", "bot", true},       // wide letters
		{"Scope", "ѕсоре", true},   // Cyrillic
		{"AKTION", "ΑΚΤΙΟΝ", true}, // Greek
		{"вак", "ВАК", true},
		{"ﬁx", "fix", true},
		{"ノ", "ﾉ", true},

		{"a", "b", false},
		{"i", "l", false},
		{"ubung", "übung", false},
		{"bot 1", "bot 2", false},
		{"a-b", "a_b", false},
		{"囲", "碁", false},
		{"лев", "leb", false},
	} {
		names := Names{}
		first, second := names.Add(test.a), names.Add(test.b)
		if alike := second != nil; first != nil || alike != test.want {
			t.Errorf("%q and %q: %v, %v", test.a, test.b, first, second)
		}
	}
}
