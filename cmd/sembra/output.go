package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/clipperhouse/displaywidth"
	"github.com/mattn/go-isatty"
	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"sembra/arena/guest"
	"sembra/arena/sandbox"
	"sembra/configs"
	"sembra/engine/show"
	"sembra/results/report"
	"sembra/results/safe"
)

// sticky is an output that remembers its first error. A command can print without
// checking each write, and still fails if the output is not complete.
type sticky struct {
	io.Writer
	mu  sync.Mutex // held while something is written, and guards err
	err error
}

func (s *sticky) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, err := s.Writer.Write(b)
	if s.err == nil {
		s.err = err
	}
	return n, err
}

// printLine prints a line. An output of type sticky remembers the error. On a
// terminal, standard error breaks a long line between words. Standard output, which
// is of type sticky, does not, because its lines may be data.
func printLine(w io.Writer, line string) {
	if _, isSticky := w.(*sticky); !isSticky {
		line = folded(line, terminalColumns(w))
	}
	_, _ = fmt.Fprintln(w, line)
}

// printText is printLine for a text that is no data: a terminal breaks its lines between words on standard output too.
func printText(w io.Writer, text string) {
	_, _ = fmt.Fprintln(w, folded(text, terminalColumns(w)))
}

// printMarked is printText for a text with a mark before it, which stands out from all its lines.
func printMarked(w io.Writer, mark, text string) {
	if columns := terminalColumns(w); columns > 0 {
		text = strings.Join(show.Wrap(text, columns, mark, strings.Repeat(" ", len(mark))), "\n")
	} else {
		text = mark + text
	}
	_, _ = fmt.Fprintln(w, text)
}

// say is printLine for a line with values, such as a path, which may hold anything.
func say(w io.Writer, format string, args ...any) {
	printLine(w, safe.Lines(fmt.Sprintf(format, args...)))
}

// folded breaks the lines of a text that are too wide between words, and indents what follows as the line. Without a
// width it changes nothing.
func folded(text string, width int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if width > 0 && displaywidth.String(line) > width {
			indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
			lines[i] = strings.Join(show.Wrap(line, width, indent, indent), "\n")
		}
	}
	return strings.Join(lines, "\n")
}

// cutStderr takes the quote of a bot's standard error out of a text, and returns its lines, to stand below it. If there
// is only one, it stays in the text.
func cutStderr(text string, stderr []byte) (rest, below string) {
	const most = 20
	quote := guest.QuoteStderr(stderr)
	lines := strings.Split(strings.Trim(string(stderr), "\r\n"), "\n")
	if quote == "" || len(lines) == 1 || !strings.Contains(text, quote) {
		return text, ""
	}
	below = "its standard error:"
	if len(lines) > most {
		below = fmt.Sprintf("the last %d lines of its standard error:", most)
		lines = lines[len(lines)-most:]
	}
	for _, line := range lines {
		below += "\n  " + safe.Lines(strings.TrimSuffix(line, "\r"))
	}
	return strings.Replace(text, quote, "", 1), below
}

// withStderr is cutStderr with both in one text.
func withStderr(text string, stderr []byte) string {
	rest, below := cutStderr(text, stderr)
	if below == "" {
		return rest
	}
	return rest + "\n" + below
}

// terminalOf returns the terminal that an output writes to, if it is one.
func terminalOf(w io.Writer) (terminal *os.File, ok bool) {
	if s, isSticky := w.(*sticky); isSticky {
		w = s.Writer
	}
	f, ok := w.(*os.File)
	return f, ok && isatty.IsTerminal(f.Fd())
}

// terminalColumns returns the width of a terminal in characters, and 0 if the
// output is not a terminal.
func terminalColumns(w io.Writer) int {
	if f, ok := terminalOf(w); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return 0
}

// formatFlag returns the flag for the formats of a command. The flag refuses all
// other formats before the command begins.
func formatFlag(offered ...report.Format) cli.Flag {
	var known []string
	for _, format := range offered {
		known = append(known, string(format))
	}
	return &cli.StringFlag{
		Name: "format", Usage: "`FORMAT`: " + strings.Join(known, ", "), Value: string(report.Table),
		Action: func(_ *cli.Context, name string) error {
			if slices.Contains(known, name) {
				return nil
			}
			return usage("unknown format %q %s", name, configs.ListKnown(name, known))
		},
	}
}

// tableFlags returns the flags of a command that prints a table, and more of them.
func tableFlags(more ...cli.Flag) []cli.Flag {
	return append([]cli.Flag{formatFlag(report.Table, report.Markdown, report.CSV, report.JSON), wideFlag()}, more...)
}

// wideFlag returns the flag of commands whose tables may be too wide for a terminal.
func wideFlag() cli.Flag {
	return switchFlag("wide", "print whole tables, even if the terminal is too narrow for them")
}

func printReport(c *cli.Context, r report.Report) error {
	r.Wide = c.Bool("wide")
	err := r.Write(c.App.Writer, report.Format(c.String("format")), terminalColumns(c.App.Writer))
	if errors.Is(err, report.ErrTooLong) {
		return asUsage(err)
	}
	return err
}

// writeWholeFile writes a file, unless refuse returns an error for its path. The file appears when it is complete:
// until then its content is in another file beside it.
func writeWholeFile(path string, refuse func(path string) error, write func(io.Writer) error) (err error) {
	if err := refuse(path); err != nil {
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return usage("%s: cannot write it: %w", path, withoutPath(err))
	}
	defer func() {
		if err != nil {
			_ = part.Close() // the first error is the one to report
			_ = os.Remove(part.Name())
		}
	}()
	if err := write(part); err != nil {
		if wrong := new(fs.PathError); errors.As(err, &wrong) && wrong.Path == part.Name() {
			err = fmt.Errorf("%s: cannot write it: %w", path, wrong.Err)
		}
		return err
	}
	if err := part.Chmod(0o644); err != nil {
		return err
	}
	if err := part.Sync(); err != nil {
		return err
	}
	if err := part.Close(); err != nil {
		return err
	}
	if err := refuse(path); err != nil { // something may be there by now
		return err
	}
	return os.Rename(part.Name(), path)
}

func writeText(path string, refuse func(path string) error, text []byte) error {
	return writeWholeFile(path, refuse, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// refuseNew returns an error if a new file cannot be written at a path. Sembra overwrites no file.
func refuseNew(path string) error {
	if path == "" {
		return usage("the name of the file to write is empty")
	}
	if stat, err := os.Stat(filepath.Dir(path)); err != nil || !stat.IsDir() {
		return usage("there is no folder %s", filepath.Dir(path))
	}
	if _, err := os.Lstat(path); err == nil {
		return usage("there is a file %s already, and it is not overwritten (hint: another name, or remove it first)", path)
	}
	return nil
}

// emptyFolder makes an empty folder for temporary files, and returns what removes it. Every user may enter it.
func emptyFolder() (folder string, remove func(), err error) {
	held, err := sandbox.MakeLockedFolder(os.TempDir(), "sembra-folder-")
	if err != nil {
		return "", func() {}, err
	}
	remove = func() {
		held.Close()
		_ = os.RemoveAll(held.Name()) // the next run tries again
	}
	return held.Name(), remove, os.Chmod(held.Name(), 0o755)
}

// withoutPath returns an error of the file system without the path, which the message names itself.
func withoutPath(err error) error {
	if wrong := new(fs.PathError); errors.As(err, &wrong) {
		return wrong.Err
	}
	return err
}
