package results

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// ChangeError says that a tournament cannot resume, because its plan has changed too much.
type ChangeError struct {
	Tournament string
	Changes    []string // at least one, such as "tournament.seed was 1 and is now 2"

	// Replace are the bots that have changed, if the tournament could resume by replacing them; nil if it could not.
	Replace []string
}

// Error lists all changes in one sentence. If bots can be replaced, it begins with that.
func (e *ChangeError) Error() string {
	changes := strings.Join(e.Changes, "; ")
	if e.Replace == nil {
		return fmt.Sprintf("tournament %q cannot resume: %s (--fresh begins a new one beside it)", e.Tournament, changes)
	}
	replace, whose, have := "", "its", "has"
	for _, bot := range e.Replace {
		if strings.Contains(bot, " ") {
			bot = strconv.Quote(bot)
		}
		replace += "--replace " + bot + " "
	}
	if len(e.Replace) > 1 {
		whose, have = "their", "have"
	}
	return fmt.Sprintf("tournament %q cannot resume, because %s %s changed: %splays %s matches again; "+
		"--fresh begins a new one beside it (%s)",
		e.Tournament, strings.Join(e.Replace, " and "), have, replace, whose, changes)
}

// changeable returns the fields of a plan that may change while its tournament lasts, or for which Continue has a rule
// of its own. A field that is missing here may not change.
func changeable() []string {
	return []string{
		"Name",      // the store chooses it
		"Bots",      // more may join a round-robin or a gauntlet
		"Withdrawn", // of these formats too
		"Openings",  // there may be more
		"Programs",  // those of bots that are replaced, and of bots that have withdrawn
	}
}

// Continue returns the tournament that continues t by the plan of next. It keeps t's name, family and Replacing. Bots may be
// added anywhere if the old bots are all there in their old order. There may be more pairs, with more openings after
// the old ones. In a round-robin or a gauntlet this makes a new step. But bots and pairs of a swiss or a knockout
// may not change, because its pairings depend on results. The programs of bots that are replaced may change, and
// those of bots that have withdrawn stay as they were. A *ChangeError lists all changes that are not allowed.
func (t Tournament) Continue(next Plan, replaced ...string) (Tournament, error) {
	if changes := t.changes(next, replaced); len(changes) > 0 {
		wrong := &ChangeError{Tournament: t.Name}
		for _, d := range changes {
			wrong.Changes = append(wrong.Changes, d.String())
		}
		changed := slices.DeleteFunc(without(t.Bots, slices.Concat(replaced, next.Withdrawn)), func(bot string) bool {
			return t.sameProgram(next, bot)
		})
		onlyPrograms := len(t.changes(next, append(changed, replaced...))) == 0 // nothing is left if these are replaced, too
		if onlyPrograms {
			wrong.Replace = changed
		}
		return Tournament{}, wrong
	}
	merged := t
	merged.Plan = next
	merged.Name = t.Name
	joined := without(next.Bots, t.Bots)
	if grown := len(joined) > 0 || next.Pairs > t.Pairs; grown && t.Format != Sequential {
		merged.Steps = append(slices.Clone(t.History()), step{joined, next.Pairs})
	}
	merged.Programs = maps.Clone(next.Programs)
	for _, bot := range next.Withdrawn {
		if program, known := t.Programs[bot]; known {
			merged.Programs[bot] = program
		}
	}
	return merged, merged.Check()
}

// Growth is what has changed in a tournament.
type Growth struct {
	Joined, Withdrawn, Back []string // bots; those that are back had withdrawn
	PairsBefore, Pairs      int
}

// Growth returns what of t has changed from the tournament before, which t continues.
func (t Tournament) Growth(before Tournament) Growth {
	return Growth{
		Joined:    without(t.Bots, before.Bots),
		Withdrawn: without(t.Withdrawn, before.Withdrawn),
		Back:      without(before.Withdrawn, t.Withdrawn),

		PairsBefore: before.Pairs, Pairs: t.Pairs,
	}
}

// None reports whether nothing has changed.
func (g Growth) None() bool {
	return len(g.Joined)+len(g.Withdrawn)+len(g.Back) == 0 && g.PairsBefore == g.Pairs
}

// ToReplace returns the bots whose matches are to be taken out when somebody asks to continue t by the plan of next and
// to replace some bots. These are all of them except those whose replacement by the same program continues.
func (t Tournament) ToReplace(next Plan, bots []string) []string {
	return slices.DeleteFunc(slices.Clone(bots), func(bot string) bool {
		return slices.Contains(t.Replacing, bot) && t.sameProgram(next, bot)
	})
}

func (t Tournament) sameProgram(next Plan, bot string) bool {
	return len(differences("", t.Programs[bot], next.Programs[bot])) == 0
}

// changes returns the changes that are not allowed.
func (t Tournament) changes(next Plan, replaced []string) (all []difference) {
	if t.Format != next.Format { // then much else differs because of it
		kind := func(p Plan) Plan { return Plan{Conditions: Conditions{Ruleset: p.Ruleset}, Format: p.Format} }
		return differences("tournament.", kind(t.Plan), kind(next))
	}
	added, gone := without(next.Bots, t.Bots), without(t.Bots, next.Bots)
	same := next // apart from what may change
	same.Challengers = without(next.Challengers, added)
	if next.Pairs > t.Pairs && !t.Staged() {
		same.Pairs = t.Pairs
	}
	all = differences("tournament.", t.Plan, same)
	for _, bot := range gone {
		now := "gone"
		if !t.Staged() && t.Format != Sequential {
			now += "; withdrawn = true in its [[bot]] takes it out"
		}
		all = append(all, difference{"bot " + bot, "there", now})
	}
	if kept := without(next.Bots, added); len(gone) == 0 && !slices.Equal(kept, t.Bots) {
		all = append(all, difference{"the order of the bots", strings.Join(t.Bots, ", "), strings.Join(kept, ", ")})
	}
	if t.Staged() || t.Format == Sequential {
		for _, bot := range added {
			all = append(all, difference{"bot " + bot, "", "there"})
		}
	}
	for i := range len(t.Openings) { // the first one that differs: the others have the same cause
		opening, now := t.Openings[i], ""
		if i < len(next.Openings) {
			now = next.Openings[i]
		}
		if now != opening {
			all = append(all, difference{fmt.Sprintf("opening %d", i+1), opening, now})
			break
		}
	}
	for _, bot := range without(t.Bots, slices.Concat(gone, replaced, next.Withdrawn)) {
		program, known := t.Programs[bot]
		if known || !slices.Contains(t.Withdrawn, bot) { // a bot that withdrew before it joined has none
			all = append(all, differences("bot "+bot+": ", program, next.Programs[bot])...)
		}
	}
	return all
}

// difference is a field that differs; a text without a value is "".
type difference struct{ key, old, now string }

// String says in a few words what has changed: "tournament.seed was 1 and is now 2". It leaves out hashes of files,
// which tell a user nothing.
func (d difference) String() string {
	const hash, nothing = "sha256:", "(nothing)"
	if strings.HasPrefix(d.old, hash) && strings.HasPrefix(d.now, hash) {
		return d.key + " has changed"
	}
	return fmt.Sprintf("%s was %s and is now %s", d.key, cmp.Or(d.old, nothing), cmp.Or(d.now, nothing))
}

// differences lists the fields that differ between two structs of one type and may not change, each with its key. place
// stands before the names of their own fields. The fields of a struct in a field follow the name of that field, which
// may be a pointer. The entries of a map are the hashes of files.
func differences(place string, old, now any) (all []difference) {
	before, after := reflect.ValueOf(old), reflect.ValueOf(now)
	for i := range before.NumField() {
		field, a, b := before.Type().Field(i), before.Field(i), after.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		key := place + name
		if key == "tournament.anchor" {
			key = "rating.anchor" // as in the tournament file
		}
		if a.Kind() == reflect.Pointer {
			a, b = pointed(a), pointed(b)
		}
		switch {
		case before.Type() == reflect.TypeFor[Plan]() && slices.Contains(changeable(), field.Name):
		case field.Anonymous:
			all = append(all, differences(place, a.Interface(), b.Interface())...)
		case a.Kind() == reflect.Struct:
			all = append(all, differences(name+".", a.Interface(), b.Interface())...)
		case a.Kind() == reflect.Map:
			files, others := a.Interface().(map[string]string), b.Interface().(map[string]string)
			names := slices.Sorted(maps.Keys(files))
			names = append(names, without(slices.Sorted(maps.Keys(others)), names)...)
			for _, name := range names {
				if files[name] != others[name] {
					all = append(all, difference{place + "content of " + name, files[name], others[name]})
				}
			}
		case a.Kind() == reflect.Slice && a.Len()+b.Len() == 0:
		case !reflect.DeepEqual(a.Interface(), b.Interface()):
			all = append(all, difference{key, valueText(a), valueText(b)})
		}
	}
	return all
}

// pointed returns what a pointer points at; for nil, it is the zero value.
func pointed(pointer reflect.Value) reflect.Value {
	if pointer.IsNil() {
		return reflect.Zero(pointer.Type().Elem())
	}
	return pointer.Elem()
}

func valueText(v reflect.Value) string {
	switch {
	case v.Kind() != reflect.Slice:
		return fmt.Sprint(v.Interface())
	case v.Len() == 0:
		return ""
	}
	return fmt.Sprintf("%q", v.Interface())
}

// without returns the names that are not among others.
func without(names, others []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(others, name) })
}

// Of reports whether one of the bots plays the match.
func (k Key) Of(bots []string) bool {
	return slices.Contains(bots, k.South) || slices.Contains(bots, k.North)
}
