package store

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"strconv"
	"time"

	"sembra/results"
)

// Every stored value consists of a version byte, the content, and a CRC-32C of the value's key and of all
// that comes before the checksum. So a value that was moved to another key also has a wrong checksum.
const (
	valueVersion           = 1              // of all values: a change to one of them raises the schema of the file
	southBurnt, northBurnt = 1 << 6, 1 << 7 // in the byte of the fault

	checksumSize = 4 // bytes
)

var errShort = errors.New("it ends too soon")

// seal appends its checksum to a value.
func seal(key, value []byte) []byte {
	return binary.LittleEndian.AppendUint32(value, checksum(key, value))
}

// unseal checks version and checksum and returns the content between them.
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

// checksum returns the CRC-32C (Castagnoli) of key and value, one after the other.
func checksum(key, value []byte) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli) // the package makes it once
	return crc32.Update(crc32.Checksum(key, table), table, value)
}

// encodeSummary writes s without its key: result, ending and fault as a byte each, the numbers as
// uvarints, then the hash. A processor time is written plus one, because 0 means that it is not known.
// The upper bits of the fault say who has burnt.
func encodeSummary(rawKey []byte, s results.Summary) []byte {
	value := make([]byte, 0, 64)
	value = append(value, valueVersion, byte(s.Result), byte(s.Ending), byte(s.Fault))
	if s.SouthBurnt {
		value[3] |= southBurnt
	}
	if s.NorthBurnt {
		value[3] |= northBurnt
	}
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
// allocates nothing unless it fails.
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
	s.Result, s.Ending = results.Result(payload[0]), results.Ending(payload[1])
	s.Fault = results.Fault(payload[2] &^ (southBurnt | northBurnt))
	s.SouthBurnt, s.NorthBurnt = payload[2]&southBurnt != 0, payload[2]&northBurnt != 0
	if !s.Result.Valid() || !s.Ending.Valid() || !s.Fault.Valid() {
		return fmt.Errorf("unknown result, ending or fault (%d, %d, %d)", s.Result, s.Ending, s.Fault)
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

// encodeBody writes a body. Numbers are uvarints, and a list has its length before it. A text has a number: 0 for a new
// one, which follows with its length before it, or else the place of an equal text among those before it, from 1. A
// score is the shortest text that reads back as the same number; an empty text stands for none. A negative number, or
// a score that is not finite, is an error.
func encodeBody(rawKey []byte, body results.Body) (value []byte, err error) {
	value = append(make([]byte, 0, 1024), valueVersion)
	number := func(n int64) {
		if n < 0 {
			err = fmt.Errorf("a number is negative (%d)", n)
		}
		value = binary.AppendUvarint(value, uint64(n))
	}
	known := make(map[string]int64)
	text := func(text string) {
		place := known[text]
		if number(place); place > 0 {
			return
		}
		known[text] = int64(len(known) + 1)
		number(int64(len(text)))
		value = append(value, text...)
	}
	for _, seed := range body.Seeds {
		value = binary.LittleEndian.AppendUint64(value, seed)
	}
	text(body.Opening)
	number(int64(len(body.Moves)))
	for _, move := range body.Moves {
		text(move)
	}
	number(int64(len(body.Elapsed)))
	for _, elapsed := range body.Elapsed {
		number(int64(elapsed))
	}
	number(int64(len(body.Rounds)))
	for _, round := range body.Rounds {
		text(round.Start)
		text(round.Position)
		text(round.Reason)
		number(int64(round.Plies))
		number(int64(round.South))
		number(int64(round.North))
	}
	number(int64(len(body.Scores)))
	for _, score := range body.Scores {
		switch {
		case score == nil:
			text("")
		case !finite(*score):
			err = fmt.Errorf("a score is %v", *score)
		default:
			text(strconv.FormatFloat(*score, 'g', -1, 64))
		}
	}
	if err != nil {
		return nil, err
	}
	return seal(rawKey, value), nil
}

func finite(number float64) bool { return !math.IsNaN(number) && !math.IsInf(number, 0) }

// decodeBody reads what encodeBody wrote. An empty list becomes nil.
func decodeBody(key results.Key, rawKey, value []byte) (body results.Body, err error) {
	payload, err := unseal(rawKey, value)
	if err == nil {
		body, err = readBody(string(payload))
	}
	if err != nil {
		return results.Body{}, fmt.Errorf("the body of %v is damaged: %w", key, err)
	}
	return body, nil
}

// readBody reads the payload of a body. The texts share its memory, so they cost no further allocation.
func readBody(payload string) (results.Body, error) {
	f := fields{rest: payload}
	var body results.Body
	for i := range body.Seeds {
		body.Seeds[i] = f.bits()
	}
	body.Opening = f.text()
	body.Moves = list(&f, (*fields).text)
	body.Elapsed = list(&f, func(f *fields) time.Duration { return time.Duration(f.number()) })
	body.Rounds = list(&f, func(f *fields) (r results.Round) {
		r.Start, r.Position, r.Reason = f.text(), f.text(), f.text()
		r.Plies, r.South, r.North = int(f.number()), int(f.number()), int(f.number())
		return r
	})
	body.Scores = list(&f, (*fields).score)
	if f.err == nil && f.rest != "" {
		f.err = errors.New("its length is wrong")
	}
	return body, f.err
}

// fields reads the fields of a value one after another. After an error, all fields are zero.
type fields struct {
	rest  string
	texts []string // those that were new
	err   error
}

// take returns the next bytes.
func (f *fields) take(size int64) string {
	if f.err == nil && size > int64(len(f.rest)) {
		f.err = errShort
	}
	if f.err != nil {
		return ""
	}
	taken := f.rest[:size]
	f.rest = f.rest[size:]
	return taken
}

// number reads a uvarint of at most 63 bits.
func (f *fields) number() (number int64) {
	const most = 9 // bytes
	for i := range min(len(f.rest), most) {
		c := f.rest[i]
		number |= int64(c&0x7f) << (7 * i)
		if c < 0x80 {
			f.take(int64(i + 1))
			return number
		}
	}
	f.err = cmp.Or(f.err, errors.New("a number is cut off or too large"))
	return 0
}

// bits reads eight bytes.
func (f *fields) bits() uint64 {
	const size = 8
	raw := f.take(size)
	if raw == "" {
		return 0
	}
	return binary.LittleEndian.Uint64([]byte(raw))
}

// text reads a new text, or the place of a known one.
func (f *fields) text() string {
	place := f.number()
	switch {
	case f.err != nil:
		return ""
	case place > int64(len(f.texts)):
		f.err = fmt.Errorf("it has no text %d", place)
		return ""
	case place > 0:
		return f.texts[place-1]
	}
	text := f.take(f.number())
	f.texts = append(f.texts, text)
	return text
}

// score reads a score; nil is none.
func (f *fields) score() *float64 {
	text := f.text()
	if text == "" {
		return nil
	}
	score, err := strconv.ParseFloat(text, 64)
	if err != nil || !finite(score) {
		f.err = cmp.Or(f.err, fmt.Errorf("a score is %.40q", text))
	}
	return &score
}

// list reads a list with its length before it; an empty list is nil.
func list[T any](f *fields, element func(*fields) T) []T {
	length := f.number()
	if length > int64(len(f.rest)) { // an element has a byte or more
		f.err = cmp.Or(f.err, errShort)
	}
	if f.err != nil || length == 0 {
		return nil
	}
	all := make([]T, length)
	for i := range all {
		all[i] = element(f)
	}
	return all
}

// decodeEvidence reads evidence; nil is none.
func decodeEvidence(key results.Key, rawKey, value []byte) (*results.Evidence, error) {
	if value == nil {
		return nil, nil
	}
	evidence := new(results.Evidence)
	return evidence, decodeJSON(rawKey, value, evidence, "the evidence of %v", key)
}

// encodeWorker writes the texts of a worker, with the length of each before it.
func encodeWorker(rawKey []byte, w results.Worker) []byte {
	value := []byte{valueVersion}
	for _, text := range []string{w.Name, w.Machine, w.South, w.North} {
		value = append(binary.AppendUvarint(value, uint64(len(text))), text...)
	}
	return seal(rawKey, value)
}

// decodeWorker reads a worker; nil is the machine of the run.
func decodeWorker(key results.Key, rawKey, value []byte) (w results.Worker, err error) {
	if value == nil {
		return w, nil
	}
	payload, err := unseal(rawKey, value)
	if err == nil {
		f := fields{rest: string(payload)}
		for _, text := range []*string{&w.Name, &w.Machine, &w.South, &w.North} {
			*text = f.take(f.number())
		}
		if err = f.err; err == nil && f.rest != "" {
			err = errors.New("its length is wrong")
		}
	}
	if err != nil {
		return results.Worker{}, fmt.Errorf("the worker of %v is damaged: %w", key, err)
	}
	return w, nil
}

// decodeTournament reads the manifest of a tournament.
func decodeTournament(name string, value []byte) (t results.Tournament, err error) {
	err = decodeJSON([]byte(name), value, &t, "the manifest of tournament %q", name)
	if err == nil && t.Name != name {
		err = fmt.Errorf("the manifest of tournament %q is damaged: it belongs to tournament %q", name, t.Name)
	}
	return t, err
}

// isolationKey returns the key for the checksum of a tournament's isolation. No tournament's name equals
// it, because names have no NUL.
func isolationKey(name string) []byte { return []byte(name + "\x00" + keyIsolation) }

// decodeIsolation reads the lines of isolation; nil is no lines.
func decodeIsolation(name string, value []byte) (lines []string, err error) {
	if value == nil {
		return nil, nil
	}
	err = decodeJSON(isolationKey(name), value, &lines, "the isolation of tournament %q", name)
	return lines, err
}

// encodeVoid writes the reason why a match was void.
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

// encodeRatings writes start, K, slots and each bot with its rating; floating-point numbers as their
// IEEE 754 bits.
func encodeRatings(key []byte, r results.Ratings) []byte {
	value := []byte{valueVersion}
	value = appendFloat(value, r.Rating.Start)
	value = appendFloat(value, r.Rating.K)
	value = binary.AppendUvarint(value, uint64(r.Slots))
	for i, bot := range r.Bots {
		value = binary.AppendUvarint(value, uint64(len(bot)))
		value = append(value, bot...)
		value = appendFloat(value, r.Elo[i])
	}
	return seal(key, value)
}

// decodeRatings reads what encodeRatings wrote.
func decodeRatings(key, value []byte) (r results.Ratings, err error) {
	payload, err := unseal(key, value)
	if err != nil {
		return results.Ratings{}, err
	}
	rest := bytes.NewReader(payload)
	read := func(to any) {
		if err == nil && binary.Read(rest, binary.LittleEndian, to) != nil {
			err = errShort
		}
	}
	number := func() int {
		n, bad := binary.ReadUvarint(rest)
		if bad != nil || n > math.MaxInt32 {
			err = cmp.Or(err, errors.New("a number is cut off or too large"))
			return 0
		}
		return int(n)
	}
	read(&r.Rating)
	r.Slots = number()
	for err == nil && rest.Len() > 0 {
		name, elo := make([]byte, min(number(), rest.Len())), 0.0
		read(name)
		read(&elo)
		r.Bots, r.Elo = append(r.Bots, string(name)), append(r.Elo, elo)
	}
	if err != nil {
		return results.Ratings{}, err
	}
	return r, nil
}

// encodeJSON writes a value as JSON.
func encodeJSON(key []byte, content any) ([]byte, error) {
	text, err := json.Marshal(content)
	if err != nil {
		return nil, err
	}
	value := make([]byte, 0, 1+len(text)+checksumSize)
	value = append(value, valueVersion)
	return seal(key, append(value, text...)), nil
}

// decodeJSON reads what encodeJSON wrote. What names the value in the error, which wraps the cause.
func decodeJSON(key, value []byte, content any, what string, name any) error {
	text, err := unseal(key, value)
	if err == nil {
		err = json.Unmarshal(text, content)
	}
	if err != nil {
		return fmt.Errorf(what+" is damaged: %w", name, err)
	}
	return nil
}

func appendFloat(to []byte, number float64) []byte {
	return binary.LittleEndian.AppendUint64(to, math.Float64bits(number))
}
