package results

import "testing"

// TestWorkerText: the text of a worker can be read again.
func TestWorkerText(t *testing.T) {
	t.Parallel()
	for _, w := range []Worker{{}, {Name: "alpha", Machine: "host"}, {Name: "on on on", Machine: "host"}, {Name: "alpha"}} {
		if got := ParseWorker(w.String()); got != w {
			t.Errorf("%q is read as %+v", w, got)
		}
	}
}
