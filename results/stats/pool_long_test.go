//go:build long

package stats

import "testing"

func TestPoolErrorsLong(t *testing.T) {
	t.Parallel()
	checkPool(t, 10_000)
}
