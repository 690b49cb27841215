//go:build !unix

package store

import (
	"os"
	"path/filepath"
	"strings"
)

// socketFolders are the folders in which the socket of a file may be. The one for temporary files is
// the user's own.
func socketFolders() []string { return []string{filepath.Join(os.TempDir(), "sembra")} }

// checkFolder sees that a folder is there.
func checkFolder(path string) error {
	_, err := os.Stat(path)
	return err
}

// fileID says which file it is: its path, in one case.
func fileID(file *os.File) (string, error) {
	path, err := filepath.Abs(file.Name())
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return strings.ToLower(path), nil
}
