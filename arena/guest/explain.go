package guest

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"sembra/arena/protocol"
	"sembra/results/safe"
)

// QuoteStderr quotes the last lines of a bot's standard error as they stand. It returns "" if there is nothing but white space.
func QuoteStderr(stderr []byte) string {
	const most, room = 20, 2000 // lines and bytes
	lines := strings.Split(strings.TrimSpace(string(stderr)), "\n")
	end := strings.Join(lines[max(0, len(lines)-most):], "\n")
	if end == "" {
		return ""
	}
	return "; it wrote: " + safe.Tail(end, room)
}

// WhyEnded says what is certain about the reason why the bot ended or did not start: how the first line of its script
// is wrong, what its command names that it cannot see, and where it may write. It returns "" if nothing is.
func (p *process) WhyEnded() string {
	if wrong := badFirstLine(p.prepared.Program()); wrong != "" {
		return "; " + wrong
	}
	if !p.filesHidden {
		return ""
	}
	if stderr, _ := p.Stderr(); bytes.Contains(bytes.ToLower(stderr), []byte("read-only file system")) {
		return "; isolation: bots write only in the temporary folder, $TMPDIR"
	}
	for _, path := range p.named() {
		if p.prepared.Conceals(path) {
			return "; isolation: the bot cannot see " + safe.Short(path) + " (read = [" + strconv.Quote(path) +
				"] in [isolation] of a tournament file shows it)"
		}
	}
	return ""
}

// hint says how to write a command that is one word with spaces.
func (c Command) hint() string {
	if len(c.Args) > 1 || !strings.Contains(c.Args[0], " ") {
		return ""
	}
	return ` (hint: each word of a command has its own quotes, as in ["python3", "mybot.py"], or none: python3 mybot.py)`
}

// named returns the paths that the bot's command may name: each argument, and the parts of one like x=a or a:b.
func (p *process) named() []string {
	var paths []string
	for _, arg := range p.command.Args[1:] {
		for _, path := range strings.FieldsFunc(arg, func(r rune) bool { return strings.ContainsRune(":=,", r) }) {
			if !filepath.IsAbs(path) {
				path = filepath.Join(p.command.Dir, path)
			}
			paths = append(paths, path)
		}
	}
	return paths
}

// badFirstLine says why the system does not find the interpreter that the first line of a script names: the line ends
// with CR LF, or a byte order mark comes before it. It returns "" for all other files.
func badFirstLine(path string) string {
	const most = 256 // as long as a system reads the line of a script
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	text, _ := io.ReadAll(io.LimitReader(file, most)) // what could be read is enough
	line, _, _ := bytes.Cut(text, []byte("\n"))
	rest, marked := bytes.CutPrefix(line, []byte("\ufeff"))
	if !bytes.HasPrefix(rest, []byte("#!")) {
		return ""
	}
	if marked {
		return "a byte order mark comes before the #! of its script (hint: save the script as UTF-8 without one)"
	}
	if bytes.HasSuffix(line, []byte("\r")) {
		return `the first line of its script ends with CR LF (hint: save it with LF line ends, or use sed -i 's/\r$//')`
	}
	return ""
}

// InsteadOfAnswer quotes what the bot wrote instead of an answer; "" if it wrote nothing.
func (p *Player) InsteadOfAnswer() string { return instead(p.Host.Received()) }

// instead quotes what a bot wrote instead of the line that the arena waited for;
// "" if it wrote nothing.
func instead(received protocol.Received) string {
	if received.Lines == 0 {
		return ""
	}
	quote := safe.Line(strings.TrimSpace(string(received.Last)))
	if first := safe.Line(strings.TrimSpace(string(received.First))); first != quote && received.Lines == 2 {
		quote = first + ", " + quote
	} else if first != quote {
		quote = first + ", …, " + quote
	}
	text := "; it said «" + quote + "»"
	if received.Cut {
		text += " without a line end"
	}
	text += "; expected " + received.Expected
	if received.Hint != "" {
		text += ": " + received.Hint
	}
	return text
}

// RoundTime rounds a time for people.
func RoundTime(d time.Duration) string {
	if d < time.Second {
		return d.Round(10 * time.Microsecond).String()
	}
	return d.Round(time.Millisecond).String()
}
