package store

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"

	"sembra/results"
)

// While a store has its file open for writing, bbolt's lock keeps everybody else from it. So the store
// gives copies away: it listens on a unix socket in a folder that only its user can enter, under a name
// that follows from the file, and sends whoever connects
//
//	copy SIZE
//
// and then as many bytes, a bbolt file as it stood at one moment; or, where that fails,
//
//	error TEXT
const (
	mostClients = 4 // that are served at once; others wait
	patience    = 30 * time.Second
	mostAtOnce  = 256 << 10 // bytes that have to move within the patience
	mostHeader  = 1 << 10   // bytes

	// mostPath is the longest path that a socket may have. Systems take from 104 to 108 bytes.
	mostPath = 100
)

var (
	errNobody = errors.New("nobody answers")
	errCutOff = errors.New("the copy was cut off")
)

// live is the giving away of copies.
type live struct {
	listener net.Listener
	ended    sync.WaitGroup

	mu     sync.Mutex
	closed bool
	conns  map[net.Conn]bool
}

// Share lets other processes of the same user read the file while this store has it open for writing:
// from now on until Close, OpenRead in them gives a copy of the file as it stands at that moment. The
// writer waits for none of them longer than it takes to copy the file on this machine.
func (s *Store) Share() error {
	if s.db.IsReadOnly() || s.live != nil {
		return s.wrap(errors.New("it cannot be shared: it is open for reading, or shared already"))
	}
	listener, err := listen(s.file)
	if err != nil {
		return s.wrap(fmt.Errorf("it cannot be read while it is written to: %w", err))
	}
	s.live = &live{listener: listener, conns: make(map[net.Conn]bool)}
	s.live.ended.Go(func() { s.serve(s.live) })
	return nil
}

// Copied says that the store is not the file itself but a copy, because another process has the file
// open for writing.
func (s *Store) Copied() bool { return s.copied }

// listen makes the socket of a file. Whoever calls has the file locked, so a socket that is there is
// what a kill left behind.
func listen(file *os.File) (net.Listener, error) {
	name, err := socketName(file)
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, folder := range socketFolders() {
		path := filepath.Join(folder, name)
		if len(path) > mostPath {
			errs = append(errs, fmt.Errorf("%s is too long for the path of a socket", path))
			continue
		}
		_ = os.Mkdir(folder, 0o700) // that it is not there is found out now
		if err := checkFolder(folder); err != nil {
			errs = append(errs, err)
			continue
		}
		_ = os.Remove(path)
		removeStale(folder)
		listener, err := net.Listen("unix", path)
		if err == nil {
			return listener, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

// removeStale removes the sockets in a folder that nobody listens at: those of killed runs.
func removeStale(folder string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		if entry.Type()&os.ModeSocket == 0 {
			continue
		}
		conn, err := net.DialTimeout("unix", path, time.Second)
		if err == nil {
			conn.Close()
		} else if errors.Is(err, syscall.ECONNREFUSED) {
			_ = os.Remove(path)
		}
	}
}

// socketName is a short name that follows from the file itself, whatever path leads to it.
func socketName(file *os.File) (string, error) {
	id, err := fileID(file)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:8]), nil
}

// serve gives copies to those who connect.
func (s *Store) serve(l *live) {
	clients := make(chan struct{}, mostClients)
	for {
		clients <- struct{}{}
		conn, err := l.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // no file handle is left, or the like
			<-clients
			time.Sleep(100 * time.Millisecond)
			continue
		}
		if !l.add(conn) {
			return
		}
		l.ended.Go(func() {
			defer func() { <-clients }()
			defer l.remove(conn)
			s.give(conn)
		})
	}
}

// give sends a copy of the file. The transaction ends before anything is sent: while one is open, a
// writer that needs a larger file waits for it.
func (s *Store) give(conn net.Conn) {
	patient := newPatient(conn, patience)
	defer patient.stop()
	scratch, err := newScratch()
	if err == nil {
		defer scratch.drop()
		err = s.view(func(tx *bolt.Tx) error {
			_, err := tx.WriteTo(scratch)
			return err
		})
	}
	var size int64
	if err == nil {
		size, err = scratch.Seek(0, io.SeekCurrent)
	}
	if err == nil {
		_, err = scratch.Seek(0, io.SeekStart)
	}
	if err != nil {
		fmt.Fprintf(patient, "error %s\n", results.Visible([]byte(err.Error()), mostHeader/2))
		return
	}
	fmt.Fprintf(patient, "copy %d\n", size)
	_, _ = io.Copy(patient, scratch) // the other end counts
}

// add notes a connection, so that close can end it; it says whether there is still time.
func (l *live) add(conn net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		conn.Close()
		return false
	}
	l.conns[conn] = true
	return true
}

func (l *live) remove(conn net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	conn.Close()
	delete(l.conns, conn)
}

// close ends the giving, and takes the socket away. Those that have not their whole copy will see that
// the file is free.
func (l *live) close() {
	l.mu.Lock()
	l.closed = true
	l.listener.Close()
	for conn := range l.conns {
		conn.Close()
	}
	l.mu.Unlock()
	l.ended.Wait()
}

// takeCopy asks the process that has a file open for writing for a copy. errNobody says that there is
// none to ask, errCutOff that it has ended meanwhile.
func takeCopy(file *os.File) (*scratch, error) {
	conn, err := dial(file)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	patient := newPatient(conn, patience)
	defer patient.stop()
	reader := bufio.NewReaderSize(patient, mostHeader)
	header, err := reader.ReadSlice('\n')
	if err != nil {
		return nil, errCutOff
	}
	kind, rest, _ := strings.Cut(strings.TrimSuffix(string(header), "\n"), " ")
	size, err := strconv.ParseInt(rest, 10, 64)
	switch {
	case kind == "error":
		return nil, fmt.Errorf("it could not copy the file: %s", results.Visible([]byte(rest), mostHeader))
	case kind != "copy" || err != nil || size < 0:
		return nil, fmt.Errorf("what it says is not understood: %q", header)
	}
	scratch, err := newScratch()
	if err != nil {
		return nil, err
	}
	source := &counting{Reader: reader}
	if _, err := io.CopyN(scratch, source, size); err != nil {
		scratch.drop()
		if source.failed {
			return nil, errCutOff
		}
		return nil, err
	}
	return scratch, nil
}

// dial connects to the process that has a file open.
func dial(file *os.File) (net.Conn, error) {
	name, err := socketName(file)
	if err != nil {
		return nil, err
	}
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

// patient closes a connection on which nothing moves for some time.
type patient struct {
	conn  net.Conn
	after time.Duration
	timer *time.Timer
}

func newPatient(conn net.Conn, after time.Duration) *patient {
	return &patient{conn, after, time.AfterFunc(after, func() { conn.Close() })}
}

func (p *patient) stop() { p.timer.Stop() }

func (p *patient) Read(b []byte) (int, error) {
	p.timer.Reset(p.after)
	return p.conn.Read(b[:min(len(b), mostAtOnce)])
}

func (p *patient) Write(b []byte) (written int, err error) {
	for err == nil && written < len(b) {
		p.timer.Reset(p.after)
		var n int
		n, err = p.conn.Write(b[written:min(len(b), written+mostAtOnce)])
		written += n
	}
	return written, err
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
