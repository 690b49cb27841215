// Package bots provides [Serve], the loop of a bot in Go, and the built-in bots. The
// built-in bots run as processes and know no more of a match than other bots: they
// never see the arena, its clock or its records. Without a clock they are deterministic:
// the same seed produces the same moves.
//
// README.md in this folder takes bot authors from nothing to a tournament, and lists
// the other pages. The folder samples has bots in several languages, and the folders
// python and javascript have clients that authors copy beside their bots.
package bots

import (
	"errors"
	"io"
	"slices"

	"sembra/arena/protocol"
	"sembra/engine"
)

// Player decides how a bot plays.
type Player interface {
	// Identity returns the bot's name, author and options.
	Identity() protocol.Identity

	// SetOption sets an option that Identity offers to a value that the option allows.
	SetOption(protocol.OptionValue) error

	// NewMatch begins a match and forgets the one before.
	NewMatch(protocol.NewMatch)

	// Choose returns one of the legal moves of the match; there is at least one. It
	// may report on its search. It must not change the match.
	Choose(m *engine.Match, limits protocol.Limits, report func(protocol.Info)) engine.Move
}

// Serve lets a player play as a bot, usually on standard input and output, until
// the host sends quit or the input ends. The error is that of the first message
// that breaks the protocol or cannot be answered.
func Serve(in io.Reader, out io.Writer, p Player) error {
	s := conversation{guest: protocol.NewGuest(in, out), player: p}
	for {
		message, err := s.guest.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = s.answer(message)
		}
		if err != nil {
			return err
		}
	}
}

// conversation is the conversation of a bot with its host.
type conversation struct {
	guest    *protocol.Guest
	player   Player
	rules    engine.Ruleset
	match    *engine.Match
	position protocol.Position // the last one that the host sent
}

func (s *conversation) answer(message protocol.Message) error {
	switch m := message.(type) {
	case protocol.Hello:
		return s.guest.Identify(s.player.Identity())
	case protocol.IsReady:
		return s.guest.Ready()
	case protocol.OptionValue:
		return s.setOption(m)
	case protocol.NewMatch:
		return s.newMatch(m)
	case protocol.Position:
		return s.setPosition(m)
	case protocol.Go:
		return s.bestMove(m.Limits)
	}
	return nil
}

func (s *conversation) setOption(v protocol.OptionValue) error {
	id := s.player.Identity()
	option, err := id.Option(v.Name)
	if err == nil {
		err = option.Check(v.Value)
	}
	if err != nil {
		return err
	}
	return s.player.SetOption(v)
}

func (s *conversation) newMatch(m protocol.NewMatch) error {
	rules, err := engine.Lookup(m.Ruleset)
	if err == nil && m.Rounds > 0 {
		rules, err = engine.WithRounds(rules, m.Rounds)
	}
	if err != nil {
		return err
	}
	s.rules, s.match = rules, nil
	s.player.NewMatch(m)
	return nil
}

// setPosition brings the match to a position. It plays only the new moves if the
// position continues the last one; otherwise it starts the match again.
func (s *conversation) setPosition(p protocol.Position) error {
	if s.rules == nil {
		return errors.New("position came before newmatch")
	}
	known := len(s.position.Moves)
	if s.match == nil || p.Text != s.position.Text || len(p.Moves) < known ||
		!slices.Equal(p.Moves[:known], s.position.Moves) {
		start := s.rules.Start()
		if p.Text != "" {
			var err error
			if start, err = engine.ParsePosition(s.rules, p.Text); err != nil {
				return err
			}
		}
		s.match, known = engine.NewMatch(s.rules, start), 0
	}
	s.position = p
	return s.match.PlayTokens(p.Moves[known:])
}

func (s *conversation) bestMove(limits protocol.Limits) error {
	if s.match == nil || len(s.match.Legal()) == 0 {
		return errors.New("go came before a position with a legal move")
	}
	var failed error
	move := s.player.Choose(s.match, limits, func(i protocol.Info) {
		failed = errors.Join(failed, s.guest.Info(i))
	})
	if failed != nil {
		return failed
	}
	return s.guest.BestMove(move.Token(s.match.Position().Side()))
}
