package store

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"

	bolt "go.etcd.io/bbolt"

	"sembra/results"
)

// Update is one thing that a store has written or was told, as those who follow it learn of it. Beside
// Tournament one of the other fields is set.
type Update struct {
	Tournament string              // the name of the tournament; "" of an event
	About      *results.Tournament // the tournament was begun, goes on in another shape, or has another Isolation
	Isolation  []string            // with About: as Store.Isolation has it
	Record     *results.Record     // a match was recorded, with its evidence
	Void       *results.Key        // a match came to nothing, and is played again

	Kind   string          // of an event, as it was told
	Event  json.RawMessage // the event
	Missed int             // events before this one that were dropped, because this end was too slow
}

// wireUpdate is an Update as a line of JSON. Stored values travel as they are stored, with their checksums.
type wireUpdate struct {
	Tournament string `json:"tournament,omitempty"`
	South      string `json:"south,omitempty"`
	North      string `json:"north,omitempty"`
	Pair       int    `json:"pair,omitempty"`
	Summary    []byte `json:"summary,omitempty"`
	Body       []byte `json:"body,omitempty"`
	Evidence   []byte `json:"evidence,omitempty"`
	Manifest   []byte `json:"manifest,omitempty"`
	Isolation  []byte `json:"isolation,omitempty"`

	Kind   string          `json:"kind,omitempty"`
	Event  json.RawMessage `json:"event,omitempty"`
	Missed int             `json:"missed,omitempty"`
}

// Tell passes an event on to all who follow the store. It waits for none of them: an event that somebody is
// too slow for is dropped for that one, and counted. Event is encoded as JSON, and kind says what it is.
func (s *Store) Tell(kind string, event any) error { return s.feed.tell(kind, event) }

// stream answers a request for what was written after the first n writes of a session.
func (s *Store) stream(conn net.Conn, to io.Writer, session, n string) {
	at, err := strconv.Atoi(n)
	if session != s.feed.session || err != nil || at < 0 || at > s.feed.len() {
		fmt.Fprintln(to, "error the file was opened again in the meantime")
		return
	}
	listener := s.feed.listen()
	defer s.feed.leave(listener)
	gone := make(chan struct{})
	s.live.ended.Go(func() {
		defer close(gone)
		_, _ = io.Copy(io.Discard, conn) // until the other end or this store closes the connection
	})
	lines := json.NewEncoder(to)
	for {
		some, more := s.feed.since(at)
		for _, w := range some {
			update, err := s.read(w)
			if err != nil || lines.Encode(update) != nil {
				return
			}
		}
		at += len(some)
		select {
		case event := <-listener.events:
			if lines.Encode(event) != nil {
				return
			}
			continue
		default:
		}
		if len(some) > 0 {
			continue
		}
		select {
		case <-gone:
			return
		case <-more:
		case event := <-listener.events:
			if lines.Encode(event) != nil {
				return
			}
		}
	}
}

// read reads from the file what was written.
func (s *Store) read(w writeOf) (u wireUpdate, err error) {
	u = wireUpdate{Tournament: w.tournament, South: w.key.South, North: w.key.North, Pair: w.key.Pair}
	err = s.view(func(tx *bolt.Tx) error {
		room, err := enter(tx, w.tournament)
		if err != nil {
			return err
		}
		switch raw := appendKey(nil, w.key); w.kind {
		case wroteTournament:
			u.Manifest = bytes.Clone(room.about.Get([]byte(keyManifest)))
			u.Isolation = bytes.Clone(room.about.Get([]byte(keyIsolation)))
		case wroteRecord:
			u.Summary, u.Body = bytes.Clone(room.summaries.Get(raw)), bytes.Clone(room.bodies.Get(raw))
			if room.evidence != nil {
				u.Evidence = bytes.Clone(room.evidence.Get(raw))
			}
		}
		return nil
	})
	return u, err
}

// Follow tells of what is written to the file after this copy of it was made, and of the events that its
// writer tells, one after another. It returns nil when the writer has let go of the file, the cause when the context is
// done, and any error of tell. The store must be a copy; see Copied. To go on after the end, open the file again.
func (s *Store) Follow(ctx context.Context, tell func(Update) error) error {
	if !s.copied {
		return s.wrap(errors.New("nobody else is writing to it, so there is nothing to follow"))
	}
	conn, err := dial(s.covers.socket)
	if errors.Is(err, errNobody) {
		return nil
	}
	if err != nil {
		return s.wrap(err)
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	_, _ = fmt.Fprintf(conn, "since %s %d\n", s.covers.session, s.covers.written) // where it fails, so does reading
	const longest = 64 << 20                                                      // bytes of a line; a record has some thousands
	lines := bufio.NewScanner(conn)
	lines.Buffer(nil, longest)
	for lines.Scan() {
		update, err := decodeUpdate(lines.Bytes())
		if err != nil {
			return s.wrap(err)
		}
		if err := tell(update); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return s.wrap(fmt.Errorf("a line of more than %d bytes came from its writer", longest))
	}
	return nil
}

// decodeUpdate reads a line of a stream.
func decodeUpdate(line []byte) (Update, error) {
	if text, failed := bytes.CutPrefix(line, []byte("error ")); failed {
		return Update{}, fmt.Errorf("it cannot be followed: %s", results.Visible(text, mostHeader))
	}
	var w wireUpdate
	if err := json.Unmarshal(line, &w); err != nil {
		return Update{}, fmt.Errorf("what its writer says is not understood: %w", err)
	}
	u := Update{Tournament: w.Tournament, Kind: w.Kind, Event: w.Event, Missed: w.Missed}
	key := results.Key{South: w.South, North: w.North, Pair: w.Pair}
	switch {
	case w.Event != nil:
		return u, nil
	case w.Manifest != nil:
		about, err := decodeTournament(w.Tournament, w.Manifest)
		if err != nil {
			return Update{}, err
		}
		u.About = &about
		u.Isolation, err = decodeIsolation(w.Tournament, w.Isolation)
		return u, err
	}
	if err := key.Check(); err != nil {
		return Update{}, err
	}
	if w.Summary == nil {
		u.Void = &key
		return u, nil
	}
	u.Record = &results.Record{Summary: results.Summary{Key: key}}
	raw := appendKey(nil, key)
	err := decodeSummary(raw, w.Summary, &u.Record.Summary)
	if err == nil {
		u.Record.Body, err = decodeBody(key, raw, w.Body)
	}
	if err == nil && w.Evidence != nil {
		u.Record.Evidence = new(results.Evidence)
		*u.Record.Evidence, err = decodeEvidence(key, raw, w.Evidence)
	}
	return u, err
}
