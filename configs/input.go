package configs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// The sizes of the greatest files that are read: a tournament file, and a list of a million openings.
const (
	mostConfig   = 1 << 20
	mostOpenings = 128 << 20
)

// OpenInput opens a file that a person has named, to be read. It opens only a regular file with at most so many bytes:
// a device may have no end, and whoever opens a pipe may wait for ever. The error is a *fs.PathError.
func OpenInput(path string, most int64) (*os.File, error) {
	info, err := os.Stat(path)
	problem := ""
	switch {
	case err != nil || info.IsDir(): // so says the attempt to open or to read it
	case !info.Mode().IsRegular():
		problem = "it is not a regular file"
	case info.Size() > most:
		problem = fmt.Sprintf("it has more than %d MiB", most>>20)
	}
	if problem != "" {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New(problem)}
	}
	return os.Open(path)
}

// readInput reads the whole of a file that [OpenInput] opens, and not more if it grows.
func readInput(path string, most int64) ([]byte, error) {
	file, err := OpenInput(path, most)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, most))
}
