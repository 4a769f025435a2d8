package code_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/code"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/review"
)

// must are the files of each language.
var must = map[string][]string{
	"go":         {"main.go", "mrtr.go", "main_test.go", "go.mod", "README.md"},
	"typescript": {"server.ts", "mrtr.ts", "server.test.ts", "package.json", "README.md"},
	"python":     {"server.py", "mrtr.py", "test_server.py", "README.md"},
}

// untidy are the leftovers that a person removes from a source: instructions of
// the parts, spaces at the end of a line, three empty lines. The writer of Go
// parses its own.
var untidy = regexp.MustCompile(`(?m)%\{|^%(if|end|\w+)\b|[ \t]+$|\n\n\n\n|\n\n\z|[^\n]\z`)

func TestFiles_AreWholeAndTidy(t *testing.T) {
	for _, e := range all(t) {
		for _, l := range code.Languages() {
			var names []string
			for _, f := range files(t, e.Flow, l.Slug) {
				names = append(names, f.Path)
				if e.isStart && untidy.MatchString(f.Content) {
					t.Errorf("%s: %s has %q", e.name, f.Path, untidy.FindString(f.Content))
				}
			}
			for _, name := range must[l.Slug] {
				if !slices.Contains(names, name) {
					t.Errorf("%s: %s is missing", e.name, name)
				}
			}
		}
	}
}

func TestFiles_UnknownLanguage(t *testing.T) {
	if _, err := code.Files(&flow.Flow{}, "cobol"); err == nil {
		t.Error("a language that there is not")
	}
}

// The source has only what its flow needs.
func TestFiles_HaveNothingElse(t *testing.T) {
	unneeded := map[string]string{
		"pages": `visit|template|/page`, "the model": `(?i)sampl`, "roots": `\broots\b`,
		"tasks": `tasks/get|become\(`, "progress": `(?i)progress`, "versions": `VERSION\b`,
		"formats": `date-time|checkFormats`, "an instance": `INSTANCE`,
		"other protections": `hmac\.New|createHmac|write another`, "shed steps": `\bshed\b|Shed`,
	}
	for _, e := range all(t) {
		if e.name != "refund" {
			continue
		}
		for _, f := range slices.Concat(files(t, e.Flow, "go"), files(t, e.Flow, "typescript")) {
			if strings.Contains(f.Path, "test") || f.Path == "go.mod" {
				continue
			}
			for what, pattern := range unneeded {
				if found := regexp.MustCompile(pattern).FindString(f.Content); found != "" {
					t.Errorf("%s has %s: %q", f.Path, what, found)
				}
			}
		}
	}
}

func TestZip_StaysInItsFolder(t *testing.T) {
	for _, folder := range []string{"..", ".", "", "/a", "a/../.."} {
		if _, err := code.Zip(folder, nil); err == nil {
			t.Errorf("an archive of the folder %q", folder)
		}
	}
	if got := code.Folder(&flow.Flow{Name: ".."}); got != "flow-server" {
		t.Error(got)
	}
}

func TestZip_IsTheSameAgain(t *testing.T) {
	list := files(t, all(t)[1].Flow, "go")
	first, err := code.Zip("refund", list)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(list)
	second, err := code.Zip("refund", list)
	if err != nil || !bytes.Equal(first, second) {
		t.Errorf("two archives differ, %v", err)
	}
	r, err := zip.NewReader(bytes.NewReader(first), int64(len(first)))
	if err != nil {
		t.Fatal(err)
	}
	part, err := r.Open("refund/main.go")
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(part)
	if err != nil || !strings.HasPrefix(string(b), "// A server") || len(r.File) != len(list) {
		t.Errorf("%q, %v", b[:20], err)
	}
}

// FuzzFiles: no text of a flow ends a string or a comment of its source. The writer
// of Go parses its own output.
func FuzzFiles(f *testing.F) {
	for _, s := range []string{
		"plain", "\"'`", "*/ /* //", `"""`, "'''", "${x} $(x) {x} {{", "%s %d %", `\ \n \u0041`,
		"a\nb\r\nc\td",
		"\u2028\u2029\u202e\ufeff", "</script>", "+build ignore", "😀\u0301", "# x", "--", "\u00a0 ",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text := strings.ReplaceAll(s, "{{", "{")
		source, err := json.Marshal(map[string]any{
			"flow": 1, "name": "x", "title": s, "description": s,
			"arguments": map[string]any{
				"a": map[string]any{"type": "string", "description": s, "example": s},
			},
			"steps": []any{
				map[string]any{"form": "q", "message": text + "{{args.a}}", "fields": map[string]any{
					"b": map[string]any{"enum": []string{s, "other"}, "title": s},
				}, "decline": text + "!"},
				map[string]any{
					"url": "p", "message": text + "?", "page": map[string]any{"title": s, "text": text + "."},
				},
			},
			"result": text + "{{args.a}}" + text + "{{answers.q.b}}",
		})
		if err != nil {
			t.Fatal(err)
		}
		parsed, _ := review.Parse(source)
		if parsed == nil {
			t.Skip("no flow")
		}
		for _, l := range code.Languages() {
			for _, file := range files(t, parsed, l.Slug) {
				if strings.ContainsAny(file.Content, "\r\u2028\u2029\u202e\x00") {
					t.Errorf("%s: invisible characters", file.Path)
				}
			}
		}
	})
}

// The source of Python and TypeScript compiles where these are at hand.
func TestFiles_Compile(t *testing.T) {
	if testing.Short() {
		t.Skip("starts Python and Node")
	}
	dir := t.TempDir()
	for _, e := range all(t) {
		for _, language := range []string{"python", "typescript"} {
			write(t, filepath.Join(dir, language, e.name), files(t, e.Flow, language))
		}
	}
	node, _ := filepath.Abs("../../../e2e/node_modules/.bin/node")
	for language, compile := range map[string][]string{
		"python": {"python3", "-c", `import pathlib, sys
for path in pathlib.Path(sys.argv[1]).rglob("*.py"):
    compile(path.read_text(), str(path), "exec")`},
		"typescript": {node, "--experimental-vm-modules", "--no-warnings", "-e", `
const { globSync, readFileSync } = require('node:fs');
const { stripTypeScriptTypes } = require('node:module');
const { SourceTextModule } = require('node:vm');
for (const path of globSync(process.argv[1] + '/**/*.ts')) {
  new SourceTextModule(stripTypeScriptTypes(readFileSync(path, 'utf8')), { identifier: path });
}`},
	} {
		t.Run(language, func(t *testing.T) {
			if _, err := exec.LookPath(compile[0]); err != nil {
				t.Skip(compile[0] + " is not there")
			}
			c := exec.Command(compile[0], append(compile[1:], filepath.Join(dir, language))...)
			c.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
			if out, err := c.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
