package bots

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"sembra/arena/protocol"
)

// TestMinimaxSees: minimax finds what a search of one ply misses, and reports its score.
func TestMinimaxSees(t *testing.T) {
	r := lookup(t, "awale")
	for _, c := range []struct {
		position, blind, seeing string
		score                   float64
		why                     string
	}{
		{
			"0,1,0,1,0,0/0,0,0,0,0,4 21-21 S sow 1 3", "B", "D", 6,
			"after B the answer f takes C and D; after D it ends with an empty row across, and South keeps its 6",
		},
		{
			"1,0,8,0,1,2/1,0,0,2,0,1 17-15 S sow 1 8", "A", "C", 5,
			"nothing can be taken immediately; after C more is threatened than North can save",
		},
		{
			"0,1,5,0,1,1/1,0,3,1,3,1 10-21 S sow 1 0", "F", "C", -8,
			"F takes 2 and North takes as many back; after C South is 3 better off",
		},
	} {
		for _, side := range []string{"S", "N"} {
			position, blind, seeing := c.position, c.blind, c.seeing
			if side == "N" {
				position = turned(position)
				blind, seeing = strings.ToLower(blind), strings.ToLower(seeing)
			}
			p := parse(t, r, position)
			if move, _ := ask(&minimax{}, r, p, protocol.Limits{Depth: 1}); move.Token(p.Side()) != blind {
				t.Errorf("%s, depth 1: %s, want %s", position, move.Token(p.Side()), blind)
			}
			move, reported := ask(&minimax{}, r, p, protocol.Limits{Depth: 3})
			if move.Token(p.Side()) != seeing || reported.Score != c.score {
				t.Errorf("%s, depth 3: %s, %+v, want %s (%s)", position, move.Token(p.Side()), reported, seeing, c.why)
			}
		}
	}
}

// turned is a position with South and North exchanged.
func turned(position string) string {
	words := strings.Fields(position)
	south, north, _ := strings.Cut(words[0], "/")
	mine, yours, _ := strings.Cut(words[1], "-")
	words[0], words[1], words[2] = north+"/"+south, yours+"-"+mine, "N"
	return strings.Join(words, " ")
}

func TestMinimaxDepth(t *testing.T) {
	r := lookup(t, "awale")
	for _, c := range []struct {
		option int
		limits protocol.Limits
		want   int
	}{
		{0, protocol.Limits{}, 6},
		{4, protocol.Limits{}, 4},
		{1, protocol.Limits{}, 1},
		{4, protocol.Limits{Depth: 2}, 2},
		{2, protocol.Limits{Depth: 4}, 4},
		{0, protocol.Limits{Depth: 3}, 3},
		{3, protocol.Limits{Nodes: 1_000_000}, 3},
		{3, protocol.Limits{Clock: true, Left: [2]time.Duration{time.Hour, time.Hour}}, 3},
		{2, protocol.Limits{Move: time.Hour}, 2},
	} {
		if move, reported := ask(&minimax{depth: c.option}, r, r.Start(), c.limits); reported.Depth != c.want || !slices.Contains(r.Legal(r.Start(), nil), move) {
			t.Errorf("option %d, %+v: %+v, want depth %d", c.option, c.limits, reported, c.want)
		}
	}
}

// TestMinimaxNodes: minimax keeps its limit of nodes, searches deeper with many more
// nodes, and plays a legal move with a single one.
func TestMinimaxNodes(t *testing.T) {
	r := lookup(t, "awale")
	before := 0
	for _, nodes := range []uint64{1, 10, 100, 1_000, 10_000, 100_000} {
		move, reported := ask(&minimax{}, r, r.Start(), protocol.Limits{Nodes: nodes})
		if reported.Nodes > nodes || reported.Depth < before || nodes >= 10 && reported.Depth == before || !slices.Contains(r.Legal(r.Start(), nil), move) {
			t.Errorf("nodes %d: %+v after depth %d", nodes, reported, before)
		}
		before = reported.Depth
		if same, again := ask(&minimax{}, r, r.Start(), protocol.Limits{Nodes: nodes}); same != move || again.Nodes != reported.Nodes {
			t.Errorf("nodes %d: %v with %+v, then %v with %+v", nodes, move, reported, same, again)
		}
	}
}

// TestMinimaxWhereMovesAreMany: without limits, minimax searches to the default
// depth, or as deep as the default number of nodes allows.
func TestMinimaxWhereMovesAreMany(t *testing.T) {
	for _, c := range []struct {
		ruleset, position string
		least             int // legal moves
	}{
		{"buqruru-bellin", "48,0,0,0/0,x,x,x 0-0 S sow 2 0 first=S opened=SN start=A,a donkeys=0-0", 1000},
		{"buqruru-bellin", "20,4,0,0/6,6,6,6 0-0 S sow 2 0 first=S opened=SN start=A,a donkeys=0-0", 13},
		{"redu", "4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0 take=- missed=-", 14},
		{"redu", "0,9,0,9,0,9/0,0,7,0,7,0 3-4 S sow 1 0 take=- missed=-", 40},
	} {
		r := lookup(t, c.ruleset)
		p := parse(t, r, c.position)
		if legal := len(r.Legal(p, nil)); legal < c.least {
			t.Errorf("%s, %s: %d legal moves, want %d or more", c.ruleset, c.position, legal, c.least)
		}
		if _, reported := ask(&minimax{}, r, p, protocol.Limits{}); reported.Depth < 1 || reported.Depth > 6 || reported.Nodes > 200_000 {
			t.Errorf("%s, %s: %+v", c.ruleset, c.position, reported)
		}
	}
}

// TestMinimaxClock: with a clock, minimax ends its search, however little or much
// time is left. Times that are no times at all do not make it hasty.
func TestMinimaxClock(t *testing.T) {
	r := lookup(t, "awale")
	const forever = math.MaxInt64
	clock := func(left, increment time.Duration, nodes uint64) protocol.Limits {
		return protocol.Limits{
			Clock: true, Left: [2]time.Duration{left, 1}, Increment: [2]time.Duration{increment, 1}, Nodes: nodes,
		}
	}
	_, unhurried := ask(&minimax{}, r, r.Start(), protocol.Limits{Nodes: 100_000})
	for _, limits := range []protocol.Limits{
		{Move: 1},
		{Move: 20 * time.Millisecond},
		{Move: 20 * time.Millisecond, Depth: 64},
		{Move: 20 * time.Millisecond, Nodes: forever},
		clock(0, 0, 0),
		clock(time.Millisecond, forever, 0),
		clock(300*time.Millisecond, 10*time.Millisecond, 0),
		{Move: forever, Nodes: 100_000},
		clock(time.Hour, forever, 100_000),
		clock(forever, forever, 100_000),
	} {
		move, reported := ask(&minimax{}, r, r.Start(), limits)
		if !slices.Contains(r.Legal(r.Start(), nil), move) || limits.Nodes == 100_000 && reported.Nodes != unhurried.Nodes {
			t.Errorf("%+v: %+v, without a clock %+v", limits, reported, unhurried)
		}
	}
}

// TestMinimaxEndsEarly: minimax does not use the clock up for a single legal move or a decided match.
func TestMinimaxEndsEarly(t *testing.T) {
	r := lookup(t, "awale")
	for _, position := range []string{
		"0,0,0,0,0,3/1,4,1,4,1,4 16-14 S sow 1 0",  // F alone
		"1,0,4,0,3,0/1,0,0,1,0,0 23-15 S sow 1 11", // C takes more than half
	} {
		if _, reported := ask(&minimax{}, r, parse(t, r, position), protocol.Limits{Move: time.Hour}); reported.Depth != 1 {
			t.Errorf("%s: %+v", position, reported)
		}
	}
}
