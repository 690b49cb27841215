package main

import (
	"fmt"
	"slices"
	"strings"

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

// tokens returns the legal moves.
func (v playView) tokens() (tokens []string) {
	for _, move := range v.state.Legal {
		tokens = append(tokens, move.Token(v.seat))
	}
	return tokens
}
