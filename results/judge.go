package results

import (
	"fmt"
	"time"

	"sembra/engine"
)

// Judge referees the recorded matches of one tournament again. Several goroutines may use it at the same time.
type Judge struct {
	tournament Tournament
	rules      engine.Ruleset    // nil if the ruleset is unknown
	openings   []engine.Position // by pair less 1, up to the first opening that is not a position
}

// Judge returns a judge, and the problems of the tournament itself: an unknown ruleset, a bad adjudication, a
// wrong number of openings, or an opening that is not a position.
func (t Tournament) Judge() (j *Judge, problems []string) {
	j = &Judge{tournament: t}
	note := func(err error) {
		if err != nil {
			problems = append(problems, "the manifest: "+err.Error())
		}
	}
	var err error
	if j.rules, err = t.rules(); err != nil {
		note(err)
		return j, problems
	}
	if t.Adjudication != nil {
		_, err := t.Adjudication.Check()
		note(err)
	}
	if n := len(t.Openings); n != t.MostPairs() {
		note(fmt.Errorf("%d openings for %d pairs", n, t.MostPairs()))
	}
	for _, text := range t.Openings {
		opening, err := engine.ParsePosition(j.rules, text)
		if err != nil {
			note(fmt.Errorf("opening %d: %w", len(j.openings)+1, err))
			break
		}
		j.openings = append(j.openings, opening)
	}
	return j, problems
}

// NewJudge returns a judge of matches that belong to no tournament.
func NewJudge(rules engine.Ruleset) *Judge {
	info := rules.Info()
	return &Judge{tournament: Tournament{Ruleset: info.Name, Rounds: info.Rounds}, rules: rules}
}

// Referee plays the moves of a record again. It lists, one sentence each, the differences between the record and
// what follows from the rules, the clock and the adjudication of its tournament. It leaves out differences that
// follow from an earlier one. It trusts what a replay cannot show: scores, seeds, CPU times, and that a bot
// at fault did what the ending says.
func (j *Judge) Referee(r Record) (differences []string) {
	t := retrial{Judge: j, record: &r}
	t.referee()
	return t.differences
}

// retrial is one match that is refereed again.
type retrial struct {
	*Judge
	record      *Record
	differences []string
	match       *engine.Match
	clock       Clock
	spent       [2]time.Duration

	adjudicated   Result // the result by the rule of the tournament; not valid: it ended nothing
	adjudicatedAt int    // the number of moves at that time
}

// referee stops at a difference after which nothing else can be compared.
func (t *retrial) referee() {
	r := t.record
	if err := r.checkSummary(); err != nil {
		t.tell("%v", err)
	}
	if err := r.checkBody(); err != nil {
		t.tell("%v", err)
		return
	}
	if r.Hash != MatchHash(t.tournament.Ruleset, r.South, r.North, r.Opening, r.Moves) {
		t.tell("its hash is not that of its bots, opening and moves")
	}
	if t.rules == nil {
		return
	}
	start, err := engine.ParsePosition(t.rules, r.Opening)
	if err != nil {
		t.tell("the opening %.200q: %v", r.Opening, err)
		return
	}
	if i := t.tournament.openingOf(r.Pair); i < len(t.openings) && start != t.openings[i] {
		t.tell("it begins with %s, but the opening of its pair is %s", r.Opening, t.tournament.Opening(r.Pair))
	}
	t.match, t.clock = engine.NewMatch(t.rules, start), t.tournament.Time.Clock()
	if !t.replay() {
		return
	}
	t.ending()
	t.score()
	t.rounds()
	t.times()
}

func (t *retrial) tell(format string, args ...any) {
	t.differences = append(t.differences, fmt.Sprintf(format, args...))
}

// replay plays the moves, and reports whether all could be played.
func (t *retrial) replay() bool {
	adjudicator := t.tournament.Adjudication.Begin()
	for i, token := range t.record.Moves {
		elapsed := t.record.Elapsed[i]
		if t.match.Over() {
			t.tell("move %d %q comes after the end of the match", i+1, token)
			return false
		}
		seat := t.match.Position().Side()
		move, err := t.match.Find(token)
		if err != nil {
			t.tell("move %d: %v", i+1, err)
			return false
		}
		pass := t.onlyPass()
		if pass {
			if elapsed != 0 {
				t.tell("move %d is a forced pass, but it took %v", i+1, elapsed)
			}
			if t.record.score(i) != nil {
				t.tell("move %d is a forced pass, but it has a score", i+1)
			}
		} else if allowed, limited := t.clock.Allowed(seat); limited && elapsed > allowed {
			t.tell("move %d took %v of %v, with the margin, but the match continued", i+1, elapsed, allowed)
		}
		t.spent[seat] += elapsed
		t.match.Play(move)
		t.clock.Played(seat, elapsed, t.match.Over() || t.match.Position().Side() != seat)
		if t.match.Over() || t.adjudicatedAt > 0 {
			continue
		}
		if result, decided := adjudicator.Ply(seat, !pass, t.record.score(i), t.match.Position()); decided {
			t.adjudicated, t.adjudicatedAt = result, i+1
		}
	}
	return true
}

// onlyPass reports whether the next move is a forced pass, for which no bot is asked.
func (t *retrial) onlyPass() bool {
	legal := t.match.Legal()
	return len(legal) == 1 && legal[0].Pass()
}

// ending compares the result, the ending and the fault.
func (t *retrial) ending() {
	r := t.record
	if t.adjudicatedAt > 0 {
		t.adjudication()
		return
	}
	if o, over := t.match.Outcome(); over {
		switch result, ending := EndOf(o); {
		case r.Ending != ending:
			t.tell("it ended by %v, but by the rules it is over after its last move: %v", r.Ending, ending)
		case r.Result != result || r.Fault != NoFault:
			t.tell("its result is %v with fault %q, but by the rules it is %v without a fault", r.Result, r.FaultName(), result)
		}
		return
	}
	side := t.match.Position().Side()
	lost, fault := winOf(side.Other()), SouthFault+Fault(side)
	switch {
	case r.Ending.ByRules():
		t.tell("it ended by %v, but by the rules it is not over after its last move", r.Ending)
	case r.Ending == EndAdjudicated && t.tournament.Format == "": // nobody knows its adjudication
	case r.Ending == EndAdjudicated && t.tournament.Adjudication == nil:
		t.tell("it ended by %v, but its tournament has no adjudication", r.Ending)
	case r.Ending == EndAdjudicated:
		t.tell("it ended by %v, but its tournament's adjudication does not end it after its last move", r.Ending)
	case r.Ending == EndStart:
		if r.Plies > 0 {
			t.tell("it ended by %v, but it has moves", r.Ending)
		}
	case t.onlyPass():
		t.tell("it ended by %v, but no bot was asked for a move", r.Ending)
	case r.Result != lost:
		t.tell("it ended by %v, with result %v, but %v was to move", r.Ending, r.Result, side)
	case r.Ending == EndResign && r.Fault != NoFault || r.Ending != EndResign && r.Fault != fault:
		t.tell("it ended by %v, with fault %q, but %v was to move", r.Ending, r.FaultName(), side)
	case r.Ending == EndTime && t.clock.Watchdog > 0 && !t.clock.Clocked():
		t.tell("it ended by %v, but there is no clock in its tournament", r.Ending)
	case r.Ending == EndHang && t.clock.Clocked():
		t.tell("it ended by %v, but there is a clock in its tournament", r.Ending)
	}
}

// adjudication compares the ending with the one by the adjudication of the tournament.
func (t *retrial) adjudication() {
	r, want := t.record, t.record.Summary
	want.Ending, want.Result, want.Plies = EndAdjudicated, t.adjudicated, t.adjudicatedAt
	reason := t.tournament.Adjudication.Reason(want)
	switch {
	case t.adjudicatedAt < len(r.Moves):
		t.tell("it continued, but its tournament's adjudication ends it after move %d: %v (%s)",
			t.adjudicatedAt, t.adjudicated, reason)
	case r.Ending != EndAdjudicated:
		t.tell("it ended by %v, but its tournament's adjudication ends it after its last move: %v (%s)",
			r.Ending, t.adjudicated, reason)
	case r.Result != t.adjudicated || r.Fault != NoFault:
		t.tell("its result is %v with fault %q, but by its tournament's adjudication it is %v without a fault (%s)",
			r.Result, r.FaultName(), t.adjudicated, reason)
	}
}

// score compares the stores and the donkeys.
func (t *retrial) score() {
	r, pos := t.record, t.match.Position()
	stores := [2]int{pos.Store(engine.South), pos.Store(engine.North)}
	if got := r.Stores; got != stores {
		t.tell("its stores are %d-%d, but its moves make them %d-%d", got[0], got[1], stores[0], stores[1])
	}
	donkeys := [2]int{pos.Donkeys(engine.South), pos.Donkeys(engine.North)}
	if got := r.Donkeys; got != donkeys {
		t.tell("its donkeys are %d-%d, but its moves make them %d-%d", got[0], got[1], donkeys[0], donkeys[1])
	}
}

// rounds compares the rounds.
func (t *retrial) rounds() {
	want := RoundsOf(t.match, t.record.Ending)
	got := t.record.Body.Rounds
	if len(got) != len(want) {
		t.tell("it has %d rounds, but its moves make %d", len(got), len(want))
		return
	}
	for i := range got {
		for _, d := range differences(fmt.Sprintf("round %d: ", i+1), want[i], got[i]) {
			t.tell("%s is %s, but its moves make it %s", d.key, d.now, d.old)
		}
	}
}

// times compares the charged times with the times of the moves. The bot that was to move at the end may also be
// charged for a last answer that was not a move. This time is greater than the allowed one only if the bot lost
// on time.
func (t *retrial) times() {
	r := t.record
	for seat, charged := range r.Times {
		seat := engine.Seat(seat)
		more := charged - t.spent[seat]
		answered := !t.match.Over() && seat == t.match.Position().Side() &&
			(r.Ending == EndResign || r.Ending == EndIllegal || r.Ending == EndTime || r.Ending == EndHang)
		allowed, limited := t.clock.Allowed(seat)
		late := r.Ending == EndTime || r.Ending == EndHang
		switch {
		case more == 0:
		case more < 0 || !answered:
			t.tell("%v was charged %v, but the times of its moves add up to %v", seat, charged, t.spent[seat])
		case limited && !late && more > allowed:
			t.tell("%v was charged %v for its last answer, but only %v were allowed, with the margin", seat, more, allowed)
		case limited && late && more <= allowed:
			t.tell("it ended by %v, but %v took %v of %v for its last answer, with the margin",
				r.Ending, seat, more, allowed)
		}
	}
}

// TimeLeft returns what the clocks of South and of North showed at the beginning of a replayed match and after each of
// its plies. It returns nil if the tournament has no clock that runs over a whole match.
func (t Tournament) TimeLeft(replay Replay) (left [][2]time.Duration) {
	if t.Time.Move > 0 || t.Time.Base == 0 {
		return nil
	}
	clock := t.Time.Clock()
	left = append(left, clock.Left)
	for i, ply := range replay.Plies {
		seat := ply.Before.Side()
		isLast := i == len(replay.Plies)-1
		clock.Played(seat, ply.Elapsed, isLast && replay.Over() || ply.After.Side() != seat)
		left = append(left, clock.Left)
	}
	return left
}
