package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/urfave/cli/v2"

	"sembra/arena"
)

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
