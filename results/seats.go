package results

import "fmt"

// seats finds the two bots of a match by their index. Matches of one pairing follow one another in a
// schedule, so it remembers the last.
type seats struct {
	place        map[string]int
	south, north string
	at           [2]int // of these two
}

func newSeats(bots []string) *seats {
	s := &seats{place: make(map[string]int, len(bots))}
	for i, bot := range bots {
		s.place[bot] = i
	}
	return s
}

// of gives the indexes of South and North; the error names a bot that there is not.
func (s *seats) of(key Key) (south, north int, err error) {
	switch {
	case key.South == s.south && key.North == s.north:
		return s.at[0], s.at[1], nil
	case key.South == s.north && key.North == s.south:
		return s.at[1], s.at[0], nil
	}
	var ok bool
	south, ok = s.place[key.South]
	if !ok {
		return 0, 0, fmt.Errorf("match %v: there is no bot %q in this tournament", key, key.South)
	}
	north, ok = s.place[key.North]
	if !ok {
		return 0, 0, fmt.Errorf("match %v: there is no bot %q in this tournament", key, key.North)
	}
	s.south, s.north, s.at = key.South, key.North, [2]int{south, north}
	return south, north, nil
}
