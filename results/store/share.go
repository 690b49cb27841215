package store

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"

	"sembra/results"
)

// While a store has its file open for writing, bbolt's lock keeps all other processes out. So the store
// listens on a unix socket, in a folder that only its user can access and under a name that follows from
// the file. A client sends one request, which is a line:
//
//	copy                  asks for the file as it is now
//	since SESSION N       asks for what this store writes after its first N writes, until one end closes
//	                      the connection
//
// The store answers "copy" with a line and then that many bytes, which are a bbolt file:
//
//	copy SIZE SESSION N
//
// It answers "since" with JSON objects, one on each line; see wireUpdate. An answer to either can be:
//
//	error TEXT
//
// The store does no work for a connection without a request: such a client only checks whether the socket
// is in use.
const (
	mostCopies  = 4  // sent at the same time; other clients wait
	mostClients = 64 // connected at the same time; others wait
	patience    = 30 * time.Second
	gather      = 200 * time.Millisecond // between two answers to "since" without an event: it saves work
	mostHeader  = 1 << 10                // bytes
)

// server answers the requests of other processes.
type server struct {
	listener net.Listener
	events   Events        // nil: none
	copies   chan struct{} // holds a place for each copy that is being sent
	running  sync.WaitGroup

	mu     sync.Mutex
	closed bool
	conns  map[net.Conn]bool
}

// Events begins to listen to what happens in a run beside what is written. The channel carries one event at a
// time, encoded as JSON, and is closed at the end of the run. Whoever listens has to call stop.
type Events func() (channel <-chan json.RawMessage, stop func())

// Share lets other processes of the same user read the file while this store has it open for writing. From
// now on until Close, OpenRead in them returns a copy of the file as it is at that moment. Follow on that copy
// reports what is written later, and the events (nil: there are none). The writer waits for a client only while
// the file is copied on this machine.
func (s *Store) Share(events Events) error {
	if s.db.IsReadOnly() || s.server != nil {
		return s.wrap(errors.New("it cannot be shared: it is open for reading, or shared already"))
	}
	listener, err := listen(s.folders.sockets, s.file)
	if err != nil {
		return s.wrap(fmt.Errorf("other processes cannot read it during this run: %w", err))
	}
	s.server = &server{
		listener: listener, events: events, copies: make(chan struct{}, mostCopies), conns: make(map[net.Conn]bool),
	}
	s.server.running.Go(s.serve)
	return nil
}

// serve answers clients until the listener is closed.
func (s *Store) serve() {
	clients := make(chan struct{}, mostClients)
	for {
		clients <- struct{}{}
		conn, err := s.server.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // for example, no file handle is left
			<-clients
			time.Sleep(100 * time.Millisecond)
			continue
		}
		if !s.server.add(conn) {
			return
		}
		s.server.running.Go(func() {
			defer func() { <-clients }()
			defer s.server.remove(conn)
			s.answer(patient{conn, patience})
		})
	}
}

// answer reads a request and does what it asks for.
func (s *Store) answer(client patient) {
	request, err := bufio.NewReaderSize(client, mostHeader).ReadSlice('\n')
	if err != nil {
		return // the client only checked whether the socket is in use
	}
	words := strings.Fields(string(request))
	switch {
	case len(words) == 1 && words[0] == "copy":
		s.server.copies <- struct{}{}
		defer func() { <-s.server.copies }()
		s.sendCopy(client)
	case len(words) == 3 && words[0] == "since":
		s.sendUpdates(client, words[1], words[2])
	default:
		sendError(client, "the request is not understood: "+strings.TrimSuffix(string(request), "\n"))
	}
}

func sendError(to io.Writer, text string) {
	fmt.Fprintf(to, "error %s\n", results.Visible([]byte(text), mostHeader/2))
}

// sendCopy sends a copy of the file. The read transaction ends before anything is sent, because a writer
// that needs a larger file waits for all transactions.
func (s *Store) sendCopy(to io.Writer) {
	scratch, err := newScratch(s.folders.copies)
	if err != nil {
		sendError(to, err.Error())
		return
	}
	defer scratch.drop()
	size, written, err := s.copyTo(scratch)
	if err != nil {
		sendError(to, err.Error())
		return
	}
	fmt.Fprintf(to, "copy %d %s %d\n", size, s.feed.session, written)
	_, _ = io.Copy(to, scratch) // the client counts the bytes
}

// copyTo writes the file as it is now, and returns its size in bytes and how many writes of this store it
// has at least.
func (s *Store) copyTo(scratch *scratch) (size int64, written int, err error) {
	written = s.feed.len() // before the transaction: a write in between is in the copy and is sent again
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

// sendUpdates sends what was written after the first n writes of a session, and the events told from now
// on.
func (s *Store) sendUpdates(client patient, session, n string) {
	at, err := strconv.Atoi(n)
	if session != s.feed.session || err != nil || at < 0 || at > s.feed.len() {
		sendError(client, "the file was opened again in the meantime")
		return
	}
	var events <-chan json.RawMessage // nil: it never has one
	if s.server.events != nil {
		var stop func()
		events, stop = s.server.events()
		defer stop()
	}
	gone := make(chan struct{})
	s.server.running.Go(func() {
		defer close(gone)
		_, _ = io.Copy(io.Discard, client.Conn) // until the client or this store closes the connection
	})
	out := bufio.NewWriterSize(client, 64<<10)
	lines := json.NewEncoder(out)
	for event := json.RawMessage(nil); ; {
		more, err := s.sendWrites(lines, &at)
		if err == nil && event != nil {
			err = lines.Encode(wireUpdate{Event: event})
		}
		if err != nil || out.Flush() != nil {
			return
		}
		event = nil
		var due <-chan time.Time
		for waiting := true; waiting; {
			select {
			case <-gone:
				return
			case <-more:
				more, due = nil, time.After(gather)
			case <-due:
				waiting = false
			case told, open := <-events:
				if event, waiting = told, !open; !open {
					events = nil
				}
			}
		}
	}
}

// sendWrites sends the writes from at on that there are now, and moves at on. The channel is closed as soon as
// there are more.
func (s *Store) sendWrites(lines *json.Encoder, at *int) (more <-chan struct{}, err error) {
	for until := s.feed.len(); ; {
		some, more := s.feed.since(*at)
		if len(some) == 0 {
			return more, nil
		}
		updates, err := s.read(some)
		if err != nil {
			return nil, err
		}
		for _, update := range updates {
			if err := lines.Encode(update); err != nil {
				return nil, err
			}
		}
		if *at += len(some); *at >= until {
			return more, nil
		}
	}
}

// add notes a connection for close, and reports whether the server is still open.
func (v *server) add(conn net.Conn) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.closed {
		conn.Close()
		return false
	}
	v.conns[conn] = true
	return true
}

func (v *server) remove(conn net.Conn) {
	v.mu.Lock()
	defer v.mu.Unlock()
	conn.Close()
	delete(v.conns, conn)
}

// close closes all connections and the listener, which removes the socket. A client with an incomplete
// copy tries again and finds the file free.
func (v *server) close() {
	v.mu.Lock()
	v.closed = true
	v.listener.Close()
	for conn := range v.conns {
		conn.Close()
	}
	v.mu.Unlock()
	v.running.Wait()
}
