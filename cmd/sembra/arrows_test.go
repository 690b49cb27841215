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
	ours  []string // the packages of ours that it may import
	never []string // packages, with all below them; "." is whatever is not in the standard library
	calls []string // functions that it may not name
}

// rooms are all packages of the program.
func rooms() map[string]room {
	clock := []string{"time.Now", "time.Since", "time.Until"}
	timers := []string{"time.Sleep", "time.After", "time.AfterFunc", "time.NewTimer", "time.NewTicker", "time.Tick"}
	printing := []string{"fmt.Print", "fmt.Printf", "fmt.Println"}
	return map[string]room{
		"engine": {
			never: []string{".", "os", "time", "sync", "net", "log", "flag", "context", "io/fs", "path/filepath", "database", "math/rand"},
		},
		"engine/show": {
			ours: []string{"engine"},
			// It may know how wide a text is on a terminal.
			never: []string{"os", "time", "sync", "net", "log", "flag", "context", "io/fs", "path/filepath", "database", "math/rand"},
		},
		"arena/protocol": {
			ours:  []string{"engine"},
			never: []string{".", "os", "net", "log", "flag", "context", "database"},
			calls: slices.Concat(clock, timers, printing),
		},
		"arena/sandbox/procfs": {
			never: []string{".", "bytes", "fmt", "net", "flag", "log"},
		},
		"arena/sandbox": {
			ours:  []string{"arena/sandbox/procfs"},
			never: []string{"flag", "log", "net/http", "go.etcd.io", "github.com"},
		},
		"arena/guest": {
			// Of the results it needs what a record keeps of a conversation, and how text becomes visible.
			ours:  []string{"arena/protocol", "arena/sandbox", "results"},
			never: []string{"flag", "log", "net", "go.etcd.io", "github.com"},
			calls: append(printing, "os.Stdout", "os.Stderr", "os.Args", "os.Exit"),
		},
		"arena": {
			ours:  []string{"engine", "arena/guest", "arena/protocol", "arena/sandbox", "results", "results/schedule", "results/stats"},
			never: []string{"flag", "log", "go.etcd.io", "github.com"},
			calls: append(printing, "os.Stdout", "os.Stderr", "os.Args", "os.Exit"),
		},
		"arena/check": {
			ours:  []string{"engine", "arena", "arena/guest", "arena/protocol", "results"},
			never: []string{".", "os/exec", "os/signal", "net", "flag", "log", "path/filepath"},
			calls: append(printing, "os.Stdout", "os.Stderr", "os.Args", "os.Exit"),
		},
		"arena/friendly": {
			ours:  []string{"engine", "arena", "arena/guest", "bots", "configs", "results", "results/report"},
			never: []string{".", "os", "sync", "net", "log", "flag", "database", "io/fs", "path/filepath"},
			calls: printing,
		},
		"arena/workers": {
			ours:  []string{"engine", "arena", "arena/guest", "arena/protocol", "arena/sandbox", "results"},
			never: []string{"os/exec", "os/signal", "flag", "log", "net/http", "go.etcd.io", "github.com/nats-io/nats-server"},
			calls: append(printing, "os.Stdout", "os.Stderr", "os.Args", "os.Exit"),
		},
		"results/stats": {
			never: []string{"os", "time", "sync", "net", "log", "flag", "context", "io/fs", "path/filepath", "math/rand"},
		},
		"results": {
			ours:  []string{"engine", "results/stats"},
			never: []string{"os", "os/exec", "os/signal", "flag", "log", "net", "sync", "context", "path/filepath", "go.etcd.io"},
			calls: slices.Concat(clock, timers, printing),
		},
		"results/store": {
			ours:  []string{"engine", "results", "results/schedule"},
			never: []string{"os/exec", "os/signal", "flag", "log", "net", "github.com"},
			calls: slices.Concat(clock, printing, []string{"os.StartProcess", "os.Stdout", "os.Stderr", "os.Args", "os.Exit"}),
		},
		"results/schedule": {
			ours:  []string{"results"},
			never: []string{".", "os", "time", "sync", "net", "log", "flag", "context", "io/fs", "path/filepath"},
		},
		"results/report": {
			ours:  []string{"engine", "engine/show", "results", "results/stats"},
			never: []string{"os", "sync", "net", "log", "flag", "context", "io/fs", "path/filepath", "go.etcd.io", "math/rand"},
			calls: slices.Concat(clock, timers, printing),
		},
		"cmd/sembra/web": {
			ours: []string{
				"engine", "engine/show", "arena", "arena/friendly", "arena/guest", "results", "results/report", "results/schedule", "results/store",
				"bots", "configs",
			},
			never: []string{"os/exec", "os/signal", "flag", "go.etcd.io"}, // log for the server of net/http
			calls: slices.Concat(printing, []string{"os.Stdout", "os.Stderr", "os.Args", "os.Exit"}),
		},
		"bots": {
			ours:  []string{"engine", "arena/protocol"},
			never: []string{".", "os", "sync", "net", "log", "flag", "context", "database", "io/fs", "path/filepath"},
			calls: slices.Concat(timers, printing), // a clock they have, and the answers have a writer
		},
		"bots/samples/careful": {
			ours:  []string{"engine", "arena/protocol", "bots"},
			never: []string{".", "os/exec", "os/signal", "net", "flag"},
		},
		"configs": {
			ours:  []string{"engine", "arena", "arena/guest", "arena/protocol", "arena/sandbox", "results", "results/stats"},
			never: []string{"os/exec", "os/signal", "sync", "net", "flag", "log", "context", "math/rand"},
			calls: slices.Concat(clock, timers, printing, []string{
				"os.Create", "os.WriteFile", "os.OpenFile", "os.Exit", "os.Args", "os.Stdout", "os.Stderr",
			}),
		},
		"cmd/sembra": {
			ours: []string{
				"engine", "engine/show", "arena", "arena/check", "arena/friendly", "arena/guest", "arena/protocol", "arena/sandbox",
				"arena/workers", "results", "cmd/sembra/web", "results/report", "results/schedule", "results/stats", "results/store", "bots",
				"configs",
			},
			never: []string{"github.com/olekukonko", "github.com/nats-io"}, // tables are written in results/report
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
				imported, err := strconv.Unquote(spec.Path.Value)
				mustBe(t, err)
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
		return slices.Contains(r.ours, ours)
	}
	first, _, _ := strings.Cut(imported, "/")
	for _, never := range r.never {
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
		if of, ok := selector.X.(*ast.Ident); ok && slices.Contains(r.calls, of.Name+"."+selector.Sel.Name) {
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
	mustBe(t, err)
	return packages
}

// TestTopLevel: the top level holds the packages, README.md, the module and
// dotfiles; and what a run or a test leaves there and git is told to ignore.
func TestTopLevel(t *testing.T) {
	known := []string{"cmd", "arena", "engine", "bots", "results", "configs", "go.mod", "go.sum", "README.md"}
	entries, err := os.ReadDir(root)
	mustBe(t, err)
	ignored, err := os.ReadFile(filepath.Join(root, ".gitignore"))
	mustBe(t, err)
	for _, entry := range entries {
		name := entry.Name()
		allowed := slices.Contains(known, name) || strings.HasPrefix(name, ".")
		for _, pattern := range strings.Fields(string(ignored)) {
			matches, _ := path.Match(pattern, name)
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
