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

// TestOdd: only a worker whose bots fail far more often than elsewhere stands out.
func TestOdd(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		here, of, elsewhere, ofOthers int
		odd                           bool
	}{
		{0, 100, 0, 100, false},
		{4, 100, 0, 100, false},
		{5, 100, 0, 100, true},
		{10, 100, 5, 100, false},
		{15, 100, 5, 100, true},
		{15, 1000, 5, 100, false},
		{50, 50, 0, 0, false}, // alone
	} {
		late := []WorkerMatches{
			{Worker: "a on b", WorkerCounts: WorkerCounts{Matches: test.of, Faults: test.here, Late: test.here}},
			{Worker: "c on d", WorkerCounts: WorkerCounts{Matches: test.ofOthers, Faults: test.elsewhere, Late: test.elsewhere}},
		}
		crashed := []WorkerMatches{
			{Worker: "a on b", WorkerCounts: WorkerCounts{Matches: test.of, Faults: test.here + 1, Late: 1}},
			{Worker: "c on d", WorkerCounts: WorkerCounts{Matches: test.ofOthers, Faults: test.elsewhere + 1, Late: 1}},
		}
		for what, workers := range map[string][]WorkerMatches{"late": late, "crashed": crashed} {
			if CompareWorkers(workers); (len(workers[0].Odd) == 1) != test.odd {
				t.Errorf("%s %+v: %+v", what, test, workers)
			}
		}
	}
	run := []WorkerMatches{ // it records what absent bots forfeit
		{WorkerCounts: WorkerCounts{Matches: 100, Faults: 60}},
		{Worker: "a on b", WorkerCounts: WorkerCounts{Matches: 100, Faults: 5}},
	}
	if CompareWorkers(run); len(run[0].Odd) != 0 || len(run[1].Odd) != 1 {
		t.Errorf("the machine of the run: %+v", run)
	}
	one, all := WorkerCounts{Matches: 30, Faults: 12, Late: 12}, WorkerCounts{Matches: 230, Faults: 13, Late: 13}
	const want = "bots lose on time far more often there (12 of 30 matches) than on the other machines (1 of 200)"
	if got := one.Odd(all); len(got) != 1 || got[0] != want {
		t.Errorf("%q", got)
	}
}
