// Package expect holds what the tests of all packages check with. Only tests import it, and it imports nothing of
// Sembra, so that every test may.
package expect

import (
	"fmt"
	"reflect"
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

// FillNonZero gives all fields that a pointer leads to values other than zero, which differ wherever there are enough. So a
// copy that lacks a field differs, also if the field was added to the type later.
func FillNonZero(pointer any) {
	number := 0
	var fill func(v reflect.Value)
	fill = func(v reflect.Value) {
		number++
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				fill(v.Field(i))
			}
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
			fallthrough
		case reflect.Array:
			for i := range v.Len() {
				fill(v.Index(i))
			}
		case reflect.Pointer:
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem())
		case reflect.Bool:
			v.SetBool(true)
		case reflect.String:
			v.SetString(fmt.Sprint("text ", number))
		default:
			v.Set(reflect.ValueOf(number).Convert(v.Type()))
		}
	}
	fill(reflect.ValueOf(pointer).Elem())
}
