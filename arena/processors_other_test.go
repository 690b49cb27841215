//go:build !linux

package arena

import "errors"

func unbind() error { return errors.ErrUnsupported }
