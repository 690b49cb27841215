//go:build unix && long

package workers

import "testing"

// TestManyAccidents: after 50 accidents the records are those of a run without workers.
func TestManyAccidents(t *testing.T) {
	t.Parallel()
	s := newScene(t, 150)
	s.run([]string{"a worker is killed", "the runner is killed", "the server is killed", "a worker is stopped for long"}, 50)
	s.check()
}
