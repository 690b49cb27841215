package store

import (
	"bytes"
	"os"
)

// glance is what tells whether a file has changed since it was opened.
type glance struct {
	id    string // of the file
	metas []byte // its meta pages, one of which every transaction changes; nil for a copy
}

// Unlock gives back the lock of a file that OpenRead has opened, so that another process can open the file for writing.
// What is read from now on counts only if Current says so afterwards: if not, it may be a mixture of
// old and new, or an error. Unlock returns false, and does nothing, if this system cannot do that.
func (s *Store) Unlock() bool {
	if !canUnlock || !s.db.IsReadOnly() || s.copy != nil {
		return false
	}
	id, err := socketName(s.file)
	if err != nil {
		return false
	}
	metas, err := readMetas(s.file)
	if err != nil {
		return false
	}
	s.glance = glance{id, metas}
	unlock(s.file)
	return true
}

// Current reports whether the path of a copy, or of a file that was unlocked, still names the same file, and whether
// an unlocked file is unchanged.
func (s *Store) Current() bool {
	file, err := os.Open(s.path)
	if err != nil {
		return false
	}
	defer file.Close()
	id, err := socketName(file)
	if err != nil {
		return false
	}
	if s.copy != nil {
		return id == s.copy.socket
	}
	metas, err := readMetas(file)
	return err == nil && id == s.glance.id && bytes.Equal(metas, s.glance.metas)
}

// readMetas returns the bytes of both meta pages.
func readMetas(file *os.File) ([]byte, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	m, err := readMeta(file, info.Size())
	if err != nil {
		return nil, err
	}
	metas := make([]byte, 2*metaSize)
	for page := range 2 {
		at := int64(page)*m.pageSize + pageHeaderSize
		if _, err := file.ReadAt(metas[page*metaSize:(page+1)*metaSize], at); err != nil {
			return nil, err
		}
	}
	return metas, nil
}
