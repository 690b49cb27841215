package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Two files beside a database keep processes from each other while somebody plays a tournament in it. The run makes
// them, and removes them at its end.
//
//   - The run holds a lock on NAME.run as long as it lasts. The file has its process number in it.
//   - NAME.lock is a turnstile. bbolt's lock on the database is not fair: readers that come one after the other could
//     keep a run from writing for ever. So everybody who wants that lock passes the turnstile first, readers together
//     and the run alone, and leaves it with the lock. A reader that may not open the turnstile goes without.
const (
	runEnding       = ".run"
	turnstileEnding = ".lock"
)

// Files returns the paths of a database and of all files beside it that tell of its matches or of who writes them.
// Those of the other databases in its folder, which whoever may read them could lock, are among them.
func Files(path string) []string {
	beside := target(path)
	own := append(copies(beside), path, beside, beside+runEnding, beside+turnstileEnding)
	return append(own, Databases(filepath.Dir(beside))...)
}

// Databases returns the paths of the databases in a folder that have the usual ending, and of the files beside each.
func Databases(folder string) []string {
	var paths []string
	entries, _ := os.ReadDir(folder) // nobody can name a file in a folder that cannot be read
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		if filepath.Ext(path) == ".db" && IsDatabase(path) {
			paths = append(paths, path, path+runEnding, path+turnstileEnding)
		}
	}
	return paths
}

// target returns the path of a file without symbolic links, if it exists.
func target(path string) string {
	if there, err := filepath.EvalSymlinks(path); err == nil {
		return there
	}
	return path
}

// The longest waits for the lock of a database.
const (
	readerPatience = 30 * time.Second
	runPatience    = 5 * time.Minute // beyond it, the matches that are not saved are lost
)

// errInUse says that another process has locked a file.
var errInUse = errors.New("another process has locked it: wait until it ends, or stop it")

// runLock is the locked file of a run; the turnstile lies beside it.
type runLock struct {
	file      *os.File
	turnstile string // path
}

// lockRun takes the locks of a run. Whoever looks for a run has its lock for a moment, so lockRun tries for a second.
func lockRun(path string) (*runLock, error) {
	run, err := lockBeside(path + runEnding)
	if errors.Is(err, errInUse) {
		text, _ := os.ReadFile(path + runEnding) // the number of the process is not there yet, or somebody changed it
		process, _ := strconv.Atoi(strings.TrimSpace(string(text[:min(len(text), 20)])))
		return nil, fmt.Errorf("another sembra, process %d, plays a tournament in it: wait until it ends, or stop it",
			process)
	}
	if err != nil {
		return nil, fmt.Errorf("it cannot be opened: %w", err)
	}
	l := &runLock{file: run, turnstile: path + turnstileEnding}
	err = run.Truncate(0)
	if err == nil {
		_, err = io.WriteString(run, strconv.Itoa(os.Getpid())+"\n")
	}
	if err == nil {
		err = os.WriteFile(l.turnstile, nil, 0o644)
	}
	if err != nil {
		l.release()
		return nil, fmt.Errorf("it cannot be opened: %w", err)
	}
	return l, nil
}

// lockBeside makes a file and locks it. The run before may remove it meanwhile.
func lockBeside(path string) (*os.File, error) {
	for {
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return nil, err
		}
		if err := await(file, false, time.Second); err != nil {
			file.Close()
			return nil, err
		}
		mine, err := file.Stat()
		if there, wrong := os.Stat(path); err == nil && wrong == nil && os.SameFile(mine, there) {
			return file, nil
		}
		file.Close()
	}
}

// Running reports whether a run plays a tournament in the file.
func (s *Store) Running() bool {
	file, err := os.Open(s.beside + runEnding)
	if err != nil {
		return false
	}
	defer file.Close()
	return errors.Is(lock(file, true), errInUse)
}

// release removes the files and gives the lock back. What it cannot remove is only in the way of the eye.
func (l *runLock) release() {
	_ = os.Remove(l.turnstile)
	_ = os.Remove(l.file.Name())
	_ = l.file.Close()
}

// lock locks the file, together with other readers or alone.
func (s *Store) lock(file *os.File, shared bool) error {
	turnstile, err := os.OpenFile(s.beside+turnstileEnding, os.O_RDONLY, 0)
	if err == nil {
		defer turnstile.Close()
		if err := await(turnstile, shared, s.patience()); err != nil {
			return err
		}
	}
	if !locksDatabase {
		return nil
	}
	return await(file, shared, s.patience())
}

func (s *Store) patience() time.Duration {
	if s.run != nil {
		return runPatience
	}
	return readerPatience
}

// await locks a file, and waits a limited time for others.
func await(file *os.File, shared bool, patience time.Duration) error {
	const first, longest = 50 * time.Microsecond, 2 * time.Millisecond
	waited := time.Duration(0)
	for pause := first; ; pause = min(2*pause, longest) {
		err := lock(file, shared)
		if !errors.Is(err, errInUse) || waited >= patience {
			return err
		}
		time.Sleep(pause)
		waited += pause
	}
}
