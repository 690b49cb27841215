package store

import (
	"fmt"
	"slices"
	"strings"

	bolt "go.etcd.io/bbolt"

	"sembra/results"
	"sembra/results/schedule"
)

// buckets are what belongs to one tournament, within one transaction.
type buckets struct {
	name                     string
	tournaments, ratings     *bolt.Bucket // of all tournaments, by name
	summaries, bodies, voids *bolt.Bucket // of this one, by match
}

// inBuckets calls a function with the buckets of a tournament. Without that tournament, the error is that of unknown.
func inBuckets(tx *bolt.Tx, name string, work func(buckets) error) error {
	in, err := bucketsIn(tx, name)
	if err != nil {
		return err
	}
	return work(in)
}

// bucketsIn finds the buckets of a tournament.
func bucketsIn(tx *bolt.Tx, name string) (buckets, error) {
	of := func(kind string) *bolt.Bucket { return tx.Bucket([]byte(kind)).Bucket([]byte(name)) }
	b := buckets{
		name: name, tournaments: tx.Bucket([]byte(bucketTournaments)), ratings: tx.Bucket([]byte(bucketRatings)),
		summaries: of(bucketSummaries), bodies: of(bucketBodies), voids: of(bucketVoids),
	}
	if b.tournaments.Get([]byte(name)) == nil {
		all, err := manifests(tx)
		if err != nil {
			return buckets{}, err
		}
		return buckets{}, unknown(name, all)
	}
	if b.summaries == nil || b.bodies == nil || b.voids == nil {
		return buckets{}, fmt.Errorf("damaged: a part of tournament %q is missing", name)
	}
	// Records come in the order of their keys, for each two bots. By default, bbolt would leave half of each page
	// empty for keys between these.
	const fill = 0.9
	b.summaries.FillPercent, b.bodies.FillPercent = fill, fill
	return b, nil
}

// putRecord stores a record with its evidence. A match that is stored already stays as it is.
func (b buckets) putRecord(record results.Record) error {
	raw := appendKey(nil, record.Key)
	if b.summaries.Get(raw) != nil {
		return nil
	}
	body, err := encodeBody(raw, record)
	if err != nil {
		return fmt.Errorf("record of %v: %w", record.Key, err)
	}
	if err := b.bodies.Put(raw, body); err != nil {
		return err
	}
	return b.summaries.Put(raw, encodeSummary(raw, record.Summary))
}

// readSummary reads the summary of one match; found is false if the match is not recorded.
func (b buckets) readSummary(key results.Key) (s results.Summary, found bool, err error) {
	s.Key = key
	raw := appendKey(nil, key)
	value := b.summaries.Get(raw)
	if value == nil {
		return s, false, nil
	}
	return s, true, decodeSummary(raw, value, &s)
}

// readBody reads the body and the evidence of a recorded match, whose key is in the record.
func (b buckets) readBody(record *results.Record) error {
	raw := appendKey(nil, record.Key)
	value := b.bodies.Get(raw)
	if value == nil {
		return fmt.Errorf("there is no record of %v in tournament %q", record.Key, b.name)
	}
	return decodeBody(raw, value, record)
}

// follow adds the recorded matches to a schedule that depends on them, without those of the replaced bots. A damaged
// one counts as missing, and the error is that of the first damaged one.
func (b buckets) follow(order *schedule.Schedule, replaced []string) (damage error) {
	order.AddRecorded(func(key results.Key) (results.Summary, bool) {
		if key.Of(replaced) {
			return results.Summary{}, false
		}
		summary, found, err := b.readSummary(key)
		if damage == nil {
			damage = err
		}
		return summary, found && err == nil
	})
	return damage
}

// numbers returns the numbers of the recorded matches, in schedule order. Recorded matches that are not in the schedule
// are an error that names the first of them; the numbers are those of the others.
func (b buckets) numbers(order *schedule.Schedule) (numbers []int, err error) {
	var strange []string
	_ = b.summaries.ForEach(func(raw, _ []byte) error {
		key, err := readKey(raw)
		if err != nil {
			strange = append(strange, err.Error())
		} else if number, ok := order.Number(key); ok {
			numbers = append(numbers, number)
		} else {
			strange = append(strange, key.String())
		}
		return nil
	})
	slices.Sort(numbers)
	if len(strange) > 0 {
		err = fmt.Errorf("recorded matches are not in the schedule of tournament %q (%d: %s)",
			b.name, len(strange), strings.Join(strange[:min(5, len(strange))], "; "))
	}
	return numbers, err
}

// readRatings reads the stored ratings.
func (b buckets) readRatings() (stored results.Ratings, err error) {
	if _, err := decodeJSON([]byte(b.name), b.ratings.Get([]byte(b.name)), &stored); err != nil {
		return stored, fmt.Errorf("the ratings of tournament %q are damaged: %w", b.name, err)
	}
	return stored, nil
}

// put stores a value of the tournament itself as JSON, and a text after it.
func (b buckets) put(in *bolt.Bucket, content any, after string) error {
	value, err := encodeJSON([]byte(b.name), content, after)
	if err != nil {
		return err
	}
	return in.Put([]byte(b.name), value)
}

// extendRatings adds to the fold the recorded matches that follow those it covers without a gap, and stores the
// ratings that result.
func (b buckets) extendRatings(fold *results.RatingFold, order *schedule.Schedule) error {
	for fold.Covered() < order.Known() {
		number := fold.Covered() + 1
		if order.Withdrawn(number) {
			fold.Skip()
			continue
		}
		s, found, err := b.readSummary(order.Key(number))
		if err != nil {
			return err
		}
		if !found {
			break
		}
		if err := fold.Add(s); err != nil {
			return err
		}
	}
	return b.put(b.ratings, fold.Ratings(), "")
}
