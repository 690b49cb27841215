package stats

// Game is one game for the rating of a field.
type Game struct {
	First, Second int     // players, by index; First moved first
	Score         float64 // of First: 1, 1/2 or 0

	// Unit marks games that are one observation, such as the two of a pair. Games with the same unit must be
	// adjacent and have the same two players.
	Unit int
}

// Anchor fixes the scale of the ratings.
type Anchor struct {
	Player int     // the player whose rating is At; less than 0: none, and the mean of each group is At
	At     float64 // Elo
}

// Field is the rating of a whole field.
type Field struct {
	Players    []Rating // by index
	Groups     int      // number of groups of players that can be compared
	FirstMover FirstMover

	spread *spread            // nil if there is no group
	duels  map[int]Difference // by group from 0: the lesser player against the other; see [fit.duels]
}

// Rating is the rating of one player.
type Rating struct {
	Group     int      // from 1, the largest first; only ratings of one group compare. 0: no rating is possible
	Games     int      // the games that count: those inside the group, or against it
	Rating    *float64 // Elo; nil if it is unbounded or not possible
	Error     *float64 // half of the 95% interval; nil if there are too few units, and for the anchor
	Low, High *float64 // the ends of the 95% interval; or one of them is a one-sided 95% bound and the other nil
}

// FirstMover is the advantage of moving first, in Elo.
type FirstMover struct {
	Fitted bool     `json:"fitted"` // the games show the advantage; otherwise it counts as 0
	Elo    float64  `json:"elo"`    // 0 if it is not fitted
	Error  *float64 `json:"error"`  // half of the 95% interval; nil if the games do not show it
}
