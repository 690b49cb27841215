package protocol

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"sembra/engine"
)

// Identity has the name, the author and the wishes of a bot, from the handshake.
type Identity struct {
	Name, Author  string   // as the bot wrote them; not safe to print
	Plays         []string // names of rulesets; none: everything
	WantsLegal    bool
	WantsPosition bool
	UnknownWants  []string // the first words after wants that mean nothing, as the bot wrote them
	Options       []Option
	NoSeed        bool // the bot is told no seed, because its dialect has none
	NeedsLimit    bool // in the bot's dialect, a search without a limit may never end
}

// PlaysRuleset reports whether the bot says that it plays a ruleset, by any of its names.
func (id *Identity) PlaysRuleset(name string) bool {
	return len(id.Plays) == 0 || slices.ContainsFunc(id.Plays, func(plays string) bool {
		rules, err := engine.Lookup(plays)
		return plays == name || err == nil && rules.Info().Name == name
	})
}

// Option returns the option of that name, or an [*engine.UnknownError] that lists those that
// the bot offers.
func (id *Identity) Option(name string) (Option, error) {
	var known []string
	for _, o := range id.Options {
		if o.Name == name {
			return o, nil
		}
		known = append(known, o.Name)
	}
	listed := "the bot offers none"
	if len(known) > 0 {
		listed = "the bot offers: " + strings.Join(known, ", ")
	}
	return Option{}, &engine.UnknownError{Kind: "option", Name: name, Known: known, Listed: listed}
}

// Option is a setting that a bot offers, as in UCI.
type Option struct {
	Name     string
	Type     string // check, spin, string, combo or button
	Default  string
	Min, Max int      // of a spin
	Vars     []string // of a combo
}

// Check reports whether a value is of the option's type.
func (o Option) Check(value string) error {
	if strings.ContainsAny(value, "\r\n\x00") {
		return fmt.Errorf("option %s: %q holds a line end or a NUL", o.Name, value)
	}
	switch o.Type {
	case "check":
		if value != "true" && value != "false" {
			return fmt.Errorf("option %s: %q is neither true nor false", o.Name, value)
		}
	case "spin":
		n, err := strconv.Atoi(value)
		if err != nil || n < o.Min || n > o.Max {
			return fmt.Errorf("option %s: %q is not a whole number from %d to %d", o.Name, value, o.Min, o.Max)
		}
	case "combo":
		if !slices.Contains(o.Vars, value) {
			return fmt.Errorf("option %s: %q is none of %s", o.Name, value, strings.Join(o.Vars, ", "))
		}
	case "button":
		if value != "" {
			return fmt.Errorf("option %s is a button and takes no value, not %q", o.Name, value)
		}
	}
	return nil
}

func (o Option) appendTo(b []byte) []byte {
	b = append(b, "option name "+o.Name+" type "+o.Type...)
	if o.Default != "" {
		b = append(b, " default "+o.Default...)
	}
	if o.Type == "spin" {
		b = fmt.Appendf(b, " min %d max %d", o.Min, o.Max)
	}
	for _, v := range o.Vars {
		b = append(b, " var "+v...)
	}
	return append(b, '\n')
}

// parseOption reads the words after "option".
func parseOption(text string) (Option, bool) {
	text, ok := strings.CutPrefix(text, "name ")
	if !ok {
		return Option{}, false
	}
	name, text, ok := strings.Cut(text, " type ")
	if !ok || name == "" {
		return Option{}, false
	}
	kind, text, _ := strings.Cut(text, " ")
	o := Option{Name: name, Type: kind}
	if !slices.Contains([]string{"check", "spin", "string", "combo", "button"}, kind) {
		return Option{}, false
	}
	if kind == "string" {
		if value, ok := strings.CutPrefix(text, "default "); ok {
			o.Default = value
		}
		return o, true
	}

	// Default and vars can be several words: each ends at the next keyword.
	keywords := []string{"default", "var"}
	if kind == "spin" {
		keywords = append(keywords, "min", "max")
	}
	words := strings.Fields(text)
	for i := 0; i < len(words); i++ {
		if !slices.Contains(keywords, words[i]) {
			continue // before the first keyword
		}
		key, from := words[i], i+1
		for i+1 < len(words) && !slices.Contains(keywords, words[i+1]) {
			i++
		}
		value := strings.Join(words[from:i+1], " ")
		var err error
		switch key {
		case "default":
			o.Default = value
		case "var":
			o.Vars = append(o.Vars, value)
		case "min":
			o.Min, err = strconv.Atoi(value)
		case "max":
			o.Max, err = strconv.Atoi(value)
		}
		if err != nil {
			return Option{}, false
		}
	}
	return o, true
}

// OptionValue is a value for an option.
type OptionValue struct{ Name, Value string }

// AppendTo appends the line that sets the option, with its end.
func (v OptionValue) AppendTo(b []byte) []byte {
	b = append(b, "setoption name "+v.Name...)
	if v.Value != "" {
		b = append(b, " value "+v.Value...)
	}
	return append(b, '\n')
}

func parseOptionValue(text string) (Message, error) {
	text, ok := strings.CutPrefix(text, "name ")
	if !ok {
		return nil, fmt.Errorf("bad setoption: %q does not begin with a name", text)
	}
	name, value, _ := strings.Cut(text, " value ")
	return OptionValue{name, value}, nil
}

// NewMatch announces a match to a bot.
type NewMatch struct {
	Ruleset string
	Seat    engine.Seat // the bot's own
	Rounds  int         // the limit of rounds; 0 in a ruleset of a single round
	Seed    uint64      // for the random numbers of the bot
}

// NewMatchMessage returns the announcement of a match by these rules to the bot of a seat.
func NewMatchMessage(rules engine.Ruleset, seat engine.Seat, seed uint64) NewMatch {
	info := rules.Info()
	m := NewMatch{Ruleset: info.Name, Seat: seat, Seed: seed}
	if !info.Single {
		m.Rounds = info.Rounds
	}
	return m
}

func (m NewMatch) appendTo(b []byte) []byte {
	b = append(b, "newmatch "+m.Ruleset+" "+m.Seat.String()...)
	if m.Rounds > 0 {
		b = fmt.Appendf(b, " rounds %d", m.Rounds)
	}
	return fmt.Appendf(b, " seed %d\n", m.Seed)
}

func parseNewMatch(text string) (Message, error) {
	words := strings.Fields(text)
	if len(words) < 2 {
		return nil, fmt.Errorf("bad newmatch: %q lacks a ruleset or a seat", text)
	}
	m := NewMatch{Ruleset: words[0]}
	switch words[1] {
	case engine.South.String():
	case engine.North.String():
		m.Seat = engine.North
	default:
		return nil, fmt.Errorf("bad newmatch: the seat is %q; it must be south or north", words[1])
	}
	for i := 2; i+1 < len(words); i += 2 {
		var err error
		switch words[i] {
		case "rounds":
			m.Rounds, err = strconv.Atoi(words[i+1])
		case "seed":
			m.Seed, err = strconv.ParseUint(words[i+1], 10, 64)
		}
		if err != nil {
			return nil, fmt.Errorf("bad newmatch: %s is %q; it must be a number", words[i], words[i+1])
		}
	}
	return m, nil
}

// Position tells a bot the position.
type Position struct {
	Text  string   // position text; "" is the start position
	Moves []string // tokens played since
}

func parsePosition(text string) (Message, error) {
	var p Position
	head, moves, _ := strings.Cut(text+" ", " moves ")
	p.Moves = strings.Fields(moves)
	head = strings.TrimSpace(head)
	if head == "startpos" {
		return p, nil
	}
	fen, ok := strings.CutPrefix(head, "fen ")
	if !ok {
		return nil, fmt.Errorf("bad position: %q is neither startpos nor fen", head)
	}
	p.Text = fen
	return p, nil
}

// Limits is how long a bot may think about one token. The zero value is no
// limit.
type Limits struct {
	Move      time.Duration    // for this token; 0: none
	Clock     bool             // there is a clock: Left and Increment are set
	Left      [2]time.Duration // of South and North
	Increment [2]time.Duration
	Depth     int    // 0: none
	Nodes     uint64 // 0: none
}

func (l Limits) appendTo(b []byte, words Words) []byte {
	b = append(b, "go"...)
	if l.Move > 0 {
		b = appendWord(b, " movetime ", uint64(l.Move/time.Millisecond))
	}
	if l.Clock {
		for seat, word := range words.left {
			b = appendWord(b, word, uint64(l.Left[seat]/time.Millisecond))
		}
		for seat, word := range words.increment {
			b = appendWord(b, word, uint64(l.Increment[seat]/time.Millisecond))
		}
	}
	if l.Depth > 0 {
		b = appendWord(b, " depth ", uint64(l.Depth))
	}
	if l.Nodes > 0 {
		b = appendWord(b, " nodes ", l.Nodes)
	}
	return append(b, '\n')
}

func appendWord(b []byte, word string, n uint64) []byte {
	return strconv.AppendUint(append(b, word...), n, 10)
}

// parseGo reads the words after "go". Words that it does not know are
// ignored, as the protocol asks of a bot.
func parseGo(text string) (Message, error) {
	var l Limits
	words := strings.Fields(text)
	for i := 0; i+1 < len(words); i++ {
		n, err := strconv.ParseUint(words[i+1], 10, 63)
		d := time.Duration(min(n, uint64(maxMillis))) * time.Millisecond
		switch words[i] {
		case "movetime":
			l.Move = d
		case "stime":
			l.Clock, l.Left[engine.South] = true, d
		case "ntime":
			l.Clock, l.Left[engine.North] = true, d
		case "sinc":
			l.Increment[engine.South] = d
		case "ninc":
			l.Increment[engine.North] = d
		case "depth":
			l.Depth = int(min(n, 1<<31-1))
		case "nodes":
			l.Nodes = n
		default:
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("bad go: %s is %q; it must be a number", words[i], words[i+1])
		}
		i++
	}
	return Go{l}, nil
}

// maxMillis is the longest time that a time.Duration holds.
const maxMillis = (1<<63 - 1) / int64(time.Millisecond)

// Info is an info line of a bot. A field that the line does not have is zero.
type Info struct {
	Depth    int
	Score    float64 // in seeds, from the side of the bot
	HasScore bool
	Nodes    uint64
	Time     time.Duration
}

func (i Info) appendTo(b []byte) []byte {
	b = append(b, "info"...)
	if i.Depth > 0 {
		b = appendWord(b, " depth ", uint64(i.Depth))
	}
	if i.HasScore {
		b = strconv.AppendFloat(append(b, " score "...), i.Score, 'f', -1, 64)
	}
	if i.Nodes > 0 {
		b = appendWord(b, " nodes ", i.Nodes)
	}
	if i.Time > 0 {
		b = appendWord(b, " time ", uint64(i.Time/time.Millisecond))
	}
	return append(b, '\n')
}

// readScore reads the score from the words of an info line. The host uses nothing
// else of the line.
func readScore(line []byte) (score float64, ok bool) {
	words := bytes.Fields(line)
	for i := 0; i+1 < len(words); i++ {
		switch string(words[i]) {
		case "pv", "string":
			return 0, false
		case "score":
			scale := 1.0
			if string(words[i+1]) == "cp" && i+2 < len(words) {
				scale = 100
				i++
			}
			n, err := strconv.ParseFloat(string(words[i+1]), 64)
			if err != nil || n != n || n > 1e6 || n < -1e6 {
				return 0, false
			}
			return n / scale, true
		}
	}
	return 0, false
}

// Result is the result of a match, from the side of the bot that is told it.
type Result string

// The results.
const (
	Win  Result = "win"
	Loss Result = "loss"
	Draw Result = "draw"
	Void Result = "void"
)

// EndMatch tells a bot how a match ended.
type EndMatch struct {
	Result       Result
	South, North int    // the stores
	Ending       string // by its name
}
