package check

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"sembra/arena/guest"
	"sembra/arena/protocol"
	"sembra/engine"
	"sembra/engine/show"
	"sembra/results"
	"sembra/results/safe"
)

// handshake starts the bot.
func (k *checker) handshake() (string, error) {
	p, err := k.seat()
	if err != nil {
		return "", err
	}
	k.identity = p.Host.Identity
	if k.speaksBoard() {
		return "there is none in this protocol; it waits for its first line after " + guest.RoundTime(p.Handshake), nil
	}
	id, words := &k.identity, p.Host.Words
	if id.Name == "" {
		k.note("it does not say its name (id name …)")
	}
	for _, line := range p.Host.UnknownLines {
		if !strings.HasPrefix(line, "option ") {
			k.note("before %s it says %q, which the arena does not know and ignores", words.OK, safe.Short(line))
		}
	}
	var wrong []string
	for _, name := range id.Plays {
		if _, err := engine.Lookup(name); err != nil {
			wrong = append(wrong, fmt.Sprintf("it says that it plays %q, which is not a ruleset (known: %s)",
				safe.Short(name), engine.RulesetList()))
		}
	}
	for _, word := range id.UnknownWants {
		wrong = append(wrong, fmt.Sprintf("it wants %q, which means nothing (known: legal, position)", safe.Short(word)))
	}
	if len(wrong) > 0 {
		talk := p.Journal.Talk() // if no ruleset is known, every tournament refuses the bot
		return "", &problem{what: strings.Join(wrong, "; "), mild: len(k.rulesets()) > 0, talk: &talk}
	}
	what := fmt.Sprintf("%s within %s, it is %q, plays %s", words.OK, guest.RoundTime(p.Handshake), safe.Short(id.Name),
		cmp.Or(safe.Short(strings.Join(id.Plays, " ")), "everything"))
	if id.WantsLegal {
		what += ", wants legal"
	}
	if id.WantsPosition {
		what += ", wants position"
	}
	return what, nil
}

// ready asks whether the bot is ready, and asks again after an unknown line.
func (k *checker) ready() (string, error) {
	took, err := k.probe("")
	if err != nil {
		return "", err
	}
	_, err = k.probe("after an unknown line (xyzzy 1 2): ", "xyzzy 1 2")
	if wrong := new(problem); errors.As(err, &wrong) {
		wrong.mild = true
	}
	if err != nil {
		return "", err
	}
	return "readyok within " + guest.RoundTime(took) + ", also after an unknown line", nil
}

// options sets all options that the bot offers to their defaults. The process is stopped then, because the bot may
// have been started with other values.
func (k *checker) options() (string, error) {
	p, err := k.seat()
	if err != nil {
		return "", err
	}
	var wrong []string
	mild := true
	for _, line := range p.Host.UnknownLines {
		if strings.HasPrefix(line, "option ") {
			mild, wrong = false, append(wrong, fmt.Sprintf("this line cannot be read as an option: %q", safe.Short(line)))
		}
	}
	var values []protocol.OptionValue
	for _, o := range k.identity.Options {
		if err := o.Check(o.Default); err == nil && o.Type != "button" {
			values = append(values, protocol.OptionValue{Name: o.Name, Value: o.Default})
		} else if err != nil && o.Default != "" {
			wrong = append(wrong, safe.Short("its default is not one of its values: "+err.Error()))
		}
	}
	p.Bot.SetDeadline(time.Now().Add(k.Time.Startup))
	if err := p.Host.Configure(values); err != nil {
		what := "after setoption with its defaults " + guest.StartReason(p.Host, err, k.Time.Startup)
		return "", k.fail(results.EndStart, false, what)
	}
	k.dismiss()
	if len(wrong) > 0 {
		return "", &problem{what: strings.Join(wrong, "; "), mild: mild}
	}
	if len(k.identity.Options) == 0 {
		return "it offers no options", nil
	}
	return show.Count(len(k.identity.Options), "option", "options") + " offered, the defaults set", nil
}

// leave makes the bot exit in one of the two proper ways.
func (k *checker) leave(way string, say func(*protocol.Host) error) (string, error) {
	if _, err := k.probe(""); err != nil { // it has to be alive
		return "", err
	}
	p, begun := k.player, time.Now()
	before, _ := p.Bot.CPU()
	p.Bot.SetDeadline(begun.Add(guest.NoticeTimeout))
	_ = say(p.Host) // a bot that does not listen any more exits or is killed
	// Nobody else plays, so a bot that needs more CPU time to exit than it may use in a tournament has it.
	p.Bot.CloseInput()
	p.Bot.SetDeadline(begun.Add(guest.StopGrace))
	_, _ = io.Copy(io.Discard, p.Bot)
	p.Bot.Stop(max(0, guest.StopGrace-time.Since(begun)))
	took, how, talk := time.Since(begun), p.Bot.Exit(), p.Journal.Talk()
	k.release()
	if used, _ := p.Bot.CPU(); took < guest.StopGrace && how == "" && used > before {
		what := fmt.Sprintf("it kept working after %s instead of exiting: the arena kills it", way)
		return "", &problem{what: what, mild: true, talk: &talk}
	}
	// A sandbox immediately ends what the bot leaves behind.
	if took >= guest.StopGrace && (how == "" || !k.spawner.Isolates()) {
		what := fmt.Sprintf("it, or a process that it started, has not exited %v after %s: the arena kills it",
			guest.StopGrace, way)
		return "", &problem{what: what, mild: true, talk: &talk}
	}
	if how != "" && how != "exit status 0" {
		k.note("it exits with %s after %s", how, way)
	}
	return "it exits within " + guest.RoundTime(took), nil
}
