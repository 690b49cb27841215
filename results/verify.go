package results

import (
	"fmt"

	"sembra/engine"
)

// Verify plays the moves of a record again under its conditions, and lists, one sentence each, what is wrong: the
// first ply that cannot follow, or else the fields in which the record differs from the one that a referee would have
// made. It trusts what a replay cannot show: scores, seeds, CPU times, and that a bot at fault did what the ending says.
func (c Conditions) Verify(rules engine.Ruleset, r Record) (wrong []string) {
	m, err := c.replay(rules, r)
	if err != nil {
		return []string{err.Error()}
	}
	for i, ply := range m.Plies {
		if ply.Allowed > 0 && ply.Elapsed > ply.Allowed {
			return []string{fmt.Sprintf("move %d took %v of %v, with the margin, but the match continued",
				i+1, ply.Elapsed, ply.Allowed)}
		}
	}
	verdict, over := m.Verdict()
	if !over {
		if verdict, err = m.causedBy(r); err != nil {
			wrong = append(wrong, err.Error())
		}
	}
	return append(wrong, r.differences(m.Record(r.Key, verdict))...)
}

// causedBy returns the verdict of a record that a bot ended. The error says why no bot can have ended it so: each case is
// one of the referee's (package arena), which decides the ending of a turn, seen from the record.
func (m *Match) causedBy(r Record) (v Verdict, err error) {
	v = Verdict{Result: r.Result, Ending: r.Ending, Fault: r.Fault}
	side := m.Position().Side()
	allowed, known := m.Allowed() // otherwise only the ruleset is known, as in a file of matches
	lost, late := Lost(side, r.Ending), r.Ending == EndTime || r.Ending == EndHang
	if late || r.Ending == EndResign || r.Ending == EndIllegal {
		v.Last = r.Times[side] - m.spent()[side]
	}
	switch {
	case r.Ending.ByRules():
		err = fmt.Errorf("it ended by %v, but by the rules it is not over after its last move", r.Ending)
	case r.Ending == EndAdjudicated && (known || m.adjudicator != nil):
		err = fmt.Errorf("it ended by %v, but its tournament's adjudication does not end it after its last move", r.Ending)
	case r.Ending == EndAdjudicated:
	case r.Ending == EndStart:
		if len(m.Plies) > 0 {
			err = fmt.Errorf("it ended by %v, but it has moves", r.Ending)
		}
	case m.MustPass():
		err = fmt.Errorf("it ended by %v, but no bot was asked for a move", r.Ending)
	case r.Result != lost.Result:
		err = fmt.Errorf("it ended by %v, with result %v, but %v was to move", r.Ending, r.Result, side)
	case r.Fault != lost.Fault:
		err = fmt.Errorf("it ended by %v, with fault %q, but %v was to move", r.Ending, r.FaultName(), side)
	case late && known && r.Ending != m.Late():
		err = fmt.Errorf("it ended by %v, but in its tournament a late answer ends a match by %v", r.Ending, m.Late())
	case v.Last < 0:
		v.Last = 0
	case known && v.Last > 0 && late != (v.Last > allowed):
		err = fmt.Errorf("it ended by %v, but the last answer took %v of %v, with the margin", r.Ending, v.Last, allowed)
	}
	return v, err
}

// differences lists the fields that differ from those of the record that the match would have.
func (r Record) differences(want Record) (all []string) {
	for _, field := range []struct {
		format    string
		got, want any
	}{
		{"its result is %v, but its moves make it %v", r.Result, want.Result},
		{"its ending is %v, but its moves make it %v", r.Ending, want.Ending},
		{"its fault is %q, but its moves make it %q", r.FaultName(), want.FaultName()},
		{"its stores are %v, but its moves make them %v", versus(r.Stores), versus(want.Stores)},
		{"its donkeys are %v, but its moves make them %v", versus(r.Donkeys), versus(want.Donkeys)},
		{"its times are %v, but its moves make them %v", r.Times, want.Times},
		{"its hash is %x, but its bots, opening and moves make it %x", r.Hash, want.Hash},
	} {
		if field.got != field.want {
			all = append(all, fmt.Sprintf(field.format, field.got, field.want))
		}
	}
	for i, round := range r.Body.Rounds {
		if round == want.Body.Rounds[i] {
			continue
		}
		for _, d := range differences(fmt.Sprintf("round %d: ", i+1), want.Body.Rounds[i], round) {
			all = append(all, fmt.Sprintf("%s is %s, but its moves make it %s", d.key, d.now, d.old))
		}
	}
	return all
}

// versus is a number of South and of North.
type versus [2]int

// String writes both numbers: "26-22".
func (v versus) String() string { return fmt.Sprintf("%d-%d", v[engine.South], v[engine.North]) }

// Verify lists what is wrong with a record of the tournament: that it does not begin with the opening of its pair, and
// what [Conditions.Verify] finds.
func (p Plan) Verify(rules engine.Ruleset, r Record) []string {
	if opening := p.Opening(r.Pair); opening != "" && r.Opening != opening {
		return []string{fmt.Sprintf("it begins with %.200q, but the opening of its pair is %s", r.Opening, opening)}
	}
	return p.Conditions.Verify(rules, r)
}

// CheckOpenings returns the first reason why the openings are not those of the tournament: their number, or one that is
// not a position.
func (p Plan) CheckOpenings(rules engine.Ruleset) error {
	if n := len(p.Openings); n != p.MostPairs() {
		return fmt.Errorf("%d openings for %d pairs", n, p.MostPairs())
	}
	for i := range len(p.Openings) {
		if _, err := engine.ParsePosition(rules, p.Openings[i]); err != nil {
			return fmt.Errorf("opening %d: %w", i+1, err)
		}
	}
	return nil
}
