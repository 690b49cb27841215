package report

import (
	"bytes"
	"strconv"
	"time"
)

// line is a text that ends in the midst of an object of JSON. Its methods append a field, as encoding/json writes it.
type line []byte

// name appends a name, which must need no escapes.
func (l line) name(name string) line {
	if l[len(l)-1] != '{' {
		l = append(l, ',')
	}
	return append(append(append(l, '"'), name...), '"', ':')
}

func (l line) whole(name string, number int) line {
	return strconv.AppendInt(l.name(name), int64(number), 10)
}

func (l line) seed(name string, seed uint64) line { return strconv.AppendUint(l.name(name), seed, 10) }

func (l line) text(name, text string) line { return l.name(name).quoted(text) }

// textIfAny appends nothing if the text is empty.
func (l line) textIfAny(name, text string) line {
	if text == "" {
		return l
	}
	return l.text(name, text)
}

// quoted appends a text. One with a character that may need an escape is left to encoding/json.
func (l line) quoted(text string) line {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			escaped, _ := marshal(text) // it never fails
			return append(l, bytes.TrimSpace(escaped)...)
		}
	}
	return append(append(append(l, '"'), text...), '"')
}

func (l line) texts(name string, texts []string) line {
	l = append(l.name(name), '[')
	for i, text := range texts {
		if i > 0 {
			l = append(l, ',')
		}
		l = l.quoted(text)
	}
	return append(l, ']')
}

func (l line) times(name string, times []time.Duration) line {
	l = append(l.name(name), '[')
	for i, time := range times {
		if i > 0 {
			l = append(l, ',')
		}
		l = l.milliseconds(time)
	}
	return append(l, ']')
}

// list appends a list that is encoded already.
func (l line) list(name string, encoded []byte) line {
	if encoded = bytes.TrimSpace(encoded); string(encoded) == "null" {
		encoded = []byte("[]")
	}
	return append(l.name(name), encoded...)
}

// time appends a time; null if it is negative, and so not known.
func (l line) time(name string, time time.Duration) line {
	if l = l.name(name); time < 0 {
		return append(l, "null"...)
	}
	return l.milliseconds(time)
}

// milliseconds appends a time of at least 0, as a number that inMilliseconds returns.
func (l line) milliseconds(t time.Duration) line {
	const exact = 1_000_000_000 * time.Millisecond // up to here a float64 has all digits
	if t > exact {
		return strconv.AppendFloat(l, inMilliseconds(t), 'f', -1, 64)
	}
	l = strconv.AppendInt(l, t.Milliseconds(), 10)
	if nanoseconds := t % time.Millisecond; nanoseconds > 0 {
		point := len(l)
		l = strconv.AppendInt(l, int64(time.Millisecond+nanoseconds), 10) // 1, and six digits
		l[point] = '.'
		l = bytes.TrimRight(l, "0")
	}
	return l
}
