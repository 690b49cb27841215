package store

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"

	"sembra/results"
)

// place is how much of what a store has written since it was opened is known.
type place struct {
	socket  string // the name of the socket of the store
	session string
	written int
}

// takeCopy asks the process that has a file open for writing for a copy, and says what the copy covers. errNobody says that there is
// none to ask, errCutOff that it has ended meanwhile.
func takeCopy(file *os.File) (_ *scratch, at place, err error) {
	if at.socket, err = socketName(file); err != nil {
		return nil, place{}, err
	}
	conn, err := dial(at.socket)
	if err != nil {
		return nil, place{}, err
	}
	defer conn.Close()
	patient := newPatient(conn, patience)
	defer patient.stop()
	_, _ = io.WriteString(patient, "copy\n") // where it fails, so does reading
	reader := bufio.NewReaderSize(patient, mostHeader)
	header, err := reader.ReadSlice('\n')
	if err != nil {
		return nil, place{}, errCutOff
	}
	kind, rest, _ := strings.Cut(strings.TrimSuffix(string(header), "\n"), " ")
	if kind == "error" {
		return nil, place{}, fmt.Errorf("it could not copy the file: %s", results.Visible([]byte(rest), mostHeader))
	}
	var size int64
	if n, err := fmt.Sscanf(rest, "%d %s %d", &size, &at.session, &at.written); kind != "copy" || n != 3 || err != nil || size < 0 {
		return nil, place{}, fmt.Errorf("its answer is not understood: %q", header)
	}
	scratch, err := newScratch()
	if err != nil {
		return nil, place{}, err
	}
	source := &counting{Reader: reader}
	if _, err := io.CopyN(scratch, source, size); err != nil {
		scratch.drop()
		if source.failed {
			return nil, place{}, errCutOff
		}
		return nil, place{}, err
	}
	return scratch, at, nil
}

// dial connects to the process that listens at a socket of that name.
func dial(name string) (net.Conn, error) {
	for _, folder := range socketFolders() {
		path := filepath.Join(folder, name)
		if len(path) > mostPath || checkFolder(folder) != nil {
			continue
		}
		if conn, err := net.DialTimeout("unix", path, patience); err == nil {
			return conn, nil
		}
	}
	return nil, errNobody
}

// counting remembers whether it was the reading that failed.
type counting struct {
	io.Reader
	failed bool
}

func (c *counting) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.failed = c.failed || err != nil
	return n, err
}

// scratch is a file that is gone when it is closed.
type scratch struct {
	*os.File
	left bool // it could not be removed while it is open
}

func newScratch() (*scratch, error) {
	if file, err := nameless(); err == nil {
		return &scratch{file, false}, nil
	}
	file, err := os.CreateTemp("", "sembra-copy-*")
	if err != nil {
		return nil, err
	}
	return &scratch{file, os.Remove(file.Name()) != nil}, nil
}

func (s *scratch) drop() {
	_ = s.Close() // there is nothing to lose
	s.remove()
}

// remove removes a scratch file that is closed, where that could not be done before.
func (s *scratch) remove() {
	if s.left {
		_ = os.Remove(s.Name())
	}
}
