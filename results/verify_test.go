package results

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"sembra/engine"
)

// trialRecord is the record of a match that a test changes.
type trialRecord struct {
	Record
	seats []engine.Seat // who played each move
	side  engine.Seat   // to move at the end
}

// trialOf plays random moves, each in no time, until the match is over or stop says so. A match that is
// stopped is one that its side lost by a crash.
func trialOf(t testing.TB, c Tournament, key Key, seed uint64, stop func(*Match) bool) *trialRecord {
	t.Helper()
	rules := must2(c.Rules())
	match := Conditions{}.Begin(rules, must2(engine.ParsePosition(rules, c.Opening(key.Pair))))
	random := rand.New(rand.NewPCG(seed, 3))
	for !match.Over() && !stop(match) {
		legal := match.Legal()
		must(t, match.Play(legal[random.IntN(len(legal))].Token(match.Position().Side()), 0, nil))
	}
	r := &trialRecord{side: match.Position().Side()}
	for _, ply := range match.Plies {
		r.seats = append(r.seats, ply.Before.Side())
	}
	verdict, over := match.Verdict()
	if !over {
		verdict = Lost(r.side, EndCrash)
	}
	r.Record = match.Record(key, verdict)
	return r
}

// lost makes it a match that was lost by whoever was to move at its end.
func (r *trialRecord) lost(ending Ending) {
	r.Ending, r.Result, r.Fault = ending, NorthWins, SouthFault
	if r.side == engine.North {
		r.Result, r.Fault = SouthWins, NorthFault
	}
	if ending == EndResign {
		r.Fault = NoFault
	}
	r.Body.Rounds[len(r.Body.Rounds)-1].Reason = ending.String()
}

// took makes a move, counted from 1, take some time.
func (r *trialRecord) took(move int, elapsed time.Duration) {
	r.Elapsed[move-1] += elapsed
	r.charge(r.seats[move-1], elapsed)
}

func (r *trialRecord) charge(seat engine.Seat, elapsed time.Duration) {
	if seat == engine.South {
		r.Times[0] += elapsed
	} else {
		r.Times[1] += elapsed
	}
}

// verifyOne verifies one record of a tournament.
func verifyOne(t testing.TB, c Tournament, r Record) []string {
	t.Helper()
	return c.Verify(must2(c.Rules()), r)
}

func never(*Match) bool { return false }

func afterFour(m *Match) bool { return len(m.Plies) == 4 }

// Nobody is asked for a pass: it takes no time, has no score, and nobody can lose at it.
func TestVerifyPasses(t *testing.T) {
	t.Parallel()
	const number = 2 // the first is not there, so that no ratings follow
	c := cup(t, "bechi", 1)
	key := newRoundRobin(c).Key(number)
	var whole, cut *trialRecord // with a pass, and ended before one
	pass := 0
	for seed := uint64(0); cut == nil; seed++ {
		whole, cut = trialOf(t, c, key, seed, never), trialOf(t, c, key, seed, (*Match).MustPass)
		if pass = slices.Index(whole.Moves, "pass") + 1; pass < 2 {
			cut = nil
		}
		if seed == 1000 {
			t.Fatal("no match has a pass")
		}
	}
	scored := func(move int) func(r *trialRecord) {
		return func(r *trialRecord) { r.Scores = make([]*float64, r.Plies); r.Scores[move-1] = new(float64) }
	}
	lost := func(ending Ending) func(r *trialRecord) { return func(r *trialRecord) { r.lost(ending) } }
	adjudicated := func(r *trialRecord) { r.lost(EndAdjudicated); r.Fault = NoFault }
	at := fmt.Sprintf("move %d: a forced pass ", pass)
	for name, test := range map[string]struct {
		of     *trialRecord
		change func(r *trialRecord)
		says   string // "" is nothing
	}{
		"whole":              {whole, func(*trialRecord) {}, ""},
		"a time":             {whole, func(r *trialRecord) { r.took(pass, time.Nanosecond) }, at + "takes no time, but it took 1ns"},
		"a score":            {whole, scored(pass), at + "has no score, but it has one"},
		"a score of another": {whole, scored(pass - 1), ""},
		"crash":              {cut, func(*trialRecord) {}, "it ended by crash, but no bot was asked for a move"},
		"resign":             {cut, lost(EndResign), "it ended by resign, but no bot was asked for a move"},
		"time":               {cut, lost(EndTime), "it ended by time, but no bot was asked for a move"},
		"adjudicated":        {cut, adjudicated, "it ended by adjudicated, but its tournament's adjudication does not end it after its last move"},
	} {
		r := clone(test.of)
		test.change(r)
		equal(t, name, test.says, strings.Join(verifyOne(t, c, r.Record), "\n"))
	}
}

// clone copies what the tests change.
func clone(r *trialRecord) *trialRecord {
	other := *r
	other.Elapsed, other.Body.Rounds = slices.Clone(r.Elapsed), slices.Clone(r.Body.Rounds)
	return &other
}

// The clock of each seat runs down to the nanosecond: the base time is 1m, 10ms come with every turn,
// and the margin is 20ms.
func TestVerifyClock(t *testing.T) {
	t.Parallel()
	const number = 2
	c := cup(t, "awale", 1)
	key := newRoundRobin(c).Key(number)
	whole, cut := trialOf(t, c, key, 1, never), trialOf(t, c, key, 1, afterFour)
	if len(whole.Moves) < 5 || whole.seats[0] == whole.seats[1] || whole.seats[0] != whole.seats[2] {
		t.Fatalf("no match to try: %q by %v", whole.Moves, whole.seats)
	}
	side := cut.side
	allowed := time.Minute + 2*10*time.Millisecond + 20*time.Millisecond // of the answer after four moves
	unclocked := cup(t, "awale", 1)
	unclocked.Time.Base = 0
	nothing := func(*trialRecord) {}
	last := func(ending Ending, more time.Duration) func(r *trialRecord) {
		return func(r *trialRecord) { r.lost(ending); r.charge(r.side, more) }
	}
	moves := func(first, third time.Duration) func(r *trialRecord) {
		return func(r *trialRecord) { r.took(1, first); r.took(3, third) }
	}
	tooLong := func(move int, took, allowed string) string {
		return fmt.Sprintf("move %d took %s of %s, with the margin, but the match continued", move, took, allowed)
	}
	lastAnswer := func(ending Ending, took, allowed string) string {
		return fmt.Sprintf("it ended by %v, but the last answer took %s of %s, with the margin", ending, took, allowed)
	}
	times := [2]time.Duration{}
	times[side] = 1
	charged := fmt.Sprintf("its times are %v, but its moves make them [0s 0s]", times)
	const base, ms = time.Minute, time.Millisecond
	for name, test := range map[string]struct {
		c      Tournament
		of     *trialRecord
		change func(r *trialRecord)
		says   string
	}{
		"whole":                         {c, whole, nothing, ""},
		"all of the base":               {c, whole, moves(base+20*ms, 0), ""},
		"more than the base":            {c, whole, moves(base+20*ms+1, 0), tooLong(1, "1m0.020000001s", "1m0.02s")},
		"all of an increment":           {c, whole, moves(base-5*ms, 35*ms), ""},
		"more than an increment":        {c, whole, moves(base-5*ms, 35*ms+1), tooLong(3, "35.000001ms", "35ms")},
		"an increment after the margin": {c, whole, moves(base+20*ms, 30*ms+1), tooLong(3, "30.000001ms", "10ms")},
		"not late":                      {c, cut, last(EndTime, allowed), lastAnswer(EndTime, "1m0.04s", "1m0.04s")},
		"late":                          {c, cut, last(EndTime, allowed+1), ""},
		"no answer":                     {c, cut, last(EndTime, 0), ""},
		"illegal, not late":             {c, cut, last(EndIllegal, allowed), ""},
		"illegal and late": {
			c, cut, last(EndIllegal, allowed+1), lastAnswer(EndIllegal, "1m0.040000001s", "1m0.04s"),
		},
		"resigned, not late":  {c, cut, last(EndResign, allowed), ""},
		"crashed and charged": {c, cut, last(EndCrash, 1), charged},
		"no clock, no hang":   {unclocked, cut, last(EndHang, 30*time.Second), lastAnswer(EndHang, "30s", "30s")},
		"no clock, a hang":    {unclocked, cut, last(EndHang, 30*time.Second+1), ""},
	} {
		r := clone(test.of)
		test.change(r)
		equal(t, name, test.says, strings.Join(verifyOne(t, test.c, r.Record), "\n"))
	}
}

// The increment comes when the turn is over, not with each move of it.
func TestVerifyIncrementOfATurn(t *testing.T) {
	t.Parallel()
	const number = 2
	c := cup(t, "buqruru-bellin", 1)
	r := trialOf(t, c, newRoundRobin(c).Key(number), 1, never)
	last := len(r.Moves) - 1
	for i, seat := range r.seats[:last] { // i+1 is the number of the move, and the index of the next
		if seat != r.seats[i+1] || r.Moves[i] == "pass" || r.Moves[i+1] == "pass" {
			continue
		}
		left := time.Minute
		for j := range i {
			if r.seats[j] == seat && r.seats[j+1] != seat {
				left += 10 * time.Millisecond
			}
		}
		r.took(i+1, left)
		r.took(i+2, 20*time.Millisecond)
		if lines := verifyOne(t, c, r.Record); len(lines) > 0 {
			t.Errorf("the margin: %q", lines)
		}
		r.took(i+2, 1)
		want := fmt.Sprintf("move %d took 20.000001ms of 20ms, with the margin, but the match continued", i+2)
		if lines := verifyOne(t, c, r.Record); len(lines) != 1 || lines[0] != want {
			t.Errorf("%q, not %q", lines, want)
		}
		return
	}
	t.Fatalf("nobody moves twice: %q by %v", r.Moves, r.seats)
}

// The clocks of a match, by hand: 10 µs and 1 µs more after each turn, and moves that took 1, 2, 3 and 12 µs.
func TestTimeLeft(t *testing.T) {
	t.Parallel()
	rules := must2(engine.Lookup("awale"))
	record := playedRecord(rules, 4)
	record.Elapsed[3] = 12 * time.Microsecond
	record.Times[1] = 14 * time.Microsecond
	clock := func(move, base time.Duration) Conditions {
		return Conditions{Time: TimeControl{Move: move, Base: base, Increment: time.Microsecond, Watchdog: 10 * time.Second}}
	}
	const us = time.Microsecond
	want := [][2]time.Duration{{10 * us, 10 * us}, {10 * us, 10 * us}, {10 * us, 9 * us}, {8 * us, 9 * us}, {8 * us, 1 * us}}
	equal(t, "clocks", want, must2(clock(0, 10*us).Replay(rules, record)).TimeLeft())
	for _, without := range []Conditions{clock(time.Second, 0), clock(0, 0), {}} {
		if left := must2(without.Replay(rules, record)).TimeLeft(); left != nil {
			t.Errorf("without a clock for the whole match: %v", left)
		}
	}
}

// TestVerifyEachField: a change of any field of a record is found, apart from those that a replay cannot show, whatever
// ended the match.
func TestVerifyEachField(t *testing.T) {
	t.Parallel()
	trusted := []string{
		".Summary.CPU", ".Summary.Worker", ".Body.Scores", ".Body.Seeds", ".Body.Files",
		".Summary.Forfeit", // only what contradicts the ending is found
	}
	c, single := cup(t, "bechi", 2), cup(t, "awale", 2)
	c.Adjudication = &Adjudication{Plies: 30, By: "stores"}
	key := newRoundRobin(c).Key(2)
	thirty := func(m *Match) bool { return len(m.Plies) == 30 }
	adjudicated := trialOf(t, c, key, 1, thirty)
	adjudicated.adjudged(c.Adjudication.atLimit(must2(engine.ParsePosition(must2(c.Rules()), lastOf(adjudicated)))))
	for name, test := range map[string]struct {
		plan Tournament
		of   *trialRecord
	}{
		"by the rules": {single, trialOf(t, single, key, 1, never)},
		"adjudicated":  {c, adjudicated},
		"crashed":      {c, trialOf(t, c, key, 1, afterFour)},
	} {
		test.of.Scores = make([]*float64, test.of.Plies)
		test.of.Scores[0] = new(1.5)
		if wrong := verifyOne(t, test.plan, test.of.Record); len(wrong) > 0 {
			t.Fatalf("%s: %q", name, wrong)
		}
		eachField("", reflect.ValueOf(&test.of.Record).Elem(), func(field string, change, back func()) {
			change()
			defer back()
			isTrusted := slices.ContainsFunc(trusted, func(prefix string) bool { return strings.HasPrefix(field, prefix) })
			if wrong := verifyOne(t, test.plan, test.of.Record); len(wrong) == 0 && !isTrusted {
				t.Errorf("%s: a change of %s is not found", name, field)
			}
		})
	}
}

// lastOf is the position at the end of a match.
func lastOf(r *trialRecord) string { return r.Body.Rounds[len(r.Body.Rounds)-1].Position }

// eachField yields each field below a value, with each element of its lists, and how to change it and back.
func eachField(path string, v reflect.Value, yield func(field string, change, back func())) {
	switch before := v.Interface(); v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			eachField(path+"."+v.Type().Field(i).Name, v.Field(i), yield)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			eachField(fmt.Sprintf("%s[%d]", path, i), v.Index(i), yield)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			eachField(path, v.Elem(), yield)
		}
	default:
		yield(path, func() {
			switch v.Kind() {
			case reflect.String:
				v.SetString(v.String() + "x")
			case reflect.Bool:
				v.SetBool(!v.Bool())
			case reflect.Float64:
				v.SetFloat(v.Float() + 1)
			case reflect.Uint8, reflect.Uint64:
				v.SetUint(v.Uint() ^ 1)
			default:
				v.SetInt(v.Int() + 1)
			}
		}, func() { v.Set(reflect.ValueOf(before)) })
	}
}
