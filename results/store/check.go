package store

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	bolt "go.etcd.io/bbolt"
)

// bbolt trusts its file. It can check the pages itself, but in a damaged file this may end the whole process, or never
// end. So a child of the program does that.

// checkArgument is the first argument of the child; the second one is the path of the file.
const checkArgument = "--check-database"

// Entered reports whether the arguments say that the process is such a child. Then main has to call [Enter].
func Entered(args []string) bool { return len(args) == 3 && args[1] == checkArgument }

// Enter lets bbolt check the file, up to the first error. It returns the exit status. The check takes a minute at most,
// or more if the file is large.
func Enter(args []string) (status int) {
	path := args[2]
	info, err := os.Stat(path)
	if err != nil {
		return 1
	}
	const perMegabyte = 100 * time.Millisecond
	checked := make(chan error, 1)
	go func() { checked <- checkPages(path) }()
	select {
	case err := <-checked:
		if err == nil {
			return 0
		}
	case <-time.After(time.Minute + time.Duration(info.Size()>>20)*perMegabyte):
	}
	return 1
}

// checkPages leaves the file open: what goes on after an error still reads it, until the process ends.
func checkPages(path string) error {
	db, err := bolt.Open(path, 0, &bolt.Options{ReadOnly: true, Timeout: readerPatience})
	if err != nil {
		return err
	}
	return db.View(func(tx *bolt.Tx) error { return <-tx.Check() })
}

// check lets a child check the pages of the file, which nobody can write meanwhile.
func (s *Store) check() (damage, err error) {
	err = s.withFile(true, func(file *os.File) error {
		_, alone, err := readMeta(file)
		if err != nil {
			return err
		}
		if alone {
			damage = errors.New("damaged: one of its two meta pages is not valid, so what was saved last may be missing")
			return nil
		}
		program, err := os.Executable()
		if err == nil {
			err = exec.Command(program, checkArgument, s.path).Run()
		}
		if errors.As(err, new(*exec.ExitError)) {
			damage = errors.New("damaged: its pages do not fit together")
			return nil
		}
		if err != nil {
			return fmt.Errorf("it cannot be checked: %w", err)
		}
		return nil
	})
	return damage, err
}
