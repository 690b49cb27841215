package results

import (
	"slices"
	"testing"
)

func TestOpenings(t *testing.T) {
	t.Parallel()
	for _, list := range [][]string{nil, {""}, {"a"}, {"", ""}, {"a", "", "bc"}, {"", "a"}} {
		o := OpeningsOf(list...)
		again := OpeningsOf(append([]string{o.Text()}, "x")...)
		if got := slices.Collect(o.All()); o.Len() != len(list) || !slices.Equal(got, list) {
			t.Errorf("%q: %d openings %q", list, o.Len(), got)
		} else if list != nil && !again.Equal(OpeningsOf(append(list, "x")...)) || o.Equal(again) {
			t.Errorf("%q: with another one %q", list, slices.Collect(again.All()))
		}
	}
}
