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

// Map yields what of returns for each thing of a sequence, in the same order. It calls of for several things at
// the same time (see [Do]), and takes the things after them from the sequence meanwhile. The first error ends it.
func Map[T, R any](things iter.Seq2[T, error], of func(T) (R, error)) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		next, last := new(batch[T, R]), new(batch[T, R])
		defer func() { last.working.Wait() }()
		turn := func() (more bool) { // the next batch begins, and what was made of the last one is yielded
			next.begin(of)
			next, last = last, next
			return next.finish(yield)
		}
		var failure error
		for thing, err := range things {
			if failure = err; err != nil {
				break
			}
			if next.things = append(next.things, thing); len(next.things) == many && !turn() {
				return
			}
		}
		for range 2 { // what is under way, and what was taken meanwhile
			if !turn() {
				return
			}
		}
		if failure != nil {
			yield(*new(R), failure)
		}
	}
}

// batch is some things of a sequence, and what is made of them.
type batch[T, R any] struct {
	things   []T
	made     [many]R
	failures [many]error
	working  sync.WaitGroup
}

// many is how many things a batch takes.
const many = 256

// begin begins to make something of each thing.
func (b *batch[T, R]) begin(of func(T) (R, error)) {
	b.working.Go(func() {
		Do(len(b.things), func(i int) { b.made[i], b.failures[i] = of(b.things[i]) })
	})
}

// finish waits, yields what was made, and leaves an empty batch.
func (b *batch[T, R]) finish(yield func(R, error) bool) (more bool) {
	b.working.Wait()
	for i := range b.things {
		if !yield(b.made[i], b.failures[i]) || b.failures[i] != nil {
			return false
		}
	}
	b.things = b.things[:0]
	return true
}
