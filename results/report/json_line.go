package report

import (
	"bytes"
	"strconv"
	"time"
)

// jsonLine is a text that ends in the midst of an object of JSON. Its methods append a field, as encoding/json writes it.
type jsonLine []byte

// name appends a name, which must need no escapes.
func (l jsonLine) name(name string) jsonLine {
	if l[len(l)-1] != '{' {
		l = append(l, ',')
	}
	return append(append(append(l, '"'), name...), '"', ':')
}

func (l jsonLine) whole(name string, number int) jsonLine {
	return strconv.AppendInt(l.name(name), int64(number), 10)
}

func (l jsonLine) seed(name string, seed uint64) jsonLine {
	return strconv.AppendUint(l.name(name), seed, 10)
}

func (l jsonLine) text(name, text string) jsonLine { return l.name(name).quoted(text) }

// textIfAny appends nothing if the text is empty.
func (l jsonLine) textIfAny(name, text string) jsonLine {
	if text == "" {
		return l
	}
	return l.text(name, text)
}

// quoted appends a text. One with a character that may need an escape is left to encoding/json.
func (l jsonLine) quoted(text string) jsonLine {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			escaped, _ := marshal(text) // it never fails
			return append(l, bytes.TrimSpace(escaped)...)
		}
	}
	return append(append(append(l, '"'), text...), '"')
}

func (l jsonLine) texts(name string, texts []string) jsonLine {
	l = append(l.name(name), '[')
	for i, text := range texts {
		if i > 0 {
			l = append(l, ',')
		}
		l = l.quoted(text)
	}
	return append(l, ']')
}

func (l jsonLine) times(name string, times []time.Duration) jsonLine {
	l = append(l.name(name), '[')
	for i, t := range times {
		if i > 0 {
			l = append(l, ',')
		}
		l = l.milliseconds(t)
	}
	return append(l, ']')
}

// list appends a list that is encoded already.
func (l jsonLine) list(name string, encoded []byte) jsonLine {
	if encoded = bytes.TrimSpace(encoded); string(encoded) == "null" {
		encoded = []byte("[]")
	}
	return append(l.name(name), encoded...)
}

// time appends a time; null if it is negative, and so not known.
func (l jsonLine) time(name string, t time.Duration) jsonLine {
	if l = l.name(name); t < 0 {
		return append(l, "null"...)
	}
	return l.milliseconds(t)
}

// milliseconds appends a time of at least 0, as a number that inMilliseconds returns.
func (l jsonLine) milliseconds(t time.Duration) jsonLine {
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
