package store

import (
	"bytes"
	"encoding/binary"
	"encoding/json"

	bolt "go.etcd.io/bbolt"

	"sembra/results"
)

// wireUpdate is a line of JSON that tells one thing that a store has written, or an event of the run. Stored
// values are sent as they are stored, with their checksums. An event comes after what was written before it: the
// record of a match comes before the event that the match has ended.
type wireUpdate struct {
	Tournament string   `json:"tournament,omitempty"`
	South      string   `json:"south,omitempty"`
	North      string   `json:"north,omitempty"`
	Pair       int      `json:"pair,omitempty"`
	Summary    []byte   `json:"summary,omitempty"`
	Body       []byte   `json:"body,omitempty"`
	Evidence   []byte   `json:"evidence,omitempty"`
	Worker     []byte   `json:"worker,omitempty"`
	Voids      [][]byte `json:"voids,omitempty"` // of the match, numbered from 1
	Manifest   []byte   `json:"manifest,omitempty"`
	Isolation  []byte   `json:"isolation,omitempty"`

	Event json.RawMessage `json:"event,omitempty"`
}

// read reads from the file what was written.
func (s *Store) read(writes []write) (updates []wireUpdate, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		for _, w := range writes {
			err := inBuckets(tx, w.tournament, func(in buckets) error {
				updates = append(updates, in.read(w))
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return updates, err
}

func (b buckets) read(w write) wireUpdate {
	u := wireUpdate{Tournament: w.tournament, South: w.key.South, North: w.key.North, Pair: w.key.Pair}
	switch raw := appendKey(nil, w.key); w.kind {
	case wroteTournament:
		u.Manifest = bytes.Clone(b.about.Get([]byte(keyManifest)))
		u.Isolation = bytes.Clone(b.about.Get([]byte(keyIsolation)))
	case wroteRecord:
		u.Summary, u.Body = bytes.Clone(b.summaries.Get(raw)), bytes.Clone(b.bodies.Get(raw))
		if b.evidence != nil {
			u.Evidence = bytes.Clone(b.evidence.Get(raw))
		}
		if b.workers != nil {
			u.Worker = bytes.Clone(b.workers.Get(raw))
		}
	case wroteVoid:
		cursor := b.voids.Cursor()
		for at, value := cursor.Seek(raw); isNumbered(at, raw); at, value = cursor.Next() {
			u.Voids = append(u.Voids, bytes.Clone(value))
		}
	}
	return u
}

// apply writes into a copy what was written to the file. What the copy has already stays as it is.
func (u *wireUpdate) apply(tx *bolt.Tx) error {
	if u.Manifest != nil {
		return u.applyTournament(tx)
	}
	key := results.Key{South: u.South, North: u.North, Pair: u.Pair}
	if err := key.Check(); err != nil {
		return err
	}
	raw := appendKey(nil, key)
	return inBuckets(tx, u.Tournament, func(in buckets) error {
		for i, void := range u.Voids {
			if err := in.voids.Put(binary.BigEndian.AppendUint32(bytes.Clone(raw), uint32(i+1)), void); err != nil {
				return err
			}
		}
		if u.Summary == nil || in.summaries.Get(raw) != nil {
			return nil
		}
		return in.put(encodedRecord{key: raw, summary: u.Summary, body: u.Body, evidence: u.Evidence, worker: u.Worker})
	})
}

// applyTournament writes the plan and the isolation of a tournament. A replacement that is new supersedes the
// matches of its bots.
func (u *wireUpdate) applyTournament(tx *bolt.Tx) error {
	about, err := decodeTournament(u.Tournament, u.Manifest)
	if err != nil {
		return err
	}
	bucket := tx.Bucket([]byte(bucketTournaments)).Bucket([]byte(u.Tournament))
	if bucket == nil {
		in, err := createIn(tx, about, u.Manifest)
		if err == nil && u.Isolation != nil {
			err = in.about.Put([]byte(keyIsolation), u.Isolation)
		}
		return err
	}
	old, err := manifest(bucket, u.Tournament)
	if err != nil {
		return err
	}
	return inBuckets(tx, u.Tournament, func(in buckets) error {
		for number := len(old.Replacements) + 1; number <= len(about.Replacements); number++ {
			if err := in.supersede(about.Replacements[number-1].Bots, number); err != nil {
				return err
			}
		}
		if err := in.about.Put([]byte(keyManifest), u.Manifest); err != nil || u.Isolation == nil {
			return err
		}
		return in.about.Put([]byte(keyIsolation), u.Isolation)
	})
}
