package store

import (
	"bytes"
	"encoding/binary"
	"fmt"

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

// readKey reads a stored key.
func readKey(raw []byte) (key results.Key, err error) {
	south, rest, _ := bytes.Cut(raw, []byte{0})
	north, pair, _ := bytes.Cut(rest, []byte{0})
	if len(south) == 0 || len(north) == 0 || len(pair) != 4 || binary.BigEndian.Uint32(pair) == 0 {
		return key, fmt.Errorf("%q is not the key of a match", raw)
	}
	return results.Key{South: string(south), North: string(north), Pair: int(binary.BigEndian.Uint32(pair))}, nil
}
