//go:build !linux

package arena

import "errors"

// These bots are at fault only on Linux.
func eat(int) {}

func unbind() error { return errors.ErrUnsupported }
