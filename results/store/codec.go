package store

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strconv"
	"time"

	"sembra/results"
)

// Every stored value consists of a version byte, the content, and a CRC-32C of the value's key and of all
// that comes before the checksum. So a value that was moved to another key also has a wrong checksum.
const (
	valueVersion = 1 // of all values; a change of one is a step to another schema
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

// encodeJSON writes a value as JSON, and a text after it.
func encodeJSON(key []byte, content any, after string) ([]byte, error) {
	line, err := json.Marshal(content)
	if err != nil {
		return nil, err
	}
	return seal(key, slices.Concat([]byte{valueVersion}, line, []byte{'\n'}, []byte(after))), nil
}

// decodeJSON reads what encodeJSON wrote.
func decodeJSON(key, value []byte, content any) (after string, err error) {
	text, err := unseal(key, value)
	if err != nil {
		return "", err
	}
	line, rest, _ := bytes.Cut(text, []byte{'\n'})
	return string(rest), json.Unmarshal(line, content)
}

// encodeSummary writes s without its key.
func encodeSummary(rawKey []byte, s results.Summary) []byte {
	c := coder{writing: true, data: append(make([]byte, 0, 80), valueVersion)}
	c.summary(&s)
	return seal(rawKey, c.data)
}

// decodeSummary reads what encodeSummary wrote into s, whose key the caller has read from rawKey. It allocates nothing
// unless it fails or a worker played the match.
func decodeSummary(rawKey, value []byte, s *results.Summary) error {
	c := reading(rawKey, value)
	c.summary(s)
	if c.err == nil && !(s.Result.Valid() && s.Ending.Valid() && s.Fault.Valid()) {
		c.fail("unknown result, ending or fault (%d, %d, %d)", s.Result, s.Ending, s.Fault)
	}
	return c.end("summary", s.Key)
}

// encodeBody writes the body and the evidence of a record. A negative number is an error, and so is a score that is
// not finite.
func encodeBody(rawKey []byte, r results.Record) ([]byte, error) {
	c := coder{writing: true, data: append(make([]byte, 0, 1024), valueVersion), places: make(map[string]int)}
	c.body(&r.Body, &r.Evidence)
	return seal(rawKey, c.data), c.err
}

// decodeBody reads what encodeBody wrote into the record, which has its key. An empty list becomes nil.
func decodeBody(rawKey, value []byte, r *results.Record) error {
	c := reading(rawKey, value)
	c.texts = make([]string, 0, 32) // enough for most matches
	c.body(&r.Body, &r.Evidence)
	return c.end("body", r.Key)
}

// coder writes or reads the fields of a value, one after another: the same description of a value serves both. Numbers
// are uvarints, and a list has its length before it. After an error nothing else is read.
type coder struct {
	writing bool
	data    []byte         // what was written, or is to read
	at      int            // where to read next
	places  map[string]int // of the texts that were written, from 1
	texts   []string       // that were read
	err     error
}

// reading returns a coder that reads a value.
func reading(rawKey, value []byte) coder {
	data, err := unseal(rawKey, value)
	return coder{data: data, err: err}
}

// end returns what is wrong with a part of a match that was read.
func (c *coder) end(what string, key results.Key) error {
	if c.at < len(c.data) {
		c.fail("its length is wrong")
	}
	if c.err == nil {
		return nil
	}
	return fmt.Errorf("the %s of %v is damaged: %w", what, key, c.err)
}

func (c *coder) summary(s *results.Summary) {
	number(c, &s.Result)
	number(c, &s.Ending)
	number(c, &s.Fault)
	number(c, &s.Forfeit)
	bySeat(&s.Stores, func(n *int) { number(c, n) })
	bySeat(&s.Donkeys, func(n *int) { number(c, n) })
	number(c, &s.Rounds)
	number(c, &s.Plies)
	bySeat(&s.Times, func(t *time.Duration) { number(c, t) })
	bySeat(&s.CPU, c.cpu)
	c.bytes(s.Hash[:])
	c.text(&s.Worker)
}

func (c *coder) body(b *results.Body, e **results.Evidence) {
	bySeat(&b.Seeds, func(seed *uint64) {
		var coded [8]byte
		binary.LittleEndian.PutUint64(coded[:], *seed)
		c.bytes(coded[:]) // reading, it replaces them
		*seed = binary.LittleEndian.Uint64(coded[:])
	})
	c.repeated(&b.Opening)
	list(c, &b.Moves, c.repeated)
	list(c, &b.Elapsed, func(elapsed *time.Duration) { number(c, elapsed) })
	list(c, &b.Rounds, func(r *results.Round) {
		c.repeated(&r.Start)
		c.repeated(&r.Position)
		c.repeated(&r.Reason)
		number(c, &r.Plies)
		number(c, &r.South)
		number(c, &r.North)
	})
	list(c, &b.Scores, c.score)
	bySeat(&b.Files, c.text)
	c.evidence(e)
}

// fail notes the first error.
func (c *coder) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

// next returns the next bytes to read; none after an error.
func (c *coder) next(size int) []byte {
	if c.err == nil && size > len(c.data)-c.at {
		c.err = errShort
	}
	if c.err != nil {
		return nil
	}
	c.at += size
	return c.data[c.at-size : c.at]
}

// number codes a number of at most 63 bits that is not negative.
func number[T ~int | ~int64 | ~uint8](c *coder, n *T) {
	coded := c.number(int64(*n))
	*n = T(coded)
	if int64(*n) != coded {
		c.fail("a number is too large (%d)", coded)
	}
}

// number writes a number, or reads one.
func (c *coder) number(n int64) int64 {
	if c.writing {
		if n < 0 {
			c.fail("a number is negative (%d)", n)
		}
		c.data = binary.AppendUvarint(c.data, uint64(n))
		return n
	}
	value, size := binary.Uvarint(c.data[c.at:])
	if size <= 0 || value > math.MaxInt64 {
		c.fail("a number is cut off or too large")
	}
	if c.err != nil {
		return 0
	}
	c.at += size
	return int64(value)
}

// cpu codes a CPU time; every negative one stands for one that is not known.
func (c *coder) cpu(t *time.Duration) {
	more := max(*t, results.UnknownCPU) + 1
	number(c, &more)
	*t = more - 1
}

// bytes codes bytes of a known number.
func (c *coder) bytes(all []byte) {
	if c.writing {
		c.data = append(c.data, all...)
		return
	}
	copy(all, c.next(len(all)))
}

// text codes a text with its length before it.
func (c *coder) text(text *string) {
	length := len(*text)
	number(c, &length)
	if c.writing {
		c.data = append(c.data, *text...)
		return
	}
	*text = string(c.next(length))
}

// repeated codes a text that may have come before: 0 and the text, or the place of the text among those that were new.
func (c *coder) repeated(text *string) {
	place := c.places[*text] // reading, there are none: it is what number reads
	number(c, &place)
	if c.writing {
		if place == 0 {
			c.places[*text] = len(c.places) + 1
			c.text(text)
		}
		return
	}
	if place > len(c.texts) {
		c.fail("it has no text %d", place)
	} else if place > 0 {
		*text = c.texts[place-1]
	} else {
		c.text(text)
		c.texts = append(c.texts, *text)
	}
}

// score codes a score as the shortest text that reads back as the same number; an empty text stands for none.
func (c *coder) score(score **float64) {
	var text string
	if *score != nil {
		text = strconv.FormatFloat(**score, 'g', -1, 64)
	}
	c.repeated(&text)
	if text == "" {
		return
	}
	read, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(read) || math.IsInf(read, 0) {
		c.fail("a score is %.40q", text)
	}
	if !c.writing {
		*score = &read
	}
}

// evidence codes the JSON of evidence; an empty text stands for none.
func (c *coder) evidence(e **results.Evidence) {
	var text string
	if *e != nil {
		raw, err := json.Marshal(*e)
		if err != nil {
			c.fail("its evidence: %w", err)
		}
		text = string(raw)
	}
	c.text(&text)
	if text == "" || c.writing {
		return
	}
	*e = new(results.Evidence)
	if err := json.Unmarshal([]byte(text), *e); err != nil {
		c.fail("its evidence: %w", err)
	}
}

// bySeat codes a value for each seat.
func bySeat[T any](values *[2]T, code func(*T)) {
	code(&values[0])
	code(&values[1])
}

// list codes a list with its length before it.
func list[T any](c *coder, all *[]T, element func(*T)) {
	length := len(*all)
	number(c, &length)
	if !c.writing {
		if length > len(c.data)-c.at { // an element has a byte or more
			c.fail("%w", errShort)
		}
		if c.err != nil || length == 0 {
			return
		}
		*all = make([]T, length)
	}
	for i := range *all {
		element(&(*all)[i])
	}
}
