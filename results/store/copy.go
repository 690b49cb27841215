package store

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"sembra/results"
)

// errCutOff says that the process that sent a copy ended meanwhile.
var errCutOff = errors.New("the copy was cut off")

// fileCopy is a copy of a file that another process has open for writing.
type fileCopy struct {
	*scratch
	socket  string // the name of that process's socket
	session string // of its store
	written int    // the copy has at least so many of the store's writes
}

// receiveCopy asks the process that has a file open for writing for a copy. The error is errNobody if
// there is no such process, and errCutOff if it ended meanwhile.
func receiveCopy(f folders, file *os.File) (*fileCopy, error) {
	socket, err := socketName(file)
	if err != nil {
		return nil, err
	}
	conn, err := dial(f.sockets, socket)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	writer := patient{conn, patience}
	_, _ = io.WriteString(writer, "copy\n") // if it fails, so does reading
	reader := bufio.NewReaderSize(writer, mostHeader)
	header, err := reader.ReadSlice('\n')
	if err != nil {
		return nil, errCutOff
	}
	kind, rest, _ := strings.Cut(strings.TrimSuffix(string(header), "\n"), " ")
	if kind == "error" {
		return nil, fmt.Errorf("it could not copy the file: %s", results.Visible([]byte(rest), mostHeader))
	}
	c := &fileCopy{socket: socket}
	var size int64
	// An older sembra sends the size alone. The schema of its copy then tells the user that the versions differ.
	n, err := fmt.Sscanf(rest, "%d %s %d", &size, &c.session, &c.written)
	if kind != "copy" || n != 1 && err != nil || size < 0 {
		return nil, fmt.Errorf("its answer is not understood: %q", header)
	}
	if c.scratch, err = newScratch(f.copies); err != nil {
		return nil, err
	}
	if _, err := io.CopyN(c.scratch, reader, size); err != nil {
		c.drop()
		var ofScratch *fs.PathError
		if errors.As(err, &ofScratch) {
			return nil, err
		}
		return nil, errCutOff
	}
	return c, nil
}

// scratch is a file that vanishes when it is closed.
type scratch struct {
	*os.File
	left bool // it could not be removed while it was open
}

func newScratch(folder string) (*scratch, error) {
	if file, err := nameless(folder); err == nil {
		return &scratch{file, false}, nil
	}
	file, err := os.CreateTemp(folder, "sembra-copy-*")
	if err != nil {
		return nil, err
	}
	return &scratch{file, os.Remove(file.Name()) != nil}, nil
}

// drop closes and removes the file.
func (s *scratch) drop() {
	_ = s.Close() // there is nothing to lose
	s.remove()
}

// remove removes a closed scratch file, if that could not be done while it was open.
func (s *scratch) remove() {
	if s.left {
		_ = os.Remove(s.Name())
	}
}
