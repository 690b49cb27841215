package guest

import (
	"os"
	"slices"
	"testing"
)

// TestThread: a thread runs on its processors.
func TestThread(t *testing.T) {
	t.Parallel()
	last := AllowedProcessors()
	last = last[len(last)-1:]
	thread := NewThread(last)
	defer thread.Close()
	thread.Do(func() {
		if on := AllowedProcessors(); !slices.Equal(on, last) {
			t.Errorf("it runs on %v, want %v", on, last)
		}
	})
}

// TestClaims: what one has claimed, nobody else gets before it is given back.
func TestClaims(t *testing.T) {
	t.Parallel()
	n := 1<<20 + os.Getpid() // no machine has it
	release, first := claimProcessor(n)
	if _, second := claimProcessor(n); !first || second {
		t.Fatalf("claimed at first: %v, and again: %v", first, second)
	}
	release()
	if release, again := claimProcessor(n); !again {
		t.Error("it is not free again")
	} else {
		release()
	}
}
