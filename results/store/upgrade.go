package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	bolt "go.etcd.io/bbolt"
)

// step changes what is stored in a file of one schema into what the next schema stores.
type step func(*bolt.Tx) error

// oldest is the schema that the first step changes.
const oldest = 10

// steps returns the steps from the oldest schema that can be read to the newest one. Sembra 1.0 has schema 11, and every
// later version reads a file of 1.0: whoever changes a value adds a step, and changes none of those before.
func steps() []step {
	return []step{
		func(*bolt.Tx) error { return nil }, // to 11, which stores the same as 10
	}
}

// newest returns the schema after all steps.
func newest(all []step) int { return oldest + len(all) }

// upgrade runs the steps that a file misses, and writes the newest schema.
func upgrade(tx *bolt.Tx, missing, all []step) error {
	for _, change := range missing {
		if err := change(tx); err != nil {
			return fmt.Errorf("it cannot be brought to schema %d: %w", newest(all), err)
		}
	}
	schema := strconv.Itoa(newest(all))
	if err := tx.Bucket([]byte(bucketOurs)).Put([]byte(keySchema), []byte(schema)); err != nil {
		return err
	}
	_, _, err := checkSchema(tx, all)
	return err
}

// isOlder reports whether the file has an older schema. It refuses an empty file in a store that only reads.
func (s *Store) isOlder() (older bool, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		empty, missing, err := checkSchema(tx, s.steps)
		if err == nil && empty && s.run == nil {
			err = ErrNone
		}
		older = !empty && len(missing) > 0
		return err
	})
	return older, err
}

// copyOlder copies a file of an older schema beside it. Before that, it tries the steps on a temporary copy and checks
// all that is in it, so that a file that is damaged stays as it is.
func (s *Store) copyOlder() error {
	trial, err := openToRead(s.path, s.steps)
	if err != nil {
		return err
	}
	defer trial.Close()
	if err := trial.checkSound(); err != nil {
		return err
	}
	s.copied, err = s.saveCopy(beforeSchema(s.steps))
	return err
}

// readCopy makes a temporary copy of the file, of the newest schema, and lets the store read that.
func (s *Store) readCopy() error {
	temp, err := os.CreateTemp("", "sembra-*.db")
	if err != nil {
		return s.wrap(fmt.Errorf("it cannot be copied: %w", err))
	}
	err = s.withFile(true, func(file *os.File) error {
		m, _, err := readMeta(file)
		s.at = m.tx
		if err == nil {
			_, err = io.Copy(temp, file)
		}
		return err
	})
	if err = errors.Join(err, temp.Close()); err == nil {
		s.temp = temp.Name()
		err = s.upgradeCopy()
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
	return s.wrap(err)
}

func (s *Store) upgradeCopy() error {
	damage, err := s.check()
	if err == nil {
		err = damage
	}
	if err == nil {
		err = s.transact(false, s.initialise)
	}
	return err
}

// The name of a copy says what came then: a replacement, or a schema.
const beforeReplace = "replace"

func beforeSchema(all []step) string { return fmt.Sprintf("schema-%d", newest(all)) }

// saveCopy copies the file to a new one beside it, which is on the disk when saveCopy returns its path.
func (s *Store) saveCopy(before string) (path string, err error) {
	err = s.withFile(true, func(file *os.File) error {
		next := nextCopy(s.beside, before)
		if err := copyTo(next, file); err != nil {
			return fmt.Errorf("it cannot be copied: %w", err)
		}
		path = next
		return nil
	})
	return path, err
}

// partEnding is the ending of a copy that is not complete.
const partEnding = ".new"

// copyTo copies a file to a new one, which has its name only when it is on the disk. A kill leaves at most the part of it
// that the next copy replaces.
func copyTo(path string, file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	part := path + partEnding
	if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	saved, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(saved, file)
	if err == nil {
		err = saved.Sync()
	}
	if err = errors.Join(err, saved.Close()); err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		_ = os.Remove(part)
		return err
	}
	if folder, err := os.Open(filepath.Dir(path)); err == nil {
		_ = folder.Sync() // so that the new name is on the disk, too; Windows cannot do that
		folder.Close()
	}
	return nil
}

// copyStart returns how the paths of all copies of a file begin.
func copyStart(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) + "-before-" }

// nextCopy returns the path of the next copy of a file from before something, which does not exist: the first of
// cup-before-replace-1.db, cup-before-replace-2.db and so on, or of cup-before-schema-11.db, cup-before-schema-11-2.db
// and so on.
func nextCopy(path, before string) string {
	start, ending := copyStart(path)+before, filepath.Ext(path)
	for number := 1; ; number++ {
		next := fmt.Sprintf("%s-%d%s", start, number, ending)
		if number == 1 && before != beforeReplace {
			next = start + ending
		}
		if _, err := os.Lstat(next); err != nil {
			return next
		}
	}
}

// copies returns the paths of all copies of a file, and of those that a run can make, in part and whole.
func copies(path string) (paths []string) {
	entries, _ := os.ReadDir(filepath.Dir(path)) // a folder that cannot be read shows nobody a copy
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), filepath.Base(copyStart(path))) {
			paths = append(paths, filepath.Join(filepath.Dir(path), entry.Name()))
		}
	}
	for _, before := range []string{beforeReplace, beforeSchema(steps())} {
		next := nextCopy(path, before)
		paths = append(paths, next, next+partEnding)
	}
	return paths
}
