package workers

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sembra/arena"
	"sembra/arena/guest"
	"sembra/results"
)

// recorded returns a record of the cup, its job and the plan.
func recorded(t *testing.T) (results.Record, arena.Job, results.Plan) {
	t.Helper()
	tour := cup(t, 1)
	k := newKept()
	must(t, tour.Play(t.Context(), nil, k, func(arena.Event) {}))
	for _, r := range k.records {
		return r, arena.Job{Key: r.Key, Number: 1, Opening: r.Opening, Seeds: r.Seeds}, tour.Plan
	}
	panic("no record")
}

// TestRecordTravels: a record comes back as it was.
func TestRecordTravels(t *testing.T) {
	t.Parallel()
	r, _, _ := recorded(t)
	r.Scores = make([]*float64, len(r.Moves))
	r.Scores[0] = new(-1.5)
	r.Fault, r.Ending = results.NorthFault, results.EndCrash
	r.Evidence = &results.Evidence{What: "it crashed", North: results.Talk{
		Lines: []results.TalkLine{{At: time.Second, FromBot: true, Text: []byte{0, 255}, Cut: 3}}, Left: 2, Stderr: []byte("x"),
	}}
	var answer Answer
	must(t, decode("an answer", text(t, Answer{Records: []results.Record{r}}), &answer))
	got := answer.Records[0]
	if diff := cmp.Diff(r, got); diff != "" {
		t.Errorf("(-sent +came)\n%s", diff)
	}
}

// TestRefereeRecord: a record that does not hold is refused with a reason.
func TestRefereeRecord(t *testing.T) {
	t.Parallel()
	good, job, plan := recorded(t)
	rules := must2(plan.Rules())
	must(t, referee(plan, rules, job, good))
	crash := func(r *results.Record) { // of the side to move after the first ply
		r.Moves, r.Elapsed, r.Scores, r.Plies = r.Moves[:1], r.Elapsed[:1], nil, 1
	}
	for _, test := range []struct {
		name   string
		change func(r *results.Record)
		err    string
	}{
		{"another match", func(r *results.Record) { r.South, r.North = r.North, r.South }, "the record is of"},
		{"another winner", func(r *results.Record) { r.Result = 4 - r.Result - results.Draw + 2 }, "its result"},
		{"another score", func(r *results.Record) { r.Stores[0]++ }, "its stores are"},
		{"an illegal move", func(r *results.Record) {
			r.Moves = append([]string{"z"}, r.Moves[1:]...)
			r.Hash = results.MatchHash("awale", r.South, r.North, r.Opening, r.Moves)
		}, "move 1"},
		{"cut short", crash, "it ended by "},
		{"another opening", func(r *results.Record) {
			r.Opening = strings.Replace(r.Opening, "0-0", "1-0", 1)
			r.Hash = results.MatchHash("awale", r.South, r.North, r.Opening, r.Moves)
		}, "it begins with "},
		{"other seeds", func(r *results.Record) { r.Seeds[0]++ }, "the seeds are"},
		{"more CPU time than there was", func(r *results.Record) { r.CPU[0] = math.MaxInt64 }, "a time is"},
		{"a negative CPU time", func(r *results.Record) { r.CPU[1] = -2 }, "a time is"},
		{"evidence without a fault", func(r *results.Record) { r.Evidence = new(results.Evidence) }, "there is evidence: true"},
		{"a claimed fault without evidence", func(r *results.Record) { r.Fault = results.SouthFault }, "with fault"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := good
			test.change(&r)
			err := referee(plan, rules, job, r)
			if !says(err, test.err) {
				t.Errorf("error %v, want %q", err, test.err)
			}
		})
	}
}

// TestEvidenceBounds: evidence has bounds.
func TestEvidenceBounds(t *testing.T) {
	t.Parallel()
	for _, e := range []results.Evidence{
		{South: results.Talk{Lines: make([]results.TalkLine, mostTalk+1)}},
		{South: results.Talk{Stderr: make([]byte, mostEvidence+1)}},
		{North: results.Talk{Lines: []results.TalkLine{{Text: make([]byte, mostEvidence+1)}}}},
		{North: results.Talk{Left: -1}},
		{North: results.Talk{Lines: []results.TalkLine{{Cut: -1}}}},
		{What: strings.Repeat("x", mostEvidence)},
	} {
		r := results.Record{Evidence: &e}
		r.Fault = results.SouthFault
		if err := checkEvidence(r); err == nil {
			t.Errorf("no error: %.100v", e)
		}
	}
}

// TestDecode: what cannot be read is a sentence.
func TestDecode(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, err string }{
		{"", "a job is malformed"},
		{"{", "a job is malformed"},
		{"[]", "a job is malformed"},
		{`{"id":7}`, "a job is malformed"},
		{`{"odd":7}`, `unknown field "odd"`},
		{"[" + strings.Repeat("{},", mostObjects) + "{}]", "braces (at most"},
	} {
		if err := decode("a job", []byte(test.text), new(Job)); !says(err, test.err) {
			t.Errorf("%.40s: error %v, want %q", test.text, err, test.err)
		}
	}
}

// TestCheckJob: a worker drops jobs that are odd. The identity of a job becomes a part of a subject.
func TestCheckJob(t *testing.T) {
	t.Parallel()
	plan := &Plan{Bots: []Bot{{Entry: guest.Entry{Name: "a"}}, {Entry: guest.Entry{Name: "b"}}}}
	match := arena.Job{Number: 1, Key: results.Key{South: "a", North: "b", Pair: 1}}
	for _, test := range []struct {
		change func(*Job)
		err    string
	}{
		{func(*Job) {}, ""},
		{func(j *Job) { j.ID = "" }, `the job has the identity ""`},
		{func(j *Job) { j.ID = "a b\r\nPUB x 1\r\n" }, `the job has the identity "a b\r\n`},
		{func(j *Job) { j.ID = strings.Repeat(">", 32) }, "the job has the identity"},
		{func(j *Job) { j.Plan = "other" }, "another tournament"},
		{func(j *Job) { j.Matches = nil }, "the job has 0 matches"},
		{func(j *Job) { j.Matches = []arena.Job{match, match, match} }, "the job has 3 matches"},
		{func(j *Job) { j.Matches = []arena.Job{{Key: results.Key{South: "a", North: "x", Pair: 1}}} }, "not bots of the tournament"},
	} {
		job := newJob("plan", []arena.Job{match}, 0)
		test.change(&job)
		if err := job.check("plan", plan); !says(err, test.err) {
			t.Errorf("error %v, want %q", err, test.err)
		}
	}
}
