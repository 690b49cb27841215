//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// TestWorkers: a worker in another process plays a tournament, with a bot whose files travel. It refuses nothing, and
// ends in order.
func TestWorkers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	t.Cleanup(func() { // nobody can remove files from the folders in the worker's cache before
		_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() {
				err = os.Chmod(path, 0o755)
			}
			return err
		})
	})
	const cup = `[tournament]
ruleset = "awale"
pairs = 2
[time]
startup = "2m"
watchdog = "2m"
[isolation]
mode = "none"
[[bot]]
name = "random"
builtin = "random"
[[bot]]
name = "mine"
command = ["sh", "bot.sh"]
dir = "mine"
[[bot]]
name = "greedy"
builtin = "greedy"
`
	must(t, os.Mkdir(filepath.Join(dir, "mine"), 0o755))
	for name, text := range map[string]string{
		"cup.toml": cup, "mine/bot.sh": ". ./part.sh\n", "mine/part.sh": "exec sembra bot random\n",
	} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	sembra := func(args ...string) *exec.Cmd {
		cmd := exec.Command("sembra", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir, "XDG_CACHE_HOME="+filepath.Join(dir, "cache"))
		return cmd
	}
	nats, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: filepath.Join(dir, "nats"), NoSigs: true, NoLog: true,
	})
	must(t, err)
	nats.Start()
	defer nats.Shutdown()
	if !nats.ReadyForConnections(time.Minute) {
		t.Fatal("the server is not ready")
	}
	var table, said bytes.Buffer
	worker := sembra("worker", nats.ClientURL(), "--name", "alpha", "--concurrency", "1")
	worker.Stderr = &said
	must(t, worker.Start())
	defer worker.Process.Kill()
	run := sembra("run", "cup.toml", "--db", "cup.db", "--workers", nats.ClientURL())
	run.Stdout = &table
	stderr := must2(run.StderrPipe())
	must(t, run.Start())
	defer run.Process.Kill()
	rest := new(bytes.Buffer)
	if _, err := rest.ReadFrom(stderr); err != nil {
		t.Fatal(err)
	}
	if err := run.Wait(); err != nil || !strings.Contains(table.String(), "12 of 12 matches") || !strings.Contains(rest.String(), "worker alpha on ") ||
		!strings.Contains(rest.String(), "12 of 12 matches played, ") || !strings.Contains(rest.String(), "1 worker (concurrent matches: 1)") {
		t.Errorf("the run ends with %v:\n%s%s", err, rest, &table)
	}
	must(t, worker.Process.Signal(syscall.SIGTERM))
	if err := worker.Wait(); err != nil {
		t.Errorf("the worker ends with %v:\n%s", err, &said)
	}
	if out, err := sembra("verify", "--db", "cup.db").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	out, err := sembra("export", "--db", "cup.db", "--format", "jsonl").Output()
	if err != nil || bytes.Count(out, []byte("\n")) != 12 {
		t.Fatalf("%v: %s", err, out)
	}
	for line := range strings.Lines(string(out)) { // each record names the files that travelled
		var m struct {
			Worker, South, North string
			SouthFiles           string `json:"south_files"`
			NorthFiles           string `json:"north_files"`
		}
		must(t, json.Unmarshal([]byte(line), &m))
		for bot, hash := range map[string]string{m.South: m.SouthFiles, m.North: m.NorthFiles} {
			if !strings.HasPrefix(m.Worker, "alpha on ") || (bot == "mine") != (len(hash) == 64) || bot != "mine" && hash != "" {
				t.Errorf("worker %q, files of %s are %q", m.Worker, bot, hash)
			}
		}
	}
}
