package store

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
)

// bbolt trusts its file: it panics on a truncated file, and loops for ever in a tree that leads back to
// itself. So the pages of the file are checked before bbolt maps it. The layout is bbolt's file format,
// version 2: pages of a fixed size, numbered from 0, in the byte order of the machine. Pages 0 and 1 are
// meta pages; of the valid ones, the one with the higher transaction counts.
const (
	metaMagic      = 0xED0CDAED
	metaVersion    = 2
	metaSize       = 64
	pageHeaderSize = 16
	elementSize    = 16
	bucketSize     = 16 // root page and sequence, before a bucket inside a leaf

	leastPageSize, mostPageSize = 1 << 10, 1 << 24

	branchFlag   = 0x01
	leafFlag     = 0x02
	freelistFlag = 0x10
	bucketFlag   = 0x01 // of an element of a leaf

	noFreelist = ^uint64(0)

	// ourDepth is the depth of our deepest buckets: summaries, those of a tournament.
	ourDepth = 2
)

var (
	errNoDatabase   = errors.New("not a database of sembra")
	errOtherVersion = errors.New("its version of the file format is unknown to this sembra")
)

// meta is the content of a meta page.
type meta struct {
	pageSize int64
	root     uint64 // page
	freelist uint64 // page, or noFreelist
	limit    uint64 // all used pages have smaller numbers
	tx       uint64
}

// pageCheck walks through the pages of a file.
type pageCheck struct {
	file io.ReaderAt
	meta meta
	full bool     // check every page, not only what readers need
	seen []uint64 // one bit for each page
}

// checkPages checks that a file of size bytes is a complete bbolt file whose pages form a tree. With full,
// which is needed before writing, it reads every page, and checks that all keys are in order and that both meta
// pages are valid. Without full, it skips the leaves that hold records and the list of free pages, so a large
// file opens quickly.
func checkPages(file io.ReaderAt, size int64, full bool) error {
	m, alone, err := readMeta(file)
	switch {
	case err != nil:
		return err
	case m.limit > uint64(size)/uint64(m.pageSize):
		return fmt.Errorf("truncated: it has %d of at least %d bytes", size, m.limit*uint64(m.pageSize))
	case full && alone:
		return errors.New("damaged: one of its two meta pages is not valid, so what was saved last may be missing")
	}
	check := pageCheck{file: file, meta: m, full: full, seen: make([]uint64, m.limit/64+1)}
	err = check.tree(m.root, 0, span{})
	if err == nil && full {
		err = check.freelist()
	}
	if err != nil {
		return fmt.Errorf("damaged: %w", err)
	}
	return nil
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

// metaAt reads a meta page.
func metaAt(file io.ReaderAt, at int64) (meta, error) {
	var page [pageHeaderSize + metaSize]byte
	if _, err := file.ReadAt(page[:], at); errors.Is(err, io.EOF) {
		return meta{}, errNoDatabase
	} else if err != nil {
		return meta{}, err
	}
	order, raw := binary.NativeEndian, page[pageHeaderSize:]
	hash := fnv.New64a()
	hash.Write(raw[:metaSize-8])
	m := meta{
		pageSize: int64(order.Uint32(raw[8:])),
		root:     order.Uint64(raw[16:]),
		freelist: order.Uint64(raw[32:]),
		limit:    order.Uint64(raw[40:]),
		tx:       order.Uint64(raw[48:]),
	}
	switch {
	case order.Uint32(raw) != metaMagic:
		return meta{}, errNoDatabase
	case order.Uint64(raw[metaSize-8:]) != hash.Sum64():
		return meta{}, errors.New("damaged: neither of its two meta pages is valid")
	case order.Uint32(raw[4:]) != metaVersion:
		return meta{}, errOtherVersion
	case m.pageSize < leastPageSize || m.pageSize > mostPageSize || m.pageSize&(m.pageSize-1) != 0,
		at != 0 && at != m.pageSize:
		return meta{}, fmt.Errorf("damaged: its page size is %d bytes", m.pageSize)
	}
	return m, nil
}

// span is a range of keys, from least up to but without end; nil means no limit.
type span struct{ least, end []byte }

func (s span) has(key []byte) bool {
	return bytes.Compare(key, s.least) >= 0 && (s.end == nil || bytes.Compare(key, s.end) < 0)
}

// entry is an entry of a page: in a branch, the first key of a child; in a leaf, a key and its value.
type entry struct {
	child      uint64 // page, in a branch
	bucket     bool   // the value is a bucket
	key, value []byte
}

// entries reads the entries of a page. If everything is checked, their keys must ascend within a range.
func (c *pageCheck) entries(id uint64, flags uint16, page []byte, within span) ([]entry, error) {
	order := binary.NativeEndian
	count := uint64(order.Uint16(page[10:]))
	if pageHeaderSize+count*elementSize > uint64(len(page)) {
		return nil, fmt.Errorf("page %d has %d entries", id, count)
	}
	all := make([]entry, count)
	for i := range all {
		at := pageHeaderSize + uint64(i)*elementSize
		word := func(offset uint64) uint64 { return uint64(order.Uint32(page[at+offset:])) }
		e, flag, key, length, size := &all[i], word(0), word(4), word(8), word(12) // of a leaf
		if e.bucket = flags == leafFlag && flag&bucketFlag != 0; flags == branchFlag {
			e.child, key, length, size = order.Uint64(page[at+8:]), word(0), word(4), 0
		}
		key += at
		if key+length+size > uint64(len(page)) {
			return nil, fmt.Errorf("an entry of page %d is outside the page", id)
		}
		e.key, e.value = page[key:key+length], page[key+length:key+length+size]
		if c.full && (i > 0 && bytes.Compare(e.key, all[i-1].key) <= 0 || !within.has(e.key)) {
			return nil, fmt.Errorf("a key of page %d is out of order: %.60q", id, e.key)
		}
	}
	return all, nil
}

// tree checks the pages of a bucket from its root down, and the buckets in it.
func (c *pageCheck) tree(id uint64, depth int, within span) error {
	flags, page, err := c.page(id)
	if err != nil {
		return err
	}
	return c.node(id, flags, page, depth, within)
}

// node checks a branch or a leaf, and what is below.
func (c *pageCheck) node(id uint64, flags uint16, page []byte, depth int, within span) error {
	if flags != branchFlag && flags != leafFlag {
		return fmt.Errorf("page %d is neither a branch nor a leaf", id)
	}
	all, err := c.entries(id, flags, page, within)
	if err == nil && flags == branchFlag && len(all) == 0 {
		err = fmt.Errorf("page %d has no branches", id)
	}
	leaves := false // the children are leaves with records alone
	for i, e := range all {
		switch {
		case err != nil:
			return err
		case flags == leafFlag && e.bucket:
			err = c.bucket(id, e.value, depth+1)
		case flags == leafFlag:
		case leaves:
			err = c.mark(e.child, 0)
		default:
			below := span{e.key, within.end}
			if i+1 < len(all) {
				below.end = all[i+1].key
			}
			err = c.tree(e.child, depth, below)
			if i == 0 && err == nil && !c.full && depth >= ourDepth { // all leaves of a tree have the same depth
				flags, _, wrong := c.header(e.child)
				leaves, err = flags == leafFlag, wrong
			}
		}
	}
	return err
}

// bucket checks a bucket in a leaf: the number of its root page or, for a small bucket, a leaf of its own.
func (c *pageCheck) bucket(id uint64, value []byte, depth int) error {
	if len(value) < bucketSize {
		return fmt.Errorf("a bucket in page %d is cut off", id)
	}
	if root := binary.NativeEndian.Uint64(value); root != 0 {
		return c.tree(root, depth, span{})
	}
	inline := value[bucketSize:]
	if len(inline) < pageHeaderSize || binary.NativeEndian.Uint16(inline[8:]) != leafFlag {
		return fmt.Errorf("a small bucket in page %d is damaged", id)
	}
	return c.node(id, leafFlag, inline, depth, span{})
}

// freelist checks that no free page is also used.
func (c *pageCheck) freelist() error {
	id := c.meta.freelist
	if id == noFreelist {
		return nil
	}
	flags, page, err := c.page(id)
	if err != nil {
		return err
	}
	if flags != freelistFlag {
		return fmt.Errorf("page %d is not a list of free pages", id)
	}
	order := binary.NativeEndian
	count, rest := uint64(order.Uint16(page[10:])), page[pageHeaderSize:]
	if count == 0xFFFF { // then the first number is the count
		count, rest = order.Uint64(rest), rest[8:]
	}
	if count > uint64(len(rest)/8) {
		return fmt.Errorf("the list of free pages, in page %d, is cut off", id)
	}
	for i := range count {
		if err := c.mark(order.Uint64(rest[i*8:]), 0); err != nil {
			return err
		}
	}
	return nil
}

// page reads a page with its overflow pages, and marks them as used.
func (c *pageCheck) page(id uint64) (flags uint16, page []byte, err error) {
	flags, overflow, err := c.header(id)
	if err != nil {
		return 0, nil, err
	}
	if err := c.mark(id, overflow); err != nil {
		return 0, nil, err
	}
	page = make([]byte, int64(1+overflow)*c.meta.pageSize)
	_, err = c.file.ReadAt(page, int64(id)*c.meta.pageSize)
	return flags, page, err
}

// header reads the header of a page, and checks that its number is right.
func (c *pageCheck) header(id uint64) (flags uint16, overflow uint64, err error) {
	if id < 2 || id >= c.meta.limit {
		return 0, 0, fmt.Errorf("there is no page %d", id)
	}
	var raw [pageHeaderSize]byte
	if _, err := c.file.ReadAt(raw[:], int64(id)*c.meta.pageSize); err != nil {
		return 0, 0, err
	}
	order := binary.NativeEndian
	if says := order.Uint64(raw[:]); says != id {
		return 0, 0, fmt.Errorf("page %d has the number of page %d", id, says)
	}
	overflow = uint64(order.Uint32(raw[12:]))
	if overflow >= c.meta.limit-id {
		return 0, 0, fmt.Errorf("page %d is longer than the rest of the file", id)
	}
	return order.Uint16(raw[8:]), overflow, nil
}

// mark notes that pages are used, and finds pages that are used twice.
func (c *pageCheck) mark(id, overflow uint64) error {
	if id < 2 || id+overflow >= c.meta.limit {
		return fmt.Errorf("there is no page %d", id)
	}
	for page := id; page <= id+overflow; page++ {
		word, bit := page/64, uint64(1)<<(page%64)
		if c.seen[word]&bit != 0 {
			return fmt.Errorf("page %d is used twice", page)
		}
		c.seen[word] |= bit
	}
	return nil
}
