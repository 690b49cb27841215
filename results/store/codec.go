package store

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"time"

	"sembra/results"
)

// Every stored value is a version byte, what that version says, and a CRC-32C of the value's key and
// of all that comes before it. The checksum therefore also finds a value that was moved to another key.
const (
	valueVersion = 1 // the same for all values: what changes one of them raises the schema of the file

	checksumSize = 4
)

var errShort = errors.New("it ends too soon")

// seal ends a value with its checksum.
func seal(key, value []byte) []byte {
	return binary.LittleEndian.AppendUint32(value, checksum(key, value))
}

// unseal checks version and checksum and gives what is between them.
func unseal(key, value []byte) ([]byte, error) {
	if len(value) < 1+checksumSize {
		return nil, errShort
	}
	payload, sum := value[:len(value)-checksumSize], value[len(value)-checksumSize:]
	if binary.LittleEndian.Uint32(sum) != checksum(key, payload) {
		return nil, errors.New("its checksum is wrong")
	}
	if payload[0] != valueVersion {
		return nil, fmt.Errorf("it has version %d, and this sembra knows version %d", payload[0], valueVersion)
	}
	return payload[1:], nil
}

// checksum is CRC-32C (Castagnoli) of both, one after the other.
func checksum(key, value []byte) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli) // made once, by that package
	return crc32.Update(crc32.Checksum(key, table), table, value)
}

// encodeSummary writes s without its key: result, ending and fault a byte each, the numbers as
// uvarints, the hash. A processor time is written as one more than it is, and as 0 where it is not
// known.
func encodeSummary(rawKey []byte, s results.Summary) []byte {
	value := make([]byte, 0, 64)
	value = append(value, valueVersion, byte(s.Result), byte(s.Ending), byte(s.Fault))
	for _, number := range []int64{
		int64(s.SouthStore), int64(s.NorthStore), int64(s.Rounds), int64(s.Plies),
		int64(s.SouthTime), int64(s.NorthTime), int64(s.SouthDonkeys), int64(s.NorthDonkeys),
		int64(max(s.SouthCPU, results.UnknownCPU)) + 1, int64(max(s.NorthCPU, results.UnknownCPU)) + 1,
	} {
		value = binary.AppendUvarint(value, uint64(number))
	}
	value = append(value, s.Hash[:]...)
	return seal(rawKey, value)
}

// decodeSummary reads what encodeSummary wrote into s, whose key the caller has read from rawKey. It
// allocates nothing unless something is wrong.
func decodeSummary(rawKey, value []byte, s *results.Summary) error {
	payload, err := unseal(rawKey, value)
	if err == nil {
		err = readSummary(payload, s)
	}
	if err != nil {
		return fmt.Errorf("the summary of %v is damaged: %w", s.Key, err)
	}
	return nil
}

func readSummary(payload []byte, s *results.Summary) error {
	if len(payload) < 3 {
		return errShort
	}
	s.Result, s.Ending, s.Fault = results.Result(payload[0]), results.Ending(payload[1]), results.Fault(payload[2])
	if !s.Result.Valid() || !s.Ending.Valid() || !s.Fault.Valid() {
		return fmt.Errorf("no such result, ending or fault (%d, %d, %d)", s.Result, s.Ending, s.Fault)
	}
	payload = payload[3:]
	var numbers [10]int64
	for i := range numbers {
		number, size := binary.Uvarint(payload)
		if size <= 0 || number > math.MaxInt64 {
			return errors.New("a number is cut off or too large")
		}
		numbers[i], payload = int64(number), payload[size:]
	}
	s.SouthStore, s.NorthStore = int(numbers[0]), int(numbers[1])
	s.Rounds, s.Plies = int(numbers[2]), int(numbers[3])
	s.SouthTime, s.NorthTime = time.Duration(numbers[4]), time.Duration(numbers[5])
	s.SouthDonkeys, s.NorthDonkeys = int(numbers[6]), int(numbers[7])
	s.SouthCPU, s.NorthCPU = time.Duration(numbers[8]-1), time.Duration(numbers[9]-1)
	if len(payload) != len(s.Hash) {
		return errors.New("its length is wrong")
	}
	s.Hash = [16]byte(payload)
	return nil
}

// encodeBody writes a body as JSON.
func encodeBody(rawKey []byte, body results.Body) ([]byte, error) {
	return encodeJSON(rawKey, body)
}

// decodeBody reads what encodeBody wrote. An empty list comes back as nil.
func decodeBody(key results.Key, rawKey, value []byte) (results.Body, error) {
	var body results.Body
	if err := decodeJSON(rawKey, value, &body); err != nil {
		return results.Body{}, fmt.Errorf("the body of %v is damaged: %w", key, err)
	}
	if len(body.Moves) == 0 {
		body.Moves = nil
	}
	if len(body.Elapsed) == 0 {
		body.Elapsed = nil
	}
	if len(body.Rounds) == 0 {
		body.Rounds = nil
	}
	return body, nil
}

// encodeEvidence writes evidence as JSON.
func encodeEvidence(rawKey []byte, evidence results.Evidence) ([]byte, error) {
	return encodeJSON(rawKey, evidence)
}

// decodeEvidence reads what encodeEvidence wrote.
func decodeEvidence(key results.Key, rawKey, value []byte) (results.Evidence, error) {
	var evidence results.Evidence
	if err := decodeJSON(rawKey, value, &evidence); err != nil {
		return results.Evidence{}, fmt.Errorf("the evidence of %v is damaged: %w", key, err)
	}
	return evidence, nil
}

// encodeTournament writes the manifest of a tournament as JSON.
func encodeTournament(t results.Tournament) ([]byte, error) {
	return encodeJSON([]byte(t.Name), t)
}

// decodeTournament reads what encodeTournament wrote.
func decodeTournament(name string, value []byte) (results.Tournament, error) {
	var t results.Tournament
	err := decodeJSON([]byte(name), value, &t)
	if err == nil && t.Name != name {
		err = fmt.Errorf("it calls itself %q", t.Name)
	}
	if err != nil {
		return results.Tournament{}, fmt.Errorf("the manifest of tournament %q is damaged: %w", name, err)
	}
	return t, nil
}

// isolationKey is the key that the isolation of a tournament has its checksum with. No name holds its
// NUL.
func isolationKey(name string) []byte { return []byte(name + "\x00" + keyIsolation) }

// encodeIsolation writes what the machine gave for isolation as JSON.
func encodeIsolation(name string, lines []string) ([]byte, error) {
	return encodeJSON(isolationKey(name), lines)
}

// decodeIsolation reads what encodeIsolation wrote; nothing, if nothing was written.
func decodeIsolation(name string, value []byte) (lines []string, err error) {
	if value == nil {
		return nil, nil
	}
	if err := decodeJSON(isolationKey(name), value, &lines); err != nil {
		return nil, fmt.Errorf("the isolation of tournament %q is damaged: %w", name, err)
	}
	return lines, nil
}

// encodeVoid writes why a match was void.
func encodeVoid(rawKey []byte, reason string) []byte {
	return seal(rawKey, append([]byte{valueVersion}, reason...))
}

// decodeVoid reads what encodeVoid wrote.
func decodeVoid(key results.Key, rawKey, value []byte) (string, error) {
	reason, err := unseal(rawKey, value)
	if err != nil {
		return "", fmt.Errorf("the note of a void match, %v, is damaged: %w", key, err)
	}
	return string(reason), nil
}

func encodeJSON(key []byte, content any) ([]byte, error) {
	text, err := json.Marshal(content)
	if err != nil {
		return nil, err
	}
	value := make([]byte, 0, 1+len(text)+checksumSize)
	value = append(value, valueVersion)
	return seal(key, append(value, text...)), nil
}

func decodeJSON(key, value []byte, content any) error {
	text, err := unseal(key, value)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, content)
}
