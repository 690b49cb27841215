package results

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sembra/engine"
)

func TestProfile(t *testing.T) {
	t.Parallel()
	_, all := handCounted()
	for i := range all {
		all[i].SouthTime, all[i].NorthTime = time.Second, time.Minute
	}
	got := NewProfile("b", all)
	want := Profile{Bot: "b", Endings: make(map[Ending]Tally)}
	for _, match := range all { // the same by the crosstable's way of counting
		for seat, bot := range [2]string{match.South, match.North} {
			if bot != "b" {
				continue
			}
			points := [2]float64{}
			points[0], points[1] = match.Points()
			want.Seats[seat].add(points[seat], match.Result != Void)
			tally := want.Endings[match.Ending]
			tally.add(points[seat], match.Result != Void)
			want.Endings[match.Ending] = tally
			want.Time += [2]time.Duration{time.Second, time.Minute}[seat]
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got.Seats[engine.South].Matches == 0 || got.Seats[engine.North].Matches == 0 {
		t.Errorf("the bot plays only one seat: %+v", got.Seats)
	}
}

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
		{1, []ThinkingStep{{1, 3, 6, 3 * ms, 7 * ms, 9 * ms}}},
		{2, []ThinkingStep{{1, 2, 4, 2 * ms, 5 * ms, 9 * ms}, {3, 3, 2, 3 * ms, 3 * ms, 7 * ms}}},
		{3, []ThinkingStep{{1, 1, 2, 2 * ms, 2 * ms, 5 * ms}, {2, 2, 2, 1 * ms, 1 * ms, 9 * ms}, {3, 3, 2, 3 * ms, 3 * ms, 7 * ms}}},
	} {
		if diff := cmp.Diff(c.want, thinking.Steps(c.most)); diff != "" {
			t.Errorf("%d steps:\n%s", c.most, diff)
		}
	}
}
