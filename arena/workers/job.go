package workers

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sembra/arena"
	"sembra/engine"
	"sembra/results"
	"sembra/results/safe"
)

// Job is one pair of matches that a worker plays, or a single match of it.
type Job struct {
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
	return Job{Plan: plan, ID: hashOf(name)[:2*idBytes], Matches: matches}
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
		if p.bot(m.South) == nil || p.bot(m.North) == nil {
			return fmt.Errorf("the job is %v, which are not bots of the tournament", m.Key)
		}
	}
	return nil
}

// Answer is the result of a job: its records, or why there are none.
type Answer struct {
	Who
	Plan string `json:"plan"`
	Job  string `json:"job"` // identity

	Records []results.Record `json:"records,omitempty"`
	Failed  string           `json:"failed,omitempty"` // why there are no records
	Final   bool             `json:"final,omitempty"`  // with Failed: no worker can play the job

	confirm func() // on the runner's side
}

// referee referees a record that was returned for a match. The error says what is wrong.
func referee(plan results.Plan, rules engine.Ruleset, match arena.Job, r results.Record) error {
	if r.Key != match.Key {
		return fmt.Errorf("the record is of %v", r.Key)
	}
	if wrong := plan.Verify(rules, r); len(wrong) > 0 {
		return errors.New(wrong[0])
	}
	if r.Seeds != match.Seeds {
		return fmt.Errorf("the seeds are %v, but its job says %v", r.Seeds, match.Seeds)
	}
	if r.Opening != match.Opening {
		return fmt.Errorf("the opening is %.200q, but its job says %q", r.Opening, match.Opening)
	}
	if err := checkTimes(r); err != nil {
		return err
	}
	return checkEvidence(r)
}

// checkTimes checks the times, which no replay can show, so that their sums have a meaning.
func checkTimes(r results.Record) error {
	for _, elapsed := range slices.Concat(r.Times[:], r.CPU[:], r.Elapsed) {
		if elapsed < results.UnknownCPU || elapsed > longestTime {
			return fmt.Errorf("a time is %v (at most %v)", elapsed, longestTime)
		}
	}
	return nil
}

// The bounds of evidence, which are wider than those of the arena.
const (
	mostTalk     = 256       // lines
	mostEvidence = 512 << 10 // bytes, in JSON
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
	if text, err := json.Marshal(e); err != nil || len(text) > mostEvidence {
		return fmt.Errorf("the evidence has %d bytes (at most %d)", len(text), mostEvidence)
	}
	for _, talk := range []results.Talk{e.South, e.North} {
		least := min(int64(talk.Left), talk.StderrLeft)
		for _, line := range talk.Lines {
			least = min(least, int64(line.At), int64(line.Cut), int64(line.Left))
		}
		if least < 0 || len(talk.Lines) > mostTalk {
			return fmt.Errorf("the evidence has %d lines and the number %d", len(talk.Lines), least)
		}
	}
	return nil
}

// mostObjects is how many values in braces a message may have. A small text can make large values.
const mostObjects = 400_000

// decode reads a value that the other side has encoded. Unknown fields are an error.
func decode(what string, text []byte, value any) error {
	if n := bytes.Count(text, []byte("{")); n > mostObjects {
		return fmt.Errorf("%s is malformed: it has %d braces (at most %d)", what, n, mostObjects)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(value); err != nil {
		return fmt.Errorf("%s is malformed: %w", what, err)
	}
	return nil
}

// hashOf returns the name of a content.
func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// validHash reports whether a text can be the name of a content. It is safe as the name of a file then.
func validHash(text string) bool {
	raw, err := hex.DecodeString(text)
	return err == nil && len(raw) == sha256.Size && text == strings.ToLower(text)
}

// Who is the name of a worker or a runner, and that of its machine. By default, both are the same.
type Who struct {
	Name    string `json:"name"`
	Machine string `json:"machine"`
}

// String returns both names.
func (w Who) String() string {
	if w.Name == w.Machine {
		return w.Name
	}
	return w.Name + " on " + w.Machine
}

// cut makes the names safe to keep and to print.
func (w *Who) cut() { w.Name, w.Machine = cutName(w.Name), cutName(w.Machine) }

// mostName is the longest name of a worker or a machine, in bytes.
const mostName = 100

// cutName makes a name safe to print, and cuts it if it is too long. The result is not empty, because the machine of
// the run is the one without a name.
func cutName(name string) string {
	name = safe.Line(strings.TrimSpace(name[:min(len(name), 2*mostName)])) // a worker may say megabytes
	return cmp.Or(strings.ToValidUTF8(name[:min(len(name), mostName)], ""), "?")
}
