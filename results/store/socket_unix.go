//go:build unix

package store

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// socketFolders returns the folders where the socket of a file may be, in order of preference. Everybody can
// make the one among the temporary files first, but nobody else the one in the home of this user.
func socketFolders() []string {
	folders := []string{filepath.Join(os.TempDir(), fmt.Sprintf("sembra-%d", os.Getuid()))}
	if runtime := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(runtime) {
		folders = append([]string{filepath.Join(runtime, "sembra")}, folders...)
	}
	if cache, err := os.UserCacheDir(); err == nil {
		folders = append(folders, filepath.Join(cache, "sembra"))
	}
	return folders
}

// checkFolder checks that a folder exists and that only this user has access to it.
func checkFolder(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !info.IsDir() || int(stat.Uid) != os.Getuid() || info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("%s is not a folder that only you can access (hint: remove it, or make it yours with mode 700)",
			path)
	}
	return nil
}

// fileID identifies a file by its device and its number on that device.
func fileID(file *os.File) (string, error) {
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "", fmt.Errorf("%s has no inode number", file.Name())
	}
	return fmt.Sprintf("%d %d", stat.Dev, stat.Ino), nil
}
