package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"sembra/arena/sandbox"
)

// writeWholeFile writes a file, unless refuse returns an error for its path. The file appears when it is complete:
// until then its content is in another file beside it.
func writeWholeFile(path string, refuse func(path string) error, write func(io.Writer) error) (err error) {
	if err := refuse(path); err != nil {
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return usage("%s: cannot write it: %w", path, withoutPath(err))
	}
	defer func() {
		if err != nil {
			_ = part.Close() // the first error is the one to report
			_ = os.Remove(part.Name())
		}
	}()
	if err := write(part); err != nil {
		if wrong := new(fs.PathError); errors.As(err, &wrong) && wrong.Path == part.Name() {
			err = fmt.Errorf("%s: cannot write it: %w", path, wrong.Err)
		}
		return err
	}
	if err := cmp.Or(part.Chmod(0o644), part.Sync(), part.Close(), refuse(path)); err != nil {
		return err
	}
	return os.Rename(part.Name(), path)
}

// writeText writes a text as a whole file.
func writeText(path string, refuse func(path string) error, text []byte) error {
	return writeWholeFile(path, refuse, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// refuseNew returns an error if a new file cannot be written at a path. Sembra overwrites no file.
func refuseNew(path string) error {
	if path == "" {
		return usage("the name of the file to write is empty")
	}
	if stat, err := os.Stat(filepath.Dir(path)); err != nil || !stat.IsDir() {
		return usage("there is no folder %s", filepath.Dir(path))
	}
	if _, err := os.Lstat(path); err == nil {
		return usage("there is a file %s already, and it is not overwritten (hint: another name, or remove it first)", path)
	}
	return nil
}

// emptyFolder makes an empty folder for temporary files, and returns what removes it. Every user may enter it.
func emptyFolder() (folder string, remove func(), err error) {
	held, err := sandbox.OwnFolder(os.TempDir(), "sembra-folder-")
	if err != nil {
		return "", func() {}, err
	}
	remove = func() {
		held.Close()
		_ = os.RemoveAll(held.Name()) // the next run tries again
	}
	return held.Name(), remove, os.Chmod(held.Name(), 0o755)
}

// withoutPath returns an error of the file system without the path, which the message names itself.
func withoutPath(err error) error {
	if wrong := new(fs.PathError); errors.As(err, &wrong) {
		return wrong.Err
	}
	return err
}
