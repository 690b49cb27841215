package schedule

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// bestMatching tries all perfect matchings of the unused nodes, and returns the
// weight of the best one.
func bestMatching(weight [][]int64, used []bool) (best int64, ok bool) {
	u := 0
	for u < len(used) && used[u] {
		u++
	}
	if u == len(used) {
		return 0, true
	}
	used[u] = true
	for v := range used {
		if used[v] || weight[u][v] == noEdge {
			continue
		}
		used[v] = true
		if rest, found := bestMatching(weight, used); found && (!ok || weight[u][v]+rest > best) {
			best, ok = weight[u][v]+rest, true
		}
		used[v] = false
	}
	used[u] = false
	return best, ok
}

// randomGraph returns a graph of n nodes. Each edge exists with a probability in
// eighths, and has a weight from 0 to most.
func randomGraph(rng *rand.Rand, n, eighths int, most int64) [][]int64 {
	weight := make([][]int64, n)
	for u := range weight {
		weight[u] = make([]int64, n)
		weight[u][u] = noEdge
		for v := range u {
			weight[u][v] = noEdge
			if rng.IntN(8) < eighths {
				weight[u][v] = rng.Int64N(most + 1)
			}
			weight[v][u] = weight[u][v]
		}
	}
	return weight
}

// matchingError says what is wrong with a solution, if anything.
func matchingError(m *matching, solved bool) error {
	want, ok := bestMatching(m.weight, make([]bool, len(m.weight)))
	if solved != ok {
		return fmt.Errorf("solve() = %v, a perfect matching: %v", solved, ok)
	}
	if !solved {
		return nil
	}
	for u, v := range m.mate {
		if v < 0 || m.mate[v] != u || m.weight[u][v] == noEdge {
			return fmt.Errorf("node %d has mate %d: %v", u, v, m.mate)
		}
		for w := range m.mate {
			if u != w && m.slack(u, w) < 0 {
				return fmt.Errorf("edge %d-%d: slack %d", u, w, m.slack(u, w))
			}
		}
	}
	if got := m.total(); got != want {
		return fmt.Errorf("weight %d, want %d", got, want)
	}
	return nil
}

func TestMatchingAgainstAll(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range rounds(6000, 20000) {
		n := rng.IntN(10)
		m := newMatching(randomGraph(rng, n, 2+rng.IntN(7), []int64{0, 1, 3, 1000}[rng.IntN(4)]))
		for range 4 {
			solved := m.solve()
			if err := matchingError(m, solved); err != nil {
				t.Fatalf("graph %d: %v", i, err)
			}
			if !solved || n == 0 {
				break
			}
			m = m.clone()
			for range 2 {
				if u := rng.IntN(n); m.mate[u] >= 0 {
					m.cut(u, m.mate[u])
				}
			}
		}
	}
}

// FuzzMatching reads a graph of up to ten nodes, one byte for each edge.
func FuzzMatching(f *testing.F) {
	f.Add([]byte{6, 9, 9, 0, 9, 0, 1, 0, 0, 9, 1, 0, 0, 0, 9, 9})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		weight := make([][]int64, data[0]%11)
		next := 1
		for u := range weight {
			weight[u] = make([]int64, len(weight))
			weight[u][u] = noEdge
			for v := range u {
				weight[u][v] = noEdge
				if next < len(data) && data[next] > 0 {
					weight[u][v] = int64(data[next]) - 128
				}
				weight[v][u] = weight[u][v]
				next++
			}
		}
		m := newMatching(weight)
		if err := matchingError(m, m.solve()); err != nil {
			t.Error(err)
		}
	})
}

func BenchmarkMatching200(b *testing.B) {
	weight := randomGraph(rand.New(rand.NewPCG(1, 2)), 200, 4, 1000)
	for b.Loop() {
		if !newMatching(weight).solve() {
			b.Fatal("no perfect matching")
		}
	}
}
