package results

import (
	"fmt"
	"testing"
)

func TestLeaders(t *testing.T) {
	t.Parallel()
	l := spring(1, "a", "b", "c", "d").Leaders()
	for _, match := range []Summary{
		{Key: Key{"b", "a", 1}, Result: SouthWins},
		{Key: Key{"b", "c", 1}, Result: Draw},
		{Key: Key{"a", "x", 1}, Result: SouthWins},
		{Key: Key{"c", "b", 1}, Result: Void},
	} {
		l.Add(match)
	}
	for _, c := range []struct {
		n      int
		merits map[string]Merit
		want   []Leader
	}{
		{5, nil, []Leader{{"b", 1.5}, {"a", 1}, {"c", 0.5}}},
		{2, nil, []Leader{{"b", 1.5}, {"a", 1}}},
		{9, map[string]Merit{"d": {ByePoints: 2}, "a": {ByePoints: 0.5}}, []Leader{{"d", 2}, {"a", 1.5}, {"b", 1.5}, {"c", 0.5}}},
	} {
		equal(t, fmt.Sprintf("first %d", c.n), c.want, l.Top(c.n, c.merits))
	}
}
