package store

import (
	"fmt"
	"iter"

	bolt "go.etcd.io/bbolt"

	"sembra/results"
	"sembra/results/schedule"
)

// room is the place of one tournament in the file, within one transaction.
type room struct {
	name                                    string
	whole                                   *bolt.Bucket // that the others are in
	about, summaries, bodies, voids, folded *bolt.Bucket
	evidence                                *bolt.Bucket // nil as long as there is none
}

// enter finds the room of a tournament; a *UnknownError says that there is none.
func enter(tx *bolt.Tx, name string) (room, error) {
	var bucket *bolt.Bucket
	if parent := tx.Bucket([]byte(bucketTournaments)); parent != nil && name != "" {
		bucket = parent.Bucket([]byte(name))
	}
	if bucket == nil {
		all, err := tournaments(tx)
		if err != nil {
			return room{}, err
		}
		unknown := &UnknownError{Name: name}
		for _, t := range all {
			unknown.Known = append(unknown.Known, t.Name)
		}
		return room{}, unknown
	}
	return roomIn(bucket, name)
}

// roomIn takes a tournament's bucket apart.
func roomIn(bucket *bolt.Bucket, name string) (room, error) {
	r := room{
		name:      name,
		whole:     bucket,
		about:     bucket.Bucket([]byte(bucketAbout)),
		summaries: bucket.Bucket([]byte(bucketSummaries)),
		bodies:    bucket.Bucket([]byte(bucketBodies)),
		voids:     bucket.Bucket([]byte(bucketVoids)),
		folded:    bucket.Bucket([]byte(bucketRatings)),
		evidence:  bucket.Bucket([]byte(bucketEvidence)),
	}
	if r.about == nil || r.summaries == nil || r.bodies == nil || r.voids == nil || r.folded == nil {
		return room{}, fmt.Errorf("damaged: a part of tournament %q is missing", name)
	}
	return r, nil
}

// put stores a record, with its evidence, unless its match is there already.
func (r room) put(record results.Record) (isNew bool, err error) {
	raw := appendKey(nil, record.Key)
	if r.summaries.Get(raw) != nil {
		return false, nil
	}
	body, err := encodeBody(raw, record.Body)
	if err != nil {
		return false, fmt.Errorf("record of %v: %w", record.Key, err)
	}
	if err := r.bodies.Put(raw, body); err != nil {
		return false, err
	}
	if record.Evidence != nil {
		if err := r.putEvidence(record.Key, raw, *record.Evidence); err != nil {
			return false, err
		}
	}
	return true, r.summaries.Put(raw, encodeSummary(raw, record.Summary))
}

func (r room) putEvidence(key results.Key, raw []byte, evidence results.Evidence) error {
	value, err := encodeEvidence(raw, evidence)
	if err != nil {
		return fmt.Errorf("evidence of %v: %w", key, err)
	}
	bucket, err := r.whole.CreateBucketIfNotExists([]byte(bucketEvidence))
	if err != nil {
		return err
	}
	return bucket.Put(raw, value)
}

// readEvidence reads the evidence of one match, and says whether there is any.
func (r room) readEvidence(key results.Key) (evidence results.Evidence, found bool, err error) {
	if r.evidence == nil {
		return results.Evidence{}, false, nil
	}
	raw := appendKey(nil, key)
	value := r.evidence.Get(raw)
	if value == nil {
		return results.Evidence{}, false, nil
	}
	evidence, err = decodeEvidence(key, raw, value)
	return evidence, err == nil, err
}

// body reads the body of one match.
func (r room) body(key results.Key) (results.Body, error) {
	raw := appendKey(nil, key)
	value := r.bodies.Get(raw)
	if value == nil {
		return results.Body{}, fmt.Errorf("there is no record of %v in tournament %q", key, r.name)
	}
	return decodeBody(key, raw, value)
}

// slots gives the slot of each recorded match in the order of the keys.
func (r room) slots(order *schedule.Schedule) ([]int32, error) {
	var slots []int32
	var strangers []results.Key
	keys := newKeyReader()
	cursor := r.summaries.Cursor()
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
		return nil, fmt.Errorf("matches are recorded that are not in the schedule of tournament %q: %s",
			r.name, listKeys(strangers))
	}
	return slots, nil
}

// place reads all summaries into schedule order. slots is what the method of that name gave, and
// length the number of slots in the schedule.
func (r room) place(slots []int32, length int) ([]results.Slotted, error) {
	rank := make([]int32, length+1) // of a slot among the recorded ones, from 1
	for _, slot := range slots {
		if rank[slot] != 0 {
			return nil, fmt.Errorf("two matches of tournament %q have slot %d", r.name, slot)
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
	cursor := r.summaries.Cursor()
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

// ratings reads the stored ratings.
func (r room) ratings() (results.Ratings, error) {
	stored, err := decodeRatings([]byte(r.name), r.folded.Get([]byte(keyElo)))
	if err != nil {
		return results.Ratings{}, fmt.Errorf("the ratings of tournament %q are damaged: %w", r.name, err)
	}
	return stored, nil
}

// fold gives the fold of the stored ratings: last, if this store wrote them, or else a new one over the
// matches that they cover.
func (r room) fold(last *results.RatingFold, order *schedule.Schedule) (*results.RatingFold, error) {
	stored, err := r.ratings()
	if err != nil {
		return nil, err
	}
	if last != nil && last.Slots() == stored.Slots {
		return last, nil
	}
	t, err := manifest(r.whole, r.name)
	if err != nil {
		return nil, err
	}
	fold := results.NewRatingFold(t)
	if err := r.extend(fold, order); err != nil {
		return nil, err
	}
	if fold.Slots() < stored.Slots {
		return nil, fmt.Errorf("damaged: the ratings of tournament %q cover match %d, which is missing", r.name, fold.Slots()+1)
	}
	return fold, nil
}

// extend rates the matches that follow the covered slots without a gap.
func (r room) extend(fold *results.RatingFold, order *schedule.Schedule) error {
	for fold.Slots() < order.Len() {
		s, found, err := r.summary(order.Key(fold.Slots() + 1))
		if err != nil || !found {
			return err
		}
		if err := fold.Add(s); err != nil {
			return err
		}
	}
	return nil
}

// moveRatings extends the fold over the matches that are recorded, and stores what it comes to.
func (r room) moveRatings(fold *results.RatingFold, order *schedule.Schedule) error {
	if err := r.extend(fold, order); err != nil {
		return err
	}
	return r.writeRatings(fold.Ratings())
}

// summary reads the summary of one match, and says whether it is there.
func (r room) summary(key results.Key) (s results.Summary, found bool, err error) {
	s.Key = key
	raw := appendKey(make([]byte, 0, 64), key)
	value := r.summaries.Get(raw)
	if value == nil {
		return s, false, nil
	}
	return s, true, decodeSummary(raw, value, &s)
}

func (r room) writeRatings(ratings results.Ratings) error {
	return r.folded.Put([]byte(keyElo), encodeRatings([]byte(r.name), ratings))
}

// Records reads the bodies of the wanted matches, in the order of wanted, and gives the whole records
// one by one, without their evidence. It holds few bodies in memory at a time, and no transaction while the caller works. The
// first error ends it.
func (s *Store) Records(name string, wanted []results.Slotted) iter.Seq2[results.SlottedRecord, error] {
	const chunk = 64
	return func(yield func(results.SlottedRecord, error) bool) {
		for start := 0; start < len(wanted); start += chunk {
			now := wanted[start:min(start+chunk, len(wanted))]
			bodies, err := s.bodies(name, now)
			if err != nil {
				yield(results.SlottedRecord{}, err)
				return
			}
			for i, body := range bodies {
				record := results.Record{Summary: now[i].Summary, Body: body}
				if !yield(results.SlottedRecord{Slot: now[i].Slot, Record: record}, nil) {
					return
				}
			}
		}
	}
}

// bodies reads the bodies of a few matches in one transaction.
func (s *Store) bodies(name string, wanted []results.Slotted) (bodies []results.Body, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		room, err := enter(tx, name)
		if err != nil {
			return err
		}
		for _, match := range wanted {
			body, err := room.body(match.Key)
			if err != nil {
				return err
			}
			bodies = append(bodies, body)
		}
		return nil
	})
	return bodies, err
}
