package results

import (
	"encoding/binary"
	"errors"
	"math"
)

// Expected is the share of a point that the Elo formula expects of a bot rated own against one rated
// other: 1/(1+10^((other-own)/400)). Source: Arpad E. Elo, The Rating of Chessplayers, Past and
// Present (1978).
func Expected(own, other float64) float64 {
	return 1 / (1 + math.Pow(10, (other-own)/400))
}

// Ladder is an online Elo: R' = R + K(S-E) after each match, in the order in which the matches are
// given (Elo 1978). Both bots of a match move by the same amount, so the sum of all ratings stays.
type Ladder struct {
	*seats
	rating Rating
	bots   []string
	elo    []float64
}

// NewLadder puts every bot at the start.
func NewLadder(rating Rating, bots []string) *Ladder {
	ladder := &Ladder{rating: rating, bots: bots, seats: newSeats(bots), elo: make([]float64, len(bots))}
	for i := range ladder.elo {
		ladder.elo[i] = rating.Start
	}
	return ladder
}

// Add rates one match. A match in which both bots were at fault has no result and moves nothing. The
// error names a bot that is not on the ladder.
func (l *Ladder) Add(s Summary) error {
	south, north, err := l.of(s.Key)
	if err == nil {
		l.rate(south, north, s)
	}
	return err
}

// rate rates a match between two bots, given by their indexes.
func (l *Ladder) rate(south, north int, s Summary) {
	if s.Result == Void {
		return
	}
	score, _ := s.Points()
	step := l.rating.K * (score - Expected(l.elo[south], l.elo[north]))
	l.elo[south] += step
	l.elo[north] -= step
}

// Elo is the rating of a bot; the start for one that is not on the ladder.
func (l *Ladder) Elo(bot string) float64 {
	if at, ok := l.place[bot]; ok {
		return l.elo[at]
	}
	return l.rating.Start
}

// Ratings is what a store keeps of ratings: how far its fold has come and what it came to.
type Ratings struct {
	Slots int                // the unbroken run of slots, from the first, that it covers
	Elo   map[string]float64 // of every bot of the tournament
}

// storedRatings is a ladder and how far it has come.
type storedRatings struct {
	slots         int
	ladder        *Ladder
	countsRepeats bool // an earlier sembra stored it, which rated repeated matches too
}

// encode writes start, K, slots and each bot with its rating, numbers as their IEEE 754 bits.
func (r storedRatings) encode(key []byte) []byte {
	value := []byte{ratingsVersion}
	value = appendFloat(value, r.ladder.rating.Start)
	value = appendFloat(value, r.ladder.rating.K)
	value = binary.AppendUvarint(value, uint64(r.slots))
	for i, bot := range r.ladder.bots {
		value = binary.AppendUvarint(value, uint64(len(bot)))
		value = append(value, bot...)
		value = appendFloat(value, r.ladder.elo[i])
	}
	return seal(key, value)
}

// decodeRatings reads what encode wrote.
func decodeRatings(key, value []byte) (storedRatings, error) {
	version := byte(ratingsVersion)
	if len(value) > 0 && value[0] == 1 {
		version = 1
	}
	payload, err := unseal(key, value, version)
	if err != nil {
		return storedRatings{}, err
	}
	reader := fieldReader{rest: payload}
	rating := Rating{Start: reader.float(), K: reader.float()}
	slots := reader.number()
	var bots []string
	var elo []float64
	for reader.err == nil && len(reader.rest) > 0 {
		bots = append(bots, reader.text())
		elo = append(elo, reader.float())
	}
	if reader.err != nil {
		return storedRatings{}, reader.err
	}
	ladder := NewLadder(rating, bots)
	copy(ladder.elo, elo)
	return storedRatings{slots: slots, ladder: ladder, countsRepeats: version == 1}, nil
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
