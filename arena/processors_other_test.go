//go:build !linux

package arena

import "errors"

func unbind() error { return errors.ErrUnsupported }

func claimName(string) (release func(), ok bool) { return nil, false }
