// Package check examines bots for their authors. It talks to a bot's process as a match does, and plays matches against
// random moves with it. It says what it saw, and never what a bot is worth; it records nothing and leaves no process.
package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"time"

	"sembra/arena"
	"sembra/arena/guest"
	"sembra/arena/protocol"
	"sembra/engine"
	"sembra/engine/show"
	"sembra/results"
	"sembra/results/safe"
)

// Check examines bots and reports the faults that the arena finds.
type Check struct {
	// The rulesets and the limits of time. Without a ruleset, the check looks at all that a bot plays. The limit of rounds
	// is for those with several rounds.
	results.Conditions
	Entries   []guest.Entry // the bots; those that have withdrawn are not examined
	Isolation results.Isolation
	Hidden    []string  // absolute paths that no bot may read
	Log       io.Writer // receives the conversations with the bots; nil: no log
}

// Point is one thing that the check looked at.
type Point struct {
	Name   string
	State  State
	What   string             // for people: what the check saw, what was wrong, or why it did not look
	Talk   *results.Talk      // the conversation before a failure or a warning
	Wrong  *guest.ConfigError // why a tournament would refuse the bot
	Points int                // number of points that it stands for, if more than one
}

// Result is what a check found of one bot.
type Result struct {
	Bot      string    `json:"bot"`
	Result   string    `json:"result"` // ok or failed
	OK       int       `json:"ok"`     // number of points; so are the next three
	Failed   int       `json:"failed"`
	Warnings int       `json:"warnings"`
	Skipped  int       `json:"skipped"`
	Notes    int       `json:"notes"`
	Reason   string    `json:"reason"` // why the first point failed
	Stderr   []byte    `json:"-"`      // the end of the bot's standard error then
	Findings []Finding `json:"findings"`
}

// Finding is a point that failed or ended with a warning, or a note.
type Finding struct {
	Kind string `json:"kind"` // failed, warning or note
	Test string `json:"test"`
	What string `json:"what"`
}

// add counts a point.
func (r *Result) add(p Point) {
	find := func(kind string, count *int) {
		*count++
		r.Findings = append(r.Findings, Finding{Kind: kind, Test: p.Name, What: p.What})
	}
	switch p.State {
	case Passed:
		r.OK++
	case Failed, Refused:
		if r.Reason == "" && p.Talk != nil {
			r.Stderr = p.Talk.Stderr
		}
		r.Result, r.Reason = "failed", cmp.Or(r.Reason, p.Name+": "+p.What)
		find("failed", &r.Failed)
	case Warned:
		find("warning", &r.Warnings)
	case Noted:
		find("note", &r.Notes)
	case Skipped:
		r.Skipped += p.Points
	}
}

// State is the outcome of a point.
type State uint8

// The states of a point.
const (
	Passed    State = iota
	Failed          // the bot would lose a match by it
	Refused         // a tournament would refuse the bot, so that no point could be looked at
	Warned          // against the protocol, but the bot would lose no match by it
	Noted           // not a fault, but the author may want to know
	Skipped         // not looked at
	Isolation       // not a point: what the bots are isolated from
	Over            // not a point: nothing follows for this bot
)

// point is one thing to look at. look returns what it saw. A [*problem] is the outcome
// of the point; another error ends the check.
type point struct {
	name string
	look func() (what string, err error)
}

// problem is what is wrong with the bot.
type problem struct {
	what string
	mild bool // the bot would lose no match by it
	late bool // the bot answered, but too late
	talk *results.Talk
}

func (p *problem) Error() string { return p.what }

// checker is the running check of one bot. The bot's process stays from one point to the next
// until it is at fault.
type checker struct {
	*Check
	entry    guest.Entry
	ctx      context.Context
	report   func(Point)
	spawner  *guest.Spawner
	identity protocol.Identity
	player   *guest.Player // nil: no process runs
	session  guest.Session // of the current point
	notes    []string      // of the whole check: none is reported twice
	dead     bool          // the bot did not start
	until    time.Time     // the end of the part of a ruleset
	slowest  time.Duration // time of the slowest answer in a ruleset
	strays   int           // number of ignored lines
	stray    string        // one of them
}

// Run looks at all points of the bots that play, and reports each one with the number of the bot, from 0. Before the
// first point it reports the isolation if there is any: one word, or all of it if there is a log. So that no bot loses
// time to another, fewer of them are examined at the same time than there are processors; one call of report follows
// the other. Run returns what it found of each bot. It fails if it cannot check, or because the context is done.
func (c *Check) Run(ctx context.Context, report func(bot int, p Point)) (found []Result, err error) {
	all := arena.HideFromEachOther(c.Entries, c.Isolation.Read, "")
	playing := slices.DeleteFunc(all, func(e guest.Entry) bool { return e.Withdrawn })
	for _, entry := range playing {
		found = append(found, Result{Bot: entry.Name, Result: "ok", Findings: []Finding{}})
	}
	spawner, isolated, err := arena.Isolate(ctx, c.Isolation, c.Hidden, playing...)
	if err != nil {
		return found, err
	}
	defer spawner.Close()
	if spawner.Isolates() {
		what := "in part" + isolated.More
		if c.Log != nil {
			what = isolated.Line
		} else if isolated.Strict {
			what = "whole" + isolated.More
		}
		report(0, Point{Name: "isolation", State: Isolation, What: what})
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	slots := make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1))
	var reporting sync.Mutex
	var checks sync.WaitGroup
	for i, entry := range playing {
		k := &checker{Check: c, entry: entry, ctx: ctx, spawner: spawner}
		k.report = func(p Point) {
			reporting.Lock()
			defer reporting.Unlock()
			found[i].add(p)
			report(i, p)
		}
		checks.Go(func() { // ends when the check of its bot does, or with the context
			slots <- struct{}{}
			defer func() { <-slots }()
			if err := k.run(); err != nil {
				cancel(err)
			}
		})
	}
	checks.Wait()
	return found, context.Cause(ctx)
}

// run looks at all points of the bot.
func (k *checker) run() error {
	defer k.dismiss()
	err := k.look(point{"handshake", k.handshake})
	points := []point{{"isready", k.ready}, {"options", k.options}}
	if k.speaksBoard() {
		points = nil
	}
	for _, rules := range k.rulesets() {
		points = append(points, point{rules.Info().Name, func() (string, error) { return k.ruleset(rules) }})
	}
	if !k.speaksBoard() {
		points = append(points, point{"quit", func() (string, error) { return k.leave("quit", (*protocol.Host).Quit) }})
	}
	points = append(points, point{"end of input", func() (string, error) {
		return k.leave("the end of its input", func(*protocol.Host) error { return nil })
	}})
	for i := 0; i < len(points) && err == nil; i++ {
		if k.dead {
			k.report(Point{Name: "the rest", State: Skipped, What: "the bot does not start", Points: len(points) - i})
			break
		}
		err = k.look(points[i])
	}
	if wrong := new(guest.ConfigError); errors.As(err, &wrong) {
		k.report(Point{Name: "tournament", State: Refused, What: wrong.Err.Error(), Wrong: wrong})
	} else if err != nil {
		return err
	}
	k.dismiss()
	if k.strays > 0 {
		k.report(Point{Name: "output", State: Noted, What: fmt.Sprintf(
			"the arena ignored %s that it had not asked for, such as %q (hint: write debug output to standard error)",
			show.Count(k.strays, "line", "lines"), safe.Short(k.stray),
		)})
	}
	k.report(Point{State: Over})
	return nil
}

// speaksBoard reports whether the bot reads lines with seeds, and nothing else.
func (k *checker) speaksBoard() bool { return k.entry.Dialect == protocol.OneLine }

// rulesets returns the rulesets to check.
func (k *checker) rulesets() []engine.Ruleset {
	names := []string{k.Ruleset}
	if k.Ruleset == "" { // of the boards of a game, one is among all rulesets
		names = engine.RulesetNames()
		names = append(names, k.identity.Plays...)
	}
	var all []engine.Ruleset
	for _, name := range names {
		rules, err := engine.Lookup(name)
		if err != nil || slices.ContainsFunc(all, func(r engine.Ruleset) bool { return r.Info().Name == rules.Info().Name }) {
			continue
		}
		if limited, err := engine.WithRounds(rules, k.Rounds); err == nil {
			rules = limited
		}
		all = append(all, rules)
	}
	return slices.DeleteFunc(all, func(r engine.Ruleset) bool { return !k.identity.PlaysRuleset(r.Info().Name) })
}

// look looks at a point and reports the outcome. An error ends the check.
func (k *checker) look(p point) error {
	k.session = guest.Session{Since: time.Now()}
	if k.Log != nil {
		fmt.Fprintf(k.Log, "---- %s\n", p.name)
		k.session.Log = guest.NewLog(k.Log, k.session.Since)
		defer k.session.Log.Close()
	}
	if k.player != nil {
		k.player.Journal.Begin(k.session)
	}
	noted := len(k.notes)
	what, err := p.look()
	if k.player != nil {
		k.player.Journal.End()
	}
	if k.ctx.Err() != nil {
		return context.Cause(k.ctx)
	}
	outcome := Point{Name: p.name, State: Passed, What: what}
	if wrong := new(problem); errors.As(err, &wrong) {
		outcome.State, outcome.What, outcome.Talk = Failed, wrong.what, wrong.talk
		if wrong.mild {
			outcome.State = Warned
		}
	} else if err != nil {
		return err
	}
	k.report(outcome)
	for _, note := range k.notes[noted:] {
		k.report(Point{Name: p.name, State: Noted, What: note})
	}
	return nil
}

// note adds a note to the point, unless the check has reported it before.
func (k *checker) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(k.notes, text) {
		k.notes = append(k.notes, text)
	}
}

// seat returns the running bot. It starts the bot if none runs.
func (k *checker) seat() (*guest.Player, error) {
	if k.player != nil {
		return k.player, nil
	}
	p, err := guest.Start(k.ctx, &k.entry, k.Ruleset, k.Time.Startup, k.spawner, k.session)
	if start := new(guest.StartError); errors.As(err, &start) {
		k.dead = true
		if start.Silent && len(k.Entries) == 1 { // a tournament file says which bots do
			k.note("a bot that reads seeds and answers with the number of a hole needs --protocol %s", protocol.OneLine)
		}
		return nil, &problem{what: start.Reason, talk: &start.Talk}
	}
	if err != nil {
		return nil, err
	}
	k.player = p
	context.AfterFunc(k.ctx, func() { p.Bot.Stop(0) }) // does nothing to a bot that is gone
	return p, nil
}

// dismiss stops the bot, if one runs, and waits until it is gone.
func (k *checker) dismiss() {
	if k.player == nil {
		return
	}
	k.player.Bot.SetDeadline(time.Now().Add(guest.NoticeTimeout))
	_ = k.player.Host.Quit() // a bot that does not listen is killed after the grace
	k.player.Bot.Stop(guest.StopGrace)
	k.release()
}

// release forgets a bot that is gone.
func (k *checker) release() {
	k.player.Journal.End()
	if host := k.player.Host; host.IgnoredCount > 0 {
		k.strays, k.stray = k.strays+host.IgnoredCount, host.Ignored[0]
	}
	k.player = nil
}

// fail sends a bot what it did and ends its process. silent means that the bot wrote
// nothing in the time that it had. fail returns the problem, with the conversation
// before it.
func (k *checker) fail(ending results.Ending, silent bool, what string) *problem {
	p, talk := k.player, k.player.Journal.Talk()
	what += p.Close(what, silent, protocol.EndMatch{Result: protocol.Loss, Ending: ending.String()})
	talk.Stderr, talk.StderrLeft = p.Bot.Stderr()
	if how := p.Bot.Exit(); how != "" && (ending == results.EndCrash || ending == results.EndStart) {
		what += " (" + how + ")" + guest.QuoteStderr(talk.Stderr) + p.Bot.WhyEnded()
	}
	k.release()
	return &problem{what: what, talk: &talk}
}

// probe sends lines that the bot does not need to know, and then isready. before begins what is said of a problem.
func (k *checker) probe(before string, lines ...string) (took time.Duration, err error) {
	p, err := k.seat()
	if err != nil {
		return 0, err
	}
	begun := time.Now()
	p.Bot.SetDeadline(begun.Add(k.Time.Startup))
	err = p.Host.Probe(lines...)
	if v := new(protocol.Violation); errors.As(err, &v) {
		wrong := k.fail(results.EndProtocol, false, before+v.What)
		wrong.mild = errors.Is(err, protocol.ErrUnasked) // a tournament ignores what comes before readyok
		return 0, wrong
	}
	if err != nil {
		return 0, k.fail(results.EndStart, false, before+"after isready "+guest.StartReason(p.Host, err, k.Time.Startup))
	}
	return p.Bot.Arrived().Sub(begun), nil
}
