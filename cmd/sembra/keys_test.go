package main

import (
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"
)

// pressed returns all keys that a reader gives.
func pressed(in io.Reader) []key {
	keys, done := make(chan key), make(chan struct{})
	defer close(done)
	go readKeys(in, keys, done)
	var all []key
	for k := range keys {
		all = append(all, k)
	}
	return all
}

func TestKeys(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		typed string
		want  []key
	}{
		{"", nil},
		{"qG 7?", []key{'q', 'G', ' ', '7', '?'}},
		{"äé日", []key{'ä', 'é', '日'}},
		{"\xff\xc3", []key{'\ufffd', '\ufffd'}},
		{"\r\n\x7f\b\x03\t\x00", []key{keyEnter, keyEnter, keyBackspace, keyBackspace, keyInterrupt, keyNone, keyNone}},
		{"\x1b[A\x1b[B\x1b[C\x1b[D", []key{keyUp, keyDown, keyRight, keyLeft}},
		{"\x1bOA\x1bOB\x1bOC\x1bOD\x1bOH\x1bOF\x1bOM", []key{keyUp, keyDown, keyRight, keyLeft, keyHome, keyEnd, keyEnter}},
		{"\x1b[H\x1b[F\x1b[1~\x1b[4~\x1b[7~\x1b[8~\x1b[5~\x1b[6~", []key{keyHome, keyEnd, keyHome, keyEnd, keyHome, keyEnd, keyPageUp, keyPageDown}},
		{"\x1b[1;5C\x1b[5;3~", []key{keyRight, keyPageUp}},                         // Ctrl and Alt held
		{"\x1b[15~\x1b[3~\x1bOP\x1b[Z", []key{keyNone, keyNone, keyNone, keyNone}}, // F5, Delete, F1, Shift-Tab
		{"\x1bq7", []key{keyNone, '7'}},             // Alt-q
		{"\x1bä7", []key{keyNone, '7'}},             // Alt-ä
		{"\x1b", []key{keyEscape}},                  // the end comes instead of more
		{"\x1b\x1b[C", []key{keyEscape, keyRight}},  // Esc, then an arrow
		{"\x1b[", []key{keyNone}},                   // cut off
		{"\x1bO", []key{keyNone}},                   // cut off
		{"\x1b[\x03", []key{keyNone, keyInterrupt}}, // whatever came before
		{"\x1b[" + strings.Repeat("1", 9) + "Aq", []key{keyUp, 'q'}},
	} {
		for how, in := range map[string]io.Reader{
			"at once": strings.NewReader(test.typed), "byte by byte": iotest.OneByteReader(strings.NewReader(test.typed)),
		} {
			synctest.Test(t, func(t *testing.T) { // on a busy machine, two bytes may come further apart than escapeWait
				if got := pressed(in); !slices.Equal(got, test.want) {
					t.Errorf("%q %s: %v, want %v", test.typed, how, got, test.want)
				}
			})
		}
	}
}

// TestKeysAnything: each byte of any input belongs to one key, and the keys after
// it are read.
func TestKeysAnything(t *testing.T) {
	t.Parallel()
	for first := range 256 {
		for second := range 256 {
			typed := []byte{0x1b, byte(first), byte(second), '\r', 'G'}
			for len(typed) > 0 {
				k, size := nextKey(typed, true)
				if size < 1 || size > len(typed) {
					t.Fatalf("%q: key %d of %d bytes", typed, k, size)
				}
				typed = typed[size:]
			}
		}
	}
	endless := append([]byte("\x1b["), strings.Repeat("1;", 1000)...)
	if _, size := nextKey(endless, false); size == 0 || size > 2*longestSequence {
		t.Errorf("of an endless sequence %d bytes are a key", size)
	}
}

// TestEscapeAlone: Esc without anything after it is a key, and a sequence that comes
// in pieces is one key.
func TestEscapeAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in, typist := io.Pipe()
		keys, done := make(chan key), make(chan struct{})
		go readKeys(in, keys, done)
		typed := func(text string) {
			if _, err := typist.Write([]byte(text)); err != nil {
				t.Error(err)
			}
		}
		begun := time.Now()
		typed("\x1b")
		if k := <-keys; k != keyEscape || time.Since(begun) != escapeWait {
			t.Errorf("key %d after %v", k, time.Since(begun))
		}
		for _, piece := range []string{"\x1b", "[", "1;5", "D"} {
			typed(piece)
			time.Sleep(escapeWait - 1)
		}
		if k := <-keys; k != keyLeft {
			t.Errorf("key %d, want %d", k, keyLeft)
		}
		close(done)
		typist.Close()
		synctest.Wait()
	})
}
