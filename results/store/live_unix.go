//go:build unix

package store

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// socketFolders are the folders in which the socket of a file may be, the best first.
func socketFolders() []string {
	folders := []string{filepath.Join(os.TempDir(), fmt.Sprintf("sembra-%d", os.Getuid()))}
	if runtime := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(runtime) {
		folders = append([]string{filepath.Join(runtime, "sembra")}, folders...)
	}
	return folders
}

// checkFolder sees that a folder is this user's alone.
func checkFolder(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !info.IsDir() || int(stat.Uid) != os.Getuid() || info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("%s is not a folder that is yours alone (hint: remove it, or make it yours with mode 700)", path)
	}
	return nil
}

// fileID says which file it is: the device and the number on it.
func fileID(file *os.File) (string, error) {
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "", fmt.Errorf("%s has no number", file.Name())
	}
	return fmt.Sprintf("%d %d", stat.Dev, stat.Ino), nil
}
