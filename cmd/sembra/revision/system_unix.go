//go:build linux || darwin

package revision

import (
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// start starts a command in a process group that end kills as a whole. Another shell in the group does that when a pipe is
// closed, so that the group also ends if this process is killed.
func start(cmd *exec.Cmd) (end func(), err error) {
	guard := exec.Command("sh", "-c", "read line; kill -KILL 0")
	guard.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	pipe, err := guard.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := guard.Start(); err != nil {
		return nil, err
	}
	end = sync.OnceFunc(func() {
		pipe.Close()
		_ = guard.Wait() // killed, as it should be
	})
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: guard.Process.Pid}
	if err := cmd.Start(); err != nil {
		end()
		return nil, err
	}
	return end, nil
}

// tryLock locks a file until it is closed, unless somebody else holds a lock that excludes this one.
func tryLock(file *os.File, shared bool) bool {
	how := syscall.LOCK_EX
	if shared {
		how = syscall.LOCK_SH
	}
	return syscall.Flock(int(file.Fd()), how|syscall.LOCK_NB) == nil
}
