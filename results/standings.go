package results

import (
	"fmt"
	"slices"
	"strings"

	"sembra/results/stats"
)

// Standings is how a tournament stands.
type Standings struct {
	Tournament Tournament
	Played     int        // recorded matches
	Repeats    int        // recorded matches that equal an earlier one, see Repeats
	Past       int        // recorded matches that are no repeats, but that a sequential test was decided before
	Lines      []Standing // best first
	Crosstable Crosstable
	Field      RatedField      // the ratings of the bots, in the order of Tournament.Bots
	TieBreaks  []string        // in the order in which they are applied
	Separated  []string        // those of the tie-breaks that separated any bots
	Test       *SequentialTest // of a tournament of the format sprt; else nil
}

// RatedField is the rating of all players of a field at once, with what it is made of.
type RatedField struct {
	stats.Field              // players by their index in Names
	Names       []string     // of the players
	Games       []stats.Game // that count, those of a unit next to each other
	Anchor      int          // the player whose rating is Mean; -1: none, and the mean of each group is there
	Mean        float64      // Elo
}

// NewStandings makes the standings of a tournament from the summaries of its recorded matches, in schedule
// order. merits has what bots have beside their matches, and may be nil.
//
// Every bot is in the standings, those without a match too. Whoever reached the higher stage of a knockout
// comes first. Elsewhere the order is by points, then by the tournament's tie-breaks; bots that are still
// tied keep their configured order. Only the unbroken run of slots from the first decides who is withdrawn:
// a match that is still missing may break a row of faults.
//
// The strength of the field is rated by its decided matches without repeats, with the two matches of a pair
// as one observation. The tournament's anchor or, without one, the mean of a group is at its Rating.Start.
//
// The error names a match with a bot that is not in the tournament, an unknown anchor or tie-break, or what
// is wrong with a sequential test.
func NewStandings(t Tournament, summaries []Slotted, merits map[string]Merit) (Standings, error) {
	fold, err := newStandingsFold(t, summaries)
	if err != nil {
		return Standings{}, err
	}
	anchor, err := t.anchor()
	if err != nil {
		return Standings{}, err
	}
	field, err := stats.Rate(fold.games, len(t.Bots), anchor)
	if err != nil {
		return Standings{}, err
	}
	for i := range fold.lines {
		fold.lines[i].Field = field.Players[i]
	}
	lines, separated, err := fold.table(merits)
	if err != nil {
		return Standings{}, err
	}
	s := Standings{
		Tournament: t,
		Played:     len(summaries),
		Repeats:    fold.repeated,
		Past:       fold.past,
		Lines:      lines,
		Crosstable: fold.cross,
		Field:      RatedField{field, t.Bots, fold.games, anchor.Player, anchor.At},
		TieBreaks:  t.tieBreaks(),
		Separated:  separated,
	}
	if t.Format == Sequential {
		s.Test, err = t.SequentialTest(summaries)
	}
	return s, err
}

// anchor is where the ratings of the field lie.
func (t Tournament) anchor() (stats.Anchor, error) {
	anchor := stats.Anchor{Player: -1, At: t.Rating.Start}
	if t.Anchor == "" {
		return anchor, nil
	}
	if anchor.Player = slices.Index(t.Bots, t.Anchor); anchor.Player < 0 {
		return anchor, fmt.Errorf("there is no bot %q to anchor ratings on (known: %s)", t.Anchor, strings.Join(t.Bots, ", "))
	}
	return anchor, nil
}

// SetMean moves the ratings of the field so that the anchor or, without one, the mean of a group is at the
// given Elo in place of the start of the online rating.
func (s *Standings) SetMean(elo float64) {
	by := elo - s.Field.Mean
	s.Field.Mean = elo
	s.Field.Players = slices.Clone(s.Field.Players)
	for i := range s.Field.Players {
		s.Field.Players[i] = moved(s.Field.Players[i], by)
	}
	for i := range s.Lines {
		s.Lines[i].Field = moved(s.Lines[i].Field, by)
	}
}

func moved(rating stats.Rating, by float64) stats.Rating {
	for _, number := range []**float64{&rating.Rating, &rating.Low, &rating.High} {
		if *number != nil {
			sum := **number + by
			*number = &sum
		}
	}
	return rating
}
