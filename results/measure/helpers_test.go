package measure

import "sembra/engine/expect"

var must = expect.NoError

func must2[T any](value T, err error) T { return expect.Value(value, err) }
