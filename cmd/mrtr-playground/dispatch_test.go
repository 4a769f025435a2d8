package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// TestDispatch_IsOnDataNotOnIDs: no code compares a value with the id of an
// experiment or a rule, or with the slug of a sample. What differs between them
// is a field of the table that lists them. Templates are covered by the Go
// files that are generated from them.
func TestDispatch_IsOnDataNotOnIDs(t *testing.T) {
	ids := tableIDs(t)
	for path, file := range sources(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			for _, operand := range compared(n) {
				literal, ok := operand.(*ast.BasicLit)
				if !ok || literal.Kind != token.STRING {
					continue
				}
				if text, err := strconv.Unquote(literal.Value); err == nil && slices.Contains(ids, text) {
					t.Errorf("%s compares with the id %q", path, text)
				}
			}
			return true
		})
	}
}

// compared returns what a node compares something with.
func compared(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if n.Op == token.EQL || n.Op == token.NEQ {
			return []ast.Expr{n.X, n.Y}
		}
	case *ast.CaseClause:
		return n.List
	}
	return nil
}

// tableIDs are the ids of all experiments, rules and samples, except words that
// name something else too.
func tableIDs(t *testing.T) []string {
	t.Helper()
	keys := seal.Generate()
	catalog, err := sampletools.New(sampletools.Config{Keys: keys})
	if err != nil {
		t.Fatal(err)
	}
	defer catalog.Close()
	var ids []string
	for _, e := range lab.Experiments() {
		ids = append(ids, e.ID)
	}
	for _, r := range rules.All() {
		ids = append(ids, r.ID)
	}
	for _, s := range catalog.Samples() {
		ids = append(ids, s.Slug)
	}
	// a flag, a kind of offer, a capability, a message
	other := []string{"replay", "prompt", "tasks", "progress"}
	return slices.DeleteFunc(ids, func(id string) bool { return slices.Contains(other, id) })
}

// sources are the parsed Go files of the project that are no tests, by path.
func sources(t *testing.T) map[string]*ast.File {
	t.Helper()
	root := filepath.Join("..", "..")
	files := map[string]*ast.File{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() &&
			(d.Name() == "e2e" || d.Name() == "testdata" || d.Name() == ".git" || d.Name() == "listings") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		files[filepath.ToSlash(path)] = file
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 100 {
		t.Fatalf("only %d files were read", len(files))
	}
	return files
}
