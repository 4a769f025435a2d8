package launch_test

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/launch"
)

func TestProgram_Commands(t *testing.T) {
	started := launch.Program{Start: "go run ./cmd/mrtr-playground", Flags: []launch.Flag{
		{"data", "my data"}, {"addr", "127.0.0.1:9000"}, {"stdio", "node server.js"}, {"verbose", ""},
	}}
	for _, c := range []struct{ got, want string }{
		{launch.Program{}.Command(""), "mrtr-playground"},
		{launch.Program{}.Command("check URL"), "mrtr-playground check URL"},
		{launch.Program{}.Serve(), "mrtr-playground"},
		{started.Command("check URL"), "go run ./cmd/mrtr-playground check URL"},
		{started.Serve(), "go run ./cmd/mrtr-playground -data 'my data' -addr 127.0.0.1:9000 " +
			"-stdio 'node server.js' -verbose"},
		{started.With("stdio", "it's").Serve(), "go run ./cmd/mrtr-playground -data 'my data' " +
			`-addr 127.0.0.1:9000 -stdio 'node server.js' -verbose -stdio 'it'\''s'`},
		{started.Only("claim", "data", "base-url"), "go run ./cmd/mrtr-playground claim -data 'my data'"},
		{launch.POSIX.Quote(""), "''"},
		{launch.POSIX.Quote("a$b"), "'a$b'"},
		{launch.POSIX.Program("/my bin/x"), "'/my bin/x'"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
	if len(started.Flags) != 4 {
		t.Errorf("With changed the flags: %v", started.Flags)
	}
}

// TestShell_Windows: what PowerShell and cmd.exe read alike, where that is possible.
func TestShell_Windows(t *testing.T) {
	shell := launch.ShellOf("windows")
	p := launch.Program{Shell: shell, Start: shell.Program(`C:\Program Files\x.exe`), Flags: []launch.Flag{
		{"data", `D:\my data\`}, {"stdio", `node C:\a\server.js 'b c'`}, {"limit", "pages=120/1m"},
	}}
	for _, c := range []struct{ got, want string }{
		{p.Serve(), `& "C:\Program Files\x.exe" -data "D:\my data\\" -stdio "node C:\a\server.js 'b c'"` +
			" -limit pages=120/1m"},
		{shell.Program(`.\x.exe`), `.\x.exe`},
		{shell.Placeholder("COMMAND"), `"COMMAND"`},
		{launch.POSIX.Placeholder("COMMAND"), "'COMMAND'"},
		{shell.Quote(""), `""`},
		{shell.Quote("a,b"), `"a,b"`},
		{shell.Quote(`a\b "c\"`), `"a\b \"c\\\""`},
		{shell.Quote("a$b's"), "'a$b''s'"},
		{launch.ShellOf("linux").Quote(`a\b`), `'a\b'`},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}
