package results

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"time"
)

// Every stored value is a version byte, what that version says, and a CRC-32C of the value's key and
// of all that comes before it: a value that was moved to another key is found out like a flipped bit.
const (
	summaryVersion    = 3 // 2 is the same without processor times, 1 without donkeys too, and both are read
	bodyVersion       = 2 // 1 has one round a match, without start and plies, and is read
	evidenceVersion   = 1
	tournamentVersion = 1
	isolationVersion  = 1
	voidVersion       = 1
	ratingsVersion    = 2 // 1 is the same with repeated matches rated too, and is read

	checksumSize = 4
)

var errShort = errors.New("it ends too soon")

// seal ends a value with its checksum.
func seal(key, value []byte) []byte {
	return binary.LittleEndian.AppendUint32(value, checksum(key, value))
}

// unseal checks version and checksum and gives what is between them.
func unseal(key, value []byte, version byte) ([]byte, error) {
	if len(value) < 1+checksumSize {
		return nil, errShort
	}
	payload, sum := value[:len(value)-checksumSize], value[len(value)-checksumSize:]
	if binary.LittleEndian.Uint32(sum) != checksum(key, payload) {
		return nil, errors.New("its checksum is wrong")
	}
	if payload[0] != version {
		return nil, fmt.Errorf("it has version %d, and this sembra knows version %d", payload[0], version)
	}
	return payload[1:], nil
}

// checksum is CRC-32C (Castagnoli) of both, one after the other.
func checksum(key, value []byte) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli) // made once, by that package
	return crc32.Update(crc32.Checksum(key, table), table, value)
}

// summaryNumbers is how many numbers a summary has in each version.
const (
	summaryNumbers1 = 6
	summaryNumbers2 = 8
	summaryNumbers3 = 10
)

// encodeSummary writes s without its key: result, ending and fault a byte each, the numbers as
// uvarints, the hash. A processor time is written as one more than it is, and as 0 where it is not
// known.
func encodeSummary(rawKey []byte, s Summary) []byte {
	value := make([]byte, 0, 64)
	value = append(value, summaryVersion, byte(s.Result), byte(s.Ending), byte(s.Fault))
	for _, number := range []int64{
		int64(s.SouthStore), int64(s.NorthStore), int64(s.Rounds), int64(s.Plies),
		int64(s.SouthTime), int64(s.NorthTime), int64(s.SouthDonkeys), int64(s.NorthDonkeys),
		int64(max(s.SouthCPU, unknownCPU)) + 1, int64(max(s.NorthCPU, unknownCPU)) + 1,
	} {
		value = binary.AppendUvarint(value, uint64(number))
	}
	value = append(value, s.Hash[:]...)
	return seal(rawKey, value)
}

// decodeSummary reads what encodeSummary wrote into s, whose key the caller has read from rawKey. It
// allocates nothing unless something is wrong.
func decodeSummary(rawKey, value []byte, s *Summary) error {
	version, numbers := byte(summaryVersion), summaryNumbers3
	if len(value) > 0 {
		switch value[0] {
		case 1:
			version, numbers = 1, summaryNumbers1
		case 2:
			version, numbers = 2, summaryNumbers2
		}
	}
	payload, err := unseal(rawKey, value, version)
	if err == nil {
		err = readSummary(payload, numbers, s)
	}
	if err != nil {
		return fmt.Errorf("the summary of %v is damaged: %w", s.Key, err)
	}
	return nil
}

func readSummary(payload []byte, count int, s *Summary) error {
	if len(payload) < 3 {
		return errShort
	}
	s.Result, s.Ending, s.Fault = Result(payload[0]), Ending(payload[1]), Fault(payload[2])
	if !s.Result.valid() || !s.Ending.valid() || !s.Fault.valid() {
		return fmt.Errorf("no such result, ending or fault (%d, %d, %d)", s.Result, s.Ending, s.Fault)
	}
	payload = payload[3:]
	var numbers [summaryNumbers3]int64 // those that are not there are 0
	for i := range count {
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
func encodeBody(rawKey []byte, body Body) ([]byte, error) {
	return encodeJSON(rawKey, bodyVersion, body)
}

// decodeBody reads what encodeBody wrote. An empty list comes back as nil.
func decodeBody(key Key, rawKey, value []byte) (Body, error) {
	var body Body
	version := byte(bodyVersion)
	if len(value) > 0 && value[0] == 1 {
		version = 1
	}
	if err := decodeJSON(rawKey, value, version, &body); err != nil {
		return Body{}, fmt.Errorf("the body of %v is damaged: %w", key, err)
	}
	if version == 1 && len(body.Rounds) == 1 {
		body.Rounds[0].Start, body.Rounds[0].Plies = body.Opening, len(body.Moves)
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
func encodeEvidence(rawKey []byte, evidence Evidence) ([]byte, error) {
	return encodeJSON(rawKey, evidenceVersion, evidence)
}

// decodeEvidence reads what encodeEvidence wrote.
func decodeEvidence(key Key, rawKey, value []byte) (Evidence, error) {
	var evidence Evidence
	if err := decodeJSON(rawKey, value, evidenceVersion, &evidence); err != nil {
		return Evidence{}, fmt.Errorf("the evidence of %v is damaged: %w", key, err)
	}
	return evidence, nil
}

// encodeTournament writes the manifest of a tournament as JSON.
func encodeTournament(t Tournament) ([]byte, error) {
	return encodeJSON([]byte(t.Name), tournamentVersion, t)
}

// decodeTournament reads what encodeTournament wrote.
func decodeTournament(name string, value []byte) (Tournament, error) {
	var t Tournament
	err := decodeJSON([]byte(name), value, tournamentVersion, &t)
	if err == nil && t.Name != name {
		err = fmt.Errorf("it calls itself %q", t.Name)
	}
	if err != nil {
		return Tournament{}, fmt.Errorf("the manifest of tournament %q is damaged: %w", name, err)
	}
	return t, nil
}

// isolationKey is the key that the isolation of a tournament has its checksum with. No name holds its
// NUL.
func isolationKey(name string) []byte { return []byte(name + "\x00" + keyIsolation) }

// encodeIsolation writes what the machine gave for isolation as JSON.
func encodeIsolation(name string, lines []string) ([]byte, error) {
	return encodeJSON(isolationKey(name), isolationVersion, lines)
}

// decodeIsolation reads what encodeIsolation wrote; nothing, if nothing was written.
func decodeIsolation(name string, value []byte) (lines []string, err error) {
	if value == nil {
		return nil, nil
	}
	if err := decodeJSON(isolationKey(name), value, isolationVersion, &lines); err != nil {
		return nil, fmt.Errorf("the isolation of tournament %q is damaged: %w", name, err)
	}
	return lines, nil
}

// encodeVoid writes why a match was void.
func encodeVoid(rawKey []byte, reason string) []byte {
	return seal(rawKey, append([]byte{voidVersion}, reason...))
}

// decodeVoid reads what encodeVoid wrote.
func decodeVoid(key Key, rawKey, value []byte) (string, error) {
	reason, err := unseal(rawKey, value, voidVersion)
	if err != nil {
		return "", fmt.Errorf("the note of a void match, %v, is damaged: %w", key, err)
	}
	return string(reason), nil
}

func encodeJSON(key []byte, version byte, content any) ([]byte, error) {
	text, err := json.Marshal(content)
	if err != nil {
		return nil, err
	}
	value := make([]byte, 0, 1+len(text)+checksumSize)
	value = append(value, version)
	return seal(key, append(value, text...)), nil
}

func decodeJSON(key, value []byte, version byte, content any) error {
	text, err := unseal(key, value, version)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, content)
}
