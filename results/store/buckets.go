package store

import (
	"cmp"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"sembra/results"
	"sembra/results/schedule"
)

// buckets are the buckets of one tournament, within one transaction.
type buckets struct {
	name                                     string
	whole                                    *bolt.Bucket // which the others are in
	about, summaries, bodies, voids, ratings *bolt.Bucket
	evidence, workers                        *bolt.Bucket // nil while there is none
}

// inBuckets calls a function with the buckets of a tournament. A *UnknownError says that there is no such
// tournament.
func inBuckets(tx *bolt.Tx, name string, work func(buckets) error) error {
	parent := tx.Bucket([]byte(bucketTournaments))
	if parent == nil {
		return errPartMissing
	}
	bucket := parent.Bucket([]byte(name))
	if bucket == nil {
		all, err := tournaments(tx)
		if err != nil {
			return err
		}
		return unknown(name, all)
	}
	in, err := bucketsIn(bucket, name)
	if err != nil {
		return err
	}
	return work(in)
}

// bucketsIn finds the parts of a tournament's bucket.
func bucketsIn(bucket *bolt.Bucket, name string) (buckets, error) {
	b := buckets{
		name:      name,
		whole:     bucket,
		about:     bucket.Bucket([]byte(bucketAbout)),
		summaries: bucket.Bucket([]byte(bucketSummaries)),
		bodies:    bucket.Bucket([]byte(bucketBodies)),
		voids:     bucket.Bucket([]byte(bucketVoids)),
		ratings:   bucket.Bucket([]byte(bucketRatings)),
		evidence:  bucket.Bucket([]byte(bucketEvidence)),
		workers:   bucket.Bucket([]byte(bucketWorkers)),
	}
	if b.about == nil || b.summaries == nil || b.bodies == nil || b.voids == nil || b.ratings == nil {
		return buckets{}, fmt.Errorf("damaged: a part of tournament %q is missing", name)
	}
	// Records come in the order of their keys, for each two bots. By default, bbolt would leave half of each page
	// empty for keys between these.
	const fill = 0.9
	b.summaries.FillPercent, b.bodies.FillPercent = fill, fill
	return b, nil
}

// readIsolation reads the lines that were noted of isolation; nil if there are none.
func (b buckets) readIsolation() ([]string, error) {
	return decodeIsolation(b.name, b.about.Get([]byte(keyIsolation)))
}

// putRecord stores a record with its evidence. A match that is stored already stays as it is.
func (b buckets) putRecord(record results.Record) error {
	raw := appendKey(nil, record.Key)
	if b.summaries.Get(raw) != nil {
		return nil
	}
	encoded, err := encodeRecord(raw, record)
	if err != nil {
		return err
	}
	return b.put(encoded)
}

// encodedRecord is the values of a record as they are stored, with their key.
type encodedRecord struct {
	key, summary, body []byte
	evidence, worker   []byte // nil: none
}

func encodeRecord(raw []byte, record results.Record) (e encodedRecord, err error) {
	e.key, e.summary = raw, encodeSummary(raw, record.Summary)
	if e.body, err = encodeBody(raw, record.Body); err != nil {
		return e, fmt.Errorf("record of %v: %w", record.Key, err)
	}
	if record.Evidence != nil {
		if e.evidence, err = encodeJSON(raw, *record.Evidence); err != nil {
			return e, fmt.Errorf("evidence of %v: %w", record.Key, err)
		}
	}
	if record.Worker != (results.Worker{}) {
		e.worker = encodeWorker(raw, record.Worker)
	}
	return e, nil
}

// put stores the values of a record.
func (b buckets) put(e encodedRecord) error {
	if err := b.bodies.Put(e.key, e.body); err != nil {
		return err
	}
	for _, part := range []struct {
		bucket string
		value  []byte
	}{{bucketEvidence, e.evidence}, {bucketWorkers, e.worker}} {
		if part.value == nil {
			continue
		}
		bucket, err := b.whole.CreateBucketIfNotExists([]byte(part.bucket))
		if err != nil {
			return err
		}
		if err := bucket.Put(e.key, part.value); err != nil {
			return err
		}
	}
	return b.summaries.Put(e.key, e.summary)
}

// readSummary reads the summary of one match; found is false if the match is not recorded.
func (b buckets) readSummary(key results.Key) (s results.Summary, found bool, err error) {
	s.Key = key
	raw := appendKey(make([]byte, 0, 64), key)
	value := b.summaries.Get(raw)
	if value == nil {
		return s, false, nil
	}
	return s, true, decodeSummary(raw, value, &s)
}

// readBody reads the body of a recorded match.
func (b buckets) readBody(key results.Key) (results.Body, error) {
	raw := appendKey(nil, key)
	value := b.bodies.Get(raw)
	if value == nil {
		return results.Body{}, fmt.Errorf("there is no record of %v in tournament %q", key, b.name)
	}
	return decodeBody(key, raw, value)
}

// readEvidence reads the evidence of one match; nil if there is none.
func (b buckets) readEvidence(key results.Key) (*results.Evidence, error) {
	if b.evidence == nil {
		return nil, nil
	}
	raw := appendKey(nil, key)
	return decodeEvidence(key, raw, b.evidence.Get(raw))
}

// readWorker reads who played one match.
func (b buckets) readWorker(key results.Key) (results.Worker, error) {
	if b.workers == nil {
		return results.Worker{}, nil
	}
	raw := appendKey(nil, key)
	return decodeWorker(key, raw, b.workers.Get(raw))
}

// follow adds the recorded matches to a schedule that depends on them, without those of the replaced bots. A damaged
// one counts as missing, and the error is that of the first damaged one.
func (b buckets) follow(order *schedule.Schedule, replaced []string) (damage error) {
	order.Follow(func(key results.Key) (results.Summary, bool) {
		if key.Of(replaced) {
			return results.Summary{}, false
		}
		summary, found, err := b.readSummary(key)
		damage = cmp.Or(damage, err)
		return summary, found && err == nil
	})
	return damage
}

// slots returns the slot of each recorded match, in the order of the stored keys. Recorded matches that are not in the
// schedule are an error that names them.
func (b buckets) slots(order *schedule.Schedule) (slots []int32, err error) {
	var strangers []results.Key
	keys := newKeyReader()
	cursor := b.summaries.Cursor()
	for raw, _ := cursor.First(); raw != nil; raw, _ = cursor.Next() {
		key, err := keys.read(raw)
		if err != nil {
			return nil, err
		}
		slot, ok := order.Slot(key)
		if !ok || slot < 1 || slot > order.Len() {
			strangers = append(strangers, key)
			continue
		}
		slots = append(slots, int32(slot))
	}
	if len(strangers) > 0 {
		return nil, fmt.Errorf("recorded matches are not in the schedule of tournament %q: %s", b.name, listKeys(strangers))
	}
	return slots, nil
}

// inOrder reads all summaries into schedule order. The slots are what the method slots returned, and
// length is the number of slots in the schedule.
func (b buckets) inOrder(slots []int32, length int) ([]results.Slotted, error) {
	rank := make([]int32, length+1) // by slot: its place among the recorded ones, from 1
	for _, slot := range slots {
		if rank[slot] != 0 {
			return nil, fmt.Errorf("two matches of tournament %q have slot %d", b.name, slot)
		}
		rank[slot] = 1
	}
	recorded := int32(0)
	for slot := range rank {
		recorded += rank[slot]
		rank[slot] *= recorded
	}
	summaries := make([]results.Slotted, len(slots))
	keys := newKeyReader()
	cursor := b.summaries.Cursor()
	raw, value := cursor.First()
	for _, slot := range slots {
		at := &summaries[rank[slot]-1]
		at.Slot = int(slot)
		var err error
		if at.Key, err = keys.read(raw); err != nil {
			return nil, err
		}
		if err := decodeSummary(raw, value, &at.Summary); err != nil {
			return nil, err
		}
		raw, value = cursor.Next()
	}
	return summaries, nil
}

// readRatings reads the stored ratings.
func (b buckets) readRatings() (results.Ratings, error) {
	stored, err := decodeRatings([]byte(b.name), b.ratings.Get([]byte(keyElo)))
	if err != nil {
		return results.Ratings{}, fmt.Errorf("the ratings of tournament %q are damaged: %w", b.name, err)
	}
	return stored, nil
}

func (b buckets) putRatings(ratings results.Ratings) error {
	return b.ratings.Put([]byte(keyElo), encodeRatings([]byte(b.name), ratings))
}

// extendRatings adds to the fold the recorded matches that follow its slots without a gap, and stores the
// ratings that result.
func (b buckets) extendRatings(fold *results.RatingFold, order *schedule.Schedule) error {
	if err := b.extend(fold, order); err != nil {
		return err
	}
	return b.putRatings(fold.Ratings())
}

func (b buckets) extend(fold *results.RatingFold, order *schedule.Schedule) error {
	for fold.Slots() < order.Len() {
		s, found, err := b.readSummary(order.Key(fold.Slots() + 1))
		if err != nil || !found {
			return err
		}
		if err := fold.Add(s); err != nil {
			return err
		}
	}
	return nil
}
