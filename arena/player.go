package arena

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"time"

	"sembra/arena/protocol"
	"sembra/results"
)

// player is a running bot with the host's end of its wire.
type player struct {
	entry   *Entry
	bot     Bot
	journal *journal // of its wire
	host    *protocol.Host
	broken  bool // it was at fault and is not asked again
	used    bool // a match was announced to it

	greeting time.Duration // from the first line to the answer that ends the handshake

	cpu      time.Duration // the processor time that it had used when its match was announced
	cpuKnown bool

	memory int64 // bytes of RAM when it came to the pool

	waiting waiting
	freezer *freezer // of its run; nil: nobody freezes it

	on       []int  // the processors to which it is bound; none: any
	parallel bool   // it has threads that want to run at once
	times    sample // of the last look at these
}

// stopGrace is how long a bot has to exit after quit.
const stopGrace = time.Second

// startPlayer starts a bot and takes it through the handshake, in which each
// wait may last as long as startup. The bot has to play the ruleset, if one is
// named. The session keeps what is said. It fails with a [*ConfigError], a
// [*RunnerError], a [*StartError], or the cause of the context's end.
func startPlayer(ctx context.Context, e *Entry, ruleset string, startup time.Duration, n *Spawner, s session) (*player, error) {
	bot, err := e.Launcher.Launch(ctx, n)
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		err = ofRunner(err)
		if failure := new(RunnerError); errors.As(err, &failure) {
			return nil, err
		}
		key := "command"
		if folder := new(folderError); errors.As(err, &folder) {
			key = "dir"
		}
		return nil, &ConfigError{Bot: e.Name, Key: key, Err: err}
	}
	p := &player{entry: e, bot: bot, journal: newJournal(e.Name, bot)}
	p.host = e.Dialect.NewHost(p.journal)
	p.journal.begin(s)
	unwatch := context.AfterFunc(ctx, func() { bot.Stop(0) })
	defer unwatch()

	if err := p.greet(ruleset, startup); err != nil {
		return nil, p.notStarted(err, startup)
	}
	return p, nil
}

// notStarted stops a bot whose start failed and says why: a [*ConfigError] or a [*StartError].
func (p *player) notStarted(err error, startup time.Duration) error {
	config := new(ConfigError)
	late := errors.Is(err, os.ErrDeadlineExceeded)
	reason := startReason(p.host, err, startup)
	wrote, _ := p.bot.Log() // without what the bot writes because it is stopped
	if late && errors.Is(err, protocol.ErrSilent) {
		reason = cmp.Or(p.answerAtEnd(startup), reason)
	}
	p.bot.Stop(0)
	if errors.As(err, &config) {
		return err
	}
	talk := p.journal.talk()
	p.journal.end()
	if rest, left := strings.CutPrefix(reason, itLeft); left && p.bot.Exit() != "" {
		reason = "it exited: " + p.bot.Exit() + rest
	}
	if !late {
		wrote = talk.Stderr
	}
	reason += itWrote(wrote)
	if process, ok := p.bot.(*process); ok {
		reason += process.staged()
	}
	return &StartError{Bot: p.entry.Name, Reason: reason + p.bot.Explain(wrote), talk: talk}
}

// answerAtEnd greets a silent bot in the other dialect and then ends its input. If the
// bot answers now, answerAtEnd says what is wrong with it. It returns "" if not.
func (p *player) answerAtEnd(startup time.Duration) string {
	other := p.host.Other()
	ended := time.Now()
	answer := p.endInput(other.Hello+"\n", 3*time.Second)
	switch took := p.bot.Arrived().Sub(ended); {
	case bytes.Contains(answer, []byte(p.host.Words.OK)):
		return fmt.Sprintf("nothing came from it within %v, and its answer only %s after its input was closed: it does not "+
			"flush its standard output, reads all of its input first, or starts slowly "+
			"(hint: read one line at a time, and flush after every line, as print(…, flush=True) does in Python)", startup, about(took))
	case bytes.Contains(answer, []byte(other.OK)):
		return fmt.Sprintf("it did not answer %q, but answered %q: %s", p.host.Words.Hello, other.Hello, other.Hint)
	}
	return ""
}

// endInput ends the input of a bot with some text and returns what the bot says then,
// within the patience.
func (p *player) endInput(text string, patience time.Duration) []byte {
	bot, ok := p.bot.(interface{ closeInput() })
	if !ok || p.bot.SetDeadline(time.Now().Add(patience)) != nil {
		return nil
	}
	// A bot that does not listen does not answer. The journal leaves this text out: the
	// author of the bot would wonder where it comes from.
	_, _ = io.WriteString(p.bot, text)
	bot.closeInput()
	const most = 16 << 10 // bytes
	answer, _ := io.ReadAll(io.LimitReader(p.journal, most))
	return answer
}

// greet takes a bot through the handshake.
func (p *player) greet(ruleset string, startup time.Duration) error {
	begun := time.Now()
	if err := p.bot.SetDeadline(begun.Add(startup)); err != nil {
		return err
	}
	if err := p.host.Handshake(); err != nil {
		if errors.Is(err, syscall.EPIPE) && p.bot.SetDeadline(time.Now().Add(time.Second)) == nil {
			p.host.HearOut() // the bot has ended before it was greeted, and may have said why
		}
		return err
	}
	p.greeting = p.bot.Arrived().Sub(begun)
	id := &p.host.Identity
	if ruleset != "" && !id.PlaysRuleset(ruleset) {
		says := "it says that it plays"
		if !p.entry.Dialect.Speaks(ruleset) {
			says = fmt.Sprintf("protocol %q is only for", p.entry.Dialect)
		}
		return &ConfigError{Bot: p.entry.Name, Plays: id.Plays, Err: fmt.Errorf("it does not play %s (%s: %s)",
			ruleset, says, shown(strings.Join(id.Plays, " ")))}
	}
	for _, value := range p.entry.Options {
		option, err := id.Option(value.Name)
		if err == nil {
			err = option.Check(value.Value)
		} else if odd := p.oddOption(value.Name); odd != "" {
			err = fmt.Errorf("%w; this line of it cannot be read as an option: %q", err, odd)
		}
		if err != nil {
			return &ConfigError{Bot: p.entry.Name, Key: "options." + value.Name, Err: errors.New(shown(err.Error()))}
		}
	}
	if err := p.bot.SetDeadline(time.Now().Add(startup)); err != nil {
		return err
	}
	return p.host.Configure(p.entry.Options)
}

// oddOption returns a line of the handshake that seems to offer an option of that
// name, but cannot be read. It returns "" if there is none.
func (p *player) oddOption(name string) string {
	for _, line := range p.host.Strange {
		if strings.HasPrefix(line, "option ") && strings.Contains(line, name) {
			return line
		}
	}
	return ""
}

// begin announces a match and waits until the bot is ready.
func (p *player) begin(m protocol.NewMatch, opening string, startup time.Duration) error {
	if !p.used {
		p.cpu, p.cpuKnown = p.bot.CPU()
	}
	p.used = true
	if err := p.bot.SetDeadline(time.Now().Add(startup)); err != nil {
		return err
	}
	return p.host.Begin(m, opening)
}

// spent returns the processor time of the match that is over; it is negative if
// that is unknown. What the bot uses from now on belongs to its next match.
func (p *player) spent() time.Duration {
	if p == nil {
		return -1
	}
	before, known := p.cpu, p.cpuKnown
	p.cpu, p.cpuKnown = p.bot.CPU()
	if !known || !p.cpuKnown {
		return -1
	}
	return max(0, p.cpu-before)
}

// close ends a bot at fault. It tells the bot what it did and how the match
// ended, and kills it. If the bot has said nothing, close also finds out whether its
// answer was only not flushed, and adds that to the fault.
func (p *player) close(f *fault, end protocol.EndMatch) {
	p.broken = true
	_ = p.bot.SetDeadline(time.Now().Add(toldWithin)) // a bot at fault may not listen
	_ = p.host.Blame(f.what)
	_ = p.host.End(end)
	if f.silent {
		f.what += p.answersAtEnd()
	}
	p.bot.Stop(0)
}

// toldWithin is how long the arena waits for a bot to read what needs no answer.
const toldWithin = 100 * time.Millisecond

// quit tells the bot to exit and returns at once. The spawner ends the bot.
func (p *player) quit(n *Spawner) {
	if p.freezer != nil {
		p.freezer.remove(p)
	}
	if p.broken {
		n.stopLater(func() { p.bot.Stop(0) })
		return
	}
	_ = p.bot.SetDeadline(time.Now().Add(toldWithin))
	_ = p.host.Quit() // a bot that does not listen is killed after the grace
	n.stopLater(func() { p.bot.Stop(stopGrace) })
}

// saidOfLog is how many bytes of a bot's own text stand in one line of a message.
const saidOfLog = 400

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
	talk   results.Talk
}

func (e *StartError) Error() string {
	return fmt.Sprintf("bot %s did not start: %s", e.Bot, e.Reason)
}

// fault returns the fault that a failed start is in a match.
func (e *StartError) fault() *fault {
	return &fault{ending: results.EndStart, what: e.Error(), talk: &e.talk}
}

// MissingError says which bots did not start, so that nothing was played.
type MissingError struct {
	Bots []*StartError // at least one
}

// Error gives the reason if it is a single bot. The reasons of several bots were
// events.
func (e *MissingError) Error() string {
	if len(e.Bots) == 1 {
		return e.Bots[0].Error()
	}
	names := make([]string, len(e.Bots))
	for i, start := range e.Bots {
		names[i] = start.Bot
	}
	return fmt.Sprintf("%d bots did not start, so nothing is played: %s", len(names), strings.Join(names, ", "))
}

// notReady says why a bot did not get ready after the announcement of a match.
func (p *player) notReady(err error, startup time.Duration) string {
	return "after " + p.host.Words.NewMatch + " " + startReason(p.host, err, startup)
}

// startReason says why a bot did not get ready, and what it said instead.
func startReason(h *protocol.Host, err error, startup time.Duration) string {
	if v := new(protocol.Violation); errors.As(err, &v) {
		return v.Error()
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		if errors.Is(err, protocol.ErrSilent) {
			return fmt.Sprintf("nothing at all came from it within %v "+
				"(does it flush its standard output after every line?)", startup)
		}
		reason, said := fmt.Sprintf("it was not ready within %v", startup), h.Heard()
		if said.Lines == 0 {
			return reason + "; expected " + said.Expected
		}
		return reason + instead(said)
	}
	return itLeft + instead(h.Heard())
}

const itLeft = "it exited or closed its standard input or output"
