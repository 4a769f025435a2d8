package code_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/flow/code"
)

// goModule makes a module of folders with Go source, with the dependencies of this
// project.
func goModule(t *testing.T, dir string) {
	t.Helper()
	mod, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("../../../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	_, requirements, _ := strings.Cut(string(mod), "\n")
	requirements, _, _ = strings.Cut(requirements, "\ntool (")
	write(t, dir, []code.File{{"go.mod", "module exported\n" + requirements}, {"go.sum", string(sums)}})
	each, err := filepath.Glob(filepath.Join(dir, "*", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range each {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

func goCommand(t *testing.T, dir string, args ...string) {
	t.Helper()
	c := exec.Command("go", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GOPROXY=off", "GOWORK=off", "GOFLAGS=-buildvcs=false")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// startGo vets the servers, tests one, and builds all of them into one program: each
// main package gets another name and an exported function.
func startGo(t *testing.T, dir string, examples []example) *exec.Cmd {
	goModule(t, dir)
	goCommand(t, dir, "vet", "./...")
	goCommand(t, dir, "test", "./refund")
	var imports, calls strings.Builder
	for i, e := range examples {
		folder := filepath.Join(dir, e.name)
		fmt.Fprintf(&imports, "import p%d %q\n", i, "exported/"+e.name)
		for _, v := range e.Versions {
			for _, name := range instances {
				fmt.Fprintf(&calls, "serve(%q, %q, %q, p%d.Handler)\n", e.name, v.Name, name, i)
			}
		}
		paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("\npackage p%d\n", i)
			renamed := strings.Replace(string(source), "\npackage main\n", name, 1)
			write(t, folder, []code.File{{filepath.Base(path), renamed}})
		}
		if err := os.Remove(filepath.Join(folder, "main_test.go")); err != nil {
			t.Fatal(err)
		}
		write(t, folder, []code.File{{"export.go", fmt.Sprintf("package p%d\n\nimport \"net/http\"\n\n"+
			"func Handler(url string) http.Handler { return newHandler(url) }\n", i)}})
	}
	write(t, dir, []code.File{{"host.go", `package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
)

` + imports.String() + `
func serve(slug, version, instance string, handler func(string) http.Handler) {
	os.Setenv("VERSION", version)
	os.Setenv("INSTANCE", instance)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	url := "http://" + l.Addr().String()
	go http.Serve(l, handler(url))
	fmt.Println(slug, version, instance, "=", url+"/mcp")
}

func main() {
` + calls.String() + `fmt.Println("ready")
select {}
}
`}})
	program := filepath.Join(dir, "host")
	goCommand(t, dir, "build", "-o", program, ".")
	return exec.Command(program)
}

// startTypeScript serves all flows from one process, where the packages of the
// browser tests are installed.
func startTypeScript(t *testing.T, dir string, examples []example) *exec.Cmd {
	modules, err := filepath.Abs("../../../e2e/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	node := filepath.Join(modules, ".bin", "node")
	for _, path := range []string{node, filepath.Join(modules, "@modelcontextprotocol", "server")} {
		if _, err := os.Stat(path); err != nil {
			t.Skip("the packages of the browser tests are not installed")
		}
	}
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, []code.File{{"host.mjs", `for (const [slug, version, instance] of ` + plan(examples) + `) {
  Object.assign(process.env, { VERSION: version, INSTANCE: instance });
  const { start } = await import('./' + slug + '/server.ts');
  console.log(slug, version, instance, '=', await start(0));
}
console.log('ready');
`}})
	return exec.Command(node, filepath.Join(dir, "host.mjs"))
}

// startPython serves all flows from one process.
func startPython(t *testing.T, dir string, examples []example) *exec.Cmd {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	c := exec.Command(python, "-m", "unittest")
	c.Dir = filepath.Join(dir, "refund")
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("the test of the output: %v\n%s", err, out)
	}
	write(t, dir, []code.File{{"host.py", `import os, sys, threading
for slug, version, instance in ` + plan(examples) + `:
    os.environ.update(VERSION=version, INSTANCE=instance)
    for name in ("server", "mrtr"):
        sys.modules.pop(name, None)
    sys.path.insert(0, os.path.join(os.path.dirname(__file__), slug))
    import server
    sys.path.pop(0)
    web = server.start(0)
    threading.Thread(target=web.serve_forever, daemon=True).start()
    print(slug, version, instance, "=", f"http://127.0.0.1:{web.server_port}/mcp", flush=True)
print("ready", flush=True)
threading.Event().wait()
`}})
	return exec.Command(python, filepath.Join(dir, "host.py"))
}

// plan lists what to serve, as JSON.
func plan(examples []example) string {
	var list [][]string
	for _, e := range examples {
		for _, v := range e.Versions {
			for _, name := range instances {
				list = append(list, []string{e.name, v.Name, name})
			}
		}
	}
	b, err := json.Marshal(list)
	if err != nil {
		panic(err)
	}
	return string(b)
}
