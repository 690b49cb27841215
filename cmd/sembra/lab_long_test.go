//go:build long

package main

import (
	"testing"

	"sembra/engine"
)

// TestReadmeBalanceAll: every line of the table in the README is what the
// command measures.
func TestReadmeBalanceAll(t *testing.T) {
	for _, r := range engine.Rulesets() {
		checkReadmeBalance(t, r.Info().Name)
	}
}
