package store

import (
	"bytes"
	"encoding/json"
	"fmt"

	"sembra/results"
)

// wireUpdate is an Update as a line of JSON. Stored values are sent as they are stored, with their
// checksums.
type wireUpdate struct {
	Tournament string `json:"tournament,omitempty"`
	South      string `json:"south,omitempty"`
	North      string `json:"north,omitempty"`
	Pair       int    `json:"pair,omitempty"`
	Summary    []byte `json:"summary,omitempty"`
	Body       []byte `json:"body,omitempty"`
	Evidence   []byte `json:"evidence,omitempty"`
	Worker     []byte `json:"worker,omitempty"`
	Manifest   []byte `json:"manifest,omitempty"`
	Isolation  []byte `json:"isolation,omitempty"`

	Event json.RawMessage `json:"event,omitempty"`
}

// read reads from the file what was written.
func (s *Store) read(w write) (wireUpdate, error) {
	u := wireUpdate{Tournament: w.tournament, South: w.key.South, North: w.key.North, Pair: w.key.Pair}
	err := s.viewIn(w.tournament, func(in buckets) error {
		switch raw := appendKey(nil, w.key); w.kind {
		case wroteTournament:
			u.Manifest = bytes.Clone(in.about.Get([]byte(keyManifest)))
			u.Isolation = bytes.Clone(in.about.Get([]byte(keyIsolation)))
		case wroteRecord:
			u.Summary, u.Body = bytes.Clone(in.summaries.Get(raw)), bytes.Clone(in.bodies.Get(raw))
			if in.evidence != nil {
				u.Evidence = bytes.Clone(in.evidence.Get(raw))
			}
			if in.workers != nil {
				u.Worker = bytes.Clone(in.workers.Get(raw))
			}
		}
		return nil
	})
	return u, err
}

// decodeUpdate reads a line that a store has sent.
func decodeUpdate(line []byte) (Update, error) {
	if text, failed := bytes.CutPrefix(line, []byte("error ")); failed {
		return Update{}, fmt.Errorf("it cannot be followed: %s", results.Visible(text, mostHeader))
	}
	var w wireUpdate
	if err := json.Unmarshal(line, &w); err != nil {
		return Update{}, fmt.Errorf("a line from its writer is not understood: %w", err)
	}
	u := Update{Tournament: w.Tournament, Event: w.Event}
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
	key := results.Key{South: w.South, North: w.North, Pair: w.Pair}
	if err := key.Check(); err != nil {
		return Update{}, err
	}
	if w.Summary == nil {
		u.Void = &key
		return u, nil
	}
	var err error
	u.Record, err = w.record(key)
	return u, err
}

// record decodes the values of a record.
func (w *wireUpdate) record(key results.Key) (*results.Record, error) {
	record := &results.Record{Summary: results.Summary{Key: key}}
	raw := appendKey(nil, key)
	err := decodeSummary(raw, w.Summary, &record.Summary)
	if err == nil {
		record.Body, err = decodeBody(key, raw, w.Body)
	}
	if err == nil {
		record.Evidence, err = decodeEvidence(key, raw, w.Evidence)
	}
	if err == nil {
		record.Worker, err = decodeWorker(key, raw, w.Worker)
	}
	return record, err
}
