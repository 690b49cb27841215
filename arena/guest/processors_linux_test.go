package guest

import (
	"os"
	"testing"
)

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
