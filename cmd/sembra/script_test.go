package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
	bolt "go.etcd.io/bbolt"

	"sembra/arena"
	"sembra/arena/sandbox"
	"sembra/configs"
	"sembra/engine"
	"sembra/results/report"
)

// update lets TestScript write what the commands of the scripts print, instead of comparing it.
var update = flag.Bool("update", false, "update testdata/golden, and the files in the scripts")

// TestScript runs the scripts. They say what has to happen; what the commands then print is in testdata/golden.
func TestScript(t *testing.T) {
	t.Parallel()
	isolated, whole := isolates(t)
	testscript.Run(t, testscript.Params{
		Dir:                "testdata/script",
		RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", raceOptions)
			env.Setenv("SAMPLES", must2(filepath.Abs(samplesDir)))
			env.Setenv("TESTDATA", must2(filepath.Abs("testdata")))
			printed := new(strings.Builder)
			env.Values["printed"] = printed
			if *update {
				env.Defer(func() {
					must(t, writeGolden(strings.TrimPrefix(filepath.Base(env.WorkDir), "script-"), printed.String()))
				})
			}
			return prepare(env.WorkDir)
		},
		Condition: func(name string) (bool, error) {
			conditions := map[string]bool{"isolated": isolated, "wholly-isolated": whole}
			holds, known := conditions[name]
			if !known {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return holds, nil
		},
		UpdateScripts: *update,
		Cmds:          scriptCommands(),
	})
}

// scriptCommands returns the commands of the scripts beside those of testscript.
func scriptCommands() map[string]func(*testscript.TestScript, bool, []string) {
	commands := make(map[string]func(*testscript.TestScript, bool, []string))
	for usage, run := range map[string]func(*testscript.TestScript, []string){
		"exits STATUS PROGRAM ARG…":  scriptExits,
		"calmly STATUS PROGRAM ARG…": scriptCalmly,
		"await FILE [SIZE]":          scriptAwait,
		"edit FILE OLD NEW":          scriptEdit,
		"truncate FILE SIZE":         scriptTruncate,
		"flip DB TOURNAMENT PART N":  scriptFlip,
		"schema DB NUMBER":           scriptSchema,
		"checklines COUNT":           scriptCheckLines,
		"cutcpu FILE":                scriptCutCPU,
		"prints STATUS PROGRAM ARG…": scriptPrints,
	} {
		words := strings.Fields(usage)
		least, open := len(words)-1, strings.HasSuffix(usage, "…")
		if open || strings.HasSuffix(usage, "]") {
			least--
		}
		commands[words[0]] = func(ts *testscript.TestScript, neg bool, args []string) {
			if neg || len(args) < least || !open && len(args) >= len(words) {
				ts.Fatalf("usage: %s", usage)
			}
			run(ts, args)
		}
	}
	return commands
}

// patient gives the bots of a tournament file much more time than they have by default: a machine may stand still for
// a while. It adds lines only at the end, and leaves a file alone that has a table [time].
func patient(file string) string {
	if !strings.Contains(file, "[[bot]]") || strings.Contains(file, "[time]") {
		return file
	}
	return file + "[time]\nstartup = \"2m\"\nwatchdog = \"2m\"\n"
}

// unisolated starts the bots of a tournament file without isolation, which takes most of the time of a short tournament. Files
// that say how their bots are isolated, as those of scripts about that do, are left alone.
func unisolated(file string) string {
	if !strings.Contains(file, "[[bot]]") || strings.Contains(file, "[isolation]") {
		return file
	}
	return file + "[isolation]\nmode = \"none\"\n"
}

// prepare makes the tournament files of a script patient, and its bots unisolated.
func prepare(folder string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.toml"))
	for _, path := range files {
		text, failed := os.ReadFile(path)
		if failed == nil {
			failed = os.WriteFile(path, []byte(unisolated(patient(string(text)))), 0o644)
		}
		err = errors.Join(err, failed)
	}
	return err
}

// isolates reports whether this machine can isolate bots strictly, and whether the program then has nothing to say
// about it: strict isolation needs no control groups, but they make it stronger.
func isolates(t *testing.T) (strictly, wholly bool) {
	t.Helper()
	j := must2(sandbox.New(t.Context(), arena.Limits(configs.DefaultIsolation(), nil)))
	defer j.Close()
	strictly = len(j.Missing()) == 0
	return strictly, strictly && !j.LacksCgroups()
}

// scriptExits is "exits STATUS PROGRAM ARG…": the program has to exit with that status.
func scriptExits(ts *testscript.TestScript, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if status := statusOf(ts, args[1:]); status != want {
		ts.Fatalf("exit status %d, want %d", status, want)
	}
}

// scriptPrints is "prints STATUS PROGRAM ARG…": the program has to exit with that status, and to print what comes next
// in the golden file of the script.
func scriptPrints(ts *testscript.TestScript, args []string) {
	scriptExits(ts, args)
	said := "$ " + strings.Join(args[1:], " ") + "\n" + withoutCPU(ts.ReadFile("stdout"))
	for line := range strings.Lines(ts.ReadFile("stderr")) {
		if !regexp.MustCompile(`^isolation: |^\d+ of (at most )?\d+ [^,]*, [\dm]+s`).MatchString(line) { // they depend on the machine
			said += "! " + line
		}
	}
	said = strings.NewReplacer(ts.Getenv("WORK"), "$WORK", engine.RulesetList(), "$RULESETS").Replace(said)
	before := ts.Value("printed").(*strings.Builder)
	if !*update {
		golden, err := os.ReadFile(goldenFile(ts.Name()))
		ts.Check(err)
		want := string(golden[min(len(golden), before.Len()):])
		if !strings.HasPrefix(want, said) {
			want, _, _ = strings.Cut(want, "\n$ ")
			ts.Fatalf("-golden +printed (-update accepts it):\n%s", cmp.Diff(want, said))
		}
	}
	before.WriteString(said)
}

func goldenFile(script string) string { return filepath.Join("testdata", "golden", script+".txt") }

// writeGolden writes the golden file of a script, if it has one.
func writeGolden(script, text string) error {
	if text == "" {
		return nil
	}
	return os.WriteFile(goldenFile(script), []byte(text), 0o644)
}

// statusOf runs a program and returns its exit status.
func statusOf(ts *testscript.TestScript, args []string) int {
	err := ts.Exec(args[0], args[1:]...)
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		ts.Fatalf("%s: %v", args[0], err)
	}
	return 0
}

// scriptCalmly is "calmly STATUS PROGRAM ARG…": the program, which checks bots, has to exit with that status. A check
// gives a bot 150 ms for some moves, and a second to exit, which it may not get on a busy machine. The program runs
// again if a bot was late, as for its start, or, for a bot that heeds quit, if it did not exit.
func scriptCalmly(ts *testscript.TestScript, args []string) {
	busy := regexp.MustCompile(` late: it had |is the machine busy\?|it starts slowly| has not exited 1s `)
	if args[len(args)-1] == "deaf" {
		busy = regexp.MustCompile(` late: it had |is the machine busy\?|it starts slowly`)
	}
	const tries = 10
	status := statusOf(ts, args[1:])
	for try := 1; try < tries && busy.MatchString(ts.ReadFile("stdout")); try++ {
		status = statusOf(ts, args[1:])
	}
	if fmt.Sprint(status) != args[0] {
		ts.Fatalf("exit status %d, want %s", status, args[0])
	}
}

// scriptAwait is "await FILE [SIZE]": waits until the file exists and has at least SIZE bytes.
func scriptAwait(ts *testscript.TestScript, args []string) {
	size := int64(0)
	if len(args) == 2 {
		var err error
		size, err = strconv.ParseInt(args[1], 10, 64)
		ts.Check(err)
	}
	for begun := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		if stat, err := os.Stat(ts.MkAbs(args[0])); err == nil && stat.Size() >= size {
			return
		}
		if time.Since(begun) > patience {
			ts.Fatalf("%s does not come", args[0])
		}
	}
}

// scriptEdit is "edit FILE OLD NEW": replaces a text in a file. In the new text \n is a line end.
func scriptEdit(ts *testscript.TestScript, args []string) {
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
	text = strings.Replace(text, args[1], strings.ReplaceAll(args[2], `\n`, "\n"), 1)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// scriptTruncate is "truncate FILE SIZE".
func scriptTruncate(ts *testscript.TestScript, args []string) {
	size, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	ts.Check(os.Truncate(ts.MkAbs(args[0]), size))
}

// scriptFlip is "flip DB TOURNAMENT PART N": flips a bit in the middle of the
// value number N of a part of a tournament, in the order of the keys.
func scriptFlip(ts *testscript.TestScript, args []string) {
	n, err := strconv.Atoi(args[3])
	ts.Check(err)
	db, err := bolt.Open(ts.MkAbs(args[0]), 0o644, nil)
	ts.Check(err)
	defer db.Close()
	ts.Check(db.Update(func(tx *bolt.Tx) error {
		part := tx.Bucket([]byte(args[2])).Bucket([]byte(args[1]))
		cursor := part.Cursor()
		key, value := cursor.First()
		for ; n > 1; n-- {
			key, value = cursor.Next()
		}
		value = bytes.Clone(value)
		value[len(value)/2] ^= 1
		return part.Put(key, value)
	}))
}

// scriptSchema is "schema DB NUMBER": it writes another schema into a database.
func scriptSchema(ts *testscript.TestScript, args []string) {
	db, err := bolt.Open(ts.MkAbs(args[0]), 0o644, nil)
	ts.Check(err)
	defer db.Close()
	ts.Check(db.Update(func(tx *bolt.Tx) error {
		return tx.Bucket([]byte("sembra")).Put([]byte("schema"), []byte(args[1]))
	}))
}

// readLines reads and checks the lines of sembra matches --format jsonl, which are in the order of their numbers.
func readLines(text string) ([]report.Match, error) {
	var matches []report.Match
	for line, err := range report.ReadMatches(strings.NewReader(text), "stdout") {
		if err != nil {
			return nil, err
		}
		match, problems := line.Check()
		if len(problems) > 0 {
			return nil, problems[0]
		}
		if n := len(matches); n > 0 && match.Number <= matches[n-1].Number {
			return nil, errors.New("the match numbers do not ascend")
		}
		matches = append(matches, match)
	}
	return matches, nil
}

// scriptCheckLines is "checklines COUNT": the standard output of the previous
// command must be COUNT consistent lines of matches.
func scriptCheckLines(ts *testscript.TestScript, args []string) {
	lines, err := readLines(ts.ReadFile("stdout"))
	ts.Check(err)
	if strconv.Itoa(len(lines)) != args[0] {
		ts.Fatalf("%d lines, want %s", len(lines), args[0])
	}
}

// scriptCutCPU is "cutcpu FILE": writes the standard output of the previous command into a file, without CPU times.
func scriptCutCPU(ts *testscript.TestScript, args []string) {
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(withoutCPU(ts.ReadFile("stdout"))), 0o644))
}

// withoutCPU removes from standings in any format what is never the same twice, the CPU times: the last column of a
// table for people, a column of Markdown or CSV, the numbers in JSON.
func withoutCPU(standings string) string {
	standings = regexp.MustCompile(`"cpu_ms": ([0-9.]+|null)`).ReplaceAllString(standings, `"cpu_ms": "any"`)
	lines := strings.Split(standings, "\n")
	var cut func(line string) string // cuts the columns out of a line of the table that the line is in; nil: it has none
	width := 0                       // of the last column
	for i, line := range lines {
		header := true
		switch {
		case strings.HasSuffix(line, " CPU"):
			last := regexp.MustCompile(` +(CPU|-|[0-9]+ms|[0-9]+(\.[0-9])?s)$`)
			cut = func(line string) string { return last.ReplaceAllString(line, "") }
		case strings.Contains(line, " CPU |"):
			cut = without(line, "|")
		case strings.Contains(line, ",cpu_ms,"):
			cut = without(line, ",")
		case line == "":
			cut = nil
		default:
			header = false
		}
		switch {
		case cut == nil:
		case strings.Trim(line, "-") == "":
			lines[i] = line[:len(line)-width]
		default:
			lines[i] = cut(line)
		}
		if header {
			width = len(line) - len(lines[i])
		}
	}
	return strings.Join(lines, "\n")
}

// without returns what cuts those columns out of a line whose names in the header tell of CPU times. A line with more
// or fewer cells than the header is none of the table.
func without(header, between string) func(line string) string {
	names := strings.Split(header, between)
	return func(line string) string {
		cells := strings.Split(line, between)
		if len(cells) != len(names) {
			return line
		}
		var kept []string
		for i, cell := range cells {
			if !slices.Contains([]string{"CPU", "cpu_ms"}, strings.TrimSpace(names[i])) {
				kept = append(kept, cell)
			}
		}
		return strings.Join(kept, between)
	}
}
