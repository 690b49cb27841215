package measure

import "testing"

func must2[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
