package code

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
)

// goSDK is the version of the SDK that the output is written for.
const goSDK = "v1.8.0"

// goReserved are the words that a local name cannot have in the output: words and
// functions of Go, and names that the parts declare.
const goReserved = `break case chan const continue default defer else fallthrough for func go goto if import
	interface map package range return select struct switch type var any bool byte error false float64 int
	iota len make new nil string true append cap cmp copy delete max min panic print println clear close
	complex imag real recover rune uint uint8 uint16 uint32 uint64 int8 int16 int32 int64 float32 complex64
	complex128 uintptr comparable
	args ctx r form visit sample roots prompt say fail number numbers choose has work keep none page pages
	draft folders round state reply answer schema newSchema about life b64 newAEAD asked layer strict refuse
	verifier server newHandler inputs arguments tool again versions main undeclared checkFormats toolFunc
	pageHTML init task tasks taskParams taskResult taskLife tasksExtension noTasks addTasks declaresTasks
	userOf signIn caller start`

// golang prints a plan in Go.
type golang struct{ *writer }

// newGoNamer returns a namer whose names are not those of packages either.
func newGoNamer() *namer {
	return newNamer(goReserved, strings.Join(slices.Collect(maps.Keys(goImports)), " "))
}

// goFiles returns the files of a server in Go.
func goFiles(p *plan) ([]File, error) {
	g := &golang{}
	g.writer = newWriter(p, g.words())
	g.printer = g
	g.writeFlow()
	texts := map[string]string{
		"flow": g.b.String(), "name": p.flow.Name, "goName": strconv.Quote(Folder(p.flow)),
		"function": g.function(p.versions[0].name), "version": strconv.Quote(p.versions[0].name),
		"life": goDuration(p.life()), "folder": Folder(p.flow), "sdk": goSDK,
		"server": "", "url": "_", "at": "", "fields": "", "json": ", JSONResponse: true",
		"orRemembers": "", "isPast": "", "orAbout": "",
	}
	if p.needs["progress"] {
		texts["json"] = "" // a stream, so that progress comes before the result
	}
	if p.needs["versions"] {
		texts["version"] = "s.version"
	}
	if p.needs["url"] {
		texts["url"], texts["at"] = "url", " at a URL"
		texts["orRemembers"] += " || len(r.kept.Tickets) > 0"
	}
	p.add(texts, "asks", "", map[string]string{
		"asks": `, first: req.Params.RequestState == "", asks: mcp.InputRequestMap{}`,
	})
	p.add(texts, "fields", ", ", map[string]string{"task": "tasks: &tasks{byID: map[string]*task{}}",
		"url": "url: url, pages: &pages{byTicket: map[string]page{}}"})
	if p.needs["shed"] {
		texts["orRemembers"] += " || len(r.kept.Shed) > 0"
	}
	if p.needs["again"] {
		texts["orRemembers"] += " || len(again[r.server.version]) > 0"
	}
	if p.needs["plain"] {
		texts["orAbout"] = " || kept.About != string(about(req))"
	}
	var past []string
	if p.needs["asks"] {
		past = append(past, "answered || given || slices.Contains(r.kept.Asked, step)")
	}
	if p.needs["shed"] {
		past = append(past, "r.isShed(step)")
	}
	texts["isPast"] = strings.Join(past, " || ")
	needs := maps.Clone(p.needs)
	for _, need := range []string{"task", "secret", "url", "again", "shed", "instance"} {
		needs["server"] = needs["server"] || needs[need]
	}
	if needs["server"] {
		texts["server"] = "server: s, "
	}
	return g.finish(needs, texts)
}

// finish puts the files together.
func (g *golang) finish(needs map[string]bool, texts map[string]string) ([]File, error) {
	texts["test"], texts["start"] = g.tests(), ""
	var files []File
	only := map[string]string{"state.go": "state", "tasks.go": "task"} // where they are needed
	for _, name := range []string{"main.go", "mrtr.go", "state.go", "web.go", "tasks.go", "main_test.go"} {
		if need := only[name]; need != "" && !needs[need] {
			continue
		}
		source := part(name+".txt", needs, texts)
		formatted, err := goFormat(source)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		files = append(files, File{name, formatted})
	}
	files = append(files,
		File{"go.mod", part("go.mod.txt", needs, texts)},
		File{"README.md", readme(g.plan, "go")})
	return files, nil
}

// goImports has the import path of each package that the output uses, by its name.
var goImports = map[string]string{
	"aes": "crypto/aes", "base64": "encoding/base64", "bytes": "bytes", "cipher": "crypto/cipher",
	"cmp": "cmp", "context": "context", "errors": "errors", "fmt": "fmt", "hex": "encoding/hex",
	"hmac": "crypto/hmac", "http": "net/http", "httptest": "net/http/httptest", "io": "io",
	"json": "encoding/json", "log": "log", "mail": "net/mail", "maps": "maps", "math": "math",
	"net": "net", "os": "os",
	"rand": "crypto/rand", "sha256": "crypto/sha256", "slices": "slices", "strconv": "strconv",
	"strings": "strings", "sync": "sync", "template": "html/template", "testing": "testing",
	"time": "time", "url": "net/url", "utf8": "unicode/utf8",
	"auth":       "github.com/modelcontextprotocol/go-sdk/auth",
	"jsonrpc":    "github.com/modelcontextprotocol/go-sdk/jsonrpc",
	"jsonschema": "github.com/google/jsonschema-go/jsonschema",
	"mcp":        "github.com/modelcontextprotocol/go-sdk/mcp",
}

// goFormat puts the imports that a file needs after its package clause, and formats
// it.
func goFormat(source string) (string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && goImports[x.Name] != "" && s.Sel.IsExported() {
				used[goImports[x.Name]] = true
			}
		}
		return true
	})
	var own, third []string
	for _, path := range slices.Sorted(maps.Keys(used)) {
		if line := "\t" + strconv.Quote(path) + "\n"; strings.Contains(path, ".") {
			third = append(third, line)
		} else {
			own = append(own, line)
		}
	}
	imports := "import (\n" + strings.Join(own, "")
	if len(third) > 0 {
		imports += "\n" + strings.Join(third, "")
	}
	at := int(file.Name.End()) - 1
	formatted, err := format.Source([]byte(source[:at] + "\n\n" + imports + ")\n" + source[at:]))
	return string(formatted), err
}

// writeFlow writes the part that belongs to the flow.
func (g *golang) writeFlow() {
	f := g.flow
	g.line("// arguments of the tool. All numbers are floats, as in JSON.")
	g.line("type arguments %s\n", g.goStruct("args", f.Arguments))
	g.line("var tool = &mcp.Tool{\nName: %s,", strconv.Quote(f.Name))
	if f.Title != "" {
		g.line("Title: %s,", strconv.Quote(f.Title))
	}
	if f.Description != "" {
		g.line("Description: %s,", strconv.Quote(f.Description))
	}
	g.line("InputSchema: inputs.text,\n}\n")
	g.line("var inputs = newSchema(%s)\n", goJSON(flow.SchemaOf(f.Arguments)))
	g.writeForms()
	if len(g.versions) > 1 {
		g.line("// versions has the tool of each version.\nvar versions = map[string]func(context.Context, " +
			"*round, arguments) (*mcp.CallToolResult, error){")
		for _, v := range g.versions {
			g.line("%q: %s,", v.name, g.function(v.name))
		}
		g.line("}\n")
	}
	if g.needs["again"] {
		g.line("// again has the questions that a version asks again, although an earlier one has the " +
			"answer.\nvar again = map[string][]string{")
		for _, v := range g.versions {
			if len(v.again) > 0 {
				g.line("%q: {%s},", v.name, quotedList(v.again, strconv.Quote))
			}
		}
		g.line("}\n")
	}
	g.writeVersions()
}

func quotedList(list []string, quote func(string) string) string {
	words := make([]string, len(list))
	for i, s := range list {
		words[i] = quote(s)
	}
	return strings.Join(words, ", ")
}

// goStruct returns the struct type of fields. The path makes its name unique.
func (g *golang) goStruct(path string, fields []flow.Field) string {
	if len(fields) == 0 {
		return "struct{}"
	}
	var b strings.Builder
	b.WriteString("struct {\n")
	for _, f := range fields {
		fmt.Fprintf(&b, "%s %s `json:%q`\n", goField(fields, f.Name), g.goType(path+"."+f.Name, f), f.Name)
	}
	return b.String() + "}"
}

// goField returns the name of a field in a struct. Names that differ only in case
// or separators get numbers.
func goField(fields []flow.Field, name string) string {
	n := newNamer()
	for _, f := range fields {
		field := n.name(f.Name, pascal(f.Name))
		if f.Name == name {
			return field
		}
	}
	return pascal(name)
}

func (g *golang) goType(path string, f flow.Field) string {
	switch f.Kind {
	case flow.NumberField, flow.IntegerField:
		return "float64"
	case flow.YesNo:
		return "bool"
	case flow.Choices:
		return "[]string"
	case flow.List:
		return "[]" + g.goType(path, *f.Item)
	case flow.Table:
		return "map[string]" + g.goType(path, *f.Item)
	case flow.Object:
		return g.goStruct(path, f.Fields)
	}
	return "string"
}

// goJSON returns JSON as a raw string.
func goJSON(raw []byte) string { return "`" + jsonStyle.write(parsed(raw), 0, 95) + "`" }

// goDuration writes a duration as a person does.
func goDuration(d time.Duration) string {
	for _, unit := range []struct {
		size time.Duration
		name string
	}{
		{time.Hour, "Hour"}, {time.Minute, "Minute"}, {time.Second, "Second"},
		{time.Millisecond, "Millisecond"},
	} {
		switch n := d / unit.size; {
		case d%unit.size == 0 && n == 1:
			return "time." + unit.name
		case d%unit.size == 0:
			return fmt.Sprintf("%d * time.%s", n, unit.name)
		}
	}
	return fmt.Sprintf("%d * time.Microsecond", d/time.Microsecond)
}
