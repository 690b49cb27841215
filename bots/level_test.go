package bots

import (
	"slices"
	"testing"
	"time"

	"sembra/arena/protocol"
	"sembra/engine"
)

// TestLevelSearch: a level without slips searches its number of positions and finishes at least one ply; a level that
// slips reports on a search only for its other moves, and the share of slips is that of its grade.
func TestLevelSearch(t *testing.T) {
	skipLongComputation(t)
	for i, g := range grades() {
		for _, r := range engine.Rulesets() {
			if i > 3 && r.Info().Name != "oware" {
				continue // the number of positions makes no other difference
			}
			b := &level{grade: g}
			b.NewMatch(protocol.NewMatch{Seed: 3})
			asked, silent := 0, 0
			for _, p := range randomPositions(r, 31, 100) {
				legal := r.Legal(p, nil)
				move, reported := ask(b, r, p, protocol.Limits{})
				asked++
				if !slices.Contains(legal, move) {
					t.Fatalf("level %d, %s, %s: an illegal move", i+1, r.Info().Name, engine.Text(r, p))
				}
				if reported.Depth == 0 {
					silent++
				} else if reported.Nodes > uint64(g.nodes)+uint64(len(legal)) {
					t.Errorf("level %d, %s, %s: %d nodes", i+1, r.Info().Name, engine.Text(r, p), reported.Nodes)
				}
			}
			if share := float64(silent) / float64(asked); share < g.slips-0.2 || share > g.slips+0.2 || g.slips == 0 && silent > 0 {
				t.Errorf("level %d, %s: %.2f of its moves are random, want %.2f", i+1, r.Info().Name, share, g.slips)
			}
		}
	}
}

// TestLevelLimits: a level keeps the limits of the host, and never searches more than its own.
func TestLevelLimits(t *testing.T) {
	r := engine.Rulesets()[0]
	b := &level{grade: grade{nodes: 5_000}}
	for _, c := range []struct {
		limits protocol.Limits
		nodes  uint64
		depth  int
	}{
		{protocol.Limits{}, 5_006, deepest},
		{protocol.Limits{Nodes: 100}, 100, deepest},
		{protocol.Limits{Nodes: 1<<64 - 1}, 5_006, deepest},
		{protocol.Limits{Depth: 2}, 5_006, 2},
		{protocol.Limits{Depth: 1000}, 5_006, deepest},
		{protocol.Limits{Move: time.Hour}, 5_006, deepest},
		{protocol.Limits{Clock: true}, 5_006, deepest},
	} {
		b.NewMatch(protocol.NewMatch{Seed: 1})
		move, reported := ask(b, r, r.Start(), c.limits)
		if reported.Nodes > c.nodes || reported.Depth > c.depth || !slices.Contains(r.Legal(r.Start(), nil), move) {
			t.Errorf("%+v: %+v", c.limits, reported)
		}
	}
}

// TestOptions: the options that the help lists are those of the handshake, each with a meaning.
func TestOptions(t *testing.T) {
	for _, b := range Builtins() {
		id := b.New().Identity()
		if len(b.Options) != len(id.Options) || id.Name != b.Name {
			t.Errorf("%s: %d options in the help, %d in the handshake of %s", b.Name, len(b.Options), len(id.Options), id.Name)
		}
		for _, o := range b.Options {
			if got, err := id.Option(o.Name); err != nil || !slices.Equal(got.Vars, o.Vars) || got.Default != o.Default || o.Meaning == "" {
				t.Errorf("%s: option %s: %+v, %v", b.Name, o.Name, got, err)
			}
		}
	}
}
