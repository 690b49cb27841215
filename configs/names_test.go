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
		"囲碁ボット": "", "바둑 棋士": "", "हिन्दी": "", "ไทย": "", "Việt": "",
		strings.Repeat("字", 32): "",

		"":                          "it must be 1 to 32 characters",
		strings.Repeat("ü", 33):     "it must be 1 to 32 characters",
		strings.Repeat("𝐱", 25):     "(96 bytes)",
		" a":                        "a space may stand only between two words",
		"a ":                        "a space may stand only between two words",
		"a  b":                      "a space may stand only between two words",
		" ":                         "a space may stand only between two words",
		"a - b":                     `its word "-" has no letter and no digit`,
		"a\tb":                      "U+0009",
		"a\nb":                      "U+000A",
		"a\x1b[31mb":                "U+001B",
		"a\u00a0b":                  "U+00A0", // a space that breaks no line
		"a\u3000b":                  "U+3000", // a wide space
		"a\u200bb":                  "U+200B", // no width
		"a\u200db":                  "U+200D", // a joiner
		"\ufeffa":                   "U+FEFF", // a byte order mark
		"a\u00adb":                  "U+00AD", // a soft hyphen
		"a\u202eb":                  "U+202E", // from right to left
		"a\u2066b":                  "U+2066",
		"a\u061cb":                  "U+061C",
		"a\u115f":                   "U+115F", // a letter that shows nothing
		"a\u3164":                   "U+3164",
		"a\ufe0f":                   "U+FE0F", // a variation selector
		"a\u034f":                   "U+034F",
		"a\ue000":                   "U+E000", // private
		"\ufffd":                    "U+FFFD",
		"a/b":                       "U+002F",
		`a\b`:                       "U+005C",
		"a:b":                       "U+003A",
		"<b>":                       "U+003C",
		"½":                         "U+00BD",
		"bot 🤖":                     "U+1F916",
		"\u0301a":                   "the mark U+0301 must follow a letter",
		"1\u0301":                   "the mark U+0301 must follow a letter",
		"a\u0316\u0317\u0318\u0319": "more than 3 marks",
		"pаypal":                    "mixes the scripts Latin and Cyrillic",
		"αb":                        "mixes the scripts Greek and Latin",
		"한ボ":                        "mixes the scripts Hangul and Katakana",
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
		{"bot0", "botO", true},
		{"bot1", "botl", true},
		{"Ida", "lda", true},
		{"scope", "ѕсоре", true}, // Cyrillic
		{"Scope", "ѕсоре", true},
		{"AKTION", "ΑΚΤΙΟΝ", true}, // Greek
		{"ά", "á", true},           // Greek with its mark, and Latin with the same
		{"ｂｏｔ", "bot", true},       // wide letters
		{"ﬁx", "fix", true},
		{"ノ", "ﾉ", true},
		{"mini", "mını", true},

		{"a", "b", false},
		{"i", "l", false},
		{"ubung", "übung", false},
		{"bot 1", "bot 2", false},
		{"a-b", "a_b", false},
		{"囲", "碁", false},
		{"лев", "leb", false},
	} {
		names := make(Names)
		_, err := names.Add(test.a)
		if _, taken := names.like(test.b); err != nil || taken != test.want {
			t.Errorf("%q and %q: %v, %v", test.a, test.b, taken, err)
		}
	}
}

// TestNames: names from elsewhere keep to the rules of a tournament file.
func TestNames(t *testing.T) {
	t.Parallel()
	names := make(Names)
	for _, test := range []struct{ name, want string }{
		{"Ada", ""},
		{"Ada", ""},
		{"Ñandú", ""},
		{"N\u0303andu\u0301", ""}, // the same in another normal form
		{"ada", `the names "Ada" and "ada" look alike`},
		{"Аda", `mixes the scripts`}, // a Cyrillic letter
		{"Bot 0", ""},
		{"Bot_O", "look alike"},
		{"both", "it stands for both bots of a match"},
		{"", "it must be 1 to 32 characters"},
		{"\x1b[2J", "it must be 1 to 32 characters"},
	} {
		normal, err := names.Add(test.name)
		if test.want == "" && (err != nil || normal == "") || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%q: %q, %v, want %q", test.name, normal, err, test.want)
		}
	}
	if normal, _ := names.Add("N\u0303andu\u0301"); normal != "Ñandú" {
		t.Errorf("the normal form is %q", normal)
	}
}
