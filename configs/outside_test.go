package configs

import (
	"strings"
	"testing"
)

// TestNames: names from elsewhere keep to the rules of a tournament file.
func TestNames(t *testing.T) {
	t.Parallel()
	names := NewNames()
	for _, test := range []struct{ name, want string }{
		{"Ada", ""},
		{"Ada", ""},
		{"Ñandú", ""},
		{"N\u0303andu\u0301", ""}, // the same in another normal form
		{"ada", `the names "Ada" and "ada" look alike`},
		{"Аda", `mixes the scripts`}, // a Cyrillic letter
		{"Bot 0", ""},
		{"Bot_O", "look alike"},
		{"both", "it stands for bots of a match"},
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
	for name, ok := range map[string]bool{"spring-2": true, "a b": false, "": false} {
		if (CheckTournamentName(name) == nil) != ok {
			t.Errorf("tournament %q: %v", name, CheckTournamentName(name))
		}
	}
}
