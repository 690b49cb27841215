package jailinit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

// TestNoRuntime: an init has no Go runtime, so whatever it calls has to be marked
// nosplit, for the linker to check, and norace. A function without these marks
// would only fail when the runtime has stopped or moved something just before.
func TestNoRuntime(t *testing.T) {
	t.Parallel()
	functions := make(map[string]*ast.FuncDecl)
	for _, name := range []string{"init_linux.go", "server_linux.go", "task_linux.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				functions[f.Name.Name] = f
			}
		}
	}
	harmless := []string{"RawSyscall", "RawSyscall6", "Errno", "Pointer", "StringData", "len", "byte", "int", "int32", "uintptr", "uint64"}
	seen := make(map[string]bool)
	var visit func(name string)
	visit = func(name string) {
		if seen[name] {
			return
		}
		seen[name] = true
		f := functions[name]
		if f == nil {
			t.Errorf("an init calls %s", name)
			return
		}
		for _, mark := range []string{"//go:nosplit", "//go:norace"} {
			if f.Doc == nil || !slices.ContainsFunc(f.Doc.List, func(c *ast.Comment) bool { return c.Text == mark }) {
				t.Errorf("%s has no mark %s", name, mark)
			}
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				callee := ""
				switch f := n.Fun.(type) {
				case *ast.Ident:
					callee = f.Name
				case *ast.SelectorExpr:
					callee = f.Sel.Name
				}
				if !slices.Contains(harmless, callee) {
					visit(callee)
				}
			case *ast.FuncLit, *ast.DeferStmt, *ast.GoStmt:
				t.Errorf("%s has a %T", name, n)
			}
			return true
		})
	}
	visit("fork")
	if !seen["killChildren"] {
		t.Error("the test did not follow the calls")
	}
}
