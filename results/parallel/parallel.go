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
// the same time; see [Do]. The first error ends it.
func Map[T, R any](things iter.Seq2[T, error], of func(T) (R, error)) iter.Seq2[R, error] {
	const many = 256
	return func(yield func(R, error) bool) {
		var some []T
		made, failures := make([]R, many), make([]error, many)
		flush := func(last error) (more bool) {
			Do(len(some), func(i int) { made[i], failures[i] = of(some[i]) })
			for i := range some {
				if !yield(made[i], failures[i]) || failures[i] != nil {
					return false
				}
			}
			if some = some[:0]; last != nil {
				yield(*new(R), last)
			}
			return last == nil
		}
		for thing, err := range things {
			if err == nil {
				some = append(some, thing)
			}
			if (err != nil || len(some) == many) && !flush(err) {
				return
			}
		}
		flush(nil)
	}
}
