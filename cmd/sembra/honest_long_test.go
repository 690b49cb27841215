//go:build long

package main

import "testing"

// TestHonestBots: bots that use 60% of their time lose none of 500 matches by it, with a match on each processor. It is
// not parallel: no other test takes the processors from the bots.
func TestHonestBots(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "honest.toml", `
[tournament]
ruleset = "oware"
pairs = 250
[openings]
plies = 6
[time]
move = "50ms"
[adjudication]
plies = 20
[[bot]]
name = "first"
command = ["testbot", "honest"]
[[bot]]
name = "second"
command = ["testbot", "honest"]
`)
	mustRun(t, dir, "run", "honest.toml")
	equal(t, "matches", len(records(t, dir, "sembra.db")), 500)
	if late := mustRun(t, dir, "matches", "--fault", "any"); late != "" {
		t.Errorf("bots lost on a machine that does nothing else:\n%s", late)
	}
}
