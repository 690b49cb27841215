package stats

// Game is one game, as the rating of a field sees it.
type Game struct {
	First, Second int     // players, by index; First is who moved first
	Score         float64 // of First: 1, 1/2 or 0
	Unit          int     // games of one unit, the two of a pair, are one observation. They are between the same two players and stand next to each other
}

// Anchor says where the scale of a group lies.
type Anchor struct {
	Player int     // whose rating is At; less than 0: none, the mean of a group is At
	At     float64 // Elo
}

// Field is the rating of a whole field.
type Field struct {
	Players    []Rating // by index
	Groups     int      // of players that can be rated against each other
	Anchored   bool     // the anchor is a player that has a rating; else it moves nothing, and the mean of every group is At
	FirstMover FirstMover

	spread *spread // nil without a group
}

// Rating is what the games say of one player.
type Rating struct {
	Group     int      // from 1, the largest first; ratings of different groups do not compare. 0: nothing can be said
	Games     int      // that count: those inside the group, or against it
	Rating    *float64 // Elo; nil where it is unbounded or nothing can be said
	Error     *float64 // half of its 95 % interval; nil where the games do not tell it, and of the anchor
	Low, High *float64 // the ends of the 95 % interval, or a one-sided 95 % bound beside a nil
}

// FirstMover is the advantage of moving first, in Elo.
type FirstMover struct {
	Fitted bool    // the games tell it; else it is taken as 0
	Elo    float64 // 0 where it is not fitted
	Error  *float64
}

// Difference is by how much player a is rated above player b, and half of the 95 % interval of that,
// both in Elo. The errors of two ratings do not tell it, as both come from the same games. Nil where the
// two have no ratings of one group, or the games tell no error.
func (f Field) Difference(a, b int) (elo, err *float64) {
	x, y := f.Players[a], f.Players[b]
	if x.Rating == nil || y.Rating == nil || x.Group != y.Group {
		return nil, nil
	}
	return number(*x.Rating - *y.Rating), f.spread.difference(a, b)
}
