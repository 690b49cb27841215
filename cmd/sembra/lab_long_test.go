//go:build long

package main

import (
	"testing"

	"sembra/engine"
)

// TestGuideBalanceAll: every line of the table in results/README.md is what the
// command measures.
func TestGuideBalanceAll(t *testing.T) {
	for _, r := range engine.Rulesets() {
		checkGuideBalance(t, r.Info().Name)
	}
}
