//go:build !unix

package store

import (
	"os"
	"path/filepath"
	"strings"
)

// socketFolders returns the folders where the socket of a file may be. Each user has an own folder for
// temporary files.
func socketFolders() []string { return []string{filepath.Join(os.TempDir(), "sembra")} }

// checkFolder checks that a folder exists.
func checkFolder(path string) error {
	_, err := os.Stat(path)
	return err
}

// fileID identifies a file by its path in lower case.
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
