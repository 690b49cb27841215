package workers

import (
	"cmp"
	"errors"
	"fmt"
	"sync"
)

// reasons is a log of a server that keeps the first error.
type reasons struct {
	mu    sync.Mutex
	found error
}

// first returns the first error.
func (r *reasons) first() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return cmp.Or(r.found, errors.New("it is not ready in time"))
}

// any reports whether there was an error.
func (r *reasons) any() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.found != nil
}

func (r *reasons) note(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.found = cmp.Or(r.found, fmt.Errorf(format, args...))
}

// Fatalf keeps an error. The server does not end the process then.
func (r *reasons) Fatalf(format string, args ...any) { r.note(format, args...) }

// Errorf keeps an error.
func (r *reasons) Errorf(format string, args ...any) { r.note(format, args...) }

// Noticef keeps nothing, and neither do the others.
func (r *reasons) Noticef(string, ...any) {}

// Warnf is like Noticef.
func (r *reasons) Warnf(string, ...any) {}

// Debugf is like Noticef.
func (r *reasons) Debugf(string, ...any) {}

// Tracef is like Noticef.
func (r *reasons) Tracef(string, ...any) {}
