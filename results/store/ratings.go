package store

import (
	"encoding/binary"
	"errors"
	"math"

	"sembra/results"
)

// encodeRatings writes start, K, slots and each bot with its rating, numbers as their IEEE 754 bits.
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
func decodeRatings(key, value []byte) (results.Ratings, error) {
	payload, err := unseal(key, value)
	if err != nil {
		return results.Ratings{}, err
	}
	reader := fieldReader{rest: payload}
	r := results.Ratings{Rating: results.Rating{Start: reader.float(), K: reader.float()}, Slots: reader.number()}
	for reader.err == nil && len(reader.rest) > 0 {
		r.Bots = append(r.Bots, reader.text())
		r.Elo = append(r.Elo, reader.float())
	}
	if reader.err != nil {
		return results.Ratings{}, reader.err
	}
	return r, nil
}

func appendFloat(to []byte, number float64) []byte {
	return binary.LittleEndian.AppendUint64(to, math.Float64bits(number))
}

// fieldReader reads fields one after another and remembers the first that is not there.
type fieldReader struct {
	rest []byte
	err  error
}

func (r *fieldReader) take(size int) []byte {
	if r.err != nil || size > len(r.rest) {
		r.err = errShort
		return nil
	}
	field := r.rest[:size]
	r.rest = r.rest[size:]
	return field
}

func (r *fieldReader) float() float64 {
	if field := r.take(8); field != nil {
		return math.Float64frombits(binary.LittleEndian.Uint64(field))
	}
	return 0
}

func (r *fieldReader) number() int {
	number, size := binary.Uvarint(r.rest)
	if size <= 0 || number > math.MaxInt32 {
		r.err = errors.New("a number is cut off or too large")
		return 0
	}
	r.take(size)
	return int(number)
}

func (r *fieldReader) text() string { return string(r.take(r.number())) }
