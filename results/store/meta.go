package store

import (
	"cmp"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"io"
	"os"
)

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
	second, wrong := metaAt(file, cmp.Or(first.pageSize, int64(os.Getpagesize())))
	if err != nil && wrong != nil {
		return meta{}, false, err
	}
	if second.tx > first.tx {
		first = second
	}
	return first, err != nil || wrong != nil, nil
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
