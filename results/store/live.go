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
	"strings"
	"sync"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"

	"sembra/results"
)

// While a store has its file open for writing, bbolt's lock keeps everybody else from it. So the store
// listens on a unix socket, in a folder that only its user can enter, under a name that follows from the
// file. Whoever connects sends one request, a line:
//
//	copy                  asks for the file as it stands
//	since SESSION N       asks for what this store has written after its first N writes, and goes on
//	                      until either end closes the connection
//
// To the first the store answers with a line and then as many bytes, a bbolt file:
//
//	copy SIZE SESSION N
//
// and to the second with a JSON object a line; see wireUpdate. Where it cannot, it answers:
//
//	error TEXT
//
// Nothing is done for a connection that has sent no request, as one that only looks whether somebody
// listens.
const (
	mostCopies  = 4  // that are given at once; others wait
	mostClients = 64 // connections at once; others wait
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

// live answers the requests of other processes.
type live struct {
	listener net.Listener
	copies   chan struct{} // holds a place for each copy that is being given
	ended    sync.WaitGroup

	mu     sync.Mutex
	closed bool
	conns  map[net.Conn]bool
}

// Share lets other processes of the same user read the file while this store has it open for writing:
// from now on until Close, OpenRead in them gives a copy of the file as it stands at that moment, and
// Follow on that copy tells what is written after it. The writer waits for none of them longer than it
// takes to copy the file on this machine.
func (s *Store) Share() error {
	if s.db.IsReadOnly() || s.live != nil {
		return s.wrap(errors.New("it cannot be shared: it is open for reading, or shared already"))
	}
	listener, err := listen(s.file)
	if err != nil {
		return s.wrap(fmt.Errorf("it cannot be read while it is written to: %w", err))
	}
	s.live = &live{listener: listener, copies: make(chan struct{}, mostCopies), conns: make(map[net.Conn]bool)}
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

// serve answers those who connect.
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
			s.answer(conn)
		})
	}
}

// answer reads a request and does what it asks for.
func (s *Store) answer(conn net.Conn) {
	patient := newPatient(conn, patience)
	defer patient.stop()
	request, err := bufio.NewReaderSize(patient, mostHeader).ReadSlice('\n')
	if err != nil {
		return // it only looked whether somebody listens
	}
	patient.stop() // until something is written
	words := strings.Fields(string(request))
	switch {
	case len(words) == 1 && words[0] == "copy":
		s.live.copies <- struct{}{}
		defer func() { <-s.live.copies }()
		s.give(patient)
	case len(words) == 3 && words[0] == "since":
		s.stream(conn, patient, words[1], words[2])
	default:
		fmt.Fprintf(patient, "error the request is not understood: %s\n", results.Visible(request, mostHeader/2))
	}
}

// give sends a copy of the file. The transaction ends before anything is sent: while one is open, a
// writer that needs a larger file waits for it.
func (s *Store) give(to io.Writer) {
	scratch, err := newScratch()
	if err != nil {
		fmt.Fprintf(to, "error %s\n", results.Visible([]byte(err.Error()), mostHeader/2))
		return
	}
	defer scratch.drop()
	size, written, err := s.copyTo(scratch)
	if err != nil {
		fmt.Fprintf(to, "error %s\n", results.Visible([]byte(err.Error()), mostHeader/2))
		return
	}
	fmt.Fprintf(to, "copy %d %s %d\n", size, s.feed.session, written)
	_, _ = io.Copy(to, scratch) // the other end counts
}

// copyTo writes the file as it stands, and says how many writes of this store it has.
func (s *Store) copyTo(scratch *scratch) (size int64, written int, err error) {
	written = s.feed.len() // before the transaction: what is written meanwhile may be in the copy and told again
	err = s.view(func(tx *bolt.Tx) error {
		_, err := tx.WriteTo(scratch)
		return err
	})
	if err == nil {
		size, err = scratch.Seek(0, io.SeekCurrent)
	}
	if err == nil {
		_, err = scratch.Seek(0, io.SeekStart)
	}
	return size, written, err
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
