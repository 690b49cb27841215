//go:build long && unix

package main

import (
	"fmt"
	"testing"
)

// TestKilledOften is TestKilled with many kills.
func TestKilledOften(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { testKilled(t, 100, seed) })
	}
}
