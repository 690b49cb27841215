//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// family contains processes with their start times, because the system reuses
// process numbers.
type family map[string]string

// relatives returns all processes below a process, on systems with /proc.
func relatives(pid int) family {
	parents, begun := make(map[string]string), make(family)
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		stat, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		const parent, start = 1, 19 // of the fields behind the name
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if len(fields) > start {
			name := filepath.Base(filepath.Dir(path))
			parents[name], begun[name] = fields[parent], fields[start]
		}
	}
	for name := range begun {
		up := parents[name]
		for n := 0; n < len(parents) && up != "" && up != fmt.Sprint(pid); n++ {
			up = parents[up]
		}
		if up != fmt.Sprint(pid) {
			delete(begun, name)
		}
	}
	return begun
}

// waitGone waits until no process of the family is left.
func (f family) waitGone(t *testing.T) {
	t.Helper()
	var left []string
	for begun := time.Now(); time.Since(begun) < patience; time.Sleep(20 * time.Millisecond) {
		left = nil
		for name, begun := range f {
			stat, err := os.ReadFile("/proc/" + name + "/stat")
			fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
			if err == nil && len(fields) > 19 && fields[19] == begun && fields[0] != "Z" {
				command, _ := os.ReadFile("/proc/" + name + "/cmdline")
				left = append(left, fmt.Sprintf("%s %q", name, command))
			}
		}
		if len(left) == 0 {
			return
		}
	}
	t.Errorf("these processes of the runner are left: %s", strings.Join(left, ", "))
}

// TestRelatives: relatives finds a process.
func TestRelatives(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("the system does not tell of processes")
	}
	cmd := exec.Command("sh", "-c", "testbot first; true")
	in, err := cmd.StdinPipe()
	mustBe(t, err)
	mustBe(t, cmd.Start())
	found := relatives(cmd.Process.Pid)
	for begun := time.Now(); len(found) == 0 && time.Since(begun) < patience; time.Sleep(time.Millisecond) {
		found = relatives(cmd.Process.Pid)
	}
	if len(found) != 1 {
		t.Errorf("found %v, want one process", found)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	found.waitGone(t)
}
