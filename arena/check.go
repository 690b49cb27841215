package arena

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"sembra/arena/protocol"
	"sembra/engine"
	"sembra/results"
)

// Check plays the arena's side against one bot, to tell its author what the
// arena would find wrong with it.
type Check struct {
	Entry     Entry
	Rules     engine.Ruleset // the only ruleset that is checked; nil: all that the bot plays
	Rounds    int            // limit of rounds in rulesets of several
	Startup   time.Duration  // for each wait on the way to a match
	Watchdog  time.Duration  // the longest that an answer is waited for
	Isolation Isolation
	Log       io.Writer // gets all that is said; nil: nothing does
}

// Point is one thing that was looked at.
type Point struct {
	Name   string
	State  State
	What   string        // for people: what was seen, what was wrong, or why it was not looked at
	Talk   *results.Talk // what was said before a failure or a warning
	Points int           // that it stands for, where these are several
}

// State is what came of a point.
type State uint8

// The states of a point.
const (
	Passed  State = iota
	Failed        // a match would be lost by it, or a tournament refused
	Warned        // against the protocol, but no match would be lost by it
	Noted         // no fault, but the author may want to know
	Skipped       // not looked at
	Told          // no point of its own: what the bot is isolated from
)

// point is a thing to be looked at. It returns what was seen, or what was
// wrong as a [*fault], a [mild] one, or a [*skip].
type point struct {
	name string
	look func(*checker) (what string, err error)
}

// skip is why a point is not looked at.
type skip struct{ why string }

func (s *skip) Error() string { return s.why }

// mild is a fault by which no match is lost.
type mild struct{ *fault }

func (m mild) Unwrap() error { return m.fault }

// mildly makes a fault a mild one.
func mildly(err error) error {
	if f := new(fault); errors.As(err, &f) {
		return mild{f}
	}
	return err
}

// checker is a check that is under way. The bot's process is kept from one
// point to the next, until it is at fault.
type checker struct {
	*Check
	ctx      context.Context
	tell     func(Point)
	nursery  *Nursery
	prison   bool // what is started is in a jail
	identity protocol.Identity
	player   *player // nil: none runs
	unwatch  func() bool
	session  session // of the point
	notes    []string
	noted    map[string]bool        // what was noted at all: nothing is said twice
	failed   int                    // starts in a row
	hung     map[results.Ending]int // faults of the ruleset for which the longest time was waited
	cpu      time.Duration          // of all that have ended
	unknown  bool                   // some of cpu is not known
	starts   int
	starting time.Duration // processor time of the starts
	answers  int
	thought  time.Duration // processor time of the answers
	watched  bool          // the bot was watched while it waited
	idle     time.Duration // processor time that it took then
	strays   int           // lines that were passed over
	stray    []string      // one of them
}

// Run goes through all points to the end, and tells each to tell, after what
// the bot is kept from as [Isolated]. It fails where there is nothing to check:
// with a [*ConfigError], or the runner's own failure, or when the context is
// done. No process is left.
func (c *Check) Run(ctx context.Context, tell func(Point)) error {
	prison, isolated, err := c.Isolation.jail(ctx)
	if err != nil {
		return err
	}
	if prison != nil {
		defer prison.Close()
		tell(Point{Name: "isolation", State: Told, What: isolated.Line})
	}
	k := &checker{
		Check: c, ctx: ctx, tell: tell, nursery: NewNursery(prison), prison: prison != nil,
		noted: make(map[string]bool),
	}
	defer func() {
		k.dismiss()
		k.nursery.Close()
	}()

	if err := k.look(point{"handshake", (*checker).handshake}); err != nil {
		return err
	}
	groups := [][]point{processPoints()}
	for _, rules := range k.rulesets() {
		groups = append(groups, rulesetPoints(rules))
	}
	if err := k.lookAll(append(groups, lastPoints())); err != nil {
		return err
	}
	k.dismiss()
	if k.strays > 0 {
		k.tell(Point{Name: "output", State: Noted, What: fmt.Sprintf("the arena ignored %s that it had not asked for, such as %s (hint: write debug output to standard error)",
			times(k.strays, "line", "lines"), quoted(k.stray))})
	}
	return nil
}

// rulesets are those that are checked.
func (k *checker) rulesets() []engine.Ruleset {
	var all []engine.Ruleset
	for _, rules := range engine.Rulesets() {
		asked := k.Rules == nil || k.Rules.Info().Name == rules.Info().Name
		if !asked || !k.identity.PlaysRuleset(rules.Info().Name) {
			continue
		}
		if limited, err := engine.WithRounds(rules, k.Rounds); err == nil && !rules.Info().Single {
			rules = limited
		}
		all = append(all, rules)
	}
	return all
}

// lookAll looks at groups of points, as long as the bot starts. What has hung
// in one group is waited for again in the next.
func (k *checker) lookAll(groups [][]point) error {
	left := 0
	for _, points := range groups {
		left += len(points)
	}
	for _, points := range groups {
		k.hung = nil
		for _, p := range points {
			if k.failed >= patience {
				k.tell(Point{Name: "the rest", State: Skipped, What: doesNotStart, Points: left})
				return nil
			}
			if err := k.look(p); err != nil {
				return err
			}
			left--
		}
	}
	return nil
}

// look looks at a point and tells what came of it. An error ends the check.
func (k *checker) look(p point) error {
	if why := k.pointless(); why != "" {
		k.tell(Point{Name: p.name, State: Skipped, What: why})
		return nil
	}
	k.begin(p)
	what, err := p.look(k)
	k.end()
	if k.ctx.Err() != nil {
		return context.Cause(k.ctx)
	}
	told := Point{Name: p.name, State: Passed, What: what}
	if why := new(skip); errors.As(err, &why) {
		told.State, told.What = Skipped, why.why
	} else if wrong := new(mild); errors.As(err, wrong) {
		told.State, told.What, told.Talk = Warned, wrong.what, wrong.talk
	} else if wrong := new(fault); errors.As(err, &wrong) {
		told.State, told.What, told.Talk = Failed, wrong.what, wrong.talk
	} else if err != nil {
		return err
	}
	k.tell(told)
	for _, note := range k.notes {
		k.tell(Point{Name: p.name, State: Noted, What: note})
	}
	return nil
}

// patience is how often something is waited for in vain, and not again.
const patience = 2

const doesNotStart = "the bot does not start"

// pointless says why there is no use in going on.
func (k *checker) pointless() string {
	if k.failed >= patience {
		return doesNotStart
	}
	for ending, times := range k.hung {
		if times >= patience {
			return fmt.Sprintf("it has hung %d times (%s)", times, ending)
		}
	}
	return ""
}

// begin begins what is said of a point.
func (k *checker) begin(p point) {
	k.notes = nil
	k.session = session{since: time.Now()}
	if k.Log != nil {
		fmt.Fprintf(k.Log, "---- %s\n", p.name)
		k.session.log = newMatchLog(k.Log, k.session.since)
	}
	if k.player != nil {
		k.player.journal.begin(k.session)
	}
}

// onItsWay is how long standard error, which takes a way of its own, may come
// later than what the bot said after it.
const onItsWay = 5 * time.Millisecond

func (k *checker) end() {
	if k.player != nil {
		if k.Log != nil {
			time.Sleep(onItsWay)
		}
		k.player.journal.end()
	}
	if k.session.log != nil {
		k.session.log.close()
	}
}

// note tells something that is no fault after the point, once.
func (k *checker) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !k.noted[text] {
		k.noted[text] = true
		k.notes = append(k.notes, text)
	}
}

// seat returns the bot that runs, started if none does.
func (k *checker) seat() (*player, error) {
	if k.player != nil {
		return k.player, nil
	}
	ruleset := ""
	if k.Rules != nil {
		ruleset = k.Rules.Info().Name
	}
	p, err := startPlayer(k.ctx, &k.Entry, ruleset, k.Startup, k.nursery, k.session)
	if start := new(StartError); errors.As(err, &start) {
		k.failed++
		if k.prison {
			k.note("%s", inJail)
		}
		return nil, &fault{ending: results.EndStart, what: start.Reason, talk: &start.talk}
	}
	if err != nil {
		return nil, err
	}
	k.failed = 0
	k.starts++
	if used, known := p.bot.CPU(); known {
		k.starting += used
	}
	k.player = p
	k.unwatch = context.AfterFunc(k.ctx, func() { p.bot.Stop(0) })
	return p, nil
}

// dismiss sends the bot away, if one runs, and waits until it is gone.
func (k *checker) dismiss() {
	if k.player == nil {
		return
	}
	_ = k.player.bot.SetDeadline(time.Now().Add(toldWithin))
	_ = k.player.host.Quit() // a bot that does not listen is killed after the grace
	k.player.bot.Stop(stopGrace)
	k.release()
}

// release forgets a bot that is gone.
func (k *checker) release() {
	k.unwatch()
	k.player.journal.end()
	used, known := k.player.bot.CPU()
	k.cpu += used
	k.unknown = k.unknown || !known
	k.strays += k.player.host.Strays
	if said := k.player.host.Stray; len(said) > 0 && k.stray == nil {
		k.stray = said[:1]
	}
	k.player = nil
}

// fail ends the process of a bot at fault, which is told what it did, and
// returns the fault with what was said before.
func (k *checker) fail(f *fault, cause error) error {
	p := k.player
	talk := p.journal.talk()
	p.close(f.what, protocol.EndMatch{Result: protocol.Loss, Ending: f.ending.String()})
	talk.Stderr, talk.StderrLeft = p.bot.Log()
	f.talk = &talk
	if how := p.bot.Exit(); how != "" && (f.ending == results.EndCrash || f.ending == results.EndStart) {
		f.what += " (" + how + ")"
	}
	if errors.Is(cause, os.ErrDeadlineExceeded) {
		if k.hung == nil {
			k.hung = make(map[results.Ending]int)
		}
		k.hung[f.ending]++
	}
	k.release()
	return f
}

// probe sends lines that the bot need not know, and isready.
func (k *checker) probe(lines ...string) (took time.Duration, err error) {
	p, err := k.seat()
	if err != nil {
		return 0, err
	}
	begun := time.Now()
	if err := p.bot.SetDeadline(begun.Add(k.Startup)); err != nil {
		return 0, err
	}
	err = p.host.Probe(lines...)
	if v := new(protocol.Violation); errors.As(err, &v) {
		wrong := k.fail(&fault{ending: results.EndProtocol, what: v.What}, err)
		if errors.Is(err, protocol.ErrUnasked) { // a tournament passes over what comes before readyok
			wrong = mildly(wrong)
		}
		return 0, wrong
	}
	if err != nil {
		return 0, k.fail(&fault{ending: results.EndStart, what: "after isready " + startReason(err, k.Startup)}, err)
	}
	return p.bot.Arrived().Sub(begun), nil
}
