// Package parallel shares work among the processors. Its promise: results come in the order of their inputs, and no
// goroutine outlives a call. It knows nothing of games or records.
package parallel

import (
	"iter"
	"runtime"
	"sync"
)

// Do calls do for the numbers below n, several at the same time, in goroutines that end before it returns.
func Do(n int, do func(i int)) {
	var working sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for first := range min(workers, n) {
		working.Go(func() {
			for i := first; i < n; i += workers {
				do(i)
			}
		})
	}
	working.Wait()
}

// Map yields what of makes of the things of a sequence, in the same order. It gives of up to size of them at once, to
// append what it makes to a list, for several lists at the same time, and takes the things after them from the sequence
// meanwhile. The first error ends it, after what was made before it. The list may have room with what was made long ago
// and yielded.
func Map[T, R any](
	size int, things iter.Seq2[T, error], of func(to []R, things []T) ([]R, error),
) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		ring := make([]batch[T, R], 2*runtime.GOMAXPROCS(0)+1) // one of them takes things
		defer func() {
			for i := range ring {
				ring[i].working.Wait()
			}
		}()
		begun, finished := 0, 0
		turn := func(most int) (more bool) { // a batch begins, and at most so many stay under way
			ring[begun%len(ring)].begin(of)
			for begun++; begun-finished > most; finished++ {
				if !ring[finished%len(ring)].finish(yield) {
					return false
				}
			}
			return true
		}
		var failure error
		for thing, err := range things {
			if failure = err; err != nil {
				break
			}
			next := &ring[begun%len(ring)]
			if next.things = append(next.things, thing); len(next.things) == size && !turn(len(ring)-1) {
				return
			}
		}
		if turn(0) && failure != nil {
			yield(*new(R), failure)
		}
	}
}

// Texts makes a function for [Map] from one that appends to a text what it makes of a thing: each text is of several
// things. It is only good until the next one is asked for.
func Texts[T any](of func(to []byte, thing T) ([]byte, error)) func(to [][]byte, things []T) ([][]byte, error) {
	return func(to [][]byte, things []T) ([][]byte, error) {
		var text []byte
		if cap(to) > 0 {
			text = to[:1][0][:0]
		}
		for _, thing := range things {
			var err error
			if text, err = of(text, thing); err != nil {
				return append(to, text), err
			}
		}
		return append(to, text), nil
	}
}

// batch is some things of a sequence, and what is made of them.
type batch[T, R any] struct {
	things  []T
	made    []R
	failure error
	working sync.WaitGroup
}

// begin begins to make something of the things.
func (b *batch[T, R]) begin(of func([]R, []T) ([]R, error)) {
	b.working.Go(func() { b.made, b.failure = of(b.made, b.things) })
}

// finish waits, yields what was made, and empties the batch.
func (b *batch[T, R]) finish(yield func(R, error) bool) (more bool) {
	b.working.Wait()
	for _, made := range b.made {
		if !yield(made, nil) {
			return false
		}
	}
	if b.failure != nil {
		return yield(*new(R), b.failure) && false
	}
	clear(b.things)
	b.things, b.made = b.things[:0], b.made[:0]
	return true
}
