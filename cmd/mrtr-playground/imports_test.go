package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/mrtr-playground/mrtr-playground/"

// imports says, for every package of the project, what it may import: first
// other packages of the project ("x/..." includes x), then third parties.
// Whoever adds an edge here explains it in the commit.
func imports() map[string][2][]string {
	pure := []string{"playground", "playground/wire", "playground/form", "playground/state", "playground/jsontree"}
	return map[string][2][]string{
		"playground/jsontree": {},
		"playground/wire":     {nil, {"code.dny.dev/ssrf", "golang.org/x/net/"}},
		"playground/state":    {},
		"static":              {},
		"sampletools/seal":    {nil, {"github.com/tink-crypto/tink-go/"}},
		"playground/form":     {{"playground/jsontree"}, {"github.com/santhosh-tekuri/jsonschema/", "golang.org/x/text/"}},
		"playground":          {{"playground/wire", "playground/form", "playground/jsontree"}, {"github.com/yosida95/uritemplate/"}},
		"playground/legacy":   {{"playground", "playground/wire"}, {"github.com/modelcontextprotocol/go-sdk/"}},
		"playground/rules":    {pure},
		"playground/picture":  {append([]string{"static"}, pure...), {"golang.org/x/image/"}},
		"playground/export":   {pure},
		"playground/share":    {pure},
		"playground/run":      {append([]string{"playground/legacy", "playground/rules"}, pure...)},
		"playground/check":    {append([]string{"playground/legacy", "playground/rules", "playground/run"}, pure...)},
		"playground/demo":     {{"playground", "playground/jsontree"}},                                                                                   // stories are told of Exchanges, and nothing else
		"playground/lesson":   {{"playground", "playground/wire", "playground/jsontree"}, {"github.com/yuin/goldmark", "github.com/alecthomas/chroma/"}}, // the quiz writes recordings, which are wire's bytes
		// the listing that readers take with them: the official SDK and nothing of ours
		"playground/lesson/listings/go": {nil, {"github.com/modelcontextprotocol/go-sdk/", "github.com/google/jsonschema-go/"}},
		"sampletools":                   {{"sampletools/..."}, {"github.com/modelcontextprotocol/go-sdk/", "github.com/google/jsonschema-go/", "github.com/tink-crypto/tink-go/"}},
		"sampletools/cluster":           {{"sampletools/..."}, {"github.com/modelcontextprotocol/go-sdk/"}},
		"sampletools/tasks":             {{"sampletools/..."}, {"github.com/modelcontextprotocol/go-sdk/"}},
		"db":                            {{"playground", "playground/demo"}, {"github.com/mattn/go-sqlite3", "github.com/pressly/goose/", "github.com/gofrs/flock"}},
		"views":                         {{"playground/...", "static", "sampletools", "sampletools/seal"}, {"github.com/a-h/templ", "github.com/boombuler/barcode"}},
		"web":                           {{"playground/...", "views", "static", "sampletools", "sampletools/seal"}, {"github.com/labstack/echo/", "github.com/gorilla/sessions", "github.com/a-h/templ", "golang.org/x/sync/singleflight", "golang.org/x/time/rate"}},
		"cmd/mrtr-playground":           {{"playground/...", "sampletools/...", "db", "views", "web", "static"}, {"github.com/prometheus/client_golang/"}},
	}
}

// never are edges that a wide entry of the table would let through.
func never() map[string][]string {
	return map[string][]string{"views": {"playground/run", "playground/legacy"}, "web": {"db"}}
}

type listed struct {
	ImportPath string
	Imports    []string
}

func TestPackagesImportOnlyWhatTheTableAllows(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		allowed, known := imports()[name]
		if !known {
			t.Errorf("package %s is not in the table", name)
			continue
		}
		for _, path := range p.Imports {
			own := strings.HasPrefix(path, module)
			switch short := strings.TrimPrefix(path, module); {
			case own && (!matches(allowed[0], short) || slices.Contains(never()[name], short)):
				t.Errorf("%s must not import %s", name, short)
			case !own && strings.Contains(path, ".") && !slices.ContainsFunc(allowed[1], func(prefix string) bool { return strings.HasPrefix(path, prefix) }):
				t.Errorf("%s must not import %s", name, path)
			}
		}
	}
}

func TestOnlyDBKnowsSQL(t *testing.T) {
	for _, p := range packages(t) {
		if slices.Contains(p.Imports, "database/sql") && p.ImportPath != module+"db" {
			t.Errorf("%s imports database/sql", p.ImportPath)
		}
		if slices.Contains(p.Imports, "net/http") && p.ImportPath == module+"views" {
			t.Errorf("views must not do HTTP of its own")
		}
	}
}

func matches(allowed []string, path string) bool {
	return slices.ContainsFunc(allowed, func(a string) bool {
		if tree, ok := strings.CutSuffix(a, "/..."); ok {
			return path == tree || strings.HasPrefix(path, tree+"/")
		}
		return path == a
	})
}

func packages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", module+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var list []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}
