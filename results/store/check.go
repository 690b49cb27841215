package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/exec"
	"time"

	bolt "go.etcd.io/bbolt"
)

// bbolt trusts its file. It can check the pages itself, but in a damaged file this may end the whole process, or never
// end. So a child of the program does that.

// checkArgument is the first argument of the child; the second one is the path of the file.
const checkArgument = "--check-database"

// IsCheckChild reports whether the arguments say that the process is such a child. Then main has to call [RunCheckChild].
func IsCheckChild(args []string) bool { return len(args) == 3 && args[1] == checkArgument }

// RunCheckChild lets bbolt check the file, up to the first error. It returns the exit status. The check takes a minute at most,
// or more if the file is large.
func RunCheckChild(args []string) int {
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
			err = exec.Command(program, checkArgument, file.Name()).Run()
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

var (
	errNoDatabase   = errors.New("not a database of sembra")
	errOtherVersion = errors.New("its version of the file format is unknown to this sembra")
)

// IsDatabase reports whether the file at path is a bbolt file by its content. It opens the file only for a
// moment, and another process may have it locked.
func IsDatabase(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() { // opening a pipe would wait
		return false
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	_, _, err = readMeta(file)
	return err == nil
}

// meta is what we need of a meta page. A bbolt file begins with two of these pages. Transactions write them in turn, so
// the one with the higher transaction counts.
type meta struct {
	pageSize int64
	tx       uint64
}

// readMeta finds the meta page that counts. It is alone if the other one is damaged. The second page is where the first
// says or, if that is damaged, where it is in the files that this machine makes.
func readMeta(file io.ReaderAt) (m meta, alone bool, err error) {
	first, err := metaAt(file, 0)
	at := first.pageSize
	if at == 0 {
		at = int64(os.Getpagesize())
	}
	second, wrong := metaAt(file, at)
	if err != nil && wrong != nil {
		return meta{}, false, err
	}
	alone = err != nil || wrong != nil
	if err != nil || second.tx > first.tx {
		return second, alone, nil
	}
	return first, alone, nil
}

// metaAt reads a meta page of version 2 of bbolt's file format, in the byte order of the machine.
func metaAt(file io.ReaderAt, at int64) (meta, error) {
	const header, size, magic, version = 16, 64, 0xED0CDAED, 2
	var page [header + size]byte
	if _, err := file.ReadAt(page[:], at); errors.Is(err, io.EOF) {
		return meta{}, errNoDatabase
	} else if err != nil {
		return meta{}, err
	}
	order, raw := binary.NativeEndian, page[header:]
	hash := fnv.New64a()
	hash.Write(raw[:size-8])
	switch {
	case order.Uint32(raw) != magic:
		return meta{}, errNoDatabase
	case order.Uint64(raw[size-8:]) != hash.Sum64():
		return meta{}, errors.New("damaged: neither of its two meta pages is valid")
	case order.Uint32(raw[4:]) != version:
		return meta{}, errOtherVersion
	}
	return meta{pageSize: int64(order.Uint32(raw[8:])), tx: order.Uint64(raw[48:])}, nil
}
