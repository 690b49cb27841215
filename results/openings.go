package results

import (
	"iter"
	"strings"
)

// Openings are the openings of a tournament, by pair less 1: the text of each first position. They are one text, because
// half a million strings are much work for the garbage collector.
type Openings struct {
	text string   // what Text returns
	ends []uint32 // of each opening, in the text
}

// betweenOpenings is in no text of a position.
const betweenOpenings = "|"

// OpeningsOf returns a list of openings. A text can also be several, as [Openings.Text] returns them. All together have
// less than 4 GiB: a position has less than a kilobyte, and a tournament two million pairs at most.
func OpeningsOf(texts ...string) Openings {
	o := Openings{text: strings.Join(texts, betweenOpenings)}
	if len(texts) == 0 {
		return o
	}
	o.ends = make([]uint32, 0, strings.Count(o.text, betweenOpenings)+1)
	for i := range len(o.text) {
		if o.text[i] == betweenOpenings[0] {
			o.ends = append(o.ends, uint32(i))
		}
	}
	o.ends = append(o.ends, uint32(len(o.text)))
	return o
}

// Text returns all openings as one text. It is "" for none and for a single one that is empty.
func (o Openings) Text() string { return o.text }

// Len returns the number of openings.
func (o Openings) Len() int { return len(o.ends) }

// At returns an opening, counted from 0.
func (o Openings) At(i int) string {
	if i == 0 {
		return o.text[:o.ends[0]]
	}
	return o.text[o.ends[i-1]+1 : o.ends[i]]
}

// All yields all openings.
func (o Openings) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range o.ends {
			if !yield(o.At(i)) {
				return
			}
		}
	}
}

// Equal reports whether two lists have the same openings.
func (o Openings) Equal(other Openings) bool {
	return o.text == other.text && len(o.ends) == len(other.ends)
}
