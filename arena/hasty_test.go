package arena

import (
	"bytes"
	"context"
	"time"

	"sembra/arena/guest"
)

// hasty is a launcher of bots that are known not to answer some lines. The
// arena's limits may be so long that no other bot breaks them on a busy
// machine: once such a line is sent, the wait for the answer is cut short.
type hasty struct {
	guest.Launcher
	// vain has, by the first word of a line, from which such line on there is no
	// answer. Lines with go are counted anew in each match.
	vain map[string]int
}

// silentFrom returns the lines that a bad test bot does not answer.
func silentFrom(bot string) map[string]int {
	switch bot {
	case "never says mbiok":
		return map[string]int{"mbi": 1}
	case "never says readyok":
		return map[string]int{"isready": 1}
	case "does not answer a later newmatch":
		return map[string]int{"isready": 2}
	case "reads nothing":
		return map[string]int{"isready": 3, "xyzzy": 1, "go": 1}
	case "stops itself", "is silent", "is silent and ignores every signal", "chatters", "drips bytes",
		"writes half a line and waits", "answers garbage", "answers an empty line":
		return map[string]int{"go": 2}
	}
	return nil
}

func (h hasty) Launch(ctx context.Context, n *guest.Spawner) (guest.Bot, error) {
	b, err := h.Launcher.Launch(ctx, n)
	if err != nil {
		return nil, err
	}
	return &hastyBot{b, h.vain, make(map[string]int)}, nil
}

type hastyBot struct {
	guest.Bot
	vain, sent map[string]int
}

func (b *hastyBot) Write(text []byte) (int, error) {
	const patience = 100 * time.Millisecond
	for line := range bytes.Lines(text) {
		word, _, _ := bytes.Cut(bytes.TrimSuffix(line, []byte{'\n'}), []byte{' '})
		if string(word) == "newmatch" {
			b.sent["go"] = 0
		}
		b.sent[string(word)]++
		if first := b.vain[string(word)]; first > 0 && b.sent[string(word)] >= first {
			if err := b.SetDeadline(time.Now().Add(patience)); err != nil {
				return 0, err
			}
		}
	}
	return b.Bot.Write(text)
}
