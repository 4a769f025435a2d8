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
		{launch.Quote(""), "''"},
		{launch.Quote("a$b"), "'a$b'"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
	if len(started.Flags) != 4 {
		t.Errorf("With changed the flags: %v", started.Flags)
	}
}
