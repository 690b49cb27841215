package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	bolt "go.etcd.io/bbolt"

	"sembra/results"
)

// The layout of the file, as buckets with their keys:
//
//	sembra
//	  schema            see schema
//	tournaments
//	  NAME              the manifest of a tournament
//	ratings
//	  NAME              its stored ratings
//	summaries
//	  NAME
//	    key of a match  its Summary
//	bodies
//	  NAME
//	    key of a match  its Body and its Evidence
//	voids
//	  NAME
//	    key of a match and a number, 4 bytes, big-endian: the reason
//
// For the keys of matches see appendKey, for values see seal.
const (
	bucketOurs        = "sembra"
	bucketTournaments = "tournaments"
	bucketRatings     = "ratings"
	bucketSummaries   = "summaries"
	bucketBodies      = "bodies"
	bucketVoids       = "voids"

	keySchema = "schema"
)

// topBuckets returns the names of the buckets of a file. The last three have a bucket for each tournament.
func topBuckets() []string {
	return []string{bucketOurs, bucketTournaments, bucketRatings, bucketSummaries, bucketBodies, bucketVoids}
}

// writeSchema makes the buckets of an empty file.
func writeSchema(tx *bolt.Tx) error {
	for _, name := range topBuckets() {
		if _, err := tx.CreateBucketIfNotExists([]byte(name)); err != nil {
			return err
		}
	}
	return tx.Bucket([]byte(bucketOurs)).Put([]byte(keySchema), []byte(schema))
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
	if got != nil && string(got) != schema { // whatever buckets that schema has
		return false, &SchemaError{Found: string(got)}
	}
	missing := func(name string) bool { return tx.Bucket([]byte(name)) == nil }
	if got == nil || slices.ContainsFunc(topBuckets(), missing) {
		return false, errors.New("damaged: a part of it is missing")
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

// appendKey appends k as it is stored: south, NUL, north, NUL, and pair in four bytes, big-endian. So the
// keys of two bots in the same seats follow each other by pair.
func appendKey(to []byte, k results.Key) []byte {
	to = append(to, k.South...)
	to = append(to, 0)
	to = append(to, k.North...)
	to = append(to, 0)
	return binary.BigEndian.AppendUint32(to, uint32(k.Pair))
}

// readKey reads a stored key.
func readKey(raw []byte) (key results.Key, err error) {
	south, rest, _ := bytes.Cut(raw, []byte{0})
	north, pair, _ := bytes.Cut(rest, []byte{0})
	if len(south) == 0 || len(north) == 0 || len(pair) != 4 || binary.BigEndian.Uint32(pair) == 0 {
		return key, fmt.Errorf("%q is not the key of a match", raw)
	}
	return results.Key{South: string(south), North: string(north), Pair: int(binary.BigEndian.Uint32(pair))}, nil
}
