package bots

import (
	"math"
	"strconv"
	"time"

	"sembra/arena/protocol"
	"sembra/engine"
)

// minimax searches with alpha-beta (Knuth and Moore, 1975), one ply deeper each
// time. The value of a position is the lead in seeds. Without a clock, it always
// plays the same moves.
type minimax struct {
	named
	depth int
}

const (
	optionDepth  = "Depth"
	deepest      = 64
	defaultDepth = 6

	// defaultNodes limits a search that has only the default depth as its limit, in
	// case there are many moves.
	defaultNodes = 200_000
)

func minimaxOptions() []Option {
	return []Option{{
		protocol.Option{Name: optionDepth, Type: "spin", Default: "0", Min: 0, Max: deepest},
		"the depth of its search in plies; 0: as deep as the clock allows, or 6 plies without a clock",
	}}
}

func (b *minimax) SetOption(v protocol.OptionValue) error {
	n, err := strconv.Atoi(v.Value)
	b.depth = n
	return err
}

func (b *minimax) Choose(m *engine.Match, limits protocol.Limits, report func(protocol.Info)) engine.Move {
	begun := time.Now()
	s := newSearch(m, math.MaxInt64, limits, begun)
	clock := !s.deadline.IsZero()
	if limits.Nodes == 0 && !clock && limits.Depth == 0 && b.depth == 0 {
		s.nodesLeft = defaultNodes
	}
	moves := append([]engine.Move(nil), m.Legal()...)
	return s.deepen(m.Position(), moves, b.depthLimit(limits, clock), begun, report)
}

// Advise returns a good move for the side to move, which has at least one. It searches
// like the built-in bot minimax, for about the given time.
func Advise(m *engine.Match, within time.Duration) engine.Move {
	return new(minimax).Choose(m, protocol.Limits{Move: within}, func(protocol.Info) {})
}

// depthLimit returns the depth of the search, in plies: the host's limit, or else
// the option. Without both it is the deepest if time or nodes are limited, or else
// the default.
func (b *minimax) depthLimit(limits protocol.Limits, clock bool) int {
	switch {
	case limits.Depth > 0:
		return min(limits.Depth, deepest)
	case b.depth > 0:
		return b.depth
	case clock || limits.Nodes > 0:
		return deepest
	}
	return defaultDepth
}

// thinkingTime returns how long to think about a move; 0 without a clock.
func thinkingTime(limits protocol.Limits, seat engine.Seat) time.Duration {
	const least = time.Millisecond
	switch {
	case limits.Move > 0:
		return max(least, limits.Move/4*3)
	case limits.Clock:
		left := limits.Left[seat]
		return max(least, min(left/30+limits.Increment[seat]/4*3, left/2))
	}
	return 0
}

// won is the value of a won match, without the lead, which is always much smaller.
const won = 1000

// inSeeds returns the lead in a value, which is the value itself unless the match is won or lost.
func inSeeds(value int) int {
	switch {
	case value > won/2:
		return value - won
	case value < -won/2:
		return value + won
	}
	return value
}

// search is the search of one move: its limits, and the moves of all its depths on one stack.
type search struct {
	rules     engine.Ruleset
	nodes     int64
	nodesLeft int64
	deadline  time.Time
	stopped   bool
	stack     []engine.Move
}

// newSearch returns a search of at most so many nodes, within the host's limits of nodes and time.
func newSearch(m *engine.Match, nodes int64, limits protocol.Limits, begun time.Time) *search {
	s := &search{rules: m.Rules(), nodesLeft: nodes}
	if limits.Nodes > 0 {
		s.nodesLeft = int64(min(limits.Nodes, uint64(nodes)))
	}
	if budget := thinkingTime(limits, m.Position().Side()); budget > 0 {
		s.deadline = begun.Add(budget)
	}
	return s
}

// deepen searches the moves one ply deeper each time, until it reaches the depth or has to stop. It returns the best
// move of the last search that it finished, and reports on that search.
func (s *search) deepen(p engine.Position, moves []engine.Move, deepest int, begun time.Time,
	report func(protocol.Info),
) engine.Move {
	best, info := moves[0], protocol.Info{}
	for depth := 1; depth <= deepest; depth++ {
		move, value, finished := s.root(p, moves, depth)
		if !finished {
			break
		}
		best = move
		info = protocol.Info{Depth: depth, Score: float64(inSeeds(value)), HasScore: true, Nodes: uint64(s.nodes)}
		if len(moves) == 1 || inSeeds(value) != value {
			break
		}
	}
	if info.HasScore {
		info.Time = time.Since(begun)
		report(info)
	}
	return best
}

// root searches the moves of the root. It puts the best move first, so that the
// next, deeper search begins with it. Finished is false if the search had to stop.
func (s *search) root(p engine.Position, moves []engine.Move, depth int) (best engine.Move, value int, finished bool) {
	value = math.MinInt
	at := 0
	for i, m := range moves {
		v := s.after(p, m, depth, max(value, -math.MaxInt), math.MaxInt)
		if s.stopped {
			return engine.Move{}, 0, false
		}
		if v > value {
			value, at = v, i
		}
	}
	best = moves[at]
	copy(moves[1:at+1], moves[:at])
	moves[0] = best
	return best, value, true
}

// after returns the value of a move for the side that plays it. In some rulesets
// the same side may move again.
func (s *search) after(p engine.Position, m engine.Move, depth, alpha, beta int) int {
	next, end := s.rules.Play(p, m)
	switch {
	case end != engine.Going:
		return s.ended(p, m, next)
	case next.Side() == p.Side():
		return s.value(next, depth-1, alpha, beta)
	}
	return -s.value(next, depth-1, -beta, -alpha)
}

// ended returns the value of a move that ends the round, for the side that plays
// it. The search does not continue into the next round, whose rows are filled from
// the stores.
func (s *search) ended(p engine.Position, m engine.Move, last engine.Position) int {
	if s.tired() {
		return 0
	}
	l := lead(last, p.Side())
	if engine.Step(s.rules, p, m).Phase() != engine.PhaseOver {
		return l
	}
	winner := s.rules.Winner(last)
	if winner == engine.Draw {
		return 0
	}
	if (winner == engine.SouthWins) == (p.Side() == engine.South) {
		return won + l
	}
	return -won + l
}

// value returns the value of a position for the side to move.
func (s *search) value(p engine.Position, depth, alpha, beta int) int {
	if s.tired() {
		return 0
	}
	if depth <= 0 {
		return lead(p, p.Side())
	}
	base := len(s.stack)
	s.stack = s.rules.Legal(p, s.stack)
	defer func() { s.stack = s.stack[:base] }()
	for i := base; i < len(s.stack); i++ {
		v := s.after(p, s.stack[i], depth, alpha, beta)
		if v >= beta {
			return v
		}
		alpha = max(alpha, v)
	}
	return alpha
}

// tired counts a node, and reports whether the search must stop.
func (s *search) tired() bool {
	s.nodes++
	s.nodesLeft--
	if s.nodesLeft < 0 || !s.deadline.IsZero() && s.nodes%1024 == 0 && time.Now().After(s.deadline) {
		s.stopped = true
	}
	return s.stopped
}
