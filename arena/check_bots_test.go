package arena

import (
	"bytes"
	"io"
	"sync/atomic"
	"time"

	"sembra/arena/guest"
)

// stuckAt makes a bot do nothing more after a line.
func stuckAt(line string) func(*question, string) bool {
	return func(_ *question, said string) bool {
		if said == line {
			time.Sleep(time.Hour)
		}
		return false
	}
}

// onlyOnce is a bot of which each process answers a line only once.
func onlyOnce(line string) guest.Launcher {
	return memory(func(in io.Reader, out io.Writer) {
		heard := false
		fake{line: func(_ *question, said string) bool {
			again := said == line && heard
			heard = heard || said == line
			return again
		}}.run(in, out)
	})
}

// onlyTheFirst does something at the first question, also if the bot starts anew.
func onlyTheFirst(do func(*question)) func(*question) {
	var done atomic.Bool
	return func(q *question) {
		if !done.Swap(true) {
			do(q)
		}
	}
}

// keeper is a buffer that is flushed after all lines but those with a bestmove.
type keeper struct {
	io.Writer
	kept []byte
}

func (k *keeper) Write(b []byte) (int, error) {
	if k.kept = append(k.kept, b...); bytes.Contains(b, []byte("bestmove")) {
		return len(b), nil
	}
	_, err := k.Writer.Write(k.kept)
	k.kept = nil
	return len(b), err
}
