// Package parallel shares work among the processors. Its promise: results come in the order of their inputs, no
// goroutine outlives a call, and a panic reaches the caller. It knows nothing of games or records.
package parallel

import (
	"cmp"
	"iter"
	"runtime"
	"sync"
)

// Do calls do for the numbers below n, several at the same time, in goroutines that end before it returns.
func Do(n int, do func(i int)) {
	workers := make([]worker, min(runtime.GOMAXPROCS(0), n))
	for first := range workers {
		workers[first].begin(func() {
			for i := first; i < n; i += len(workers) {
				do(i)
			}
		})
	}
	var trouble any
	for i := range workers {
		workers[i].working.Wait()
		trouble = cmp.Or(trouble, workers[i].trouble)
	}
	if trouble != nil {
		panic(trouble)
	}
}

// worker is a goroutine.
type worker struct {
	working sync.WaitGroup
	trouble any // with which it panicked
}

func (w *worker) begin(work func()) {
	w.working.Go(func() {
		defer func() { w.trouble = recover() }()
		work()
	})
}

// Map yields what is made of the things of a sequence, in their order. It takes the things in batches of up to size, and
// calls work for several batches at the same time: for a few more than there are processors. Work appends what it makes
// of its things to an empty list, whose room may still hold what was made long before, and yielded. The first error
// ends the sequence, after what was made before it.
func Map[T, R any](
	size int, things iter.Seq2[T, error], work func(made []R, things []T) ([]R, error),
) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		ring := make([]batch[T, R], runtime.GOMAXPROCS(0)+2) // one of them takes things
		defer func() {
			for i := range ring {
				ring[i].working.Wait()
			}
		}()
		begun, finished := 0, 0
		next := &ring[0]
		turn := func(most int) (more bool) { // the next batch begins, and at most so many stay under way
			if len(next.things) > 0 {
				next.begin(work)
				begun++
				next = &ring[begun%len(ring)]
			}
			for ; begun-finished > most; finished++ {
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
			if next.things = append(next.things, thing); len(next.things) == size && !turn(len(ring)-1) {
				return
			}
		}
		if turn(0) && failure != nil {
			yield(*new(R), failure)
		}
	}
}

// Texts makes the work of [Map] from a function that appends to a text what it makes of a thing: each text is of several
// things. It is only good until the next one is asked for.
func Texts[T any](of func(to []byte, thing T) ([]byte, error)) func(made [][]byte, things []T) ([][]byte, error) {
	return func(made [][]byte, things []T) ([][]byte, error) {
		var text []byte
		if cap(made) > 0 {
			text = made[:1][0][:0] // what stands there was yielded
		}
		for _, thing := range things {
			var err error
			if text, err = of(text, thing); err != nil {
				return append(made, text), err
			}
		}
		return append(made, text), nil
	}
}

// batch is some things of a sequence, and what is made of them.
type batch[T, R any] struct {
	worker
	things  []T
	made    []R
	failure error
}

// begin begins to make something of the things.
func (b *batch[T, R]) begin(work func([]R, []T) ([]R, error)) {
	b.worker.begin(func() { b.made, b.failure = work(b.made, b.things) })
}

// finish waits, yields what was made, and empties the batch. What was made stays in its list, so that Texts can write
// over it.
func (b *batch[T, R]) finish(yield func(R, error) bool) (more bool) {
	if b.working.Wait(); b.trouble != nil {
		panic(b.trouble)
	}
	for _, made := range b.made {
		if !yield(made, nil) {
			return false
		}
	}
	if b.failure != nil {
		yield(*new(R), b.failure)
		return false
	}
	clear(b.things)
	b.things, b.made = b.things[:0], b.made[:0]
	return true
}
