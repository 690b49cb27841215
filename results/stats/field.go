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
	FirstMover FirstMover
}

// Rating is what the games say of one player.
type Rating struct {
	Group     int      // from 1, the largest first; ratings of different groups do not compare. 0: nothing can be said
	Games     int      // that count
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
