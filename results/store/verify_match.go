package store

import (
	"errors"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"sembra/results"
)

// hearMatches referees the recorded matches of a tournament again, some at once, and folds the ratings
// over the unbroken run of slots. What is wrong is told in schedule order.
func (a *audit) hearMatches(d *docket) (*results.RatingFold, error) {
	j, problems := results.NewJudge(*d.about)
	for _, problem := range problems {
		a.tellOf(d, "%s", problem)
	}
	work, ordered := make(chan *bundle), make(chan *bundle, 2*a.Workers)
	go func() {
		defer close(work)
		defer close(ordered)
		for b := range d.bundles() {
			ordered <- b
			work <- b
		}
	}()
	for range max(1, a.Workers) {
		go func() {
			for b := range work {
				b.err = a.referee(j, d, b.cases)
				close(b.heard)
			}
		}()
	}
	fold := results.NewRatingFold(*d.about)
	var failure error
	for b := range ordered {
		<-b.heard
		if failure == nil {
			failure = b.err
		}
		if failure != nil {
			continue // until all workers are done
		}
		for _, c := range b.cases {
			for _, what := range c.differences {
				a.tell(Difference{Tournament: d.name, Slot: c.slot, Key: c.record.Key, What: what})
			}
			if c.readable && c.slot == fold.Slots()+1 {
				_ = fold.Add(c.record.Summary) // a bot that is not in the tournament has no slot
			}
		}
		a.heard(len(b.cases))
	}
	return fold, failure
}

// bundle is some matches that are looked at in one go.
type bundle struct {
	cases []*matchCase
	err   error         // of the file
	heard chan struct{} // closed then
}

// matchCase is one match and what is found of it.
type matchCase struct {
	slot        int
	record      results.Record
	readable    bool // the summary is
	whole       bool // so is the body
	differences []string
}

func (c *matchCase) tell(format string, args ...any) {
	c.differences = append(c.differences, fmt.Sprintf(format, args...))
}

// bundles gives the matches of which anything is there, in schedule order.
func (d *docket) bundles() func(yield func(*bundle) bool) {
	const size = 64
	return func(yield func(*bundle) bool) {
		b := &bundle{heard: make(chan struct{})}
		for i, parts := range d.parts {
			if parts == 0 {
				continue
			}
			c := &matchCase{slot: i + 1}
			c.record.Key = d.order.Key(i + 1)
			if b.cases = append(b.cases, c); len(b.cases) < size {
				continue
			}
			if !yield(b) {
				return
			}
			b = &bundle{heard: make(chan struct{})}
		}
		if len(b.cases) > 0 {
			yield(b)
		}
	}
}

// referee reads matches and referees them again. The error is the file's.
func (a *audit) referee(j *results.Judge, d *docket, cases []*matchCase) error {
	err := a.store.view(func(tx *bolt.Tx) error {
		room, err := enter(tx, d.name)
		if err != nil {
			return err
		}
		for _, c := range cases {
			c.read(room, d.parts[c.slot-1])
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, c := range cases {
		if c.readable && c.whole {
			c.differences = append(c.differences, j.Referee(c.record)...)
		}
	}
	return nil
}

// read reads what is there of a match.
func (c *matchCase) read(r room, parts presence) {
	key := c.record.Key
	raw := appendKey(nil, key)
	var err error
	if parts&hasSummary == 0 {
		c.tell("there is a part of it, but no summary")
	} else if err = decodeSummary(raw, r.summaries.Get(raw), &c.record.Summary); err != nil {
		c.tell("its summary is damaged: %v", errors.Unwrap(err))
	} else {
		c.readable = true
	}
	if parts&hasBody == 0 {
		c.tell("there is a part of it, but no body")
	} else if c.record.Body, err = decodeBody(key, raw, r.bodies.Get(raw)); err != nil {
		c.tell("its body is damaged: %v", errors.Unwrap(err))
	} else {
		c.whole = true
	}
	if parts&hasEvidence == 0 {
		return
	}
	if _, err := decodeEvidence(key, raw, r.evidence.Get(raw)); err != nil {
		c.tell("its evidence is damaged: %v", errors.Unwrap(err))
	}
	if c.readable && c.record.Fault == results.NoFault {
		c.tell("there is evidence of a fault, and nobody was at fault")
	}
}
