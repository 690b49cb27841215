package guest

import (
	"bytes"
	"fmt"
	"io"
	"sync"
	"time"

	"sembra/arena/protocol"
	"sembra/results/safe"
)

// Log writes what is said in a match and the standard error of its bots, as
// lines for people.
type Log struct {
	mu    sync.Mutex // guards the fields below: both bots and their standard errors write
	to    io.Writer  // it handles its own errors
	since time.Time
	lines map[string][]byte // incomplete lines, by bot and mark
	sizes map[string]int    // number of bytes in the log or in incomplete lines, by bot and mark
	over  bool              // whether the log is closed
}

// Marks of lines in a log.
const (
	toBot   = ">"
	fromBot = "<"
	ofError = "!" // on standard error
)

// mostLogged is about the most bytes of a bot's output, and of its standard error, in the log of one match. An empty
// line has about 20 there.
const mostLogged = 16 << 20

// NewLog returns a log of what is said from that time on.
func NewLog(to io.Writer, since time.Time) *Log {
	return &Log{to: to, since: since, lines: make(map[string][]byte), sizes: make(map[string]int)}
}

// add writes a part of what goes over a bot's wire, or of its standard error.
func (l *Log) add(at time.Time, bot, mark string, text []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	who := bot + mark
	what := map[string]string{fromBot: "output", ofError: "standard error"}[mark]
	if what == "" || l.sizes[who] <= mostLogged {
		l.write(at, who, text)
		if what != "" && l.sizes[who] > mostLogged {
			l.write(at, who, []byte("(the rest of its "+what+" is left out)\n"))
		}
	}
}

// Options writes how the bot was configured when it was started, for a match before
// this one. So the log of each match has all lines that make the bot play the match
// again.
func (l *Log) Options(bot string, values []protocol.OptionValue) {
	for _, value := range values {
		l.add(l.since, bot, toBot, value.AppendTo(nil))
	}
}

// write writes the lines that are complete.
func (l *Log) write(at time.Time, who string, text []byte) {
	if l.over {
		return
	}
	for part := range bytes.Lines(text) {
		line := append(l.lines[who], part...)
		l.sizes[who] += len(part)
		if line[len(line)-1] == '\n' {
			wrote, _ := fmt.Fprintf(l.to, "%12.6f %s %s\n", at.Sub(l.since).Seconds(), who, safe.Line(string(bytes.TrimSpace(line))))
			l.sizes[who] += wrote - len(line)
			line = line[:0]
		}
		l.lines[who] = line
	}
}

// end writes the incomplete lines of a bot.
func (l *Log) end(bot string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, mark := range []string{toBot, fromBot, ofError} {
		if len(l.lines[bot+mark]) > 0 {
			l.write(time.Now(), bot+mark, []byte("…\n"))
		}
	}
}

// Close ends the log. Its writer knows whether there were errors.
func (l *Log) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
}
