package protocol

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sembra/engine"
)

// OneLineFormat is the form of the lines in the dialect [OneLine], in which most contests speak with bots: a line with the
// seeds goes in, the number of a hole comes out. There is no handshake, and the bot does not learn of a new match, of its
// opponent's moves, or of its time. It exits when its input ends.
type OneLineFormat struct {
	line       string // with the names of places
	base       int    // number of the first hole, 0 or 1
	first, end string // lines before and after those of a match; "": none
	swap       string // what the bot writes to swap sides; "": it cannot
}

// contests returns what known contests do, by name.
//
// codingame is the game "Oware Abapa" of codingame.com, which shows twelve integers, the own houses first, and reads an
// integer from 0 to 5. buet is the Mancala Contest Kit of BUET CSE (github.com/buetcse17/Mancala-Contest-Kit,
// README.md and referee.py): 14 integers, each row with its store behind it, and an answer from 1 to 6. That kit shows
// the first player's row first to both players, and an argument of the command says which of them the bot is. With the
// argument 1, the bot takes the row that is shown first as its own, so it can play both seats.
func contests() map[string]OneLineFormat {
	return map[string]OneLineFormat{
		"codingame": {line: "{own} {other}"},
		"buet":      {line: "{own} {own_store} {other} {other_store}", base: 1},
	}
}

// ContestNames returns the names of the contests whose lines are known, which are values of the option board.
func ContestNames() []string { return slices.Sorted(maps.Keys(contests())) }

// defaultLine has all places that a line can have, apart from {swap}.
const defaultLine = "{own} {other} {own_store} {other_store}"

// boardOptions returns what can be said of the lines of a bot.
func boardOptions() []Option {
	return []Option{
		{Name: "board", Type: "combo", Vars: ContestNames()}, // the others change what the contest does
		{Name: "line", Type: "string", Default: defaultLine},
		{Name: "base", Type: "spin", Default: "0", Max: 1},
		{Name: "first", Type: "string"},
		{Name: "end", Type: "string"},
		{Name: "swap", Type: "string"},
	}
}

// NewBoardFormat returns the format that options describe: board, line, base, first, end and swap. In a line, {own} and
// {other} stand for the seeds of the rows, each in the order of sowing from its first hole and with spaces between;
// {own_store} and {other_store} stand for the stores, and {swap} for 1 if the bot may swap sides now, and else 0.
// Everything else stands for itself.
func NewBoardFormat(values []OptionValue) (OneLineFormat, error) {
	offered := Identity{Options: boardOptions()}
	given := make(map[string]string)
	for _, v := range values {
		option, err := offered.Option(v.Name)
		if err == nil {
			err = option.Check(v.Value)
		}
		if err != nil {
			return OneLineFormat{}, err
		}
		if _, twice := given[v.Name]; twice {
			return OneLineFormat{}, fmt.Errorf("option %s is set twice", v.Name)
		}
		given[v.Name] = v.Value
	}
	b, known := contests()[given["board"]]
	if !known {
		b.line = defaultLine
	}
	b.first, b.end, b.swap = given["first"], given["end"], given["swap"]
	if line, found := given["line"]; found {
		b.line = line
	}
	if base, found := given["base"]; found {
		b.base, _ = strconv.Atoi(base) // the option has checked it
	}
	_, notNumber := strconv.Atoi(b.swap)
	if b.swap != "" && (notNumber == nil || len(strings.Fields(b.swap)) != 1) {
		return OneLineFormat{}, fmt.Errorf("option swap: %q is not a single word, different from a number", b.swap)
	}
	places := append(strings.Fields(defaultLine), "{swap}")
	for _, place := range regexp.MustCompile(`\{[^}]*\}?`).FindAllString(b.line, -1) {
		if !slices.Contains(places, place) {
			return OneLineFormat{}, fmt.Errorf("option line: unknown place %s (known: %s)", place, strings.Join(places, ", "))
		}
	}
	if !strings.Contains(b.line, "{own}") {
		return OneLineFormat{}, fmt.Errorf("option line: %q lacks {own}, so the bot would not see its seeds", b.line)
	}
	return b, nil
}

// NeedsRestart reports whether each match needs a new process, because a line begins or ends it.
func (b OneLineFormat) NeedsRestart() bool { return b.first != "" || b.end != "" }

// oneLine is the body that speaks [OneLine].
type oneLine struct {
	OneLineFormat
	match *engine.Match // of the question
}

// newBoardHost returns the host's end of a wire to a bot that speaks [OneLine].
func newBoardHost(wire io.ReadWriter) *Host {
	h := newHost(wire, new(oneLine), Words{NewMatch: "the first line"}, wordsOfMBI())
	h.Identity = Identity{NoSeed: true, Options: boardOptions()}
	h.in.loose = true
	return h
}

func (*oneLine) identify(*Identity, string, string) bool { return false }

// configure sends nothing: the options describe the lines.
func (o *oneLine) configure(b []byte, values []OptionValue) ([]byte, error) {
	format, err := NewBoardFormat(values)
	o.OneLineFormat = format
	return b, err
}

func (o *oneLine) appendNewMatch(b []byte, _ NewMatch) []byte { return appendText(b, o.first) }

func (o *oneLine) appendQuestion(b []byte, _ *Host, m *engine.Match, _ Limits) []byte {
	o.match = m
	pos, holes := m.Position(), m.Rules().Info().Holes
	row := func(seat engine.Seat) string {
		seeds := make([]string, holes)
		for hole := range seeds {
			seeds[hole] = strconv.Itoa(pos.Seeds(seat, hole))
		}
		return strings.Join(seeds, " ")
	}
	maySwap := "0"
	if o.legal(swapToken) {
		maySwap = "1"
	}
	own, other := pos.Side(), pos.Side().Other()
	return appendText(b, strings.NewReplacer(
		"{own}", row(own), "{own_store}", strconv.Itoa(pos.Store(own)),
		"{other}", row(other), "{other_store}", strconv.Itoa(pos.Store(other)), "{swap}", maySwap,
	).Replace(o.line))
}

// swapToken is the move that swaps sides.
const swapToken = "swap"

// legal reports whether a token is a legal move in the position of the question.
func (o *oneLine) legal(token string) bool {
	_, err := o.match.Find(token)
	return err == nil
}

// readAnswer reads the number of a hole, or the word for a swap, behind which anything may follow. A number that no hole
// has is a token that no move has; what is neither is a [*Violation]. A blank line is passed over.
func (o *oneLine) readAnswer(line []byte, a *Answer) error {
	words := bytes.Fields(line)
	if len(words) == 0 {
		return nil
	}
	word, holes, side := string(words[0]), o.match.Rules().Info().Holes, o.match.Position().Side()
	if word == o.swap {
		a.Token = swapToken
		return nil
	}
	number, err := strconv.Atoi(word)
	if err != nil {
		return &Violation{fmt.Sprintf("it answered %.40q, not the number of a hole, %d to %d "+
			"(hint: write everything else to standard error)", line, o.base, o.base+holes-1)}
	}
	legal := func(hole int) bool { return o.legal(side.HoleName(hole)) }
	a.Token = word
	hole := number - o.base
	if hole >= 0 && hole < holes {
		a.Token = side.HoleName(hole)
		if legal(hole) {
			return nil
		}
	}
	a.Remark = ": it answered " + word + ", and these would be legal:"
	for hole := range holes {
		if legal(hole) {
			a.Remark += fmt.Sprintf(" %d", hole+o.base)
		}
	}
	other := 1 - o.base // the base of many other contests
	hole = number - other
	if hole >= 0 && hole < holes && legal(hole) {
		a.Remark += fmt.Sprintf(" (hint: base = %d if the number of its first hole is %[1]d)", other)
	}
	return nil
}

func (*oneLine) appendError(b []byte, _ string) []byte { return b }

func (o *oneLine) appendEnd(b []byte, _ EndMatch) []byte { return appendText(b, o.end) }

func (*oneLine) appendQuit(b []byte) []byte { return b }

// appendText appends a line, if there is one.
func appendText(b []byte, line string) []byte {
	if line == "" {
		return b
	}
	return append(append(b, line...), '\n')
}
