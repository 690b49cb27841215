package workers

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"time"

	"sembra/arena"
	"sembra/results"
)

// Job is one pair of matches that a worker plays, or a single match of it.
type Job struct {
	Version int         `json:"version"`
	Plan    string      `json:"plan"` // hash of the plan
	ID      string      `json:"id"`
	Matches []arena.Job `json:"matches"` // one or two
}

// idBytes is the length of the identity of a job, before it becomes hexadecimal digits.
const idBytes = 16

// newJob returns the job of some matches. attempt counts the answers that did not have all records, from 0. The
// identity depends on nothing else, so that it is the same after the runner was killed.
func newJob(plan string, matches []arena.Job, attempt int) Job {
	first := matches[0]
	name := fmt.Appendf(nil, "%s\x00%s\x00%s\x00%d\x00%d", plan, first.South, first.North, first.Pair, attempt)
	return Job{Version: valueVersion, Plan: plan, ID: hashOf(name)[:2*idBytes], Matches: matches}
}

// check returns what is wrong with a job for a worker with that plan.
func (j *Job) check(plan string, p *Plan) error {
	id, err := hex.DecodeString(j.ID) // it becomes a part of a subject
	switch {
	case err != nil || len(id) != idBytes:
		return fmt.Errorf("the job has the identity %.80q", j.ID)
	case j.Plan != plan:
		return errors.New("the job belongs to another tournament")
	case len(j.Matches) < 1 || len(j.Matches) > 2:
		return fmt.Errorf("the job has %d matches (1 or 2)", len(j.Matches))
	}
	for _, m := range j.Matches {
		if p.bot(m.South).Name == "" || p.bot(m.North).Name == "" {
			return fmt.Errorf("the job is %v, which are not bots of the tournament", m.Key)
		}
	}
	return nil
}

// Answer is the result of a job: one of Records, Failed, GivenBack and Ended.
type Answer struct {
	Version int    `json:"version"`
	Plan    string `json:"plan"`
	Job     string `json:"job"`    // identity
	Worker  string `json:"worker"` // name
	Machine string `json:"machine"`

	Records   []Record `json:"records,omitempty"`
	Failed    string   `json:"failed,omitempty"`     // why the worker's machine could not play
	Final     bool     `json:"final,omitempty"`      // with Failed: no worker can play the job
	GivenBack bool     `json:"given_back,omitempty"` // the worker was stopped
	Ended     int      `json:"ended,omitempty"`      // how many workers took the job and were not heard of again
}

// Record is a record as it travels.
type Record struct {
	results.Key
	Result       string            `json:"result"`
	Ending       string            `json:"ending"`
	Fault        results.Fault     `json:"fault,omitempty"`
	SouthStore   int               `json:"south_store"`
	NorthStore   int               `json:"north_store"`
	SouthDonkeys int               `json:"south_donkeys,omitempty"`
	NorthDonkeys int               `json:"north_donkeys,omitempty"`
	SouthTime    time.Duration     `json:"south_time_ns"`
	NorthTime    time.Duration     `json:"north_time_ns"`
	SouthCPU     time.Duration     `json:"south_cpu_ns"` // negative: not known
	NorthCPU     time.Duration     `json:"north_cpu_ns"`
	SouthBurnt   bool              `json:"south_burnt,omitempty"`
	NorthBurnt   bool              `json:"north_burnt,omitempty"`
	Body         results.Body      `json:"body"`
	Evidence     *results.Evidence `json:"evidence,omitempty"`
}

// packed returns a record as it travels. The runner computes what is missing.
func packed(r results.Record) Record {
	return Record{
		r.Key, r.Result.String(), r.Ending.String(), r.Fault, r.SouthStore, r.NorthStore, r.SouthDonkeys, r.NorthDonkeys,
		r.SouthTime, r.NorthTime, r.SouthCPU, r.NorthCPU, r.SouthBurnt, r.NorthBurnt, r.Body, r.Evidence,
	}
}

// unpacked returns the record of a tournament with that ruleset.
func (r Record) unpacked(ruleset string) (results.Record, error) {
	result, err := results.ParseResult(r.Result)
	if err != nil {
		return results.Record{}, err
	}
	ending, err := results.ParseEnding(r.Ending)
	if err != nil {
		return results.Record{}, err
	}
	if e := r.Evidence; e != nil { // these are printed
		e.What, e.South.What, e.North.What = results.VisibleAll(e.What), results.VisibleAll(e.South.What), results.VisibleAll(e.North.What)
	}
	return results.Record{
		Summary: results.Summary{
			Key: r.Key, Result: result, Ending: ending, Fault: r.Fault, SouthStore: r.SouthStore, NorthStore: r.NorthStore,
			SouthDonkeys: r.SouthDonkeys, NorthDonkeys: r.NorthDonkeys, SouthTime: r.SouthTime, NorthTime: r.NorthTime,
			SouthCPU: r.SouthCPU, NorthCPU: r.NorthCPU, SouthBurnt: r.SouthBurnt, NorthBurnt: r.NorthBurnt,
			Rounds: len(r.Body.Rounds), Plies: len(r.Body.Moves),
			Hash: results.MatchHash(ruleset, r.South, r.North, r.Body.Opening, r.Body.Moves),
		},
		Body: r.Body, Evidence: r.Evidence,
	}, nil
}

// referee referees a record that came back for a match. within is the time since the match was sent; 0: not known. The
// error says what does not hold.
func referee(judge *results.Judge, match arena.Job, r results.Record, within time.Duration) error {
	if r.Key != match.Key {
		return fmt.Errorf("the record is of %v", r.Key)
	}
	if differences := judge.Referee(r); len(differences) > 0 {
		return errors.New(differences[0])
	}
	if r.Seeds != match.Seeds {
		return fmt.Errorf("the seeds are %v, but its job says %v", r.Seeds, match.Seeds)
	}
	if r.Ending == results.EndAdjudicated && r.Fault != results.NoFault {
		return errors.New("a bot is at fault, but the match was adjudicated")
	}
	if match.Opening != "" && r.Opening != match.Opening {
		return fmt.Errorf("the opening is %.200q, but its job says %q", r.Opening, match.Opening)
	}
	if err := checkTimes(r, within); err != nil {
		return err
	}
	return checkEvidence(r)
}

// mostProcessors is how many processors a worker may have.
const mostProcessors = 4096

// checkTimes checks the times, which no replay can show, against the time that has passed.
func checkTimes(r results.Record, within time.Duration) error {
	if within <= 0 {
		within = math.MaxInt64 / mostProcessors
	}
	within += time.Second     // clocks differ a little
	var thought time.Duration // at most twice the limit, so that it does not overflow
	for _, elapsed := range append([]time.Duration{r.SouthTime, r.NorthTime}, r.Elapsed...) {
		if elapsed > within {
			return fmt.Errorf("a bot thought for %v, but the match was sent only %v ago", elapsed, within)
		}
	}
	for _, elapsed := range r.Elapsed {
		if thought += elapsed; thought > within {
			return fmt.Errorf("the bots thought for %v, but the match was sent only %v ago", thought, within)
		}
	}
	switch thought = r.SouthTime + r.NorthTime; {
	case thought > within:
		return fmt.Errorf("the bots thought for %v, but the match was sent only %v ago", thought, within)
	case max(r.SouthCPU, r.NorthCPU)/mostProcessors > within:
		return fmt.Errorf("a bot used %v of processor time, but the match was sent only %v ago", max(r.SouthCPU, r.NorthCPU), within)
	case min(r.SouthCPU, r.NorthCPU) < results.UnknownCPU:
		return fmt.Errorf("a processor time is %v", min(r.SouthCPU, r.NorthCPU))
	}
	return nil
}

// The bounds of evidence, which are wider than those of the arena.
const (
	mostTalk     = 256       // lines
	mostEvidence = 256 << 10 // bytes
	mostWhat     = 8 << 10   // bytes
)

// checkEvidence checks that there is evidence of a fault and that it has its bounds.
func checkEvidence(r results.Record) error {
	e := r.Evidence
	if (e != nil) != (r.Fault != results.NoFault) {
		return fmt.Errorf("there is evidence: %t; a bot is at fault: %t", e != nil, r.Fault != results.NoFault)
	}
	if e == nil {
		return nil
	}
	size := 0
	for _, talk := range []results.Talk{e.South, e.North} {
		size += len(talk.Stderr)
		if len(talk.Lines) > mostTalk || talk.Left < 0 || talk.StderrLeft < 0 {
			return fmt.Errorf("the evidence has %d lines after %d others", len(talk.Lines), talk.Left)
		}
		for _, line := range talk.Lines {
			size += len(line.Text)
			if line.At < 0 || line.Cut < 0 || line.Left < 0 {
				return errors.New("a line of the evidence has a negative number")
			}
		}
	}
	if size > mostEvidence {
		return fmt.Errorf("the evidence has %d bytes (at most %d)", size, mostEvidence)
	}
	for _, what := range []string{e.What, e.South.What, e.North.What} {
		if len(what) > mostWhat {
			return fmt.Errorf("the evidence says something in %d bytes (at most %d)", len(what), mostWhat)
		}
	}
	return nil
}
