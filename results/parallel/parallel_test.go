package parallel

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// each makes a function for Map from one for a single thing.
func each(of func(int) (int, error)) func(to, things []int) ([]int, error) {
	return func(to, things []int) ([]int, error) {
		for _, thing := range things {
			made, err := of(thing)
			if err != nil {
				return to, err
			}
			to = append(to, made)
		}
		return to, nil
	}
}

func TestMap(t *testing.T) {
	t.Parallel()
	wrong, last := errors.New("wrong"), errors.New("last")
	for _, test := range []struct{ things, bad, want int }{ // bad: the first thing that fails, 0: none
		{0, 0, 0}, {1, 0, 1}, {256, 0, 256}, {1000, 0, 1000}, {1000, 1, 0}, {1000, 256, 255}, {1000, 700, 699},
	} {
		t.Run(fmt.Sprint(test), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				things := func(yield func(int, error) bool) {
					for i := 1; i <= test.things; i++ {
						if !yield(i, nil) {
							return
						}
					}
					yield(0, last)
				}
				var got []int
				var errs []error
				for n, err := range Map(many, things, each(func(i int) (int, error) {
					time.Sleep(time.Duration(i*7919%13) * time.Second) // so that they end in another order
					if test.bad > 0 && i >= test.bad {
						return 0, fmt.Errorf("thing %d: %w", i, wrong)
					}
					return i, nil
				})) {
					if err == nil {
						got = append(got, n)
					} else {
						errs = append(errs, err)
					}
				}
				if len(got) != test.want || !slices.IsSorted(got) || got != nil && got[0] != 1 {
					t.Errorf("yields %d things, want %d in order", len(got), test.want)
				}
				want := last.Error()
				if test.bad > 0 {
					want = fmt.Sprintf("thing %d: wrong", test.bad)
				}
				if len(errs) != 1 || errs[0].Error() != want {
					t.Errorf("errors %v, want %s", errs, want)
				}
			})
		})
	}
}

// many is how many things are worked on at once.
const many = 256

// TestMapAhead: while something is made of some things, the next ones are taken from the sequence.
func TestMapAhead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		things := func(yield func(int, error) bool) {
			for i := 0; i < 2*many; i++ {
				if time.Sleep(time.Second); !yield(i, nil) {
					return
				}
			}
		}
		for range Map(many, things, each(func(i int) (int, error) { time.Sleep(time.Second); return i, nil })) {
		}
		if want := 3 * many * time.Second; time.Since(begun) != want {
			t.Errorf("took %v, want %v", time.Since(begun), want)
		}
	})
}

// count yields the numbers from 1 to n.
func count(n int) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for i := 1; i <= n && yield(i, nil); i++ {
		}
	}
}

// TestMapEnds: who wants no more gets no more, and nothing is asked for without need.
func TestMapEnds(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ size, things, wanted, calls int }{
		{3, 0, 9, 0}, {3, 2, 9, 1}, {3, 3, 9, 1}, {3, 7, 9, 3}, {1, 4, 9, 4}, {3, 1000, 5, -1}, {1, 1000, 1, -1},
	} {
		var calls atomic.Int64
		got, work := 0, each(func(i int) (int, error) { return i, nil })
		for n := range Map(test.size, count(test.things), func(made, things []int) ([]int, error) {
			calls.Add(1)
			return work(made, things)
		}) {
			if got++; n != got {
				t.Errorf("%v: %d came as number %d", test, n, got)
			}
			if got == test.wanted {
				break
			}
		}
		if want := min(test.things, test.wanted); got != want || test.calls >= 0 && int(calls.Load()) != test.calls {
			t.Errorf("%v: %d things after %d calls", test, got, calls.Load())
		}
	}
}

// TestPanic: a panic of the work reaches the caller.
func TestPanic(t *testing.T) {
	t.Parallel()
	trouble := func(do func()) (trouble any) {
		defer func() { trouble = recover() }()
		do()
		return nil
	}
	bad := func(i int) {
		if i == 5 {
			panic("five")
		}
	}
	inDo := trouble(func() { Do(9, bad) })
	inMap := trouble(func() {
		for range Map(2, count(9), each(func(i int) (int, error) { bad(i); return i, nil })) {
		}
	})
	if inDo != "five" || inMap != "five" {
		t.Errorf("%v, %v", inDo, inMap)
	}
}

// TestTexts: the texts together are those of all things before the first that fails.
func TestTexts(t *testing.T) {
	t.Parallel()
	for _, last := range []int{0, 1, 7, 1000} {
		var got, want []byte
		var failure error
		for text, err := range Map(3, count(2000), Texts(func(to []byte, i int) ([]byte, error) {
			if i > last {
				return to, errors.New("too many")
			}
			return fmt.Append(to, i, " "), nil
		})) {
			if got = append(got, text...); err != nil {
				failure = err
			}
		}
		for i := range last {
			want = fmt.Append(want, i+1, " ")
		}
		if string(got) != string(want) || failure == nil {
			t.Errorf("up to %d: %q, %v", last, got, failure)
		}
	}
}
