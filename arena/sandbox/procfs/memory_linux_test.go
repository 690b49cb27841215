package procfs

import (
	"bufio"
	"math"
	"os/exec"
	"testing"
)

// TestMemory: the memory of a process includes that of its descendants.
func TestMemory(t *testing.T) {
	if _, known := Memory(1<<30, true, math.MaxInt64, nil); known {
		t.Error("the memory of a process that does not exist is known")
	}
	cmd := exec.Command("sh", "-c", "sh -c 'echo; read line; true'; true")
	in, err := cmd.StdinPipe()
	must(t, err)
	defer in.Close()
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	defer func() { _ = cmd.Wait() }()
	defer in.Close() // the inner shell then ends
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	var below []int
	Walk(cmd.Process.Pid, false, func(p Process, _ []int) {
		if p.PID != cmd.Process.Pid {
			below = append(below, p.PID)
		}
	})
	if len(below) != 1 {
		t.Fatalf("%d processes are below the shell, want 1", len(below))
	}
	outer, known := Memory(cmd.Process.Pid, true, math.MaxInt64, nil)
	if !known {
		t.Skip("this kernel does not tell of children")
	}
	if inner, _ := Memory(below[0], true, math.MaxInt64, nil); inner <= 0 || outer < inner*3/2 {
		t.Errorf("a shell with a shell below it holds %d bytes, the one below alone %d", outer, inner)
	}
}
