package arena

import (
	"runtime"
	"testing"

	"sembra/arena/guest"
	"sembra/results"
)

// TestWorkingBot: a bot with processes that work is frozen while its opponent is
// to move, and the record says so. An honest bot is not.
func TestWorkingBot(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the processor time of a bot's children is not known on this system")
	}
	for _, mode := range []IsolationMode{NoIsolation, AutoIsolation} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			mark := t.TempDir()
			control := unclocked()
			control.Pause = guest.AutomaticPause
			opponent := asked(inFolder(t, "first"), func() {
				if len(alive(t, mark)) > 1 { // those that have only just begun may not be seen yet
					seeStopped(t, mark, 1+workingProcesses, true)
				}
			})
			tour := tournament(t, 1, control, opponent, inFolder(t, "works while it waits", testMarkVariable+"="+mark))
			tour.Isolation = isolation()
			tour.Isolation.Mode = mode
			kept, _ := tableRun(t, tour)
			burnt := 0
			for key, rec := range kept.records {
				by := map[string]bool{key.South: rec.SouthBurnt, key.North: rec.NorthBurnt}
				if rec.Fault != results.NoFault || by["a"] {
					t.Errorf("%v: ending %v, %s; burnt: %v", key, rec.Ending, rec.FaultName(), by)
				}
				if by["b"] {
					burnt++
				}
			}
			if burnt != 1 {
				t.Errorf("it is found in %d matches, want the first alone", burnt)
			}
			nobodyLeft(t, mark)
		})
	}
}
