package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"sembra/arena"
	"sembra/arena/guest"
	"sembra/cmd/sembra/friendly"
	"sembra/engine"
	"sembra/engine/show"
	"sembra/results"
	"sembra/results/safe"
)

// Play says which bots people may play on the page, and how these run.
type Play struct {
	Opponents []Opponent // those of a group stand together; two of the same name: only the first can be played
	Isolation results.Isolation
	Hidden    []string // absolute paths that no bot may read
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

type playing struct {
	sessions
	Play
	hints sync.Mutex // is held while Sembra looks for a hint, so that hints take one processor at most
}

// choices is what a person chooses for a match, by the names of the fields of the form.
type choices map[string]string

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

// address returns the address of the form for a match against a bot of a tournament; "" if it cannot be played: the form
// has the bots of one tournament file, and the built-in ones without options.
func (p *playing) address(l links, t results.Tournament, bot string) string {
	name, program := bot, t.Programs[bot]
	if at := p.opponent(bot); at < 0 || p.Opponents[at].Group != GroupOf(t.Family) {
		name = program.Builtin
		if len(program.Options) > 0 || p.opponent(name) < 0 {
			return ""
		}
	}
	return l.play(choices{"ruleset": t.Ruleset, "bot": name})
}

// GroupOf returns the heading of the bots of a tournament file.
func GroupOf(tournament string) string { return "Bots of " + tournament }

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
func (p *playing) friendly(c choices) (arena.Friendly, error) {
	var none arena.Friendly
	if len(p.Opponents) == 0 {
		return none, &refusal{status: http.StatusForbidden, what: "nobody can play on this page at the moment"}
	}
	at := p.opponent(c["bot"])
	if at < 0 {
		return none, fmt.Errorf("unknown bot %q", c["bot"])
	}
	chosen := friendly.Choices{
		Ruleset: cmp.Or(c["other"], c["ruleset"]), Seat: c["seat"], Rounds: c["rounds"], Position: c["position"],
		Name: c["name"], Time: c["time"],
	}
	if rules, err := engine.Lookup(chosen.Ruleset); err == nil && rules.Info().Single {
		chosen.Rounds = "" // the form keeps the choice of another game
	}
	f, err := chosen.Match(p.Opponents[at].Entry, p.Isolation, p.Hidden)
	if err != nil {
		return none, err
	}
	if f.Move < quickest || f.Move > slowest {
		return none, fmt.Errorf("the time for a move must be %v to %v, not %q", quickest, slowest, chosen.Time)
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
		Number: state.Number, Turn: turnName(state.Turn), Undo: state.Undo,
		Frames:  []boardFrame{{Position: engine.Text(rules, first)}},
		Outcome: []string{}, Result: s.result(state), Ended: s.closed(),
	}
	if lines := friendly.Outcome(s.match, state); len(lines) > 0 { // the page says who has won
		score := fmt.Sprintf("%d-%d (%s)", state.Record.Stores[0], state.Record.Stores[1], state.Record.Ending)
		shown.Outcome = append([]string{score}, lines[1:]...)
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

func turnName(turn arena.Turn) string {
	switch turn {
	case arena.PersonsTurn:
		return "person"
	case arena.BotsTurn:
		return "bot"
	}
	return "nobody"
}

type action struct {
	Do     string `json:"do"`     // move, undo, resign, hint or close
	Number int    `json:"number"` // of the state that the person saw
	Token  string `json:"token"`  // of the move
}

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

type opponentGroup struct {
	Name string
	Bots []optionView
}

// playPage shows the form for a match. The query of its address can choose the fields; the page says what is wrong with
// them.
func (s *Server) playPage(r *http.Request) content {
	chosen, problem := readChoices(r.URL.Query()), error(nil)
	if r.URL.RawQuery != "" {
		_, problem = s.playing.friendly(chosen)
	}
	return s.playForm(chosen, problem)
}

// offered returns the options of a field and, if it is not one of them, the value that was chosen by an address.
func offered(chosen string, options ...optionView) []optionView {
	if slices.ContainsFunc(options, func(o optionView) bool { return o.Value == chosen }) {
		return options
	}
	return append(options, optionView{Value: chosen, Text: safe.Line(chosen)})
}

// playForm returns the form with these choices. The problem is why no match began with them; nil: none.
func (s *Server) playForm(chosen choices, problem error) content {
	c := content{Title: "Play", Section: playSection, Template: "play"}
	if problem != nil {
		c.Status = statusOf(problem)
	}
	if len(s.playing.Opponents) == 0 {
		c.View = templateData{"Off": true}
		return c
	}
	if !slices.Contains(engine.RulesetNames(), chosen["ruleset"]) { // one of another size, by an address
		chosen["other"] = cmp.Or(chosen["other"], chosen["ruleset"])
	}
	v := templateData{
		"Off": false, "Problem": "", "Chosen": chosen, "Games": rulesets(), "Opponents": s.playing.groups(),
		"Times": offered(chosen["time"],
			optionView{Value: "200ms", Text: "a fifth of a second"},
			optionView{Value: "1s", Text: "1 second"},
			optionView{Value: "3s", Text: "3 seconds"},
			optionView{Value: "10s", Text: "10 seconds"},
		),
		"Rounds": offered(chosen["rounds"],
			optionView{Text: "the whole match, at most 8"},
			optionView{Value: "1", Text: "1 round"},
			optionView{Value: "2", Text: "2 rounds"},
			optionView{Value: "4", Text: "4 rounds"},
		),
		"Limit": mostPlaying, "Idle": int(idleLimit.Minutes()), // minutes after which a match ends
	}
	if problem != nil {
		v["Problem"] = sentence(problem)
	}
	c.View = v
	return c
}

func (p *playing) groups() []opponentGroup {
	var groups []opponentGroup
	for i, o := range p.Opponents {
		if p.opponent(o.Entry.Name) != i {
			continue // it cannot be played
		}
		if n := len(groups); n == 0 || groups[n-1].Name != o.Group {
			groups = append(groups, opponentGroup{Name: o.Group})
		}
		text := o.Entry.Name
		if o.Summary != "" {
			text += ": " + o.Summary
		}
		group := &groups[len(groups)-1]
		group.Bots = append(group.Bots, optionView{Value: o.Entry.Name, Text: text})
	}
	return groups
}

// beginMatch begins the match of a form, and leads to its page.
func (s *Server) beginMatch(w http.ResponseWriter, r *http.Request) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Minute)) // a bot may start slowly
	r.Body = http.MaxBytesReader(w, r.Body, mostBody)
	err := r.ParseForm()
	chosen := readChoices(r.PostForm)
	var begun *session
	if err == nil {
		begun, err = s.playing.begin(chosen)
	}
	if err != nil {
		s.answer(w, s.playForm(chosen, err))
		return
	}
	http.Redirect(w, r, "/play/"+begun.id, http.StatusSeeOther)
}

func (s *Server) playMatchPage(r *http.Request) content {
	session := got(s.session(r))
	match, chosen := session.match, session.chose
	rules := match.Rules()
	var names [2]string
	names[match.Seat()], names[match.Seat().Other()] = chosen["name"], chosen["bot"]
	if chosen["name"] == friendly.DefaultName {
		names[match.Seat()] = "You"
	}
	v := templateData{
		"Game": rules.Info().Name, "Seat": match.Seat().String(), "Bot": chosen["bot"],
		"Again": s.links.play(chosen), "Isolation": match.Isolated().Line,
		"Board": show.Board(rules, match.State().Position, show.Unicode),
		"Data": templateData{ // for the script
			"address": "/play/" + session.id, "layout": newBoardLayout(rules, names[engine.South], names[engine.North]),
			"seat": int(match.Seat()), "bot": chosen["bot"],
		},
	}
	return content{
		Title: rules.Info().Name + " against " + chosen["bot"], Section: playSection, Template: "play-match", View: v,
		Trail: []hyperlink{{"Play", s.links.play(nil)}},
	}
}

func (s *Server) session(r *http.Request) (*session, error) {
	if found := s.playing.find(r.PathValue("id")); found != nil {
		return found, nil
	}
	return nil, missing("this match is not kept any more", hyperlink{"Play another match", s.links.play(nil)})
}

// answerState answers with the state of a match, as soon as it is newer than the one that the page shows.
func answerState(w http.ResponseWriter, r *http.Request, s *session) (any, error) {
	seen, err := strconv.Atoi(r.URL.Query().Get("seen"))
	if err != nil {
		return nil, fmt.Errorf("seen must be a number, not %q", r.URL.Query().Get("seen"))
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(writeTime)) // news may come after readTime
	_ = control.SetWriteDeadline(time.Now().Add(newsWait + 10*time.Second))
	ctx, cancel := context.WithTimeout(r.Context(), newsWait)
	defer cancel()
	state := s.await(ctx, seen)
	if state.Number == seen {
		return nil, nil
	}
	return s.state(state), nil
}

// answerRecord answers with the JSON line of a match that has ended, as a file to save.
func (s *Server) answerRecord(w http.ResponseWriter, r *http.Request) {
	session := got(s.session(r))
	var text bytes.Buffer
	if friendly.WriteRecord(&text, session.match, session.match.State()) != nil {
		check(missing("only a match that has ended has a record, and this one is still in play", hyperlink{}))
	}
	name := session.match.Rules().Info().Name + "-" + time.Now().Format("2006-01-02-1504") + ".jsonl"
	save(w, "application/jsonl", name, text.Bytes())
}

// save answers with a text of a kind as a file to save.
func save(w http.ResponseWriter, kind, name string, text []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	_, _ = w.Write(text) // fails only if the browser has gone
}

// answerAction answers a request to do something in a match.
func (s *Server) answerAction(w http.ResponseWriter, r *http.Request, session *session) (any, error) {
	var a action
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return nil, &refusal{status: http.StatusUnsupportedMediaType, what: "an action must be JSON"}
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, mostBody)).Decode(&a); err != nil {
		return nil, fmt.Errorf("the action cannot be read: %w", err)
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(writeTime)) // a hint may have to wait
	return s.playing.obey(r.Context(), session, a)
}

// inJSON answers requests of the script of a match with a value, with nothing if it is nil, or with an error in one
// sentence.
func (s *Server) inJSON(find func(http.ResponseWriter, *http.Request, *session) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var value any
		session, err := s.session(r)
		if err == nil {
			value, err = find(w, r, session)
		}
		status := http.StatusOK
		if err != nil {
			status, value = statusOf(err), map[string]string{"error": err.Error()}
		}
		w.Header().Set("Cache-Control", "no-store")
		if value == nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(value) // a person who has left needs no answer
	}
}
