package guest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"
)

// refusing is a launcher that starts nothing.
type refusing struct{ err error }

func (r refusing) Launch(context.Context, *Spawner) (Bot, error) { return nil, r.err }

// TestShortage: what the runner lacks before a bot runs is a failure of the runner. All
// else is a mistake of the configuration.
func TestShortage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err    error
		runner bool
	}{
		{&os.PathError{Op: "open", Path: "bot", Err: syscall.EMFILE}, true},
		{&os.PathError{Op: "open", Path: "bot", Err: syscall.ENFILE}, true},
		{fmt.Errorf("a copy: %w", syscall.ENOSPC), true},
		{fmt.Errorf("a shim: %w", os.NewSyscallError("fork", syscall.EAGAIN)), true},
		{syscall.ENOMEM, true},
		{&RunnerError{errors.New("no user id is free")}, true},
		{&os.PathError{Op: "open", Path: "bot", Err: syscall.ENOENT}, false},
		{&os.PathError{Op: "open", Path: "bot", Err: syscall.EACCES}, false},
		{&ConfigError{Key: "dir", Err: errors.New("there is no folder")}, false},
	} {
		e := &Entry{Name: "a", Launcher: refusing{c.err}}
		_, err := Start(t.Context(), e, "", time.Minute, nil, Session{})
		if c.runner != errors.As(err, new(*RunnerError)) || c.runner == errors.As(err, new(*ConfigError)) {
			t.Errorf("%v: the error is %T", c.err, err)
		}
	}
}
