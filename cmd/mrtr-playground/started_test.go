package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/launch"
)

// TestStarted_NamesWhatTheUserCanRun: by a name in PATH, by a path, and with go run.
func TestStarted_NamesWhatTheUserCanRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mrtr-playground")
	if err := os.WriteFile(file, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	elsewhere := t.TempDir()
	if err := os.WriteFile(filepath.Join(elsewhere, "mrtr-playground"), nil, 0o700); err != nil {
		t.Fatal(err)
	}
	none := []string{t.TempDir()}
	inPath := []string{none[0], filepath.Dir(file), elsewhere}
	other := []string{elsewhere, filepath.Dir(file)}
	run := "/tmp/go-build1153498908/b001/exe/mrtr-playground"
	npm := "/root/.npm/_npx/0b63afb80bb8e3f1/node_modules/@mrtr-playground/linux-x64/mrtr-playground"
	cached := "/root/.cache/go-build/2f/" + strings.Repeat("2f", 32) + "-d/mrtr-playground"
	for _, c := range []struct {
		arg0, path, version string
		dirs                []string
		start, file         string
	}{
		{"mrtr-playground", file, "", inPath, "mrtr-playground", file},
		{"./bin/mrtr-playground", file, "", none, "./bin/mrtr-playground", file},
		{"./my bin/mrtr-playground", file, "", other, "'./my bin/mrtr-playground'", file},
		{file, file, "", inPath, "mrtr-playground", file},
		{npm, npm, "", none, "npx mrtr-playground", npm},
		{run, run, "", none, "go run ./cmd/mrtr-playground", ""},
		{cached, cached, "", none, "go run ./cmd/mrtr-playground", ""},
		{cached, cached, "v1.2.3", none, "go run " + launch.Package + "@v1.2.3", ""},
	} {
		p := started(c.arg0, c.path, c.version, c.dirs)
		if p.Start != c.start || p.File != c.file {
			t.Errorf("%s: %+v", c.arg0, p)
		}
	}
}

// TestGiven_HasNoSecret: all given flags are repeated, except passwords.
func TestGiven_HasNoSecret(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-data", "my data", "--limit=pages=120/1m", "-limit", "body=1MiB"},
			"-data 'my data' -limit pages=120/1m -limit body=1MiB"},
		{[]string{"-verbose", "-public=false", "-db", "x.db"}, "-verbose -db x.db"},
		{[]string{"-db", "postgres://user:hunter2hunter2@db/play"}, "-db 'postgres://…'"},
		{[]string{"-db=postgres://db/play?password=hunter2hunter2"}, "-db 'postgres://…'"},
		{[]string{"-db", "postgres://user:hunter2 hunter2@%zz"}, "-db 'postgres://…'"},
		{[]string{"-db", "postgres://db/play"}, "-db postgres://db/play"},
		{[]string{"-stdio", "node server.js --token hunter2hunter2"},
			"-stdio 'node server.js --token '\\''********'\\'''"},
	} {
		p := launch.Program{Flags: given("serve", c.args)}
		if got := strings.TrimPrefix(p.Serve(), "mrtr-playground "); got != c.want {
			t.Errorf("%q: got %s, want %s", c.args, got, c.want)
		}
	}
}

// TestOptions_AreRepeated: a page repeats the flags of serve, and the directory of its data.
func TestOptions_AreRepeated(t *testing.T) {
	o, err := parseOptions([]string{"-data", "d", "-addr", "127.0.0.1:9000"}, noEnv, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if got := o.program().Serve(); got != "mrtr-playground -data d -addr 127.0.0.1:9000" {
		t.Error(got)
	}
	env := func(name string) string { return map[string]string{"MRTR_DATA": "of the shell"}[name] }
	for want, args := range map[string][]string{
		"mrtr-playground -verbose -data 'of the shell'": {"-verbose"},
		"mrtr-playground -data d":                       {"-data", "d"},
	} {
		if o, err = parseOptions(args, env, io.Discard); err != nil {
			t.Fatal(err)
		}
		if got := o.program().Serve(); got != want {
			t.Error(got)
		}
	}
}
