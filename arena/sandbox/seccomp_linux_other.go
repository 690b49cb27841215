//go:build linux && !amd64 && !arm64

package sandbox

import "errors"

// restrictCalls has no rules for this architecture, and bots are not isolated without.
func (t *task) restrictCalls() error {
	return errors.New("system calls can be filtered on amd64 and arm64 only")
}
