package main

import (
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// key is a key that was pressed: a character, or one of these keys without one.
type key rune

const (
	keyNone key = -iota // a key without a meaning here
	keyUp
	keyDown
	keyRight
	keyLeft
	keyHome
	keyEnd
	keyPageUp
	keyPageDown
	keyEnter
	keyBackspace
	keyEscape
	keyInterrupt // Ctrl-C
)

// escapeWait is the longest time between the first byte of a key's sequence and
// the rest. If nothing follows, the Esc key was pressed.
const escapeWait = 50 * time.Millisecond

// readKeys sends the keys from a terminal in raw mode, and closes the channel keys
// at the end of the input. It returns when done is closed.
func readKeys(in io.Reader, keys chan<- key, done <-chan struct{}) {
	defer close(keys)
	chunks := make(chan []byte)
	go readChunks(in, chunks, done)
	var typed []byte
	for open := true; open; {
		var silence <-chan time.Time
		if len(typed) > 0 {
			silence = time.After(escapeWait)
		}
		ended := false
		select {
		case chunk, more := <-chunks:
			typed, open, ended = append(typed, chunk...), more, !more
		case <-silence:
			ended = true
		case <-done:
			return
		}
		for len(typed) > 0 {
			k, size := nextKey(typed, ended)
			if size == 0 {
				break
			}
			typed = typed[size:]
			select {
			case keys <- k:
			case <-done:
				return
			}
		}
	}
}

// readChunks sends the input in pieces, and closes chunks at its end.
func readChunks(in io.Reader, chunks chan<- []byte, done <-chan struct{}) {
	defer close(chunks)
	for {
		chunk := make([]byte, 256)
		n, err := in.Read(chunk)
		if n > 0 {
			select {
			case chunks <- chunk[:n]:
			case <-done:
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// nextKey returns the first key that was typed, and its size in bytes. The size is
// 0 if more bytes of the key are still to come; when ended is set, none are.
func nextKey(typed []byte, ended bool) (k key, size int) {
	switch first := typed[0]; {
	case first == 0x1b:
		return escapedKey(typed, ended)
	case first == '\r', first == '\n':
		return keyEnter, 1
	case first == 0x7f, first == '\b':
		return keyBackspace, 1
	case first == 0x03:
		return keyInterrupt, 1
	case first < ' ':
		return keyNone, 1
	case !utf8.FullRune(typed) && !ended:
		return keyNone, 0
	}
	r, size := utf8.DecodeRune(typed)
	return key(r), size
}

// escapedKey is nextKey for keys that begin with ESC. ESC [ … and ESC O … are the
// sequences of ECMA-48 and of xterm. ESC and another character is that character
// with Alt, which has no meaning here. ESC alone is the Esc key.
func escapedKey(typed []byte, ended bool) (k key, size int) {
	if len(typed) == 1 {
		if !ended {
			return keyNone, 0
		}
		return keyEscape, 1
	}
	switch typed[1] {
	case 0x1b:
		return keyEscape, 1
	case '[':
		return sequenceKey(typed, ended)
	case 'O':
		if len(typed) > 2 {
			return finalKey(typed[2]), 3
		}
		if !ended {
			return keyNone, 0
		}
		return keyNone, 2
	}
	_, size = nextKey(typed[1:], ended)
	if size == 0 {
		return keyNone, 0
	}
	return keyNone, 1 + size
}

// longestSequence is a number of bytes that no key's sequence reaches.
const longestSequence = 32

// sequenceKey is nextKey for keys that begin with ESC [. Parameters and a final
// byte follow.
func sequenceKey(typed []byte, ended bool) (k key, size int) {
	const parameters = 2 // the index of the first one
	for i, b := range typed[parameters:] {
		switch {
		case i > longestSequence, b < ' ':
			return keyNone, parameters + i
		case b == '~':
			return numberedKey(string(typed[parameters : parameters+i])), parameters + i + 1
		case b >= 0x40:
			return finalKey(b), parameters + i + 1
		}
	}
	if !ended {
		return keyNone, 0
	}
	return keyNone, len(typed)
}

// finalKey returns the key whose sequence ends with that byte.
func finalKey(final byte) key {
	return map[byte]key{
		'A': keyUp, 'B': keyDown, 'C': keyRight, 'D': keyLeft, 'H': keyHome, 'F': keyEnd, 'M': keyEnter,
	}[final]
}

// numberedKey returns the key of a sequence with a number and a tilde. Modifiers
// such as Shift may follow the number.
func numberedKey(parameters string) key {
	number, _, _ := strings.Cut(parameters, ";")
	return map[string]key{
		"1": keyHome, "7": keyHome, "4": keyEnd, "8": keyEnd, "5": keyPageUp, "6": keyPageDown,
	}[number]
}
