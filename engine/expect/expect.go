// Package expect holds what the tests of all packages check with. Only tests import it, and it imports nothing of
// Sembra, so that every test may.
package expect

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// NoError stops a test at an error.
func NoError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Value returns a value that comes without an error. It panics at an error, so it needs no test to call it.
func Value[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Equal checks that a value is what it should be, and says where they differ.
func Equal(t testing.TB, what string, want, got any, options ...cmp.Option) {
	t.Helper()
	if diff := cmp.Diff(want, got, options...); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
