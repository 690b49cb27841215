package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"sembra/arena"
	"sembra/engine"
	"sembra/engine/show"
)

// plainGame is a match that is played in lines of text, by a program or by a person
// without a screen. Each line of the input is a move or a command.
type plainGame struct {
	*friendlyGame
	out     io.Writer
	told    int  // number of plies that are told
	resigns bool // the person was asked whether to resign
}

// inLines plays the match in lines of text.
func (g *friendlyGame) inLines(c *cli.Context) error {
	p := plainGame{friendlyGame: g, out: c.App.Writer}
	p.say(sayPlainBegin, g.Rules().Info().Name, seatName(g.Seat()), g.bot)
	lines, done := make(chan string), make(chan struct{})
	defer close(done)
	go sendLines(c.App.Reader, lines, done)
	for {
		state, err := p.await(c.Context)
		if err != nil {
			return errInterrupted
		}
		p.tell(state)
		if state.Record != nil {
			return p.end(state)
		}
		for answered := false; !answered; {
			select {
			case line, open := <-lines:
				if !open {
					return errUnfinished
				}
				var quit bool
				if answered, quit = p.obey(strings.TrimSpace(line), state); quit {
					return nil
				}
			case <-c.Context.Done():
				return errInterrupted
			}
		}
	}
}

// sendLines sends the lines of the input until done is closed, and closes lines at the
// end of the input.
func sendLines(in io.Reader, lines chan<- string, done <-chan struct{}) {
	defer close(lines)
	input := bufio.NewScanner(in)
	for input.Scan() {
		select {
		case lines <- input.Text():
		case <-done:
			return
		}
	}
}

// await returns the state when the bot does not think.
func (p *plainGame) await(ctx context.Context) (state arena.FriendlyState, err error) {
	state = p.State()
	for state.Turn == arena.BotsTurn && err == nil {
		state, err = p.Await(ctx, state.Number)
	}
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return state, err
}

func (p *plainGame) say(format string, args ...any) { printLine(p.out, fmt.Sprintf(format, args...)) }

// tell says what is new.
func (p *plainGame) tell(state arena.FriendlyState) {
	if len(state.Plies) < p.told {
		p.say(sayPlainUndone, plural(p.told-len(state.Plies), "move", "moves"))
		p.told = len(state.Plies)
	}
	for _, ply := range state.Plies[p.told:] {
		p.say("%s", show.Tell(p.Rules(), ply))
	}
	p.told = len(state.Plies)
	p.say("position %s", engine.Text(p.Rules(), state.Position))
	if state.Turn == arena.PersonsTurn {
		var tokens []string
		for _, move := range state.Legal {
			tokens = append(tokens, move.Token(p.Seat()))
		}
		p.say("legal %s", strings.Join(tokens, " "))
	}
}

// obey does what a line says. It reports whether the match has changed, and whether
// the person quits.
func (p *plainGame) obey(line string, state arena.FriendlyState) (changed, quit bool) {
	resigned := p.resigns
	p.resigns = false
	var err error
	switch line {
	case "":
		return false, false
	case "q", "quit":
		return false, true
	case "?", "help":
		for _, move := range state.Legal {
			p.say("  %-8s  %s", move.Token(p.Seat()), show.Preview(p.Rules(), state.Position, move))
		}
		p.say(sayPlainHelp)
		return false, false
	case "board":
		p.say("%s", strings.TrimRight(show.Board(p.Rules(), state.Position, show.ASCII), "\n"))
		return false, false
	case "h", "hint":
		var token string
		if token, _, err = p.Hint(); err == nil {
			p.say("hint %s", token)
			return false, false
		}
	case "u", "undo":
		err = p.Undo()
	case "r", "resign":
		if !resigned {
			p.resigns = true
			p.say(sayPlainResign)
			return false, false
		}
		err = p.Resign()
	default:
		err = p.Play(legalToken(p.Seat(), state.Legal, line))
	}
	if err != nil {
		p.say("error %v", err)
	}
	return err == nil, false
}

// end says how the match has ended, and saves it if the person wants that.
func (p *plainGame) end(state arena.FriendlyState) error {
	record := *state.Record
	p.say("result %v %d-%d %v", record.Result, record.SouthStore, record.NorthStore, record.Ending)
	p.say("%s", p.outcome(record))
	if state.What != "" {
		p.say("fault %s", state.What)
	}
	if p.file == "" {
		return nil
	}
	if err := p.save(p.file, record, state.What); err != nil {
		return err
	}
	p.say("saved %s", p.file)
	return nil
}

func seatName(s engine.Seat) string {
	if s == engine.South {
		return "South"
	}
	return "North"
}
