package store

import (
	"errors"
	"fmt"

	bolt "go.etcd.io/bbolt"
)

// The layout of the file, as buckets with their keys:
//
//	sembra
//	  schema            "4"
//	tournaments
//	  NAME
//	    about
//	      manifest      the Tournament
//	      isolation     what the machine isolated, if it was noted
//	    number          order of creation, 8 bytes, big-endian
//	    summaries       key of a match: its Summary
//	    bodies          key of a match: its Body
//	    evidence        key of a match: its Evidence, if it has any; the first Evidence creates the bucket
//	    workers         key of a match: the worker that played it, if it was not the runner; the first creates the bucket
//	    voids           key of a match and a number, 4 bytes, big-endian: the reason
//	    ratings
//	      elo           the stored ratings
//
// The manifest is in a bucket of its own because bbolt rewrites the page of a bucket whenever a bucket
// inside it changes. For the keys of matches see appendKey, for values see seal.
const (
	schema = "4"

	bucketOurs        = "sembra"
	bucketTournaments = "tournaments"
	bucketAbout       = "about"
	bucketSummaries   = "summaries"
	bucketBodies      = "bodies"
	bucketEvidence    = "evidence"
	bucketWorkers     = "workers"
	bucketVoids       = "voids"
	bucketRatings     = "ratings"

	keySchema    = "schema"
	keyManifest  = "manifest"
	keyNumber    = "number"
	keyIsolation = "isolation"
	keyElo       = "elo"
)

var errPartMissing = errors.New("damaged: a part of it is missing")

// writeSchema makes the buckets of an empty file.
func writeSchema(tx *bolt.Tx) error {
	ours, err := tx.CreateBucketIfNotExists([]byte(bucketOurs))
	if err != nil {
		return err
	}
	if _, err := tx.CreateBucketIfNotExists([]byte(bucketTournaments)); err != nil {
		return err
	}
	return ours.Put([]byte(keySchema), []byte(schema))
}

// checkSchema checks that the file is a database of this program and of this schema. A file without a
// bucket is empty: it is new, or a kill came before the first transaction.
func checkSchema(tx *bolt.Tx) (empty bool, err error) {
	ours := tx.Bucket([]byte(bucketOurs))
	if ours == nil {
		if first, _ := tx.Cursor().First(); first != nil {
			return false, errNoDatabase
		}
		return true, nil
	}
	got := ours.Get([]byte(keySchema))
	switch {
	case got != nil && string(got) != schema: // whatever buckets that schema has
		return false, &SchemaError{Found: string(got)}
	case got == nil || tx.Bucket([]byte(bucketTournaments)) == nil:
		return false, errPartMissing
	}
	return false, nil
}

// SchemaError says that a file has another schema, because another version of sembra wrote it.
type SchemaError struct{ Found string }

// Error names both schemas.
func (e *SchemaError) Error() string {
	return fmt.Sprintf("it has schema %.20q, and this sembra knows schema %q: another version of sembra wrote it "+
		"(hint: use that version, or another --db)", e.Found, schema)
}
