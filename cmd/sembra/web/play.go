package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"sembra/arena"
	"sembra/arena/guest"
	"sembra/cmd/sembra/friendly"
	"sembra/engine"
	"sembra/engine/show"
	"sembra/results"
)

// Play says which bots people may play on the page, and how these run.
type Play struct {
	Opponents []Opponent // those of a group stand together; two of the same name: only the first can be played
	Isolation arena.Isolation
}

// Opponent is a bot that a person may play.
type Opponent struct {
	Entry   guest.Entry
	Group   string // the heading under which the page lists it
	Summary string // how it plays, in one line; "" if that is not known
}

// The bounds of what a person chooses for a match.
const (
	quickest = 50 * time.Millisecond // for a move of the bot
	slowest  = 30 * time.Second
	mostBody = 16 << 10 // bytes of a form or an action
)

// newsWait is how long a request waits for news of a match.
const newsWait = 20 * time.Second

// playing answers the requests of people who play.
type playing struct {
	sessions
	Play
	hints sync.Mutex // is held while Sembra looks for a hint, so that hints take one processor at most
}

// choices is what a person chooses for a match, by the names of the fields of the form.
type choices map[string]string

// defaultChoices is what the form shows first.
func defaultChoices() choices {
	return choices{
		"ruleset": friendly.DefaultRuleset, "other": "", "seat": engine.South.String(), "bot": friendly.DefaultBot,
		"time": friendly.DefaultTime.String(), "rounds": "", "position": "", "name": friendly.DefaultName,
	}
}

// opponent returns the index of the first bot of a name; -1 if there is none.
func (p *playing) opponent(name string) int {
	return slices.IndexFunc(p.Opponents, func(o Opponent) bool { return o.Entry.Name == name })
}

// readChoices reads the fields of a form, or of the query of an address. A field that is not there keeps its default.
func readChoices(fields url.Values) choices {
	c := defaultChoices()
	for name := range c {
		if fields.Has(name) {
			c[name] = fields.Get(name)
		}
	}
	return c
}

// friendly returns the match that a person has chosen. The error is a sentence about the choice.
func (p *playing) friendly(c choices) (f arena.Friendly, err error) {
	if len(p.Opponents) == 0 {
		return f, &refusal{status: http.StatusForbidden, what: "nobody can play on this page at the moment"}
	}
	at := p.opponent(c["bot"])
	if at < 0 {
		return f, fmt.Errorf("unknown bot %q", c["bot"])
	}
	chosen := friendly.Choices{
		Ruleset: cmp.Or(c["other"], c["ruleset"]), Seat: c["seat"], Rounds: c["rounds"], Position: c["position"],
		Name: c["name"], Time: c["time"],
	}
	if rules, err := engine.Lookup(chosen.Ruleset); err == nil && rules.Info().Single {
		chosen.Rounds = "" // the form keeps the choice of another game
	}
	if f, err = chosen.Match(p.Opponents[at].Entry, p.Isolation); err != nil {
		return f, err
	}
	if f.Move < quickest || f.Move > slowest {
		return f, fmt.Errorf("the time for a move must be %v to %v, not %q", quickest, slowest, chosen.Time)
	}
	return f, nil
}

// playState is what the page of a match shows. The script of the page reads it.
type playState struct {
	Number   int               `json:"number"`
	Turn     string            `json:"turn"`     // person, bot or nobody
	Frames   []boardFrame      `json:"frames"`   // the first board, and one for each ply
	Question *show.Question    `json:"question"` // nil if the person does not decide
	Steps    map[string]string `json:"steps"`    // of each move that answers the question, by its token; see [boardFrame]
	Barred   map[string]string `json:"barred"`   // why the person cannot choose a hole, by its name
	Undo     bool              `json:"undo"`     // whether there is a move to take back
	Outcome  []string          `json:"outcome"`  // how the match ended; empty while it is in play
	Result   string            `json:"result"`   // for the person: won, lost or draw
	Ended    closing           `json:"ended"`    // why the bot was ended; "": it runs
}

// state returns what the page shows.
func (s *session) state(state arena.FriendlyState) playState {
	rules, first := s.match.Rules(), state.Position
	if len(state.Plies) > 0 {
		first = state.Plies[0].Before
	}
	shown := playState{
		Number: state.Number, Turn: [...]string{"person", "bot", "nobody"}[state.Turn], Undo: state.Undo,
		Frames:  []boardFrame{{Position: engine.Text(rules, first)}},
		Outcome: append([]string{}, friendly.Outcome(s.match, state)...), Result: s.result(state), Ended: s.closed(),
	}
	if state.What != "" {
		shown.Outcome = append(shown.Outcome, sentence(errors.New(state.What)))
	}
	for _, ply := range state.Plies {
		shown.Frames = append(shown.Frames, newBoardFrame(rules, ply.Ply))
	}
	if state.Turn == arena.PersonsTurn {
		asked := show.Ask(rules, state.Position)
		shown.Question, shown.Steps, shown.Barred = &asked, make(map[string]string), asked.Barred(rules, state.Position)
		for _, move := range state.Legal {
			ply := engine.Ply{Before: state.Position, Move: move, After: engine.Step(rules, state.Position, move)}
			shown.Steps[move.Token(s.match.Seat())] = steps(engine.Trace(rules, ply))
		}
	}
	return shown
}

// action is what a person wants to do in a match.
type action struct {
	Do     string `json:"do"`     // move, undo, resign, hint or close
	Number int    `json:"number"` // of the state that the person saw
	Token  string `json:"token"`  // of the move
}

// hint is a move that the program advises.
type hint struct {
	Number int    `json:"number"` // of the state that it is for
	Token  string `json:"token"`
	Text   string `json:"text"` // what it does
}

// obey does what a person wants. The advice is nil or a hint.
func (p *playing) obey(ctx context.Context, s *session, a action) (advice any, err error) {
	switch a.Do {
	case "move":
		return nil, s.act(a.Number, func() error { return s.match.Play(a.Token) })
	case "undo":
		return nil, s.act(a.Number, s.match.Undo)
	case "resign":
		return nil, s.act(anyState, s.match.Resign)
	case "close":
		s.close(sayClosed)
		return nil, nil
	case "hint":
		if err := s.act(a.Number, func() error { return nil }); err != nil {
			return nil, err
		}
		return p.hint(ctx, s)
	}
	return nil, errors.New("unknown action (known: move, undo, resign, hint, close)")
}

// hint looks for a good move.
func (p *playing) hint(ctx context.Context, s *session) (advice any, err error) {
	if !s.hinting.TryLock() {
		return nil, &refusal{status: http.StatusConflict, what: "you have already asked for a hint; wait for it"}
	}
	defer s.hinting.Unlock()
	p.hints.Lock()
	defer p.hints.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	state := s.match.State()
	token, err := friendly.Hint(s.match, state)
	if err != nil {
		return nil, err
	}
	h := hint{Number: state.Number, Token: token}
	for _, move := range state.Legal {
		if move.Token(s.match.Seat()) == token {
			h.Text = show.Preview(s.match.Rules(), state.Position, move)
		}
	}
	return h, nil
}

// statusOf returns the status of the answer to a person whose wish failed.
func statusOf(err error) int {
	refused := new(refusal)
	switch {
	case errors.As(err, &refused):
		return refused.status
	case errors.Is(err, arena.ErrNotYourTurn), errors.Is(err, arena.ErrNoUndo):
		return http.StatusConflict
	}
	return http.StatusBadRequest
}

// result is the result for the person: won, lost or draw; "" while the match is in play.
func (s *session) result(state arena.FriendlyState) string {
	switch {
	case state.Record == nil:
		return ""
	case state.Record.Result == results.Draw:
		return "draw"
	case (state.Record.Result == results.SouthWins) == (s.match.Seat() == engine.South):
		return "won"
	}
	return "lost"
}
