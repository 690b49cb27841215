package main

import (
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/clipperhouse/displaywidth"
	"golang.org/x/term"
)

// What is written to a terminal to have it to oneself, and to give it back.
// Nothing is wrapped at the right edge, and the cursor is hidden.
const (
	screenTake = "\x1b[?1049h\x1b[?7l\x1b[?25l"
	screenGive = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l"
)

// onScreen runs a function that has the terminal to itself, with keys given at
// once and as they are. However it ends, also in a panic, the terminal is as it
// was.
func onScreen(in, out *os.File, show func() error) (err error) {
	giveBack, err := allowSequences(out)
	if err != nil {
		return fmt.Errorf("the terminal cannot be drawn on: %w (hint: --plain)", err)
	}
	defer giveBack()
	before, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return fmt.Errorf("the terminal does not give single keys: %w (hint: --plain)", err)
	}
	defer func() {
		_, _ = out.WriteString(screenGive)
		if wrong := term.Restore(int(in.Fd()), before); err == nil && wrong != nil {
			err = fmt.Errorf("the terminal could not be set as it was: %w (hint: stty sane)", wrong)
		}
	}()
	if _, err := out.WriteString(screenTake); err != nil {
		return err
	}
	return show()
}

// show shows the match until a key ends it.
func (v viewer) show(in, out *os.File) error {
	stop, resized := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(stop)
	notifyResized(resized)
	defer signal.Stop(resized)

	return onScreen(in, out, func() error {
		keys, done := make(chan key), make(chan struct{})
		defer close(done)
		go readKeys(in, keys, done)
		for {
			if err := v.draw(out); err != nil {
				return err
			}
			select {
			case k, open := <-keys:
				var quit bool
				if !open {
					return nil // nobody is there any more
				}
				if v, quit = v.press(k); quit {
					return nil
				}
			case <-resized:
			case <-stop:
				return errInterrupted
			}
		}
	})
}

// draw writes the whole screen in one piece, so that nothing flickers.
func (v viewer) draw(out *os.File) error {
	width, height, err := term.GetSize(int(out.Fd()))
	if err != nil || width < 1 || height < 1 {
		width, height = 80, 24
	}
	_, err = out.WriteString(frame(v.rows(width, height), width, os.Getenv("NO_COLOR") == ""))
	return err
}

// frame returns what puts rows on a screen that has as many, the bright ones in
// reverse if it is styled.
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
		b.WriteString("\x1b[K" + row.text) // behind a full row it would take its last character
	}
	return b.String()
}
