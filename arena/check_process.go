package arena

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"sembra/arena/protocol"
	"sembra/engine"
	"sembra/results"
)

// lastPoints returns the points about the end of a process.
func (k *checker) lastPoints() []point {
	sayNothing := func(*protocol.Host) error { return nil }
	return []point{
		{"quit", func() (string, error) { return k.leave("quit", (*protocol.Host).Quit) }},
		{"end of input", func() (string, error) { return k.leave("the end of its input", sayNothing) }},
		{"nothing left", k.nothingLeft},
	}
}

// handshake starts the bot.
func (k *checker) handshake() (string, error) {
	p, err := k.seat()
	if wrong := new(fault); errors.As(err, &wrong) {
		k.failed = patience // one try is enough here
	}
	if err != nil {
		return "", err
	}
	k.noteIdentity()
	id := &k.identity
	if wrong := k.misspelled(); wrong != nil {
		talk := p.journal.talk()
		wrong.talk = &talk
		return "", wrong
	}
	what := p.host.Words.OK + " within " + about(p.greeting)
	if id.Name != "" {
		what += ", it is " + quoted([]string{id.Name})
	}
	if len(id.Plays) == 0 {
		what += ", plays everything"
	} else {
		what += ", plays " + shown(strings.Join(id.Plays, " "))
	}
	if id.WantsLegal {
		what += ", wants legal"
	}
	if id.WantsPosition {
		what += ", wants position"
	}
	return what, nil
}

// misspelled returns what is wrong with the words of the lines wants and plays; nil if
// nothing is. If none of its rulesets is known, every tournament refuses the bot.
func (k *checker) misspelled() *fault {
	var unknown []string
	for _, name := range k.identity.Plays {
		if _, err := engine.Lookup(name); err != nil {
			unknown = append(unknown, name)
		}
	}
	var wrong []string
	if len(unknown) > 0 {
		wrong = append(wrong, fmt.Sprintf("it says that it plays %s, which is no ruleset (known: %s)",
			quoted(unknown), strings.Join(engine.RulesetNames(), ", ")))
	}
	if words := k.identity.UnknownWants; len(words) > 0 {
		wrong = append(wrong, fmt.Sprintf("it wants %s, which means nothing (known: legal, position)", quoted(words)))
	}
	if len(wrong) == 0 {
		return nil
	}
	mild := len(k.rulesets()) > 0
	return &fault{mild: mild, ending: results.EndStart, what: strings.Join(wrong, "; ")}
}

// noteIdentity keeps what the bot says of itself and notes what is odd.
func (k *checker) noteIdentity() {
	k.identity = k.player.host.Identity
	id := &k.identity
	if id.Name == "" {
		k.note("it does not say its name (id name …)")
	}
	var unknown []string
	for _, line := range k.player.host.Strange {
		if !strings.HasPrefix(line, "option ") {
			unknown = append(unknown, line)
		}
	}
	if len(unknown) > 0 {
		k.note("before %s it says %s, which the arena does not know and ignores", k.player.host.Words.OK, quoted(unknown))
	}
}

// atOnce is how long a bot with nothing to do may take for readyok.
const atOnce = 100 * time.Millisecond

// ready asks whether the bot is ready, and asks again after an unknown line.
func (k *checker) ready() (string, error) {
	took, err := k.probe()
	if err != nil {
		return "", err
	}
	if took > atOnce {
		k.note("readyok took %s, although there was nothing to prepare", about(took))
	}
	if _, err := k.probe("xyzzy 1 2"); err != nil {
		return "", mildly(worse("after an unknown line (xyzzy 1 2): ", err))
	}
	return "readyok within " + about(took) + ", also after an unknown line", nil
}

// longLine sends a meaningless line that is longer than the buffers of many programs.
func (k *checker) longLine() (string, error) {
	const word, kib = "xyzzy ", 96
	line := strings.Repeat(word, kib<<10/len(word))
	if _, err := k.probe(line); err != nil {
		return "", mildly(worse(fmt.Sprintf("after an unknown line of %d KiB: ", kib), err))
	}
	return fmt.Sprintf("it reads a line of %d KiB", kib), nil
}

// options sets each option that the bot offers to its default and to another
// value. The process is stopped then, because a value may be too large to play
// with.
func (k *checker) options() (string, error) {
	p, err := k.seat()
	if err != nil {
		return "", err
	}
	var wrong, odd []string
	for _, line := range p.host.Strange {
		if strings.HasPrefix(line, "option ") {
			wrong = append(wrong, "this line cannot be read as an option: "+quoted([]string{line}))
		}
	}
	names := make(map[string]bool)
	for _, o := range k.identity.Options {
		if names[o.Name] {
			odd = append(odd, shown(fmt.Sprintf("option %s is offered twice", o.Name)))
		}
		names[o.Name] = true
		if err := o.Check(o.Default); err != nil && (o.Default != "" || o.Type == "combo" && len(o.Vars) == 0) {
			odd = append(odd, shown("its default is not one of its values: "+err.Error()))
		} else if err != nil {
			k.note("%s", shown(fmt.Sprintf("option %s has no default", o.Name)))
		}
	}
	set, refused, err := k.setAll()
	if err != nil {
		return "", err
	}
	if len(wrong)+len(refused) > 0 {
		f := &fault{ending: results.EndStart}
		for _, r := range refused {
			wrong = append(wrong, r.what)
			f.talk = cmp.Or(f.talk, r.talk)
		}
		f.what = strings.Join(append(wrong, odd...), "; ")
		return "", f
	}
	if len(odd) > 0 {
		return "", &fault{mild: true, ending: results.EndStart, what: strings.Join(odd, "; ")}
	}
	if len(names) == 0 {
		return "it offers no options", nil
	}
	return fmt.Sprintf("%s offered, %s set", times(len(names), "option", "options"), times(set, "value", "values")), nil
}

// setAll sets each option to some values, one after the other. It returns the
// number of values that were set, and the faults of the others.
func (k *checker) setAll() (set int, refused []*fault, err error) {
	for _, o := range k.identity.Options {
		for _, value := range valuesOf(o) {
			if len(refused) >= patience || k.failed >= patience {
				return set, refused, nil
			}
			err := k.set(protocol.OptionValue{Name: o.Name, Value: value})
			if f := new(fault); errors.As(err, &f) {
				refused = append(refused, f)
			} else if err != nil {
				return set, refused, err
			} else {
				set++
			}
		}
	}
	k.dismiss()
	return set, refused, nil
}

// valuesOf returns values to try an option with: its default and others.
func valuesOf(o protocol.Option) []string {
	var values []string
	try := func(value string) {
		if o.Check(value) == nil && !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	try(o.Default)
	switch o.Type {
	case "check":
		try("true")
		try("false")
	case "spin":
		try(strconv.Itoa(o.Min))
		try(strconv.Itoa(o.Max))
	case "combo":
		for _, value := range o.Vars {
			if len(values) < 2 {
				try(value)
			}
		}
	case "button":
		values = []string{""}
	}
	return values
}

// set sets an option and waits until the bot is ready.
func (k *checker) set(v protocol.OptionValue) error {
	p, err := k.seat()
	if err != nil {
		return err
	}
	if err := p.bot.SetDeadline(time.Now().Add(k.Startup)); err != nil {
		return err
	}
	if err := p.host.Configure([]protocol.OptionValue{v}); err != nil {
		what := "after setoption name " + v.Name
		if v.Value != "" {
			what += " value " + v.Value
		}
		return k.fail(&fault{ending: results.EndStart, what: shown(what) + " " + startReason(p.host, err, k.Startup)})
	}
	return nil
}

// leave makes the bot exit in one of the two proper ways.
func (k *checker) leave(way string, say func(*protocol.Host) error) (string, error) {
	if _, err := k.probe(); err != nil { // it has to be alive
		return "", err
	}
	p := k.player
	begun := time.Now()
	if err := p.bot.SetDeadline(begun.Add(toldWithin)); err != nil {
		return "", err
	}
	if err := say(p.host); err != nil {
		wrong := &fault{ending: results.EndCrash, what: "its standard input could not be written to at " + way}
		return "", mildly(k.fail(wrong))
	}
	p.bot.Stop(stopGrace)
	took := time.Since(begun)
	how := p.bot.Exit()
	talk := p.journal.talk()
	k.release()
	switch {
	case took < stopGrace, k.prison && how != "": // the jail ends at once what the bot leaves behind
		if how != "" && how != "exit status 0" {
			k.note("it exits with %s after %s", how, way)
		}
		return "it exits within " + about(took), nil
	case how != "": // it exited by itself, but something keeps its pipes open
		const opens = "%v after %s a process that it started still holds its standard output open: " +
			"the arena kills it if it is in the bot's process group"
		what := fmt.Sprintf(opens, stopGrace, way)
		return "", &fault{mild: true, talk: &talk, what: what}
	}
	what := fmt.Sprintf("it has not exited %v after %s: the arena kills it", stopGrace, way)
	return "", &fault{mild: true, talk: &talk, what: what}
}

// family is a bot that may leave processes behind.
type family interface {
	depart(grace time.Duration)
	left() (processes int, known bool)
}

// nothingLeft looks for processes that the bot started and does not end.
func (k *checker) nothingLeft() (string, error) {
	if _, err := k.probe(); err != nil {
		return "", err
	}
	p := k.player
	if k.prison {
		return "", &skip{"the jail ends every process that the bot leaves behind"}
	}
	f, ok := p.bot.(family)
	if !ok {
		return "", &skip{"the bot is not a process"}
	}
	f.depart(stopGrace)
	left, known := f.left()
	p.bot.Stop(0)
	talk := p.journal.talk()
	k.release()
	switch {
	case !known:
		return "", &skip{"this system does not tell which processes are left"}
	case left > 0:
		left := times(left, "process of its group is", "processes of its group are")
		what := "after its exit " + left + " left, which the arena kills"
		return "", &fault{mild: true, talk: &talk, what: what}
	}
	return "no process of its group is left (without a jail, processes that leave the group are not found)", nil
}

// worse puts words before a fault that tell what led to it.
func worse(before string, err error) error {
	if f := new(fault); errors.As(err, &f) {
		f.what = before + f.what
	}
	return err
}

// about rounds a time for people.
func about(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return d.Round(10 * time.Microsecond).String()
	case d < time.Second:
		return d.Round(100 * time.Microsecond).String()
	}
	return d.Round(time.Millisecond).String()
}

// shown makes a bot's text safe to print.
func shown(text string) string { return results.Visible([]byte(text), saidOfLog) }

// quoted quotes lines of a bot.
func quoted(lines []string) string {
	const most = 3
	var b strings.Builder
	for i, line := range lines[:min(len(lines), most)] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(`"` + shown(line) + `"`)
	}
	if more := len(lines) - most; more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	return b.String()
}
