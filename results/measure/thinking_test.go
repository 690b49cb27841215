package measure

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestThinking(t *testing.T) {
	t.Parallel()
	thinking := Thinking{Bot: "b", Matches: 2}
	if _, ok := thinking.All(); ok || thinking.Steps(3) != nil {
		t.Error("a bot without moves has thought")
	}
	for i, elapsed := range []int{5, 1, 3, 2, 9, 7} { // milliseconds, by turns the first, second and third move
		thinking.moves = append(thinking.moves, time.Duration(elapsed)*time.Millisecond)
		thinking.at = append(thinking.at, i%3)
	}
	thinking.most = 3
	ms := time.Millisecond
	for _, c := range []struct {
		most int
		want []ThinkingStep
	}{
		{1, []ThinkingStep{{1, 3, 6, 3 * ms, 9 * ms, 9 * ms}}},
		{2, []ThinkingStep{{1, 2, 4, 2 * ms, 9 * ms, 9 * ms}, {3, 3, 2, 3 * ms, 7 * ms, 7 * ms}}},
		{3, []ThinkingStep{{1, 1, 2, 2 * ms, 5 * ms, 5 * ms}, {2, 2, 2, 1 * ms, 9 * ms, 9 * ms}, {3, 3, 2, 3 * ms, 7 * ms, 7 * ms}}},
	} {
		if diff := cmp.Diff(c.want, thinking.Steps(c.most)); diff != "" {
			t.Errorf("%d steps:\n%s", c.most, diff)
		}
	}
}
