package store

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	bolt "go.etcd.io/bbolt"

	"sembra/results"
	"sembra/results/schedule"
)

// Records are one tournament in a store: its plan, its schedule and its records. Several goroutines may read them at
// the same time. While one of them stores something, no other may use them.
type Records struct {
	Tournament results.Tournament
	Schedule   *schedule.Schedule // it has the records of the file at opening, and those put since

	store     *Store
	isNew     bool // the file does not have the tournament yet
	changed   bool // the file has the tournament with another plan
	growth    Growth
	asked     Replacement
	replaced  []string            // bots whose matches in the file are taken out before the next record
	copied    string              // path of the copy of the file from before that; "": none was made
	isolation string              // a line to store before the next record; "": none
	fold      *results.RatingFold // of the stored ratings; nil: not known
}

// newRecords returns the records of a tournament, with a schedule that has no records.
func (s *Store) newRecords(t results.Tournament) *Records {
	return &Records{Tournament: t, Schedule: schedule.New(t), store: s}
}

// Records opens a stored tournament by its name, or the newest one for "". An *UnknownError or ErrNone says that
// there is none.
func (s *Store) Records(name string) (*Records, error) {
	all, err := s.Tournaments()
	if err != nil {
		return nil, err
	}
	for _, t := range slices.Backward(all) {
		if name == "" || t.Name == name {
			return s.openRecords(t, nil)
		}
	}
	return nil, s.wrap(unknown(name, all))
}

// Newest opens the tournament that a plan of the family would resume (see Begin). The error is that of
// Records.
func (s *Store) Newest(family string) (*Records, error) {
	all, err := s.Tournaments()
	if err != nil {
		return nil, err
	}
	t, found := newestOf(all, family)
	if !found {
		return nil, s.wrap(unknown(family, all))
	}
	return s.openRecords(t, nil)
}

// openRecords opens the records of a stored tournament, without the matches of the replaced bots.
func (s *Store) openRecords(t results.Tournament, replaced []string) (*Records, error) {
	if err := t.Check(); err != nil {
		return nil, s.wrap(fmt.Errorf("damaged: %w", err))
	}
	b := s.newRecords(t)
	b.replaced = replaced
	if !schedule.DependsOnResults(t) {
		return b, nil
	}
	if err := b.view(func(in buckets) error { return in.follow(b.Schedule, replaced) }); err != nil {
		return nil, err
	}
	return b, nil
}

// Begin opens the tournament that a plan continues: the newest one of the family that the plan's name is, or the one
// that has this name. If there is none, or if fresh is set, it begins a new tournament. A
// *results.ChangeError lists the changes of the plan that are not allowed. Begin refuses a damaged file: it checks
// every checksum. It stores nothing: the tournament is stored with its first record, so a run whose bots cannot play
// leaves no trace.
//
// If the tournament continues, the matches of the bots in replace are taken out, unless a replacement of the
// same bot by the same program still continues: see Tournament.ToReplace. From now on the records are without these
// matches; in the file, SaveTournament takes them out. It is refused if later stages depend on
// them.
func (s *Store) Begin(plan results.Plan, fresh bool, replace ...string) (*Records, error) {
	if err := s.checkSound(); err != nil {
		return nil, err
	}
	all, err := s.Tournaments()
	if err != nil {
		return nil, err
	}
	old, found := newestOf(all, plan.Name)
	if found && !fresh {
		return s.resume(old, plan, replace)
	}
	family := plan.Name
	if found {
		family = old.Family
	}
	plan.Name = freshName(all, family)
	b := s.newRecords(results.Tournament{Plan: plan, Family: family})
	b.isNew, b.asked.Unplayed = true, replace
	return b, nil
}

// resume opens the tournament that resumes a plan.
func (s *Store) resume(old results.Tournament, plan results.Plan, replace []string) (*Records, error) {
	begun, err := s.openRecords(old, nil)
	if err != nil {
		return nil, err
	}
	played, err := begun.numbers()
	if err != nil {
		return nil, err
	}
	next := results.Tournament{Plan: plan, Family: old.Family}
	next.Name = old.Name
	var replaced []string
	var growth Growth
	if len(played) > 0 || len(old.Replacing) > 0 { // before the first record, anything may change
		replaced = old.ToReplace(plan, replace)
		next, err = old.Continue(plan, replaced...)
		later := func(number int) bool { return begun.Schedule.Stage(number) > 1 }
		if refused := new(results.ChangeError); errors.As(err, &refused) && slices.ContainsFunc(played, later) {
			refused.Replace = nil // a replacement would undo later stages
		}
		if err != nil {
			return nil, err
		}
		growth.Growth = next.Growth(old)
	}
	matches := func(of ...string) (n int) {
		for _, number := range played {
			if begun.Schedule.Key(number).Of(of) {
				n++
			}
		}
		return n
	}
	replaced = slices.DeleteFunc(replaced, func(bot string) bool { return matches(bot) == 0 })
	for _, bot := range replaced {
		if !slices.Contains(next.Replacing, bot) {
			next.Replacing = append(slices.Clip(next.Replacing), bot)
		}
	}
	b, err := s.openRecords(next, replaced)
	if err != nil {
		return nil, err
	}
	if len(replaced) > 0 {
		if err := s.undone(begun, played, b.Schedule, replaced); err != nil {
			return nil, err
		}
	}
	b.changed = len(replaced) > 0 || !reflect.DeepEqual(old, next)
	b.asked = Replacement{Bots: replaced, Matches: matches(replaced...)}
	for _, bot := range replace {
		switch {
		case slices.Contains(replaced, bot):
		case slices.Contains(next.Replacing, bot):
			b.asked.Continued = append(b.asked.Continued, bot)
		default:
			b.asked.Unplayed = append(b.asked.Unplayed, bot)
		}
	}
	if !growth.None() {
		growth.count(begun.Schedule.Known(), b.Schedule, plan.Withdrawn, func(number int) bool {
			_, recorded := slices.BinarySearch(played, number)
			return recorded && !b.Schedule.Key(number).Of(replaced)
		})
	}
	b.growth = growth
	return b, nil
}

// Growth is how a tournament has changed since the last run.
type Growth struct {
	results.Growth
	Added   []int // the numbers of the matches that the schedule did not have
	Missing []int // the numbers of the older matches that the bots that are back have not played
}

// count finds the matches to play, after a schedule of that many matches.
func (g *Growth) count(before int, s *schedule.Schedule, withdrawn []string, recorded func(number int) bool) {
	for number := 1; number <= s.Known(); number++ {
		key := s.Key(number)
		switch {
		case key.Of(withdrawn):
		case number > before:
			g.Added = append(g.Added, number)
		case key.Of(g.Back) && !recorded(number):
			g.Missing = append(g.Missing, number)
		}
	}
}

// Growth returns what has changed since the last run.
func (b *Records) Growth() Growth { return b.growth }

// Replacement is what becomes of the bots that somebody has asked to replace.
type Replacement struct {
	Bots      []string // whose matches SaveTournament takes out
	Matches   int      // number of these matches
	Continued []string // bots whose earlier replacement, by the same program, continues
	Unplayed  []string // bots without a match that could be taken out
}

// Replacement returns what becomes of the bots that are to be replaced.
func (b *Records) Replacement() Replacement { return b.asked }

// Store returns the store that the records are in.
func (b *Records) Store() *Store { return b.store }

func (b *Records) view(work func(buckets) error) error {
	return b.store.viewIn(b.Tournament.Name, work)
}

func (b *Records) update(work func(buckets) error) error {
	return b.store.update(func(tx *bolt.Tx) error { return inBuckets(tx, b.Tournament.Name, work) })
}

// numbers returns the numbers of the recorded matches in schedule order, without those of the replaced bots. It reads
// only keys. It first adds to the schedule the stages that a run in another process has decided meanwhile. Recorded
// matches that are not in the schedule are an error that names them.
func (b *Records) numbers() (numbers []int, err error) {
	err = b.view(func(in buckets) (err error) {
		if schedule.DependsOnResults(b.Tournament) {
			err = in.follow(b.Schedule, b.replaced)
		}
		if err == nil {
			numbers, err = in.numbers(b.Schedule)
		}
		return err
	})
	return slices.DeleteFunc(numbers, func(number int) bool { return b.Schedule.Key(number).Of(b.replaced) }), err
}

// Isolation returns the lines that NoteIsolation noted, in the order of the runs; nil if there are none.
func (b *Records) Isolation() (lines []string, err error) {
	err = b.view(func(in buckets) error {
		m, err := in.manifest()
		lines = m.Isolated
		return err
	})
	return lines, err
}

// NoteIsolation notes in one line what the machine isolates in this run. The line is stored with the next
// record, unless it equals the last stored one.
func (b *Records) NoteIsolation(line string) { b.isolation = strings.ToValidUTF8(line, "\uFFFD") }

// SaveTournament stores a tournament that is new or has changed without waiting for its first record, so that readers see it. It
// takes out the matches of replaced bots; before that, it copies the file and returns the path of the copy.
func (b *Records) SaveTournament() (copied string, err error) {
	err = b.prepare()
	return b.copied, err
}

// prepare stores what the file must have before a record: a new tournament, or the plan over an older one, the ratings
// for it, and the line of isolation.
func (b *Records) prepare() (err error) {
	if !b.isNew && !b.changed && b.isolation == "" {
		return nil
	}
	if len(b.replaced) > 0 && b.copied == "" {
		if b.copied, err = b.store.saveCopy(beforeReplace); err != nil {
			return err
		}
	}
	fold := b.fold
	err = b.store.update(func(tx *bolt.Tx) error {
		if b.isNew {
			if err := create(tx, b.Tournament); err != nil {
				return err
			}
		}
		return inBuckets(tx, b.Tournament.Name, func(in buckets) (err error) {
			if b.isNew || b.changed {
				fold = b.Tournament.RatingFold()
				err = in.replace(b.Schedule, b.replaced, fold)
			}
			if err != nil {
				return err
			}
			m, err := in.manifest()
			if err != nil {
				return err
			}
			m.Plan = b.Tournament
			if b.isolation != "" && !(len(m.Isolated) > 0 && m.Isolated[len(m.Isolated)-1] == b.isolation) {
				m.Isolated = append(m.Isolated, b.isolation)
			}
			return in.putManifest(m)
		})
	})
	if err == nil {
		b.fold, b.isNew, b.changed, b.replaced, b.isolation = fold, false, false, nil, ""
	}
	return err
}

// undone returns the error for a replacement of bots that would undo matches of later stages; nil if it
// undoes none. The records begun are all. Numbers are those that are recorded.
func (s *Store) undone(begun *Records, numbers []int, kept *schedule.Schedule, bots []string) error {
	stage, matches := math.MaxInt, 0
	for _, number := range numbers {
		if _, stays := kept.Number(begun.Schedule.Key(number)); !stays {
			stage, matches = min(stage, begun.Schedule.Stage(number)), matches+1
		}
	}
	if matches == 0 {
		return nil
	}
	change := fmt.Sprintf("to replace %s would undo recorded matches (%d, from stage %d on), because their "+
		"pairings depend on earlier results", strings.Join(bots, " and "), matches, stage)
	return s.wrap(&results.ChangeError{Tournament: begun.Tournament.Name, Changes: []string{change}})
}

// replace takes out all recorded matches of some bots, and computes the stored ratings again from the first match,
// because the schedule has changed. Every other recorded match must be in the schedule.
func (b buckets) replace(order *schedule.Schedule, bots []string, fold *results.RatingFold) error {
	var keys [][]byte
	err := b.summaries.ForEach(func(raw, _ []byte) error {
		key, err := readKey(raw)
		if key.Of(bots) {
			keys = append(keys, slices.Clone(raw))
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, raw := range keys {
		if err := b.summaries.Delete(raw); err != nil {
			return err
		}
		if err := b.bodies.Delete(raw); err != nil {
			return err
		}
	}
	if _, err := b.numbers(order); err != nil {
		return err
	}
	return b.extendRatings(fold, order)
}
