package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"sembra/results"
)

// appendKey appends k as it is stored: south, NUL, north, NUL, and pair in four bytes, big-endian. So the
// keys of two bots in the same seats follow each other by pair.
func appendKey(to []byte, k results.Key) []byte {
	to = append(to, k.South...)
	to = append(to, 0)
	to = append(to, k.North...)
	to = append(to, 0)
	return binary.BigEndian.AppendUint32(to, uint32(k.Pair))
}

// splitKey splits a stored key into its parts, without copying it.
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

// keyReader reads stored keys. Keys with the same name share one string.
type keyReader struct {
	names map[string]string // by themselves
	last  results.Key
}

func newKeyReader() *keyReader { return &keyReader{names: make(map[string]string)} }

// read reads one key. Keys are sorted, so most have the names of the key before.
func (r *keyReader) read(raw []byte) (results.Key, error) {
	south, north, pair, err := splitKey(raw)
	if err != nil {
		return results.Key{}, err
	}
	if string(south) != r.last.South {
		r.last.South = intern(r.names, south)
	}
	if string(north) != r.last.North {
		r.last.North = intern(r.names, north)
	}
	r.last.Pair = pair
	return r.last, nil
}

// intern returns a text that many values share. names has those that were read before; nil shares nothing.
func intern(names map[string]string, raw []byte) string {
	known, ok := names[string(raw)]
	if !ok {
		known = string(raw)
		if names != nil {
			names[known] = known
		}
	}
	return known
}

// listKeys lists the first few of many keys for an error.
func listKeys(keys []results.Key) string {
	const most = 5
	var texts []string
	for _, key := range keys[:min(len(keys), most)] {
		texts = append(texts, key.String())
	}
	if more := len(keys) - most; more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(texts, "; ")
}
