package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// room is what one package may know of the others and of the world.
type room struct {
	ours  string // the packages of ours that it may import
	never string // packages, with all below them; "." is whatever is not in the standard library
	calls string // functions that it may not name
}

// rooms are all packages of the program.
func rooms() map[string]room {
	clock := "time.Now time.Since time.Until"
	timers := "time.Sleep time.After time.AfterFunc time.NewTimer time.NewTicker time.Tick"
	printing := "fmt.Print fmt.Printf fmt.Println"
	process := printing + " os.Stdout os.Stderr os.Args os.Exit"
	return map[string]room{
		"engine": {never: ". os time sync net log flag context io/fs path/filepath database math/rand"},
		"engine/show": {
			ours: "engine",
			// It may know how wide a text is on a terminal.
			never: "os time sync net log flag context io/fs path/filepath database math/rand",
		},
		"engine/expect": {never: "os time sync net log flag context"}, // no other room names it: only tests import it
		"arena/protocol": {
			ours:  "engine",
			never: ". os net log flag context database",
			calls: clock + " " + timers + " " + printing,
		},
		"arena/sandbox/procfs": {never: ". bytes fmt net flag log"},
		"arena/sandbox":        {ours: "arena/sandbox/procfs", never: "flag log net/http go.etcd.io github.com"},
		"arena/guest": {
			// Of the results it needs what a record keeps of a conversation.
			ours:  "arena/protocol arena/sandbox results results/safe",
			never: "flag log net go.etcd.io github.com",
			calls: process,
		},
		"arena": {
			ours:  "engine arena/guest arena/protocol arena/sandbox results results/schedule results/stats",
			never: "flag log go.etcd.io github.com",
			calls: process,
		},
		"arena/check": {
			ours:  "engine engine/show arena arena/guest arena/protocol results results/safe",
			never: ". os/exec os/signal net flag log path/filepath",
			calls: process,
		},
		"arena/workers": {
			ours:  "engine arena arena/guest arena/protocol arena/sandbox results results/safe",
			never: "os/exec os/signal flag log net/http go.etcd.io github.com/nats-io/nats-server",
			calls: process,
		},
		"results/example": {ours: "engine/expect results", never: "os sync net log flag context"}, // likewise
		"results/stats":   {never: "os time sync net log flag context io/fs path/filepath math/rand"},
		"results/safe":    {never: ". os time sync net log flag context io/fs path/filepath"},
		"results": {
			ours:  "engine results/safe results/stats",
			never: "os os/exec os/signal flag log net sync context path/filepath go.etcd.io",
			calls: clock + " " + timers + " " + printing,
		},
		"results/measure": {
			ours:  "engine results results/stats",
			never: "os sync net log flag context io/fs path/filepath go.etcd.io",
			calls: clock + " " + timers + " " + printing,
		},
		"results/store": {
			ours:  "engine results results/safe results/schedule",
			never: "os/signal flag log net github.com", // it starts this program again, to check a database
			calls: clock + " " + process,
		},
		"results/schedule": {ours: "results", never: ". os time sync net log flag context io/fs path/filepath"},
		"results/report": {
			ours:  "engine engine/show results results/measure results/safe results/stats",
			never: "os sync net log flag context io/fs path/filepath go.etcd.io math/rand",
			calls: clock + " " + timers + " " + printing,
		},
		"cmd/sembra/friendly": {
			ours:  "engine arena arena/guest bots configs results results/report",
			never: ". os sync net log flag database io/fs path/filepath",
			calls: printing,
		},
		"cmd/sembra/revision": {never: ". net flag log", calls: process},
		"cmd/sembra/web": {
			ours: "engine engine/show arena arena/guest bots cmd/sembra/friendly configs " +
				"results results/measure results/report results/safe results/schedule results/store",
			never: "os/exec os/signal flag go.etcd.io", // log for the server of net/http
			calls: process,
		},
		"bots": {
			ours:  "engine arena/protocol",
			never: ". os sync net log flag context database io/fs path/filepath",
			calls: timers + " " + printing, // a clock they have, and the answers have a writer
		},
		"bots/samples/careful":  {ours: "engine arena/protocol bots", never: ". os/exec os/signal net flag"},
		"bots/samples/kalah/go": {never: ". os/exec os/signal net flag"},
		"configs": {
			ours:  "engine arena arena/guest arena/protocol arena/sandbox results results/safe results/stats",
			never: "os/exec os/signal sync net flag log context math/rand",
			calls: clock + " " + timers + " os.Create os.WriteFile os.OpenFile " + process,
		},
		"cmd/sembra": {
			ours: "engine engine/show arena arena/check arena/guest arena/protocol arena/sandbox arena/workers " +
				"bots cmd/sembra/friendly cmd/sembra/revision cmd/sembra/web configs " +
				"results results/measure results/report results/safe results/schedule results/stats results/store",
			never: "github.com/olekukonko github.com/nats-io", // tables are written in results/report
		},
	}
}

// TestArrows keeps the imports between the packages as they are meant.
func TestArrows(t *testing.T) {
	all := rooms()
	for dir, files := range sources(t) {
		r, known := all[dir]
		if !known {
			t.Errorf("%s: a package that the test does not know", dir)
			continue
		}
		delete(all, dir)
		for name, file := range files {
			for _, spec := range file.Imports {
				imported := must2(strconv.Unquote(spec.Path.Value))
				if !r.mayImport(imported) {
					t.Errorf("%s imports %s", name, imported)
				}
			}
			for _, call := range r.forbiddenCalls(file) {
				t.Errorf("%s uses %s", name, call)
			}
			for _, declaration := range file.Decls {
				f, ok := declaration.(*ast.FuncDecl)
				if ok && f.Recv == nil && f.Name.Name == "init" {
					t.Errorf("%s has an init", name)
				}
			}
		}
	}
	for dir := range all {
		t.Errorf("%s: there is no such package", dir)
	}
}

func (r room) mayImport(imported string) bool {
	if ours, found := strings.CutPrefix(imported, "sembra/"); found {
		return slices.Contains(strings.Fields(r.ours), ours)
	}
	first, _, _ := strings.Cut(imported, "/")
	for _, never := range strings.Fields(r.never) {
		if imported == never || strings.HasPrefix(imported, never+"/") || never == "." && strings.Contains(first, ".") {
			return false
		}
	}
	return true
}

// forbiddenCalls lists what a file names of what it may not.
func (r room) forbiddenCalls(file *ast.File) []string {
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if of, ok := selector.X.(*ast.Ident); ok && slices.Contains(strings.Fields(r.calls), of.Name+"."+selector.Sel.Name) {
			found = append(found, of.Name+"."+selector.Sel.Name)
		}
		return true
	})
	return found
}

// sources parses all Go files but the tests, by package and file.
func sources(t *testing.T) map[string]map[string]*ast.File {
	t.Helper()
	packages := make(map[string]map[string]*ast.File)
	tree := os.DirFS(root)
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		switch base := path.Base(name); {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && (strings.HasPrefix(base, ".") || base == "testdata"):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go"):
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir := path.Dir(name)
		if packages[dir] == nil {
			packages[dir] = make(map[string]*ast.File)
		}
		packages[dir][name] = file
		return nil
	})
	must(t, err)
	return packages
}

// TestTopLevel: the top level holds the packages, README.md, LICENSE, the module and
// dotfiles; and what a run or a test leaves there and git is told to ignore.
func TestTopLevel(t *testing.T) {
	known := []string{"cmd", "arena", "engine", "bots", "results", "configs", "go.mod", "go.sum", "README.md", "LICENSE"}
	entries := must2(os.ReadDir(root))
	ignored := must2(os.ReadFile(filepath.Join(root, ".gitignore")))
	for _, entry := range entries {
		name := entry.Name()
		allowed := slices.Contains(known, name) || strings.HasPrefix(name, ".")
		for _, pattern := range strings.Fields(string(ignored)) {
			matches, _ := path.Match(strings.TrimPrefix(pattern, "/"), name)
			allowed = allowed || matches
		}
		if !allowed {
			t.Errorf("%s is at the top level", name)
		}
	}
	for _, name := range known {
		if _, err := os.Stat(filepath.Join(root, name)); err != nil {
			t.Error(err)
		}
	}
}
