package parallel

import (
	"errors"
	"fmt"
	"slices"
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
