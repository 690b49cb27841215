package store

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	bolt "go.etcd.io/bbolt"

	"sembra/results"
)

// ErrNotShared says that no other process shares a file; see OpenCopy.
var ErrNotShared = errors.New("no other process has it open and shares it")

// OpenCopy opens a copy of the file at path, which another process has open for writing and shares (see
// Store.Share). Follow keeps this copy up to date. The error wraps ErrNotShared if there is no such process, and
// fs.ErrNotExist if there is no file. OpenCopy never locks the file.
func OpenCopy(path string) (*Store, error) { return openCopyIn(systemFolders(), path) }

func openCopyIn(f folders, path string) (*Store, error) {
	file, err := openFile(path, true)
	if err != nil {
		return nil, err
	}
	s := &Store{path: path, folders: f, file: file, feed: newFeed()}
	if err := s.openCopy(); err != nil {
		s.drop()
		return nil, err
	}
	return s, nil
}

func (s *Store) openCopy() (err error) {
	defer s.guard(&err)()
	err = s.takeCopy()
	switch {
	case errors.Is(err, errNobody) || errors.Is(err, errCutOff):
		return s.wrap(ErrNotShared)
	case err != nil:
		return s.wrap(err)
	}
	info, err := s.file.Stat()
	if err == nil {
		err = checkPages(s.file, info.Size(), true)
	}
	if err != nil {
		return s.wrap(err)
	}
	s.db, err = bolt.Open(s.path, 0o600, &bolt.Options{
		Timeout:  time.Second,
		OpenFile: func(string, int, os.FileMode) (*os.File, error) { return s.file, nil },
		NoSync:   true, NoGrowSync: true, NoFreelistSync: true, // nobody reads the copy after this process
	})
	if err == nil {
		err = s.db.View(func(tx *bolt.Tx) error { _, err := checkSchema(tx); return err })
	}
	return s.wrap(err)
}

// Follow keeps this copy, which OpenCopy has made, up to date: it copies what the writer of the file writes. Others may
// read the copy meanwhile. Follow calls tell after each step: changed says that the copy has changed, and the events
// are those of the run since the last step, as the run encodes them. It returns nil when the writer closes the file
// or ends, and the cause when the context is done; it can be called again then. After the end, open a new copy.
func (s *Store) Follow(ctx context.Context, tell func(changed bool, events []json.RawMessage)) error {
	conn, err := dial(s.folders.sockets, s.copy.socket)
	if errors.Is(err, errNobody) {
		return nil
	}
	if err != nil {
		return s.wrap(err)
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	_, _ = fmt.Fprintf(conn, "since %s %d\n", s.copy.session, s.copy.written) // if it fails, so does reading

	const most = 1 << 20 // bytes of lines that are written together
	reader := bufio.NewReaderSize(conn, 256<<10)
	var updates []wireUpdate
	size := 0
	for {
		line, err := readLine(reader)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if errors.Is(err, bufio.ErrTooLong) {
			return s.wrap(fmt.Errorf("its writer sent a line of more than %d bytes", longestLine))
		}
		if err != nil {
			return nil
		}
		update, err := decodeUpdate(line)
		if err != nil {
			return s.wrap(err)
		}
		updates, size = append(updates, update), size+len(line)
		if size < most && reader.Buffered() > 0 {
			continue
		}
		if err := s.apply(updates, tell); err != nil {
			return err
		}
		updates, size = nil, 0
	}
}

const longestLine = 64 << 20 // bytes; most records have some thousands

// readLine reads a line; bufio.ErrTooLong says that it is too long.
func readLine(from *bufio.Reader) (line []byte, err error) {
	for {
		part, err := from.ReadSlice('\n')
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
		if len(line) > longestLine {
			return nil, bufio.ErrTooLong
		}
	}
}

// decodeUpdate reads a line that a store has sent.
func decodeUpdate(line []byte) (u wireUpdate, err error) {
	if text, failed := bytes.CutPrefix(line, []byte("error ")); failed {
		return u, fmt.Errorf("it cannot be followed: %s", results.Visible(text, mostHeader))
	}
	if err := json.Unmarshal(line, &u); err != nil {
		return u, fmt.Errorf("a line from its writer is not understood: %w", err)
	}
	return u, nil
}

// apply writes updates to the copy and tells of them.
func (s *Store) apply(updates []wireUpdate, tell func(changed bool, events []json.RawMessage)) error {
	var events []json.RawMessage
	writes := 0
	for _, u := range updates {
		if u.Event != nil {
			events = append(events, u.Event)
		} else {
			writes++
		}
	}
	if writes > 0 {
		err := s.update(func(tx *bolt.Tx) error {
			for _, u := range updates {
				if u.Event != nil {
					continue
				}
				if err := u.apply(tx); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		s.copy.written += writes
	}
	tell(writes > 0, events)
	return nil
}
