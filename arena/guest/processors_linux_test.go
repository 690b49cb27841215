package guest

import (
	"fmt"
	"os"
	"testing"
)

// TestClaims: what one has claimed, nobody else gets before it is given back.
func TestClaims(t *testing.T) {
	t.Parallel()
	name := fmt.Sprintf("@sembra-test-%d", os.Getpid())
	release, first := claimName(name)
	if _, second := claimName(name); !first || second {
		t.Fatalf("claimed at first: %v, and again: %v", first, second)
	}
	release()
	if release, again := claimName(name); !again {
		t.Error("it is not free again")
	} else {
		release()
	}
}
