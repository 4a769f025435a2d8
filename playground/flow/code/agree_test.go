package code_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/flow/review"
)

// host is a program that serves the source of one flow after the other.
type host struct {
	language string
	folder   string // for the source; each has one of its own
	command  io.Writer
	urls     *bufio.Scanner
	count    int
}

// hosts starts the programs of the languages that are there. Go is not among them: a
// program of it must be built first.
func hosts(t testing.TB) []*host {
	t.Helper()
	dir := t.TempDir()
	var list []*host
	modules, err := filepath.Abs("../../../e2e/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	for language, c := range map[string]struct{ program, file, source string }{
		"python": {"python3", "host.py", `import sys, threading
for line in sys.stdin:
    folder = line.strip()
    for name in ("server", "mrtr"):
        sys.modules.pop(name, None)
    sys.path.insert(0, folder)
    import server
    sys.path.pop(0)
    web = server.start(0)
    threading.Thread(target=web.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{web.server_port}/mcp", flush=True)
`},
		"typescript": {filepath.Join(modules, ".bin", "node"), "host.mjs", `
import { createInterface } from 'node:readline';
for await (const folder of createInterface({ input: process.stdin })) {
  const { start } = await import(folder + '/server.ts');
  console.log(await start(0));
}
`},
	} {
		program, err := exec.LookPath(c.program)
		if err != nil {
			continue
		}
		folder := filepath.Join(dir, language)
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if language == "typescript" {
			if err := os.Symlink(modules, filepath.Join(folder, "node_modules")); err != nil {
				t.Fatal(err)
			}
		}
		path := filepath.Join(folder, c.file)
		if err := os.WriteFile(path, []byte(c.source), 0o600); err != nil {
			t.Fatal(err)
		}
		list = append(list, startHost(t, language, folder, exec.Command(program, path)))
	}
	return list
}

func startHost(t testing.TB, language, folder string, c *exec.Cmd) *host {
	t.Helper()
	c.Env = append(os.Environ(), "MCP_KEY="+strings.Repeat("k", 32), "USERS=demo-alice=ada", "VERSION=v1",
		"INSTANCE=a", "PYTHONDONTWRITEBYTECODE=1")
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = c.Process.Kill(), c.Wait() })
	return &host{language: language, folder: folder, command: in, urls: bufio.NewScanner(out)}
}

// serve starts the source of a flow and returns its URL.
func (h *host) serve(t *testing.T, e example) string {
	t.Helper()
	h.count++
	folder := filepath.Join(h.folder, fmt.Sprint(h.count))
	write(t, folder, files(t, e.Flow, h.language))
	if _, err := fmt.Fprintln(h.command, folder); err != nil || !h.urls.Scan() {
		t.Fatalf("%s does not run: %v %v", h.language, err, h.urls.Err())
	}
	return h.urls.Text()
}

// FuzzOutput_Agrees: the source of a flow computes what the editor predicts, whatever an
// expression says, as a value and as a condition.
func FuzzOutput_Agrees(f *testing.F) {
	if testing.Short() {
		f.Skip("starts servers")
	}
	for _, source := range []string{
		`args.amount / 4 - 2 * -1`, `args.name + args.kind`, `args.extra["a b"]`, `args.sizes`,
		`len(args.name) == 3 and not ("c" in args.tags)`, `args.kind in ["new", "used"]`,
		`"o" in args.name`, `args.kind.endswith("d") or args.calm`, `1 if args.calm else args.amount`,
		`1e21 + args.big`, `'a'`, `len("é😀")`, `args.empty == "" and args.address.zip == 0`,
		`args.tags if args.rush else ["x"]`, `-(-args.count)`, `0 * -1`, `1e308 * 10`,
		`args.big * 1e300 - args.big * 1e300 == 0`, `"{" + args.kind + "}"`, `not args.rush == args.calm`,
	} {
		f.Add(source)
	}
	text, err := os.ReadFile("../testdata/behavior.txt")
	if err != nil {
		f.Fatal(err)
	}
	beginning, _, _ := strings.Cut(string(text), "\n== ")
	running := hosts(f)
	f.Fuzz(func(t *testing.T, source string) {
		quoted, err := json.Marshal(source)
		if err != nil {
			return
		}
		value := strings.TrimSuffix(strings.TrimPrefix(string(quoted), `"`), `"`)
		for _, rest := range []string{
			"\nsteps:\n  - {end: yes, when: " + string(quoted) + "}\nresult: no",
			"\nsteps: []\nresult: \"{{" + value + "}}\"",
		} {
			if parsed, _ := review.Parse([]byte(beginning + rest)); parsed == nil {
				continue
			}
			e := example{"x", quick(t, beginning+rest), false, nil}
			for _, h := range running {
				url := h.serve(t, e)
				e.drive(t, served{"x v1 a": url, "x v1 b": url}, false)
			}
		}
	})
}
