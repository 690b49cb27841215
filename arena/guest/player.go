package guest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"sembra/arena/protocol"
	"sembra/results"
	"sembra/results/safe"
)

// Player is a running bot with the host's end of its wire.
type Player struct {
	Entry   *Entry
	Bot     Bot
	Journal *Journal // of its wire
	Host    *protocol.Host
	Broken  bool // it was at fault and is not asked again
	Used    bool // a match was announced to it

	Handshake time.Duration // from the first line to the answer that ends the handshake

	// Without a handshake, a bot may read the first question as late as this. 0: it has read it.
	readWithin time.Duration

	cpu      time.Duration // the CPU time that it had used when its match was announced
	cpuKnown bool

	InTime    int           // answers of its match that came in time
	asked     time.Time     // when it began to think about the last question
	cpuBefore time.Duration // the CPU time that it had used then, without that of a few instant answers

	// Opponent is the other bot of its match, which is frozen while this one is waited for; nil: none is.
	Opponent *Player
	frozen   bool
	slow     int // how many of its next answers may take some time

	on []int // the processors to which it is bound; none: any
}

// StopGrace is how long a bot has to exit after quit.
const StopGrace = time.Second

// Start starts a bot and takes it through the handshake, in which each
// wait may last as long as startup. The bot has to play the ruleset, if one is
// named. The session keeps what is said. It fails with a [*ConfigError], a
// [*RunnerError], a [*StartError], or the cause of the context's end.
func Start(ctx context.Context, e *Entry, ruleset string, startup time.Duration, n *Spawner, s Session) (*Player, error) {
	bot, err := e.Launcher.Launch(ctx, n)
	if err != nil {
		return nil, notLaunched(ctx, e.Name, err)
	}
	p := &Player{Entry: e, Bot: bot, Journal: newJournal(e.Name, bot), on: n.processors, slow: 1}
	p.Host = e.Dialect.NewHost(p.Journal)
	p.Journal.Begin(s)
	unwatch := context.AfterFunc(ctx, func() { bot.Stop(0) })
	defer unwatch()

	if err := p.greet(ruleset, startup); err != nil {
		return nil, p.notStarted(err, startup)
	}
	return p, nil
}

// notLaunched says why a bot was not launched: the context has ended, the runner failed, or its configuration is wrong.
func notLaunched(ctx context.Context, bot string, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	err = AsRunnerError(err)
	if errors.As(err, new(*RunnerError)) {
		return err
	}
	if wrong := new(ConfigError); errors.As(err, &wrong) {
		wrong.Bot = bot
		return wrong
	}
	return &ConfigError{Bot: bot, Key: "command", Err: err}
}

// notStarted stops a bot whose start failed and says why: a [*ConfigError] or a [*StartError].
func (p *Player) notStarted(err error, startup time.Duration) error {
	late := errors.Is(err, os.ErrDeadlineExceeded)
	silent := late && errors.Is(err, protocol.ErrSilent)
	reason := StartReason(p.Host, err, startup)
	stderr, _ := p.Bot.Stderr() // without what the bot writes because it is stopped
	if silent {
		if better := p.answerAtEnd(startup); better != "" {
			reason, silent = better, false
		}
	}
	p.Bot.Stop(0)
	if errors.As(err, new(*ConfigError)) {
		return err
	}
	talk := p.Journal.Talk()
	p.Journal.End()
	if rest, gone := strings.CutPrefix(reason, exitedOrClosed); gone && p.Bot.Exit() != "" {
		reason = "it exited: " + p.Bot.Exit() + rest
	}
	if !late {
		stderr = talk.Stderr
	}
	reason += QuoteStderr(stderr)
	return &StartError{Bot: p.Entry.Name, Reason: reason + p.Bot.WhyEnded(), Silent: silent, Talk: talk}
}

// answerAtEnd greets a silent bot in the other dialect and then ends its input. If the
// bot answers now, answerAtEnd says what is wrong with it. It returns "" if not.
func (p *Player) answerAtEnd(startup time.Duration) string {
	other := p.Host.OtherDialectWords()
	ended := time.Now()
	answer := p.endInput(other.Hello+"\n", 3*time.Second)
	if bytes.Contains(answer, []byte(p.Host.Words.OK)) {
		took := p.Bot.Arrived().Sub(ended)
		return fmt.Sprintf("nothing came from it within %v, and it answered only %s after its input was closed: it does not "+
			"flush its standard output, reads all of its input first, or starts slowly "+
			"(hint: read one line at a time, and flush after every line, as print(…, flush=True) does in Python)", startup, RoundTime(took))
	}
	if bytes.Contains(answer, []byte(other.OK)) {
		return fmt.Sprintf("it did not answer %q, but answered %q: %s", p.Host.Words.Hello, other.Hello, other.Hint)
	}
	return ""
}

// endInput ends the input of a bot with some text and returns what the bot says then,
// within the patience.
func (p *Player) endInput(text string, patience time.Duration) []byte {
	p.Bot.SetDeadline(time.Now().Add(patience))
	// A bot that does not listen does not answer. The journal leaves this text out: the
	// author of the bot would wonder where it comes from.
	_, _ = io.WriteString(p.Bot, text)
	p.Bot.CloseInput()
	const most = 16 << 10 // bytes
	answer, _ := io.ReadAll(io.LimitReader(p.Journal, most))
	return answer
}

// greet takes a bot through the handshake.
func (p *Player) greet(ruleset string, startup time.Duration) error {
	begun := time.Now()
	p.Bot.SetDeadline(begun.Add(startup))
	if err := p.Host.Handshake(); err != nil {
		return err
	}
	p.Handshake = p.Bot.Arrived().Sub(begun)
	if p.Entry.Dialect == protocol.OneLine {
		if err := p.settle(begun.Add(min(startup, time.Second))); err != nil {
			return err
		}
		p.Handshake, p.readWithin = time.Since(begun), startup
		if _, err := protocol.NewBoardFormat(p.Entry.Options); err != nil {
			return &ConfigError{Bot: p.Entry.Name, Key: "options", Err: errors.New(safe.Short(err.Error()))}
		}
	}
	id := &p.Host.Identity
	if ruleset != "" {
		if why := p.Entry.Dialect.WhyNot(ruleset); why != "" {
			return &ConfigError{Bot: p.Entry.Name, Plays: p.Entry.Dialect.Rulesets(), Err: fmt.Errorf("it does not play %s "+
				"(protocol %s %s)", ruleset, p.Entry.Dialect, why)}
		}
		if !id.PlaysRuleset(ruleset) {
			plays := safe.Short(strings.Join(id.Plays, " "))
			return &ConfigError{Bot: p.Entry.Name, Plays: id.Plays, Err: fmt.Errorf("it does not play %s (it says that "+
				"it plays: %s) (hint: --ruleset, or ruleset in the tournament file)", ruleset, plays)}
		}
	}
	for _, value := range p.Entry.Options {
		option, err := id.Option(value.Name)
		if err == nil {
			err = option.Check(value.Value)
		}
		if err != nil {
			return &ConfigError{Bot: p.Entry.Name, Key: "options." + value.Name, Err: errors.New(safe.Short(err.Error()))}
		}
	}
	p.Bot.SetDeadline(time.Now().Add(startup))
	return p.Host.Configure(p.Entry.Options)
}

// settle waits until a bot that says nothing at its start seems to have nothing to do but wait for its first line, so
// that its start disturbs no opponent. A bot that keeps working is not at fault. The error is that of the wire, such as
// [io.EOF] of a bot that exits.
func (p *Player) settle(end time.Time) error {
	const look, idle = 30 * time.Millisecond, 3 * time.Millisecond
	for time.Now().Before(end) {
		before, _ := p.Bot.CPU()
		p.Bot.SetDeadline(time.Now().Add(look))
		if err := p.Host.ReadAll(); !errors.Is(err, os.ErrDeadlineExceeded) {
			return err
		}
		if used, known := p.Bot.CPU(); !known || used-before < idle {
			break
		}
	}
	return nil
}

// WaitUntilRead returns when a bot began to think about a question that was written at the time asked. For the first
// question to a bot without a handshake, that is when the bot reads it, because its program may still be starting. What
// it used to start does not belong to the match.
func (p *Player) WaitUntilRead(asked time.Time) time.Time {
	if p.readWithin == 0 {
		return asked
	}
	end := asked.Add(p.readWithin)
	p.readWithin = 0
	for now := time.Now(); !p.Bot.InputRead() && now.Before(end); now = time.Now() {
		asked = now
		time.Sleep(time.Millisecond)
	}
	p.cpu, p.cpuKnown = p.Bot.CPU()
	p.cpuBefore = p.cpu
	return asked
}

// Begin announces a match and waits until the bot is ready.
func (p *Player) Begin(m protocol.NewMatch, opening string, startup time.Duration) error {
	if !p.Used {
		p.cpu, p.cpuKnown = p.Bot.CPU()
	}
	p.Used, p.InTime, p.cpuBefore = true, 0, p.cpu
	p.Wake()
	p.Await(time.Now(), startup)
	return p.Host.Begin(m, opening)
}

// MatchCPU returns the CPU time of the match that is over; it is negative if
// that is unknown. What the bot uses from now on belongs to its next match.
func (p *Player) MatchCPU() time.Duration {
	if p == nil {
		return -1
	}
	before, known := p.cpu, p.cpuKnown
	p.cpu, p.cpuKnown = p.Bot.CPU()
	if !known || !p.cpuKnown {
		return -1
	}
	return max(0, p.cpu-before)
}

// Close ends a bot at fault. It sends the bot what it did and how the match
// ended, and kills it. If the bot has said nothing in its time, Close also finds out
// whether its answer was only not flushed, and returns that for the fault.
func (p *Player) Close(what string, silent bool, end protocol.EndMatch) string {
	p.Broken = true
	p.thaw()
	p.Bot.SetDeadline(time.Now().Add(NoticeTimeout)) // a bot at fault may not listen
	_ = p.Host.SendError(what)
	_ = p.Host.End(end)
	late := ""
	if silent {
		late = p.answerLate()
	}
	p.Bot.Stop(0)
	return late
}

// Lateness says of an answer that has not come in time how many did in this match, and what CPU time this one took.
func (p *Player) Lateness() string {
	text := ""
	switch p.InTime {
	case 0:
	case 1:
		text = "; 1 answer of this match came in time"
	default:
		text = fmt.Sprintf("; %d answers of this match came in time", p.InTime)
	}
	if used, known := p.Bot.CPU(); known && p.cpuKnown {
		text += fmt.Sprintf("; it used %v of CPU time", max(0, used-p.cpuBefore).Round(time.Millisecond))
	}
	return text
}

// answerLate ends the input of a bot that did not answer in its time, and says what its answer is then. It returns ""
// if there is none.
func (p *Player) answerLate() string {
	came, greeting, other := "a bestmove came", "", p.Host.OtherDialectWords()
	if p.Entry.Dialect == protocol.OneLine { // nobody has greeted it yet
		came, greeting = "a line came", other.Hello+"\n"
	}
	closed := time.Now()
	answer := p.endInput(greeting, 250*time.Millisecond)
	switch {
	case greeting != "" && bytes.Contains(answer, []byte(other.OK)):
		return "; " + other.Hint
	case p.Host.HasAnswer(answer) && p.InTime > 0: // it flushes
		return "; the answer came after " + RoundTime(p.Bot.Arrived().Sub(p.asked))
	case p.Host.HasAnswer(answer):
		return fmt.Sprintf("; %s %s after its input was closed: it was late, or it does not flush its standard "+
			"output (hint: flush after every line)", came, RoundTime(p.Bot.Arrived().Sub(closed)))
	}
	return ""
}

// NoticeTimeout is how long the arena waits for a bot to read what it need not answer.
const NoticeTimeout = 100 * time.Millisecond

// Quit tells the bot to exit and does not wait. The spawner ends the bot.
func (p *Player) Quit(n *Spawner) {
	p.thaw()
	grace := time.Duration(0)
	if !p.Broken {
		p.Bot.SetDeadline(time.Now().Add(NoticeTimeout))
		if p.Host.Quit() == nil { // else it does not listen
			grace = StopGrace
		}
	}
	n.stops.Go(func() { p.Bot.Stop(grace) })
}

// ConfigError is a mistake in a tournament's configuration that is found only
// when its bots are started.
type ConfigError struct {
	Bot string // its name
	Key string // of the bot in the configuration: "command", "dir", "options.NAME", or "" for the bot as such
	Err error

	// Plays are the rulesets that the bot says it plays, if that of the tournament is
	// not among them. They are not safe to print.
	Plays []string
}

func (e *ConfigError) Error() string { return fmt.Sprintf("bot %s: %v", e.Bot, e.Err) }

func (e *ConfigError) Unwrap() error { return e.Err }

// StartError is a bot that was started and did not get ready.
type StartError struct {
	Bot    string
	Reason string
	Silent bool // it ran and said nothing
	Talk   results.Talk
}

func (e *StartError) Error() string {
	return fmt.Sprintf("bot %s did not start: %s", e.Bot, e.Reason)
}

// NotReady says why a bot did not get ready after the announcement of a match.
func (p *Player) NotReady(err error, startup time.Duration) string {
	return "after " + p.Host.Words.NewMatch + " " + StartReason(p.Host, err, startup)
}

// StartReason says why a bot did not get ready, and what it said instead.
func StartReason(h *protocol.Host, err error, startup time.Duration) string {
	if v := new(protocol.Violation); errors.As(err, &v) {
		return v.Error()
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		if errors.Is(err, protocol.ErrSilent) {
			return fmt.Sprintf("nothing at all came from it within %v "+
				"(does it flush its standard output after every line?)", startup)
		}
		reason, received := fmt.Sprintf("it was not ready within %v", startup), h.Received()
		if received.Lines == 0 {
			return reason + "; expected " + received.Expected
		}
		return reason + instead(received)
	}
	return exitedOrClosed + instead(h.Received())
}

const exitedOrClosed = "it exited or closed its standard input or output"

// A bot runs only while it is waited for: while it starts, while it gets ready or thinks, and when it is told to exit. Its
// opponent is frozen meanwhile, so that it takes no CPU time from it. To freeze a bot and to let it run again takes
// longer than an instant bot thinks, so between such bots that is left out: who waits freezes the other one only once
// the wait has lasted some time. A bot that has just been slow will most likely be slow again. Then the other one is
// frozen before the clock starts, because beside hundreds of busy threads the runner itself can wait long for a processor.
const (
	instant = time.Millisecond // an instant answer takes less time
	slowFor = 8                // answers for which a bot counts as slow after one that was not instant
)

// Freeze stops a bot until it is waited for.
func (p *Player) Freeze() {
	if !p.frozen {
		p.frozen = true
		p.Bot.Pause()
	}
}

// thaw lets a bot run.
func (p *Player) thaw() {
	if p.frozen {
		p.frozen = false
		p.Bot.Resume()
	}
}

// Wake lets a bot run that will be waited for, before its clock starts. If one of the two bots of the match is slow, the
// other one is frozen.
func (p *Player) Wake() {
	if o := p.Opponent; o != nil && (p.slow > 0 || o.slow > 0) {
		o.Freeze()
	}
	p.thaw()
	if p.slow > 0 { // for instant bots, the question would cost more than their answers
		p.cpuBefore, _ = p.Bot.CPU()
	}
}

// Await sets the deadline of a wait for the bot that has begun. If the wait lasts some time, the opponent is frozen.
func (p *Player) Await(begun time.Time, patience time.Duration) {
	p.asked = begun
	p.Bot.SetDeadline(begun.Add(patience))
	if o := p.Opponent; o != nil && !o.frozen {
		p.Bot.DuringRead(begun.Add(instant), o.Freeze)
	}
}

// NoteAnswerTime notes how long the answer to a question took, and whether it came in time.
func (p *Player) NoteAnswerTime(took time.Duration, inTime bool) {
	if inTime {
		p.InTime++
	}
	if took >= instant {
		p.slow = slowFor
	} else {
		p.slow = max(0, p.slow-1)
	}
}
