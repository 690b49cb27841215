package arena

import (
	"bytes"
	"context"
	"time"

	"sembra/arena/guest"
	"sembra/results"
)

// seen is a launcher whose bots show a function what is about to be written to them.
type seen struct {
	guest.Launcher
	begin func() func(b guest.Bot, text []byte) // returns the function of one bot
}

func (s seen) Launch(ctx context.Context, n *guest.Spawner) (guest.Bot, error) {
	b, err := s.Launcher.Launch(ctx, n)
	if err != nil {
		return nil, err
	}
	return seenBot{b, s.begin()}, nil
}

type seenBot struct {
	guest.Bot
	see func(b guest.Bot, text []byte)
}

func (b seenBot) Write(text []byte) (int, error) {
	b.see(b.Bot, text)
	return b.Bot.Write(text)
}

// asked is a launcher whose bots look before they are asked for a move.
func asked(l guest.Launcher, look func()) guest.Launcher {
	return seen{l, func() func(guest.Bot, []byte) {
		return func(_ guest.Bot, text []byte) {
			if bytes.Contains(append([]byte("\n"), text...), []byte("\ngo")) {
				look()
			}
		}
	}}
}

// cutShort is a launcher of bots that are known not to answer some lines. The arena's limits may be so long that no other
// bot breaks them on a busy machine: once such a line is sent, the wait for the answer is cut short. vain has, by the
// first word of a line, from which such line on there is no answer. Lines with go are counted in each match.
func cutShort(l guest.Launcher, vain map[string]int) guest.Launcher {
	const patience = 100 * time.Millisecond
	return seen{l, func() func(guest.Bot, []byte) {
		sent := make(map[string]int)
		return func(b guest.Bot, text []byte) {
			for line := range bytes.Lines(text) {
				word, _, _ := bytes.Cut(bytes.TrimSuffix(line, []byte{'\n'}), []byte{' '})
				if string(word) == "newmatch" {
					sent["go"] = 0
				}
				sent[string(word)]++
				if first := vain[string(word)]; first > 0 && sent[string(word)] >= first {
					b.SetDeadline(time.Now().Add(patience))
				}
			}
		}
	}}
}

// silentFrom returns the lines that a bad test bot does not answer.
func (d deed) silentFrom() map[string]int {
	special := map[string]map[string]int{
		"never says mbiok":                 {"mbi": 1},
		"never says readyok":               {"isready": 1},
		"does not answer a later newmatch": {"isready": 2},
		"reads nothing":                    {"isready": 3, "xyzzy": 1, "go": 1},
	}
	if vain := special[d.bot]; vain != nil || d.ending != results.EndHang {
		return vain
	}
	return map[string]int{"go": 2}
}
