package protocol

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Guest is the bot's end of the wire.
type Guest struct {
	in  *bufio.Reader
	out io.Writer
}

// NewGuest returns the bot's end of a wire, usually standard input and output.
// Every line is written immediately.
func NewGuest(in io.Reader, out io.Writer) *Guest {
	return &Guest{in: bufio.NewReader(in), out: out}
}

// Message is a line from the host that a bot must know: [Hello], [OptionValue],
// [IsReady], [NewMatch], [Position] or [Go].
type Message any

// Hello is the host's greeting, answered by Identify.
type Hello struct{}

// IsReady asks whether the bot is ready, answered by Ready.
type IsReady struct{}

// Go asks for a token, answered by BestMove.
type Go struct{ Limits }

// Next returns the next message. It skips all other lines. It returns
// io.EOF at quit and at the end of input. Any other error is about one line; the
// next call continues with the next line.
func (g *Guest) Next() (Message, error) {
	for {
		line, err := g.in.ReadString('\n')
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil, io.EOF // an incomplete line does not count
			}
			return nil, err
		}
		word, rest, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		switch word {
		case "mbi":
			if rest != "1" {
				return nil, fmt.Errorf("the host speaks mbi %q; this bot speaks mbi 1", rest)
			}
			return Hello{}, nil
		case "setoption":
			return parseOptionValue(rest)
		case "isready":
			return IsReady{}, nil
		case "newmatch":
			return parseNewMatch(rest)
		case "position":
			return parsePosition(rest)
		case "go":
			return parseGo(rest)
		case "quit":
			return nil, io.EOF
		}
	}
}

// Identify answers Hello. A guest wants neither legal moves nor positions, because it
// has the rules.
func (g *Guest) Identify(id Identity) error {
	var b []byte
	if id.Name != "" {
		b = append(b, "id name "+id.Name+"\n"...)
	}
	if id.Author != "" {
		b = append(b, "id author "+id.Author+"\n"...)
	}
	if len(id.Plays) > 0 {
		b = append(b, "plays "+strings.Join(id.Plays, " ")+"\n"...)
	}
	for _, o := range id.Options {
		b = o.appendTo(b)
	}
	return g.write(append(b, "mbiok\n"...))
}

// Ready answers IsReady.
func (g *Guest) Ready() error { return g.write([]byte("readyok\n")) }

// Info reports on the search so far.
func (g *Guest) Info(i Info) error { return g.write(i.appendTo(nil)) }

// BestMove answers Go.
func (g *Guest) BestMove(token string) error { return g.write([]byte("bestmove " + token + "\n")) }

func (g *Guest) write(b []byte) error {
	_, err := g.out.Write(b)
	return err
}
