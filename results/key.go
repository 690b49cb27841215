package results

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// maxName is the longest name, in bytes, that a store takes for a bot or a tournament.
const maxName = 255

// Key names one match of a tournament: who sat where, and which pair of the two it belongs to. It
// depends on nothing else in the schedule, so that an added bot disturbs no key.
type Key struct {
	South string `json:"south"` // name of the bot
	North string `json:"north"`
	Pair  int    `json:"pair"` // from 1
}

// String names the match in messages: "greedy - random, pair 3".
func (k Key) String() string { return fmt.Sprintf("%s - %s, pair %d", k.South, k.North, k.Pair) }

// check says what is wrong with k, if anything.
func (k Key) check() error {
	for _, name := range []string{k.South, k.North} {
		if err := checkName("bot", name); err != nil {
			return err
		}
	}
	if k.South == k.North {
		return fmt.Errorf("bot %q cannot play against itself", k.South)
	}
	if k.Pair < 1 || k.Pair > math.MaxUint32 {
		return fmt.Errorf("pair %d is out of range (1 to %d)", k.Pair, uint32(math.MaxUint32))
	}
	return nil
}

// checkName refuses names that no key can hold.
func checkName(what, name string) error {
	switch {
	case name == "":
		return fmt.Errorf("the name of a %s is empty", what)
	case len(name) > maxName:
		return fmt.Errorf("the name of a %s has %d bytes (at most %d)", what, len(name), maxName)
	case strings.ContainsRune(name, 0) || !utf8.ValidString(name):
		return fmt.Errorf("the name %q of a %s has a byte that no name may have", name, what)
	}
	return nil
}

// appendKey writes k as the store has it: south, NUL, north, NUL, pair in four bytes, big end first.
// Keys of one pairing and seating thus follow one another by pair.
func appendKey(to []byte, k Key) []byte {
	to = append(to, k.South...)
	to = append(to, 0)
	to = append(to, k.North...)
	to = append(to, 0)
	return binary.BigEndian.AppendUint32(to, uint32(k.Pair))
}

// splitKey takes a stored key apart without copying it.
func splitKey(raw []byte) (south, north []byte, pair int, err error) {
	south, rest, found := bytes.Cut(raw, []byte{0})
	if found {
		north, rest, found = bytes.Cut(rest, []byte{0})
	}
	if !found || len(rest) != 4 || len(south) == 0 || len(north) == 0 {
		return nil, nil, 0, fmt.Errorf("%q is not the key of a match", raw)
	}
	pair = int(binary.BigEndian.Uint32(rest))
	if pair == 0 {
		return nil, nil, 0, fmt.Errorf("%q is not the key of a match: pairs count from 1", raw)
	}
	return south, north, pair, nil
}

// keyReader reads stored keys and makes one string of each name, however many keys have it.
type keyReader struct {
	names map[string]string
	last  Key
}

func newKeyReader() *keyReader { return &keyReader{names: make(map[string]string)} }

// read reads one key. Keys come sorted, so most have the names of the one before.
func (r *keyReader) read(raw []byte) (Key, error) {
	south, north, pair, err := splitKey(raw)
	if err != nil {
		return Key{}, err
	}
	if string(south) != r.last.South {
		r.last.South = r.intern(south)
	}
	if string(north) != r.last.North {
		r.last.North = r.intern(north)
	}
	r.last.Pair = pair
	return r.last, nil
}

func (r *keyReader) intern(name []byte) string {
	known, ok := r.names[string(name)]
	if !ok {
		known = string(name)
		r.names[known] = known
	}
	return known
}

// listKeys writes some of many keys for an error.
func listKeys(keys []Key) string {
	const most = 5
	texts := make([]string, 0, most+1)
	for i, key := range keys {
		if i == most {
			texts = append(texts, fmt.Sprintf("and %d more", len(keys)-most))
			break
		}
		texts = append(texts, key.String())
	}
	return strings.Join(texts, "; ")
}
