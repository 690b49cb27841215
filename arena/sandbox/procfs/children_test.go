package procfs

import (
	"os/exec"
	"runtime"
	"testing"
)

// TestIgnoresChildren: of a program that ignores the ends of its children, and of one that does not.
func TestIgnoresChildren(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc on this system")
	}
	for script, want := range map[string]bool{"$SIG{CHLD} = 'IGNORE'; ": true, "": false} {
		program := exec.Command("perl", "-e", script+"$| = 1; print 1; <STDIN>")
		in, err := program.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := program.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := program.Start(); err != nil {
			t.Skip(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != nil {
			t.Error(err)
		}
		if got := IgnoresChildren(program.Process.Pid); got != want {
			t.Errorf("%s: %v, want %v", script, got, want)
		}
		in.Close()
		if err := program.Wait(); err != nil {
			t.Error(err)
		}
	}
}
