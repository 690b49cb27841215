package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"github.com/urfave/cli/v2"

	"sembra/arena"
	"sembra/engine"
	"sembra/engine/show"
	"sembra/results"
)

// playView is what a person sees of a match on a terminal, and what the person has
// chosen so far. It is a value: rows returns what it shows, and press returns the view
// after a key, with what the person wants.
type playView struct {
	rules engine.Ruleset
	seat  engine.Seat
	bot   string // its name
	file  string // a name for the file in which the match may be saved
	style show.Style
	state arena.FriendlyState
	end   []string // how the match has ended; none while it goes on

	asked  []show.Question // the questions that were asked, the last one is open
	at     []int           // the choice that is marked, for each question
	marked string          // the key of the last choice that answered the first question
	typed  string          // the beginning of a move or of a file's name
	mode   playMode
	note   string // shown until the next key
}

// playMode says what the keys mean.
type playMode uint8

const (
	modeChoose playMode = iota
	modeHelp            // any key goes on
	modeResign          // y resigns
	modeSave            // the name of a file is typed
)

// wish is what a person wants.
type wish struct {
	kind wishKind
	text string // the move, or the name of a file
}

type wishKind uint8

const (
	wishNothing wishKind = iota
	wishMove
	wishUndo
	wishHint
	wishResign
	wishSave
	wishQuit
	wishInterrupt
)

// see returns the view of another state.
func (v playView) see(state arena.FriendlyState) playView {
	v.state, v.typed, v.note, v.mode = state, "", "", modeChoose
	v.asked, v.at = nil, nil
	if state.Turn != arena.PersonsTurn {
		return v
	}
	first := show.Ask(v.rules, state.Position)
	same := func(c show.Choice) bool { return c.Key == v.marked }
	return v.ask(first, max(0, slices.IndexFunc(first.Choices, same)))
}

// ask asks one more question, of which a choice is marked.
func (v playView) ask(q show.Question, at int) playView {
	v.asked, v.at = append(slices.Clip(v.asked), q), append(slices.Clip(v.at), at)
	return v
}

// open returns the open question and the index of the marked choice; ok is false if
// there is none.
func (v playView) open() (q show.Question, at int, ok bool) {
	if len(v.asked) == 0 {
		return q, 0, false
	}
	last := len(v.asked) - 1
	return v.asked[last], v.at[last], true
}

// mark marks another choice of the open question.
func (v playView) mark(at int) playView {
	v.at = slices.Clone(v.at)
	v.at[len(v.at)-1] = at
	return v
}

// press returns the view after a key.
func (v playView) press(k key) (playView, wish) {
	if k == keyInterrupt {
		return v, wish{kind: wishInterrupt}
	}
	v.note = ""
	switch v.mode {
	case modeHelp:
		v.mode = modeChoose
		return v, wish{}
	case modeResign:
		v.mode = modeChoose
		if k == 'y' || k == 'Y' {
			return v, wish{kind: wishResign}
		}
		return v, wish{}
	case modeSave:
		return v.pressName(k)
	}
	if v.typed == "" {
		if next, w, ok := v.pressCommand(k); ok {
			return next, w
		}
	}
	if _, _, open := v.open(); open {
		return v.pressChoice(k)
	}
	return v, wish{}
}

// pressCommand is press for the keys of commands. It returns false for other keys.
func (v playView) pressCommand(k key) (playView, wish, bool) {
	over := v.state.Record != nil
	switch {
	case k == 'q' || k == 'Q':
		return v, wish{kind: wishQuit}, true
	case k == '?':
		v.mode = modeHelp
	case k == 'u' || k == 'U':
		return v, wish{kind: wishUndo}, true
	case (k == 'h' || k == 'H') && !over:
		return v, wish{kind: wishHint}, true
	case (k == 'r' || k == 'R') && !over:
		v.mode = modeResign
	case (k == 's' || k == 'S') && over:
		v.mode, v.typed = modeSave, v.file
	default:
		return v, wish{}, false
	}
	return v, wish{}, true
}

// pressName is press while the name of a file is typed.
func (v playView) pressName(k key) (playView, wish) {
	switch {
	case k == keyEscape:
		v.mode, v.typed = modeChoose, ""
	case k == keyEnter && v.typed != "":
		name := v.typed
		v.mode, v.typed = modeChoose, ""
		return v, wish{wishSave, name}
	default:
		v.typed = edited(v.typed, k)
	}
	return v, wish{}
}

// edited returns a text after a key that adds a character or takes the last one away.
func edited(text string, k key) string {
	const most = 200 // characters
	letters := []rune(text)
	switch {
	case k == keyBackspace && len(letters) > 0:
		letters = letters[:len(letters)-1]
	case k >= ' ' && len(letters) < most:
		letters = append(letters, rune(k))
	}
	return string(letters)
}

// pressChoice is press while a question is open.
func (v playView) pressChoice(k key) (playView, wish) {
	q, at, _ := v.open()
	first := len(v.asked) == 1
	switch {
	case v.typed == "" && (k == keyEscape || k == keyBackspace):
		if !first {
			v.asked, v.at = v.asked[:len(v.asked)-1], v.at[:len(v.at)-1]
		}
	case k == keyEscape:
		v.typed = ""
	case k == keyLeft, k == keyUp, k == keyRight, k == keyDown:
		v.typed = ""
		return v.mark(v.step(q, at, k)), wish{}
	case k == keyEnter && v.typed == "":
		return v.choose(q.Choices[at])
	case k == keyEnter:
		return v.enter()
	default:
		return v.pressLetter(q, k)
	}
	return v, wish{}
}

// write returns the view after a key that belongs to a move that is typed. It refuses a
// character with which no move goes on.
func (v playView) write(q show.Question, k key) playView {
	typed := edited(v.typed, k)
	begins := func(token string) bool {
		return len(token) >= len(typed) && strings.EqualFold(token[:len(typed)], typed)
	}
	if !slices.ContainsFunc(v.tokens(), begins) && keyed(q, typed) < 0 {
		v.note = fmt.Sprintf(sayNoSuchMove, results.Visible([]byte(typed), 0))
		return v
	}
	v.typed = typed
	if at := keyed(q, typed); at >= 0 {
		v = v.mark(at)
	}
	return v
}

// step returns the choice to which an arrow leads. The holes of North run from right
// to left on the screen.
func (v playView) step(q show.Question, at int, k key) int {
	forward := k == keyRight || k == keyDown
	holes := func(at int) bool { return q.Choices[at].OnBoard && q.Choices[at].Seat == v.seat }
	if v.seat == engine.North && holes(at) && (k == keyLeft || k == keyRight) {
		forward = !forward
	}
	if forward {
		return (at + 1) % len(q.Choices)
	}
	return (at + len(q.Choices) - 1) % len(q.Choices)
}

// keyed returns the index of the choice with a key, in either case; -1 if there is none.
func keyed(q show.Question, text string) int {
	return slices.IndexFunc(q.Choices, func(c show.Choice) bool { return strings.EqualFold(c.Key, text) })
}

// pressLetter is press for a character. It is the key of a choice, or belongs to a move
// that is typed. A hole is only marked by its key, because a single letter is easily
// mistyped.
func (v playView) pressLetter(q show.Question, k key) (playView, wish) {
	at := keyed(q, string(rune(max(0, k))))
	switch {
	case at >= 0 && v.typed == "" && (len(v.asked) > 1 || !q.Choices[at].OnBoard):
		return v.mark(at).choose(q.Choices[at])
	case len(v.asked) == 1:
		return v.write(q, k), wish{}
	}
	return v, wish{}
}

// choose returns the view after a choice. Its move is played, or the next question is
// asked.
func (v playView) choose(c show.Choice) (playView, wish) {
	v.marked = v.asked[0].Choices[v.at[0]].Key
	if c.Next == nil {
		return v, wish{wishMove, c.Token}
	}
	return v.ask(*c.Next, 0), wish{}
}

// enter is choose for what was typed: the key of a choice, or a whole move.
func (v playView) enter() (playView, wish) {
	typed := v.typed
	v.typed = ""
	q, _, _ := v.open()
	if at := keyed(q, typed); at >= 0 {
		return v.mark(at).choose(q.Choices[at])
	}
	return v, wish{wishMove, legalToken(v.seat, v.state.Legal, typed)}
}

// hint marks the choice of a move, and names the move.
func (v playView) hint(token string) playView {
	first := v.asked[0]
	for at, c := range first.Choices {
		if c.Token == token || c.Next != nil && strings.HasPrefix(token, c.Key) {
			v.asked, v.at = v.asked[:1], []int{at}
		}
	}
	v.note = fmt.Sprintf(sayHint, token)
	return v
}

// rows returns the rows of a screen of that size, which is at least 1 by 1. No row is
// wider. Only the board and what the person decides is always there.
func (v playView) rows(width, height int) []row {
	drawn := v.drawn().within(width)
	bottom := append(v.question(width, height), row{v.status(), true}, row{text: v.foot()})
	room := max(0, height-len(bottom)-1)
	var body []string
	fits := true
	if v.mode == modeHelp {
		body = fit(v.help(width, room), room)
		body = body[:min(len(body), room)]
	} else {
		body, fits = squeeze([]string{""}, drawn.board, drawn.under(width, v.news()), room)
	}
	if !fits {
		body = []string{sayTooSmall}
	}
	rows := []row{{text: fmt.Sprintf(sayYouAre, seatName(v.seat), v.bot, drawn.title)}}
	for len(body) < room {
		body = append(body, "")
	}
	for _, line := range body[:room] {
		rows = append(rows, row{text: line})
	}
	rows = append(rows, bottom...)
	rows = rows[max(0, len(rows)-height):]
	cut := "~"
	if v.style == show.Lines {
		cut = "…"
	}
	for i := range rows {
		rows[i].text = displaywidth.TruncateString(rows[i].text, width, cut)
	}
	return rows
}

// drawnState is the parts of the drawing of a state.
type drawnState struct {
	title         string
	board         []string
	status, signs string
}

// drawn draws the state. Square brackets mark the hole of the marked choice.
func (v playView) drawn() drawnState {
	text := show.Board(v.rules, v.state.Position, v.style)
	last, played := v.state.Last()
	if played {
		text = show.After(v.rules, last, v.style)
	}
	paragraphs := strings.Split(strings.TrimRight(text, "\n"), "\n\n")
	d := drawnState{title: strings.TrimSpace(paragraphs[0])}
	paragraphs = paragraphs[1:]
	if played {
		paragraphs = paragraphs[1:] // the news tell more
	}
	d.board, d.status = strings.Split(paragraphs[0], "\n"), paragraphs[1]
	if len(paragraphs) > 2 {
		d.signs = paragraphs[2]
	}
	if v.state.Record != nil && v.state.Position.Phase() != engine.PhaseOver {
		d.status = "" // of a match that goes on
	}
	if len(v.asked) == 0 {
		return d
	}
	if c := v.asked[0].Choices[v.at[0]]; c.OnBoard {
		names := &d.board[0]
		if c.Seat == engine.South {
			names = &d.board[len(d.board)-1]
		}
		name := c.Seat.HoleName(c.Hole)
		*names = strings.Replace(*names+" ", " "+name+" ", "["+name+"]", 1)
	}
	return d
}

// within returns the drawing for a screen of that width. If the board is wider, what
// stands to its right is told below it: the stores. If even the holes do not fit, the
// names of the rows are left out.
func (d drawnState) within(width int) drawnState {
	widest, holes := 0, displaywidth.String(d.board[1]) // the frame, which surrounds the holes
	for _, line := range d.board {
		widest = max(widest, displaywidth.String(line))
	}
	if widest <= width {
		return d
	}
	north, south := []rune(d.board[2]), []rune(d.board[len(d.board)-3])
	stores := "North: " + string(north[holes:]) + "\nSouth: " + string(south[holes:])
	var below []string
	for line := range strings.SplitSeq(stores+"\n"+d.status, "\n") {
		below = append(below, wrap(line, width)...)
	}
	d.status = strings.Join(below, "\n")
	sign, frame := 1, 1 // the row's sign of whose turn it is; what follows it
	if holes > width {
		frame = 9 // the column before the frame
	}
	d.board = slices.Clone(d.board)
	for i, line := range d.board {
		letters := []rune(line)
		d.board[i] = string(letters[:sign]) + string(letters[frame:min(holes, len(letters))])
	}
	return d
}

// under returns the lines below the board: first the news, which may be cut off last.
func (d drawnState) under(width int, news []string) []string {
	const most = 6 // lines of news
	var lines []string
	for _, text := range news {
		lines = append(lines, wrap(text, width)...)
	}
	lines = lines[max(0, len(lines)-most):]
	return append([]string{""}, paragraphs(strings.Join(lines, "\n"), d.signs, d.status)...)
}

// news tells what was played since the person's last turn began.
func (v playView) news() (lines []string) {
	for _, ply := range v.state.Plies[min(v.state.News, len(v.state.Plies)):] {
		lines = append(lines, strings.Split(show.Tell(v.rules, ply), "\n")...)
	}
	return lines
}

// question returns what the person decides, above the status, and how the match ended.
func (v playView) question(width, height int) (rows []row) {
	for _, line := range v.end {
		for _, part := range wrap(line, width) {
			rows = append(rows, row{text: part})
		}
	}
	q, at, open := v.open()
	if !open || v.mode != modeChoose {
		return rows
	}
	rows = append(rows, row{text: q.Text})
	if len(v.asked) == 1 && q.Choices[at].OnBoard && q.Choices[at].Seat == v.seat {
		return append(rows, row{text: fmt.Sprintf("> %s  %s", q.Choices[at].Key, q.Choices[at].Text)})
	}
	const most = 7 // choices
	from, widest := max(0, min(at-most/2, len(q.Choices)-most)), 0
	for _, c := range q.Choices {
		widest = max(widest, len(c.Key))
	}
	for i, c := range q.Choices[from:min(len(q.Choices), from+most)] {
		mark := " "
		if from+i == at {
			mark = ">"
		}
		rows = append(rows, row{text: fmt.Sprintf("%s %-*s  %s", mark, widest, c.Key, c.Text)})
	}
	return rows[:min(len(rows), max(1, height-2))]
}

// status returns the row above the last one: whose turn it is.
func (v playView) status() string {
	switch {
	case v.mode == modeResign:
		return sayReallyResign
	case v.mode == modeSave:
		return fmt.Sprintf(saySaveAs, results.Visible([]byte(v.typed), 0))
	case v.mode == modeHelp:
		return sayAnyKey
	case v.state.Turn == arena.BotsTurn:
		return fmt.Sprintf(sayThinks, v.bot)
	case v.state.Turn == arena.NobodysTurn:
		return sayPlayed
	}
	return fmt.Sprintf(sayYourMove, v.chosen())
}

// chosen returns the move as far as it is chosen or typed.
func (v playView) chosen() string {
	if v.typed != "" {
		return results.Visible([]byte(v.typed), 0) + "_"
	}
	text := ""
	for i, q := range v.asked {
		if key := q.Choices[v.at[i]].Key; key != "." {
			text += key + " "
		}
	}
	return text
}

// foot returns the last row.
func (v playView) foot() string {
	switch {
	case v.note != "":
		return v.note
	case v.mode == modeSave:
		return saySaveKeys
	case v.mode != modeChoose:
		return ""
	case v.state.Turn == arena.BotsTurn:
		return sayThinkKeys
	case v.state.Turn == arena.NobodysTurn && v.state.Undo:
		return sayPlayedKeys
	case v.state.Turn == arena.NobodysTurn:
		return sayLostKeys
	case len(v.asked) > 1:
		return sayChoiceKeys
	}
	return sayPlayKeys
}

// help returns the keys, and the legal moves with what they do if there is room for
// that.
func (v playView) help(width, height int) []string {
	keys := strings.Split(sayPlayHelp, "\n")
	if v.state.Turn != arena.PersonsTurn {
		return keys
	}
	legal := []string{"", sayLegal}
	for _, move := range v.state.Legal {
		legal = append(legal, fmt.Sprintf("  %-8s %s", move.Token(v.seat), show.Preview(v.rules, v.state.Position, move)))
	}
	if len(keys)+len(legal) > height {
		legal = append(legal[:2], wrap(strings.Join(v.tokens(), " "), width)...)
	}
	return append(keys, legal...)
}

// onScreen plays the match on a terminal.
func (g *friendlyGame) onScreen(c *cli.Context, in, out *os.File) error {
	resized := make(chan os.Signal, 1)
	notifyResized(resized)
	v := playView{
		rules: g.Rules(), seat: g.Seat(), bot: g.bot, style: boardStyle(c), file: freeFile(g.Rules().Info().Name),
	}
	return onScreen(in, out, func() error {
		keys, states, hints, done := make(chan key), make(chan arena.FriendlyState), make(chan string, 1), make(chan struct{})
		defer close(done)
		go readKeys(in, keys, done)
		go g.sendStates(c, states, done)
		for {
			if err := drawOn(out, v.rows); err != nil {
				return err
			}
			select {
			case k, open := <-keys:
				if !open {
					return errUnfinished // the terminal is gone
				}
				var w wish
				v, w = v.press(k)
				switch {
				case w.kind == wishQuit, w.kind == wishInterrupt && v.state.Record != nil:
					return nil
				case w.kind == wishInterrupt:
					return errInterrupted
				}
				v = g.grant(v, w, hints)
			case state := <-states:
				v = g.arrived(v.see(state))
			case token := <-hints:
				if _, _, open := v.open(); open && slices.Contains(v.tokens(), token) {
					v = v.hint(token)
				}
			case <-resized:
			case <-c.Context.Done():
				return errInterrupted
			}
		}
	})
}

// tokens returns the legal moves.
func (v playView) tokens() (tokens []string) {
	for _, move := range v.state.Legal {
		tokens = append(tokens, move.Token(v.seat))
	}
	return tokens
}

// sendStates sends the newest states until done is closed.
func (g *friendlyGame) sendStates(c *cli.Context, states chan<- arena.FriendlyState, done <-chan struct{}) {
	for seen := 0; ; {
		state, err := g.Await(c.Context, seen)
		if err != nil {
			return
		}
		seen = state.Number
		select {
		case states <- state:
		case <-done:
			return
		}
	}
}

// arrived adds how a match has ended, and saves it if the command line says so.
func (g *friendlyGame) arrived(v playView) playView {
	v.end = nil
	record := v.state.Record
	if record == nil {
		return v
	}
	v.end = append(v.end, g.outcome(*record))
	if v.state.What != "" {
		v.end = append(v.end, v.state.What)
	}
	if g.file != "" {
		v.end = append(v.end, g.saveNote(v.state, g.file))
	}
	return v
}

// saveNote saves a match and says so, or why it could not.
func (g *friendlyGame) saveNote(state arena.FriendlyState, file string) string {
	if err := g.save(file, *state.Record, state.What); err != nil {
		return err.Error()
	}
	return fmt.Sprintf(saySavedAs, file)
}

// grant does what a person wants.
func (g *friendlyGame) grant(v playView, w wish, hints chan<- string) playView {
	var err error
	switch w.kind {
	case wishMove:
		err = g.Play(w.text)
	case wishUndo:
		if err = g.Undo(); err == nil && v.state.Turn == arena.BotsTurn {
			v.note = sayLater
		}
	case wishResign:
		if err = g.Resign(); err == nil && v.state.Turn == arena.BotsTurn {
			v.note = sayLater
		}
	case wishHint:
		if v.state.Turn != arena.PersonsTurn {
			err = arena.ErrNotYourTurn
			break
		}
		v.note = sayHintComes
		go func() {
			if token, _, err := g.Hint(); err == nil {
				select {
				case hints <- token:
				default:
				}
			}
		}()
	case wishSave:
		v.note = g.saveNote(v.state, w.text)
	}
	if err != nil {
		v.note = err.Error()
	}
	return v
}
