package show

import (
	"strings"
	"testing"
)

func TestWrap(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, first, rest, want string }{
		{"", "-", "", ""},
		{"one two three", "", "", "one two|three"},
		{"a longer-than-eight b", "", "", "a|longer-than-eight|b"},
		{"häß  üöä ñ", "", "", "häß üöä|ñ"},
		{"一二 三 四", "", "  ", "一二 三|  四"},
		{"one two three four", "- ", "  ", "- one|  two|  three|  four"},
	} {
		if got := strings.Join(Wrap(test.text, 8, test.first, test.rest), "|"); got != test.want {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
}
