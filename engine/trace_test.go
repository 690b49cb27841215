package engine_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"sembra/engine"
)

// TestTraceEndsInThePosition plays random matches of every ruleset and moves the seeds of each ply, one transfer after the
// other. No hole, hand or store is ever short of a seed, and the last board is the one that the match has.
func TestTraceEndsInThePosition(t *testing.T) {
	t.Parallel()
	for _, r := range rulesets(t) {
		t.Run(r.Info().Name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(7, 11))
			for range 40 {
				match := engine.NewMatch(r, r.Start())
				for !match.Over() {
					before, legal := match.Position(), match.Legal()
					ply := engine.Ply{Before: before, Move: legal[random.IntN(len(legal))]}
					match.Play(ply.Move)
					ply.After = match.Position()
					got, err := transferred(r, ply)
					if want := countsOf(r, ply.After); err != nil || got != want {
						t.Fatalf("%s, %s: %v, %v; want %v", engine.Text(r, before), ply.Move.Token(before.Side()),
							got, err, want)
					}
				}
			}
		})
	}
}

// counts are the seeds of a board: the holes and the stores by seat.
type counts struct {
	holes  [2][12]int
	stores [2]int
}

func countsOf(r engine.Ruleset, p engine.Position) counts {
	var c counts
	for _, seat := range []engine.Seat{engine.South, engine.North} {
		for hole := range r.Info().Holes {
			c.holes[seat][hole] = p.Seeds(seat, hole)
		}
		c.stores[seat] = p.Store(seat)
	}
	return c
}

// transferred returns the board after the transfers of a ply.
func transferred(r engine.Ruleset, ply engine.Ply) (counts, error) {
	board, hand, mover := countsOf(r, ply.Before), 0, ply.Before.Side()
	if ply.Move.Swap() {
		board.holes[0], board.holes[1] = board.holes[1], board.holes[0]
		board.stores[0], board.stores[1] = board.stores[1], board.stores[0]
	}
	for _, s := range engine.Trace(r, ply) {
		hole := &board.stores[s.Seat]
		if s.Hole != engine.InStore {
			hole = &board.holes[s.Seat][s.Hole]
		}
		if s.Kind == engine.Drop && r.Info().Closed != "" && ply.Before.Closed(s.Seat, s.Hole) {
			return board, fmt.Errorf("%v falls in a closed hole", s)
		}
		from, to := hole, &hand
		switch s.Kind {
		case engine.Drop:
			from, to = &hand, hole
		case engine.Take:
			to = &board.stores[mover]
		case engine.Give:
			to = &board.stores[mover.Other()]
		case engine.Sweep:
			to = &board.stores[s.Seat]
		case engine.Fill:
			from, to = &board.stores[s.Seat], hole
		}
		*from -= s.Seeds
		*to += s.Seeds
		if *from < 0 || s.Seeds < 1 {
			return board, fmt.Errorf("%v moves seeds that are not there", s)
		}
	}
	if hand != 0 {
		return board, fmt.Errorf("%d seeds stay in the hand", hand)
	}
	return board, nil
}

// TestTraceOrder holds the order of the transfers. The sowings are examples of rules/redu.md.
func TestTraceOrder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ rules, position, move, want string }{
		{"awale", "4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0", "C", "-C +D +E +F +a"},
		{"awale", "0,0,0,0,4,14/1,2,1,1,1,1 11-12 S sow 1 0", "F", "-F +a +b +c +d +e +f +A +B +C +D +E +a +b +c >c"},
		{"awale", "0,0,0,1,0,4/1,1,2,3,5,5 14-12 S sow 1 0", "F", "-F +a +b +c +d"},
		{"awale", "0,0,0,1,0,3/1,1,2,4,5,5 14-12 S sow 1 0", "F", "-F +a +b +c >c >b >a"},
		{"kalah-2x3", "0,6/3,0 1-2 S sow 1 0", "B", "-B +south +a +b +A +B +south"},
		{"kalah-2x3", "5,0/3,0 2-2 S sow 1 0", "A", "-A +B +south +a +b +A >A >b"},
		{"kalah-2x3", "3,0/0,1 4-4 N sow 1 0", "b", "-b +north =A3"},
		{"bechi", "2*,3,4,1/5,1*,2*,4* 12-14 S sow 1 0 first=S", "C", "-C +C +D +a +b >b >c >d >A2"},
		{"redu", "0,0,0,8,0,0/2,2,2,0,2,2 15-15 S sow 1 0 take=- missed=-", "D+bx", "-D +E +b +F +a +C +d +B +e"},
		{"redu", "0,0,3,0,0,0/0,0,0,0,0,3 21-21 S sow 1 0 take=- missed=-", "C+x", "-C +c +D +E"},
		{"redu", "0,0,3,0,0,0/0,0,0,0,0,3 21-21 S sow 1 0 take=- missed=-", "C+", "-C +D +c +E"},
		{"redu", "0,2,0,0,1,1/1,1,0,0,1,0 20-21 S sow 1 1 take=F:turn missed=b,e", "EF+", "-E -F +f +A"},
		{"redu", "0,2,0,0,1,1/1,1,0,0,1,0 20-21 S sow 1 1 take=F:turn missed=b,e", "claim=b", "-b +E >E2"},
	} {
		r := lookup(t, c.rules)
		match := engine.NewMatch(r, parse(t, r, c.position))
		move, err := match.Find(c.move)
		if err != nil {
			t.Error(err)
			continue
		}
		ply := engine.Ply{Before: match.Position(), Move: move}
		match.Play(move)
		ply.After = match.Position()
		var got []string
		for _, s := range engine.Trace(r, ply) {
			sign := "-+><=~"[s.Kind : s.Kind+1]
			if s.Hole == engine.InStore {
				got = append(got, sign+s.Seat.String())
				continue
			}
			if s.Seeds > 1 && s.Kind != engine.Lift && s.Seat == engine.South {
				got = append(got, fmt.Sprintf("%s%s%d", sign, s.Seat.HoleName(s.Hole), s.Seeds))
				continue
			}
			got = append(got, sign+s.Seat.HoleName(s.Hole))
		}
		equal(t, fmt.Sprintf("%s %s", c.rules, c.move), c.want, strings.Join(got, " "))
	}
}

// trace is one line of testdata/traces.jsonl, which testdata/README.md describes.
type trace struct {
	Ruleset     string   `json:"ruleset"`
	Seed        uint64   `json:"seed"`
	RoundsLimit int      `json:"rounds_limit"`
	Moves       []string `json:"moves"`
	Result      string   `json:"result"`
	South       int      `json:"south"`
	North       int      `json:"north"`
	Rounds      int      `json:"rounds"`
	Plies       int      `json:"plies"`
	Final       string   `json:"final"`
}

// TestTraces plays every trace again from its seed alone, and compares the whole match.
func TestTraces(t *testing.T) {
	t.Parallel()
	file := must2(os.Open("testdata/traces.jsonl"))
	defer file.Close()
	count := map[string]int{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var want trace
		must(t, json.Unmarshal(lines.Bytes(), &want))
		count[want.Ruleset]++
		r, err := engine.WithRounds(lookup(t, want.Ruleset), want.RoundsLimit)
		if err != nil {
			t.Error(err)
			continue
		}
		random := splitmix(want.Seed)
		b, err := playBoth(r, engine.Text(r, r.Start()), random.choose)
		if err != nil {
			t.Error(err)
			continue
		}
		o, _ := b.fast.Outcome()
		got := trace{
			Ruleset: want.Ruleset, Seed: want.Seed, RoundsLimit: want.RoundsLimit,
			Moves: b.moves, Result: o.Result.String(), South: o.South, North: o.North,
			Rounds: len(b.fast.Rounds()), Plies: len(b.moves), Final: engine.Text(r, b.fast.Position()),
		}
		equal(t, "trace", want, got)
	}
	if err := lines.Err(); err != nil {
		t.Error(err)
	}
	for _, r := range engine.Rulesets() {
		if count[r.Info().Name] == 0 {
			t.Errorf("no trace of %s", r.Info().Name)
		}
	}
}
