package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"sembra/arena"
	"sembra/arena/guest"
	"sembra/configs"
	"sembra/results"
	"sembra/results/report"
	"sembra/results/store"
)

// running is a run of a tournament, from the command line to its report.
type running struct {
	c       *cli.Context
	config  *configs.Config
	replace []string // bots to replace beside those of the flag
	stays   bool     // the database stays when the command ends
	partial bool     // a run that a signal stopped has a report too

	// conclude prints what the matches decide, and returns the error that gives it an exit status; nil: the command
	// prints the standings or the report of the test, and the exit status says nothing of them.
	conclude func([]results.Numbered) error

	enough func([]results.Numbered) bool // reports whether matches, in any order, decide all; nil: all are played

	tournament *arena.Run
	records    *store.Records
	recorded   []results.Numbered // before the run
	counted    []results.Numbered // those of them from which nobody has withdrawn
	progress   *progress
	timeUp     bool    // the time of --within has ended the run
	remote     *remote // plays matches on other machines; nil: all are played here
}

// run plays the missing matches of the tournament and prints how it then stands.
func (r *running) run() error {
	if err := r.check(); err != nil {
		return err
	}
	var listener net.Listener // nil: nothing is served
	if r.c.Bool("serve") {
		var err error
		if listener, err = listen(r.c); err != nil {
			return err
		}
		defer listener.Close()
	}
	db, err := store.Open(r.config.Database)
	if err != nil {
		return err
	}
	defer db.Close()
	if copied := db.Copied(); copied != "" {
		say(r.c.App.ErrWriter, "note: an older sembra wrote %s; the database as it was before is in %s", db.Path(), copied)
	}
	if err := r.begin(db); err != nil {
		return err
	}
	endServe, err := serveRun(r.c, listener, db, r.tournament.Feed)
	if err != nil {
		return err
	}
	err = r.play()
	start, missing := new(guest.StartError), new(arena.MissingError)
	single := errors.As(err, &missing) && len(missing.Bots) == 1
	if single {
		start = missing.Bots[0]
	}
	if single || errors.As(err, &start) { // beside an error of another bot
		below := ""
		if start.Reason, below = cutStderr(start.Reason, start.Talk.Stderr); below != "" {
			say(r.c.App.ErrWriter, "bot %s: %s", start.Bot, below)
		}
	}
	err = r.config.Locate(err)
	if err == nil || errors.Is(err, errInterrupted) && r.partial && r.progress.played > 0 {
		if failed := r.print(); err == nil || failed != nil && !isVerdict(failed) {
			err = failed
		}
	}
	_ = db.Close() // another run may begin while the pages stay
	endServe(err == nil)
	return err
}

// check refuses what cannot be played, and warns of what may not go well.
func (r *running) check() error {
	if r.c.IsSet("addr") && !r.c.Bool("serve") {
		return usage("--addr is given without --serve, so there are no pages for it")
	}
	if err := prepareRemote(r.c, r.config); err != nil {
		return err
	}
	w := r.c.App.ErrWriter
	warnOpenings(w, r.config)
	warnCrowded(w, r.config.Machine.Concurrency)
	warnEngines(w, r.config.Entries, r.config.Plan.Conditions)
	return refuseBeside(r.c, r.config.Database)
}

// begin begins or resumes the tournament in its database.
func (r *running) begin(db *store.Store) error {
	plan := r.config.Plan
	var err error
	if plan.Programs, err = arena.Programs(r.config.Entries); err != nil {
		return err
	}
	var replace []string
	for _, name := range append(r.c.StringSlice("replace"), r.replace...) {
		name, err := knownBot(plan.Bots, name, " in --replace")
		if err != nil {
			return err
		}
		if slices.Contains(plan.Withdrawn, name) { // its matches would go, and nobody would play them again
			return usage("%s has withdrawn, so it cannot be replaced: remove withdrawn = true from its [[bot]] first", name)
		}
		if !slices.Contains(replace, name) {
			replace = append(replace, name)
		}
	}
	if r.records, err = db.Begin(plan, r.c.Bool("fresh"), replace...); err != nil {
		return err
	}
	if r.recorded, err = r.records.Recorded(); err != nil {
		return err
	}
	t := r.records.Tournament
	r.counted = slices.DeleteFunc(slices.Clone(r.recorded), func(m results.Numbered) bool { return m.Of(t.Withdrawn) })
	rules, err := t.Rules()
	if err != nil {
		return err
	}
	here := r.config.Machine
	here.Feed = &arena.Feed{Tournament: t.Name}
	r.tournament = &arena.Run{Tournament: t, Rules: rules, Entries: r.config.Entries, Machine: here}
	if !r.c.Bool("fresh") {
		r.sayReplacement()
	}
	return nil
}

// sayGrowth says what has changed since the last run, when the database has it: before that, another change of the plan
// could give the numbers to other matches.
func (r *running) sayGrowth() {
	growth := r.records.Growth()
	if growth.None() {
		return
	}
	var changes []string
	for _, bot := range growth.Joined {
		changes = append(changes, bot+" joined")
	}
	for _, bot := range growth.Withdrawn {
		changes = append(changes, bot+" has withdrawn")
	}
	for _, bot := range growth.Back {
		changes = append(changes, bot+" is back")
	}
	if growth.Pairs != growth.PairsBefore {
		changes = append(changes, fmt.Sprintf("pairs %d -> %d", growth.PairsBefore, growth.Pairs))
	}
	line := "since the last run: " + strings.Join(changes, ", ")
	if len(growth.Back) > 0 {
		bots := strings.Join(growth.Back, ", ")
		line += fmt.Sprintf("; %s of %s to play%s", plural(len(growth.Missing), "match", "matches"), bots, span(growth.Missing))
	}
	if added := growth.Added; len(added) > 0 {
		line += fmt.Sprintf("; %s%s", plural(len(added), "new match", "new matches"), span(added))
		if len(added) <= added[len(added)-1]-added[0] {
			line += " without those of " + strings.Join(r.records.Tournament.Withdrawn, ", ")
		}
	}
	r.progress.say("%s", line)
}

// span says between which numbers some matches are.
func span(numbers []int) string {
	switch len(numbers) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(", number %d", numbers[0])
	}
	return fmt.Sprintf(", numbers %d to %d", numbers[0], numbers[len(numbers)-1])
}

// sayReplacement says what becomes of the matches of bots that are to be replaced.
func (r *running) sayReplacement() {
	w, asked := r.c.App.ErrWriter, r.records.Replacement()
	if len(asked.Bots) > 0 {
		say(w, "note: %s: %s will be taken out when the bots have started, and all are played again",
			strings.Join(asked.Bots, ", "), plural(asked.Matches, "match", "matches"))
	}
	for _, bot := range asked.Continued {
		say(w, "note: the replacement of %s continues (another one can begin when all matches are played)", bot)
	}
	for _, bot := range asked.Unplayed {
		say(w, "note: no match of %s is recorded, so there is nothing to replace", bot)
	}
}

// play plays the matches that are not recorded, here or elsewhere.
func (r *running) play() error {
	c := r.c
	total := r.records.Schedule.Total
	r.progress = newProgress(c.App.ErrWriter, r.records.Tournament, r.counted, total())
	var err error
	if r.remote, err = r.connectWorkers(); err != nil {
		r.progress.end(false)
		return err
	}
	begun, late := false, make(map[string]int) // the matches that each built-in bot lost on time
	r.progress.follow(r.tournament.Feed)
	r.refresh()
	ctx, end := context.WithCancelCause(c.Context)
	defer end(nil)
	if c.IsSet("within") {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, duration(c, "within"), errTimeUp)
		defer cancel()
	}
	played := slices.Clone(r.recorded)
	tell := func(event arena.Event) {
		begun = begun || event.RunBegun != nil
		r.handle(event)
		if event.MatchEnded == nil {
			return
		}
		played = append(played, results.Numbered{Number: event.MatchEnded.Number, Summary: event.MatchEnded.Record.Summary})
		if r.enough != nil && r.enough(played) {
			end(errEnough)
		}
		if bot := r.records.Tournament.TimedOutBuiltin(event.MatchEnded.Record.Summary); bot != "" {
			late[bot]++
		}
	}
	if r.enough == nil || !r.enough(played) {
		err = r.tournament.Play(ctx, r.recorded, r.records, tell)
	}
	r.progress.end(r.stays)
	if err == nil && !begun {
		err = r.sayComplete()
	}
	if r.remote == nil {
		sayBusy(c.App.ErrWriter, late, r.tournament.Concurrency)
	}
	if r.timeUp = errors.Is(err, errTimeUp); r.timeUp || errors.Is(err, errEnough) {
		err = nil
	}
	if err != nil && !interrupted(c.Context, err) || c.Err() != nil && r.progress.played < total() {
		err = r.unfinished(err)
	} else {
		err = nil
		r.sayPlayed()
	}
	if failed := r.remote.close(err == nil && !r.timeUp); failed != nil {
		say(c.App.ErrWriter, "note: the server still has something of the tournament, because %v", failed)
	}
	return err
}

// print prints the standings of the tournament, or how its sequential test stands.
func (r *running) print() error {
	if r.records.Tournament.Test == nil && r.conclude == nil {
		return printStandings(r.c, r.records, r.stays)
	}
	summaries, err := r.records.Recorded()
	if err != nil {
		return err
	}
	if r.conclude != nil {
		return r.conclude(summaries)
	}
	table, err := report.Sequential(r.records.Tournament, summaries)
	if err != nil {
		return err
	}
	return printReport(r.c, table)
}

// refresh brings the numbers of the progress up to date.
func (r *running) refresh() {
	schedule := r.records.Schedule
	r.progress.update(schedule.Total(), r.remote.status(testStatus(r.records)), schedule.Merits)
}

// testStatus says how a sequential test stands. It returns "" for other tournaments.
func testStatus(b *store.Records) string {
	test := b.Schedule.Test()
	if test == nil {
		return ""
	}
	lower, upper := b.Tournament.Test.Bounds()
	var pairs []string
	for _, n := range test.Counts.Pairs {
		pairs = append(pairs, strconv.Itoa(n))
	}
	return fmt.Sprintf("LLR %+.2f (%.2f to %+.2f), pairs %s", test.LLR, lower, upper, strings.Join(pairs, "-"))
}

// handle saves what an event says of the tournament, and prints the event.
func (r *running) handle(event arena.Event) {
	if r.remote != nil && r.tournament.Concurrency == 0 { // the workers report what they isolate
		event.Isolated = nil
	}
	if event.Isolated != nil && r.tournament.Isolation.Mode != arena.NoIsolation {
		r.records.NoteIsolation(event.Isolated.Line)
	}
	if event.RunBegun != nil {
		if r.remote != nil {
			r.progress.change(func() { r.progress.waits = "waiting for the first match of a worker" })
		}
		copied, err := r.records.SaveTournament()
		if err == nil { // if it fails, so does the first record
			r.sayGrowth()
		}
		if copied != "" {
			r.progress.say("note: the database as it was before is in %s", copied)
		}
		if r.stays {
			r.sayBegun()
		}
	}
	r.refresh()
	r.progress.print(event)
}

// sayBegun says whether the run begins a tournament or resumes one, and in which file.
func (r *running) sayBegun() {
	t, where := r.records.Tournament, absolute(r.records.Store().Path())
	if len(r.recorded) == 0 {
		r.progress.say("tournament %q begins in %s", t.Name, where)
		return
	}
	r.progress.say("tournament %q resumes: %s matches are played and saved in %s", t.Name,
		counter(len(r.counted), r.records.Schedule.Total(), t.Format == results.Sequential), where)
}

// unfinished returns the error of a run that a signal or an error has ended. It says what becomes of the matches played
// so far.
func (r *running) unfinished(err error) error {
	saved := r.saved()
	if err == nil || interrupted(r.c.Context, err) {
		return fmt.Errorf("%w: %s", errInterrupted, saved)
	}
	// A mistake in the tournament file is reported with its place alone. A database that cannot be read any more saves nothing.
	if _, whole := r.records.Store().Transaction(); r.progress.played == 0 || !whole || errors.As(err, new(*guest.ConfigError)) {
		return err
	}
	return fmt.Errorf("%w (%s)", err, saved)
}

// saved says how many matches of a run that ended early are played, and what becomes of them.
func (r *running) saved() string {
	saved := "played"
	if r.stays {
		command := "the same command"
		if r.c.Bool("fresh") { // which would begin yet another tournament
			command += " without --fresh"
		}
		saved = fmt.Sprintf("saved in %s; %s plays the rest", r.records.Store().Path(), command)
	}
	return fmt.Sprintf("%d of %d matches are %s", r.progress.played, r.records.Schedule.Total(), saved)
}

// sayComplete says that there was no match to play. A bot may have withdrawn since the last run, so the plan is saved.
func (r *running) sayComplete() error {
	if !r.records.Schedule.Over() {
		if _, err := r.records.SaveTournament(); err != nil {
			return err
		}
		r.sayGrowth()
	}
	if !r.stays {
		return nil
	}
	count := ""
	if len(r.counted) < len(r.recorded) { // those of bots that have withdrawn are saved too
		count = " that count"
	}
	say(r.c.App.ErrWriter, "tournament %q is complete: its %d matches%s are saved in %s",
		r.records.Tournament.Name, len(r.counted), count, absolute(r.records.Store().Path()))
	return nil
}

// sayPlayed says where the matches of a complete tournament are, if some were played now, and how many a bot lost by a
// fault.
func (r *running) sayPlayed() {
	if !r.stays {
		return
	}
	w, p, path := r.c.App.ErrWriter, r.progress, r.records.Store().Path()
	matches := plural(p.played, "match", "matches")
	if p.played > len(r.counted) {
		say(w, "tournament %q: %s in %s; see also: sembra matches --db %[3]s", r.records.Tournament.Name, matches, path)
	}
	if p.faults > 0 {
		say(w, "%d of %s ended by a fault; see sembra faults --db %s", p.faults, matches, path)
	}
}

// sayBusy says that the machine was too busy, if built-in bots lost matches on time: so many each.
func sayBusy(w io.Writer, late map[string]int, concurrency int) {
	if len(late) == 0 {
		return
	}
	lost := 0
	for _, matches := range late {
		lost += matches
	}
	say(w, "note: the machine was busy: built-in bots keep to their clocks, but lost %s on time (%s)",
		plural(lost, "match", "matches"), strings.Join(slices.Sorted(maps.Keys(late)), ", "))
	say(w, "  (hint: a lower concurrency than %d, or a larger margin)", concurrency)
}
