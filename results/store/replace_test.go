package store

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sembra/results"
)

// changedPlan is the plan of a tournament in which bots have changed.
func changedPlan(plan results.Tournament, bots ...string) results.Tournament {
	plan.Programs = maps.Clone(plan.Programs)
	for _, bot := range bots {
		plan.Programs[bot] = results.Program{Builtin: plan.Programs[bot].Builtin + "+"}
	}
	return plan
}

// TestReplace replaces bots, resumes that, and replaces one of them again. Each time the file from before stays.
func TestReplace(t *testing.T) {
	t.Parallel()
	store := openNew(t)
	plan := spring(2, "a", "b", "c", "d")
	stored := begin(t, store, plan)
	all := someRecords(stored.Schedule)
	all[3].Evidence = new(evidence())
	must(t, stored.Put(all))
	of := func(bots ...string) (matches []results.Record) {
		return slices.DeleteFunc(slices.Clone(all), func(r results.Record) bool { return !r.Key.Of(bots) })
	}
	check := func(what string, recorded, copied int, replacing ...string) {
		t.Helper()
		stored := openRecords(t, store, "spring")
		summaries := must2(stored.Recorded())
		copies := must2(filepath.Glob(copyStart(store.beside) + "*"))
		if got := stored.Tournament.Replacing; len(summaries) != recorded || len(copies) != copied || !slices.Equal(got, replacing) {
			t.Errorf("%s: %d recorded, copies %q, %q are replaced", what, len(summaries), copies, got)
		}
		ratings := must2(storedRatings(stored))
		fold := stored.Tournament.RatingFold()
		for _, m := range summaries {
			if m.Number == fold.Covered()+1 {
				must(t, fold.Add(m.Summary))
			}
		}
		equal(t, fmt.Sprintf("%s: ratings", what), fold.Ratings(), ratings)
	}
	replace := func(plan results.Tournament, want int, bots ...string) *Records {
		t.Helper()
		stored := must2(store.Begin(plan.Plan, false, bots...))
		asked := stored.Replacement()
		if asked.Matches != want || len(asked.Bots)+len(asked.Continued)+len(asked.Unplayed) != len(bots) {
			t.Errorf("of %q become %+v, want %d matches", bots, asked, want)
		}
		summaries := must2(stored.Recorded())
		if slices.ContainsFunc(summaries, func(m results.Numbered) bool { return want > 0 && m.Key.Of(bots) }) {
			t.Error("the stored has a match of a replaced bot")
		}
		return stored
	}
	check("begun", 24, 0)

	plan = changedPlan(plan, "a")
	stored = replace(plan, 20, "a", "c")
	check("before the first record", 24, 0)
	must(t, stored.Put(of("a")[:1]))
	check("with the first record", 5, 1, "a", "c")
	stored = replace(plan, 0, "c", "a")
	must(t, stored.Put(of("a")[1:]))
	check("half of it", 16, 1, "a", "c")
	plan = changedPlan(plan, "a")
	stored = replace(plan, 12, "a", "c")
	must(t, stored.Put(of("c")))
	check("another program", 16, 2, "a", "c")
	stored = replace(plan, 0, "a")
	must(t, stored.Put(of("a")))
	check("all", 24, 2)

	first := openRead(t, copyStart(store.beside)+beforeReplace+"-1.db")
	var before []results.Record
	for number := range openRecords(t, first, "spring").Schedule.Known() {
		record, found, err := openRecords(t, first, "spring").Record(number + 1)
		must(t, err)
		if found {
			before = append(before, record)
		}
	}
	equal(t, "the file from before", all, before)
	replace(plan, 12, "a") // nothing is open any more
}

// TestReplaceInStages: a replacement is refused if matches of a later stage are recorded.
func TestReplaceInStages(t *testing.T) {
	t.Parallel()
	store := openNew(t)
	plan := spring(1, "a", "b", "c", "d")
	plan.Format, plan.Stages = results.Swiss, 2
	stored := begin(t, store, plan)
	first := someRecords(stored.Schedule) // the schedule is one stage so far
	must(t, stored.Put(first))
	replaced := must2(store.Begin(changedPlan(plan, "b").Plan, false, "b"))
	if asked := replaced.Replacement(); asked.Matches != 2 || replaced.Schedule.Known() != 4 {
		t.Errorf("%+v, %d recorded", asked, replaced.Schedule.Known())
	}

	must(t, stored.Put([]results.Record{record(stored.Schedule.Key(5), results.SouthWins)}))
	_, err := store.Begin(changedPlan(plan, "b").Plan, false, "b")
	if refused := new(results.ChangeError); !errors.As(err, &refused) || !strings.Contains(err.Error(), "(1, from stage 2 on)") {
		t.Errorf("%v", err)
	}
	fresh := must2(store.Begin(changedPlan(plan, "b").Plan, true, "b"))
	if asked := fresh.Replacement(); asked.Bots != nil || fresh.Tournament.Name != "spring-2" {
		t.Errorf("%+v, %s", asked, fresh.Tournament.Name)
	}
}
