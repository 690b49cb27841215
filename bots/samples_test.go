package bots

import (
	"bytes"
	"context"
	"io"
	"os/exec"
	"slices"
	"testing"
	"time"

	"sembra/arena/protocol"
	"sembra/engine"
)

const firstBot = "samples/first.py"

// startFirst starts the Python sample as a process and returns the host's end of the connection.
func startFirst(t *testing.T) (wire duplex, exited func() error) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not in PATH, and the sample bot is in Python")
	}
	// Should it hang, the process ends with this and the pipes with it.
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	cmd := exec.CommandContext(ctx, python, firstBot)
	cmd.WaitDelay = time.Second
	var log bytes.Buffer
	cmd.Stderr = &log
	in := must2(cmd.StdinPipe())
	out := must2(cmd.StdoutPipe())
	must(t, cmd.Start())
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait() // again, where the test has waited
		if log.Len() > 0 {
			t.Errorf("standard error of the bot:\n%s", log.String())
		}
	})
	return duplex{out, in}, cmd.Wait
}

// TestFirst: the sample plays whole matches one after another in one process, the
// same match for the same seed, and ends at quit.
func TestFirst(t *testing.T) {
	wire, exited := startFirst(t)
	h := protocol.MBI.NewHost(wire)
	greet(t, h)
	if id := h.Identity; id.Name != "first" || !id.WantsLegal || !id.PlaysRuleset("oware") {
		t.Errorf("it says that it is %+v", id)
	}
	for _, rules := range engine.Rulesets() {
		match := func(seed uint64) []string {
			return play(t, rules, [2]*protocol.Host{nil, h}, [2]uint64{9, seed}, "", protocol.Limits{})
		}
		name, first, other := rules.Info().Name, match(1), match(2)
		if again := match(1); !slices.Equal(first, again) {
			t.Errorf("%s is not played the same again:\n%v\n%v", name, first, again)
		}
		if slices.Equal(first, other) {
			t.Errorf("%s: another seed plays the same match", name)
		}
	}
	must(t, h.Quit())
	if err := exited(); err != nil {
		t.Errorf("after quit: %v", err)
	}
}

// TestFirstAtEndOfInput: the sample quits at the end of its input and ignores unknown lines.
func TestFirstAtEndOfInput(t *testing.T) {
	wire, exited := startFirst(t)
	if _, err := io.WriteString(wire, "\nhello there\nerror illegal move \"Q\" (legal: A B D)\nendmatch loss 3-5 illegal\nisready\n"); err != nil {
		t.Fatal(err)
	}
	must(t, wire.Writer.(io.Closer).Close())
	said, err := io.ReadAll(wire)
	if err != nil || string(said) != "readyok\n" {
		t.Errorf("it said %q, %v", said, err)
	}
	if err := exited(); err != nil {
		t.Errorf("after the end: %v", err)
	}
}
