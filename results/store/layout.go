package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"

	bolt "go.etcd.io/bbolt"

	"sembra/results"
)

// The layout of the file, as buckets with their keys:
//
//	sembra
//	  schema            see steps
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

// createBuckets makes the buckets of an empty file.
func createBuckets(tx *bolt.Tx) error {
	for _, name := range topBuckets() {
		if _, err := tx.CreateBucket([]byte(name)); err != nil {
			return err
		}
	}
	return nil
}

// checkSchema checks that the file is a database of this program, and of a schema that it knows. It returns the steps
// that the file misses. A file without a bucket is empty: it is new, or a kill came before the first transaction.
func checkSchema(tx *bolt.Tx, all []step) (empty bool, missing []step, err error) {
	ours := tx.Bucket([]byte(bucketOurs))
	if ours == nil {
		if first, _ := tx.Cursor().First(); first != nil {
			return false, nil, errNoDatabase
		}
		return true, []step{createBuckets}, nil
	}
	parted := errors.New("damaged: a part of it is missing")
	text := ours.Get([]byte(keySchema))
	if text == nil {
		return false, nil, parted
	}
	schema, err := strconv.Atoi(string(text))
	if err != nil || schema < oldest || schema > newest(all) {
		return false, nil, &SchemaError{Found: string(text), newest: newest(all)}
	}
	missing = all[schema-oldest:]
	lacks := func(name string) bool { return tx.Bucket([]byte(name)) == nil }
	if len(missing) == 0 && slices.ContainsFunc(topBuckets(), lacks) { // an older schema may have others
		return false, nil, parted
	}
	return false, missing, nil
}

// SchemaError says that this version of sembra cannot read the schema of a file.
type SchemaError struct {
	Found  string
	newest int
}

// Error says which version can read the file.
func (e *SchemaError) Error() string {
	wrote := "a newer sembra wrote it"
	if schema, err := strconv.Atoi(e.Found); err == nil && schema < oldest {
		wrote = "it is from before sembra 1.0"
	}
	return fmt.Sprintf("%s: it has schema %.20q, and this sembra reads schemas %d to %d (hint: use the sembra that "+
		"wrote it, or another --db)", wrote, e.Found, oldest, e.newest)
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
