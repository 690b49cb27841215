package guest

import "runtime"

// Thread is a thread of the system that lives until Close. A bot dies with the thread that started it, and Go ends other
// threads at any time.
type Thread struct{ work chan func() }

// NewThread returns an open thread.
func NewThread() *Thread { return NewThreadOn(nil) }

// NewThreadOn returns an open thread that runs only on these processors, if the system can; none are any.
func NewThreadOn(processors []int) *Thread {
	t := &Thread{make(chan func())}
	go func() { // until Close
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		if len(processors) > 0 {
			bindThread(processors)
		}
		for do := range t.work {
			do()
		}
	}()
	return t
}

// Do calls a function on the thread, and returns after it.
func (t *Thread) Do(do func()) {
	done := make(chan struct{})
	t.work <- func() {
		defer close(done)
		do()
	}
	<-done
}

// Close ends the thread, with all bots that it has started.
func (t *Thread) Close() { close(t.work) }
