package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// pendingFaults are those whose tests are still being written: none.
var pendingFaults []int

func readTable(t *testing.T) []fault {
	t.Helper()
	list, err := parseTable(tableText)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestTable_HasEveryFaultOnce: 1 to 129 and those of later ones that have a test, in
// order, each with a sentence and a test that runs with make test.
func TestTable_HasEveryFaultOnce(t *testing.T) {
	list := readTable(t)
	const all = 129
	if len(list) < all {
		t.Errorf("%d faults, want %d", len(list), all)
	}
	for i, f := range list {
		if i < all && f.number != i+1 || i >= all && f.number <= list[i-1].number {
			t.Fatalf("fault %d stands in the place of another", f.number)
		}
		if !strings.HasSuffix(f.text, ".") {
			t.Errorf("fault %d: %q is not a sentence", f.number, f.text)
		}
		quick := func(p proof) bool { return p.kind == goTest || p.kind == e2e }
		if !slices.ContainsFunc(f.proofs, quick) {
			t.Errorf("fault %d has no test that runs with make test", f.number)
		}
		if f.pending != slices.Contains(pendingFaults, f.number) {
			t.Errorf("fault %d: pending %v", f.number, f.pending)
		}
	}
}

// source has the tests of a package.
type source struct {
	funcs   map[string]*ast.FuncDecl
	strings map[string]bool // literals, spelled as go test spells subtests
}

// TestTable_NamesWhatExists: each test is in the source and does not skip
// itself. A pending fault has a test that does not exist yet; else it is no
// longer pending.
func TestTable_NamesWhatExists(t *testing.T) {
	sources := map[string]source{}
	for _, f := range readTable(t) {
		missing := 0
		for _, p := range f.proofs {
			var problem string
			if p.kind == e2e {
				problem = titleProblem(t, p)
			} else {
				s, known := sources[p.in]
				if !known {
					s = parsePackage(t, p.in)
					sources[p.in] = s
				}
				problem = s.problem(p)
			}
			switch {
			case problem == "":
			case f.pending:
				missing++
			default:
				t.Errorf("fault %d: %s %s %s", f.number, p.in, p.test, problem)
			}
		}
		if f.pending && missing == 0 {
			t.Errorf("fault %d: its tests are there, so it is not pending", f.number)
		}
	}
}

// parsePackage reads the tests of a package and of the packages below it, where
// an exported suite may be.
func parsePackage(t *testing.T, in string) source {
	t.Helper()
	s := source{map[string]*ast.FuncDecl{}, map[string]bool{}}
	dir := filepath.Join(root, in)
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		test := strings.HasSuffix(path, "_test.go")
		own := filepath.Dir(path) == dir
		if own && !test || !own && test {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		s.read(file, own)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s source) read(file *ast.File, own bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if own && n.Recv == nil {
				s.funcs[n.Name.Name] = n
			}
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				s.strings[strings.ReplaceAll(strings.Trim(n.Value, "\"`"), " ", "_")] = true
			}
		}
		return true
	})
}

// problem returns the fault of a Go test, or "". The name of a subtest is a
// literal of the package, the beginning of one that ends in a number, or the
// name of a script in testdata.
func (s source) problem(p proof) string {
	name, sub, _ := strings.Cut(p.test, "/")
	f := s.funcs[name]
	if f == nil {
		return "does not exist"
	}
	skips := false
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if isShort(n) {
			return false
		}
		if call, ok := n.(*ast.SelectorExpr); ok && strings.HasPrefix(call.Sel.Name, "Skip") {
			skips = true
		}
		return true
	})
	if skips {
		return "skips itself"
	}
	script := filepath.Join(root, p.in, "testdata", sub+".txt")
	if _, err := os.Stat(script); sub == "" || s.strings[sub] || err == nil {
		return ""
	}
	if numbered := regexp.MustCompile(`^(.*-)\d+$`).FindStringSubmatch(sub); numbered != nil &&
		s.strings[numbered[1]] {
		return ""
	}
	return "has no such subtest"
}

// isShort reports whether a node is "if testing.Short() { ... }": tests skipped
// there are run by make.
func isShort(n ast.Node) bool {
	condition, ok := n.(*ast.IfStmt)
	if !ok || condition.Else != nil {
		return false
	}
	call, ok := condition.Cond.(*ast.CallExpr)
	if !ok {
		return false
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	return ok && f.Sel.Name == "Short"
}

// TestTable_IsRunWhole: what -short leaves out is left out for contributors only.
func TestTable_IsRunWhole(t *testing.T) {
	for _, name := range []string{"Makefile", ".ci/run"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if regexp.MustCompile(`(?m)^[^#\n]*\s-(test\.)?short\b`).Match(text) {
			t.Errorf("%s leaves tests out", name)
		}
	}
}

// titleProblem returns the fault of a test of Node.js, or "". A title may be
// made from a template, whose fixed parts it has.
func titleProblem(t *testing.T, p proof) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "e2e", p.in))
	if err != nil {
		return err.Error()
	}
	titles := regexp.MustCompile("(?m)\\btest\\(\\s*(?:'([^']*)'|`([^`]*)`)")
	for _, m := range titles.FindAllSubmatch(text, -1) {
		if string(m[1]) == p.test {
			return ""
		}
		if len(m[2]) == 0 {
			continue
		}
		var pattern strings.Builder
		for i, part := range regexp.MustCompile(`\$\{[^}]*\}`).Split(string(m[2]), -1) {
			if i > 0 {
				pattern.WriteString(".*")
			}
			pattern.WriteString(regexp.QuoteMeta(part))
		}
		if regexp.MustCompile("^" + pattern.String() + "$").MatchString(p.test) {
			return ""
		}
	}
	return "does not exist"
}

// TestReport_NamesWhatFell: a failure, a skipped test and one that never ran.
func TestReport_NamesWhatFell(t *testing.T) {
	list, err := parseTable("1 One.\n\tgo a TestA\n2 Two.\n\tgo a TestB/sub_test\n3 Three.\n\tgo a TestC\n" +
		"4 Four.\n\tgo a TestD\n5 Five.\n\tlong a TestA\n6 Six.\n\tpending\n\tgo a TestE\n7 Seven.\n" +
		"\te2e x.mjs a title\n\te2e x.mjs another\n")
	if err != nil {
		t.Fatal(err)
	}
	results := map[proof]string{}
	events := `{"Action":"output","Test":"TestB/sub_test","Output":"    x_test.go:5: broken\n"}
{"Action":"fail","Test":"TestB/sub_test"}
{"Action":"pass","Test":"TestA"}
{"Action":"skip","Test":"TestC"}
{"Action":"pass"}
`
	kinds := []kind{goTest, e2e}
	for _, g := range groups(list, kinds) {
		if g.kind == goTest {
			readEvents(g, []byte(events), results)
		} else {
			readSuites(g, []byte(`<testsuites><testcase name="a title"/><testsuite><testcase name="another">
				<failure message="no">1 !== 2</failure></testcase></testsuite></testsuites>`), results)
		}
	}
	var out bytes.Buffer
	fell := report(&out, list, kinds, results)
	const want = `fault 1: held
fault 2: fell: a TestB/sub_test: failed
    x_test.go:5: broken
fault 3: fell: a TestC: skipped
fault 4: fell: a TestD: no such test ran
fault 6: pending, its test is not written yet
fault 7: fell: x.mjs another: no
    1 !== 2
`
	if out.String() != want || fell != 4 {
		t.Errorf("%d fell:\n%s", fell, out.String())
	}
}

// TestReadEvents_NamesWhatIsNotBuilt: a package that does not build has no test
// that ran, and its message is the failure of each.
func TestReadEvents_NamesWhatIsNotBuilt(t *testing.T) {
	results := map[proof]string{}
	g := group{goTest, "a", []string{"TestA"}}
	readEvents(g, []byte("# a\na.go:1: undefined: x\n"+`{"Action":"fail"}`+"\n"), results)
	if got := fmt.Sprint(results); !strings.Contains(got, "undefined: x") {
		t.Error(got)
	}
}

// TestParseTable_NamesTheLine that it cannot read.
func TestParseTable_NamesTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"\tgo a TestA":              "line 1",
		"# words\n\none fault":      "line 3",
		"1 One.\n\tgo a":            "line 2",
		"1 One.\n\tother a TestA":   "line 2",
		"1":                         "line 1",
		"1 One.\n\n\tgo a TestA\nx": "line 4",
	} {
		if _, err := parseTable(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
