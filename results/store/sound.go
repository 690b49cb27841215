package store

import (
	"bytes"
	"errors"
	"fmt"

	bolt "go.etcd.io/bbolt"
)

// checkSound checks what may be damaged in a file whose pages form a tree, before anything is written: the meta
// pages, the parts of each tournament and every checksum. Verify also referees the matches, which takes much
// longer.
func (s *Store) checkSound() error {
	err := s.withFile(true, checkMetas)
	if err == nil {
		err = s.checkTournaments()
	}
	if err != nil {
		const refused = "%w, so nothing is written to it (hint: sembra verify --db %s lists all damage)"
		return fmt.Errorf(refused, s.wrap(err), s.path)
	}
	return nil
}

func (s *Store) checkTournaments() error {
	var tournaments []*tournamentCheck
	v := verifier{store: s}
	err := s.view(func(tx *bolt.Tx) (err error) {
		tournaments, err = v.list(tx)
		return err
	})
	if len(v.pending) > 0 {
		return fmt.Errorf("damaged: %v", v.pending[0])
	}
	if none := new(UnknownError); errors.As(err, &none) {
		err = nil // nothing was run yet
	}
	for _, t := range tournaments {
		if err == nil {
			err = s.viewIn(t.name, buckets.checkSums)
		}
	}
	return err
}

// checkSums checks the checksums of the matches and ratings of a tournament, and that each match has both a summary
// and a body. It decodes no record.
func (b buckets) checkSums() error {
	for _, part := range []struct {
		what   string
		bucket *bolt.Bucket
	}{
		{"summary", b.summaries},
		{"body", b.bodies},
		{"evidence", b.evidence},
		{"worker", b.workers},
		{"note of a void match", b.voids},
	} {
		if part.bucket == nil {
			continue
		}
		err := part.bucket.ForEach(func(raw, value []byte) error {
			if _, err := unseal(raw, value); err != nil {
				return fmt.Errorf("damaged: in tournament %q, the %s of %s: %w", b.name, part.what, keyText(raw), err)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	summaries, bodies := b.summaries.Cursor(), b.bodies.Cursor()
	summary, _ := summaries.First()
	body, _ := bodies.First()
	for summary != nil || body != nil {
		if !bytes.Equal(summary, body) {
			return fmt.Errorf("damaged: in tournament %q, the summary of match %s stands beside the body of match %s",
				b.name, keyText(summary), keyText(body))
		}
		summary, _ = summaries.Next()
		body, _ = bodies.Next()
	}
	_, err := b.readRatings()
	return err
}
