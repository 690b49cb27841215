//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// TestFewHandles: if the runner has too few file handles, its run or its matches fail,
// but no bot loses one, and no bot and no file is called wrong. With more handles, the
// same command plays the rest. What fails depends on the limit and on chance: the
// limits reach from what is too little to read a file to what a whole run needs.
func TestFewHandles(t *testing.T) {
	t.Parallel()
	want := undisturbed(t)
	whole, _ := isolates(t)
	least := handles()
	limits := [][]int{{1, 8, 14, 24, 33, 38, 55}} // beside what the command inherits; each list for one database
	modes := []string{"auto"}
	if long {
		limits = make([][]int, 8)
		for n := range 80 {
			limits[n%8] = append(limits[n%8], n)
		}
		modes = append(modes, "none")
	}
	for _, mode := range modes {
		if mode == "none" { // it needs fewer, and does less
			limits = [][]int{{2, 3, 5, 6, 8, 9, 11, 13}, {14, 16, 18, 19, 21, 23, 26, 30, 40}}
		}
		s := newSite(t, mode)
		for n, list := range limits {
			db := fmt.Sprintf("%d.db", n)
			for _, more := range list {
				limit := fmt.Sprintf("%s, %d handles, of which it inherits %d", mode, least+more, least)
				cmd := s.command("run", "cup.toml", "--db", db, "--concurrency", "3")
				stdout, stderr, status := output(limited(t, cmd, fmt.Sprintf("ulimit -n %d", least+more)))
				said := regexp.MustCompile(`(?m)^sembra: .*(too many open files|bad file descriptor)`)
				// The server of NATS reads a file before main begins. Go then ends a program that cannot also open
				// the two files it waits with. It may keep up to two more of its own, by which it reads its cgroup.
				died := more < 6 && regexp.MustCompile(`(?m)^fatal error: runtime: (netpollinit|eventfd) failed`).MatchString(stderr)
				switch {
				case status == exitDone && withoutCPU(stdout) == want.Tables:
					if diff := cmp.Diff(want.Matches, records(t, s.dir, db)); diff != "" {
						t.Errorf("%s (-undisturbed +limited):\n%s", limit, diff)
					}
					db = fmt.Sprintf("%d-%d.db", n, more) // a new tournament for the next limit
				case status == exitWrong && stdout == "" && said.MatchString(stderr):
				case status == 2 && stdout == "" && died:
				default:
					t.Errorf("%s: exit status %d\n%s%s", limit, status, stdout, stderr)
				}
				checkBlameless(t, stderr)
				if whole && mode == "auto" && regexp.MustCompile(`(?m)^isolation: .*(; without|nothing)`).MatchString(stderr) {
					t.Errorf("%s: bots are isolated less\n%s", limit, stderr)
				}
				t.Logf("%s: exit status %d", limit, status)
			}
			if diff := cmp.Diff(want, s.finish(t, db)); diff != "" {
				t.Errorf("%s, %s (-undisturbed +limited):\n%s", mode, db, diff)
			}
		}
		if mode == "auto" && outlivesNothing(t) {
			waitGone(t, s.mark)
		}
	}
}

// handles returns how many open files a command inherits.
func handles() int {
	const standard, most = 3, 1024
	inherited := standard
	for fd := uintptr(standard); fd < most; fd++ {
		if flags, err := unix.FcntlInt(fd, unix.F_GETFD, 0); err == nil && flags&unix.FD_CLOEXEC == 0 {
			inherited++
		}
	}
	return inherited
}

// checkBlameless checks that no bot without a fault is said to lose.
func checkBlameless(t *testing.T, stderr string) {
	t.Helper()
	for _, line := range strings.Split(stderr, "\n") {
		if regexp.MustCompile(`: (first|last|random|minimax|parent) loses \(|both bots are at fault |^warning: bot |did not start|^sembra: (cup\.toml|bot )`).MatchString(line) {
			t.Errorf("it says: %s", line)
		}
	}
}

// limited returns the command under a limit that a shell sets.
func limited(t *testing.T, cmd *exec.Cmd, limit string) *exec.Cmd {
	t.Helper()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	path, err := exec.LookPath(cmd.Path)
	mustBe(t, err)
	args := append([]string{shell, "-c", limit + " || exit 99; exec \"$0\" \"$@\"", path}, cmd.Args[1:]...)
	cmd.Path, cmd.Args = shell, args
	return cmd
}

// plainBot is a bot that is a single process with a single thread.
const plainBot = `#!/bin/sh
while read -r word rest; do
	case $word in
	mbi) echo 'id name plain'; echo 'wants legal'; echo mbiok ;;
	isready) echo readyok ;;
	legal) legal=$rest ;;
	go) echo "bestmove ${legal%% *}" ;;
	quit) exit ;;
	esac
done
`

// TestFewProcesses: if the runner cannot start processes, its matches fail, but no
// bot loses one. Without the limit, the same command plays the rest. The bots here
// have a single thread: a bot that cannot start its own threads loses.
func TestFewProcesses(t *testing.T) {
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("it takes a user with no other processes")
	}
	if testing.Short() {
		t.Skip("it plays many tournaments")
	}
	t.Parallel()
	modes := []string{"auto"}
	if long {
		modes = append(modes, "none")
	}
	for n, mode := range modes {
		s := newSite(t, mode)
		user := uint32(1_900_000_000 + 2*os.Getpid()%1_000_000 + n)
		root := filepath.Dir(s.dir)
		copyProgram(t, filepath.Join(root, "sembra"))
		for _, folder := range []string{s.dir, s.temp, s.runtime} {
			mustBe(t, os.Chown(folder, int(user), int(user)))
		}
		writeFile(t, s.dir, "plain", plainBot)
		writeFile(t, s.dir, "cup.toml", fmt.Sprintf(`
[tournament]
name = "cup"
ruleset = "awale"
pairs = 4
[time]
startup = "2m"
watchdog = "2m"
[openings]
plies = 3
[isolation]
mode = %q
[[bot]]
name = "a"
command = ["./plain"]
[[bot]]
name = "b"
command = ["./plain"]
`, mode))
		for file, bits := range map[string]os.FileMode{"plain": 0o755, "cup.toml": 0o644} {
			mustBe(t, os.Chmod(filepath.Join(s.dir, file), bits))
		}
		as := func(limit, db string) (stdout, stderr string, status int) {
			cmd := s.command("run", "cup.toml", "--db", db, "--concurrency", "2")
			cmd.Path = filepath.Join(root, "sembra")
			cmd.Args[0] = cmd.Path
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user}}
			if limit != "" {
				cmd = limited(t, cmd, fmt.Sprintf("ulimit -u %s 2>/dev/null || ulimit -p %[1]s", limit))
			}
			return output(cmd)
		}
		tables, stderr, status := as("", "undisturbed.db")
		if status != exitDone || strings.Contains(stderr, "loses") {
			t.Fatalf("%s: exit status %d\n%s", mode, status, stderr)
		}
		tables = withoutCPU(tables)
		isolation := regexp.MustCompile(`(?m)^isolation: .*$`)
		given := isolation.FindString(stderr)
		want := records(t, s.dir, "undisturbed.db")
		for _, limit := range []string{"11", "20"} {
			db := limit + ".db"
			stdout, stderr, status := as(limit, db)
			said := regexp.MustCompile(`(?m)^sembra: (bots cannot be isolated|the runner failed|match .*: the runner failed): `)
			died := regexp.MustCompile(`failed to create new OS thread|pthread_create failed`)
			switch {
			case status == exitDone && withoutCPU(stdout) == tables:
			case status == exitWrong && stdout == "" && said.MatchString(stderr):
			case status == 2 && stdout == "" && died.MatchString(stderr): // Go gives up
			default:
				t.Errorf("%s, %s processes: exit status %d\n%s%s", mode, limit, status, stdout, stderr)
			}
			if now := isolation.FindString(stderr); now != "" && now != given {
				t.Errorf("%s, %s processes: %q and not %q", mode, limit, now, given)
			}
			if strings.Contains(stderr, " loses ") {
				t.Errorf("%s, %s processes:\n%s", mode, limit, stderr)
			}
			t.Logf("%s, %s processes: exit status %d", mode, limit, status)
			stdout, stderr, status = as("", db)
			if diff := cmp.Diff(tables, withoutCPU(stdout)); status != exitDone || diff != "" {
				t.Errorf("%s, %s processes: exit status %d\n%s\n%s", mode, limit, status, stderr, diff)
				continue
			}
			s.must(t, "verify", "--db", db)
			if diff := cmp.Diff(want, records(t, s.dir, db)); diff != "" {
				t.Errorf("%s, %s processes (-undisturbed +limited):\n%s", mode, limit, diff)
			}
		}
	}
}

// copyProgram copies the program to a place where every user may execute it. Another
// process writes the copy: a process that this one starts at the same time would
// inherit the open file, and nobody can execute a file that is open for writing.
func copyProgram(t *testing.T, to string) {
	t.Helper()
	self, err := os.Executable()
	mustBe(t, err)
	if said, err := exec.Command("cp", self, to).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	mustBe(t, os.Chmod(to, 0o755))
}
