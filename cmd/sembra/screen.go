package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"golang.org/x/term"
)

// These control sequences switch a terminal to a screen of its own, without
// wrapping and without a cursor, and back.
const (
	screenTake = "\x1b[?1049h\x1b[?7l\x1b[?25l"
	screenGive = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l"
)

// onScreen calls a function that has the terminal to itself, in raw mode. It
// restores the terminal however the function ends, also after a panic.
func onScreen(in, out *os.File, show func() error) (err error) {
	giveBack, err := allowSequences(out)
	if err != nil {
		return fmt.Errorf("cannot draw on the terminal: %w (hint: --plain)", err)
	}
	defer giveBack()
	before, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return fmt.Errorf("cannot read single keys from the terminal: %w (hint: --plain)", err)
	}
	defer func() {
		_, _ = out.WriteString(screenGive)
		if wrong := term.Restore(int(in.Fd()), before); err == nil && wrong != nil {
			err = fmt.Errorf("cannot restore the terminal: %w (hint: stty sane)", wrong)
		}
	}()
	if _, err := out.WriteString(screenTake); err != nil {
		return err
	}
	return show()
}

// screenSize returns the columns and the lines of a terminal.
func screenSize(out *os.File) (width, height int) {
	width, height, err := term.GetSize(int(out.Fd()))
	if err != nil || width < 1 || height < 1 {
		return 80, 24
	}
	return width, height
}

// drawOn writes the whole screen at once, so that it does not flicker. The function
// returns as many rows as the screen has lines, and none is wider.
func drawOn(out *os.File, rows func(width, height int) []row) error {
	width, height := screenSize(out)
	_, err := out.WriteString(frame(rows(width, height), width, os.Getenv("NO_COLOR") == ""))
	return err
}

// frame returns the text that draws rows on a screen of as many rows. If it is
// styled, bright rows are in reverse video.
func frame(rows []row, width int, styled bool) string {
	var b strings.Builder
	b.WriteString("\x1b[H")
	for i, row := range rows {
		if i > 0 {
			b.WriteString("\r\n")
		}
		if row.bright && styled {
			pad := max(0, width-displaywidth.String(row.text))
			b.WriteString("\x1b[7m" + row.text + strings.Repeat(" ", pad) + "\x1b[0m")
			continue
		}
		b.WriteString("\x1b[K" + row.text) // after a full row it would erase the last character
	}
	return b.String()
}
