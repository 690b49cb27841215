package store

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"sembra/results"
)

// Update is one thing that a store has written, or an event of the run. Tournament names the tournament of
// what was written, and one of About, Record and Void tells what it was. An event has Event alone. It comes
// after what was written before it: the record of a match comes before the event that the match has ended.
type Update struct {
	Tournament string
	// About tells that the tournament was begun, its plan changed, or Isolation changed. A new one of its
	// Replacements has superseded all matches of its bots.
	About     *results.Tournament
	Isolation []string        // with About: what Book.Isolation returns
	Record    *results.Record // a match was recorded; with its evidence
	Void      *results.Key    // a match was void; it is played again

	Event json.RawMessage // the event, as the run encodes it
}

// Follow calls tell for all that is written to the file after this copy of it was made, and for the events
// of the run. It may report a write that the copy has already. It returns nil when the writer
// closes the file, the cause when the context is done, and any error of tell. The store must be a copy; see
// Copied. To continue after the end, open the file again.
func (s *Store) Follow(ctx context.Context, tell func(Update) error) error {
	if s.copy == nil {
		return s.wrap(errors.New("no other process is writing to it, so there is nothing to follow"))
	}
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

	const longest = 64 << 20 // bytes of a line; most records have some thousands
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
		return s.wrap(fmt.Errorf("its writer sent a line of more than %d bytes", longest))
	}
	return nil
}
