package lines_test

import (
	"slices"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/lines"
)

func TestNameOf_MasksSecrets(t *testing.T) {
	for _, test := range []struct {
		words   []string
		name    string
		secrets []string
	}{
		{[]string{"node", "s.js", "a b", "x=1"}, "node s.js 'a b' x=1", nil},
		{[]string{"s", "--api-key=abc", "--token", "d=e"}, "s '--api-key=********' --token '********'",
			[]string{"abc", "d=e"}},
		{[]string{"env", "GH_TOKEN=abc", "s"}, "env 'GH_TOKEN=********' s", []string{"abc"}},
		{[]string{"npx", "mcp-remote", "https://a.example/mcp", "--header", "Authorization: Bearer abc"},
			"npx mcp-remote https://a.example/mcp --header 'Authorization: ********'", []string{"abc"}},
		{[]string{"s", "--header=X-Api-Key:abc"}, "s '--header=X-Api-Key: ********'", []string{"abc"}},
		{[]string{"s", "postgres://me:p%40ss@db/x"}, "s 'postgres://me:********@db/x'",
			[]string{"p@ss", "p%40ss"}},
		{[]string{"DATABASE_URL=postgres://me:pass@db?x=1@"}, "'DATABASE_URL=postgres://me:********@db?x=1@'",
			[]string{"pass", "pass"}},
		{[]string{"s", "https://a.example/?api_key=abc&b=1"}, "s 'https://a.example/?api_key=***&b=1'",
			[]string{"abc"}},
		{[]string{"s", "http://127.0.0.1:80/a", "C:\\x", ":"}, "s http://127.0.0.1:80/a 'C:\\x' :", nil},
	} {
		if got := lines.NameOf(test.words); got != test.name {
			t.Errorf("%q: %s", test.words, got)
		}
		if got := lines.SecretsIn(test.words); !slices.Equal(got, test.secrets) {
			t.Errorf("%q: secrets %q", test.words, got)
		}
	}
	got := lines.SecretsIn([]string{
		"PRIVATE_KEY=first\nsecond\n", "PWD=/a/directory", "DB_PASSWORD=p=q", "x",
	})
	if !slices.Equal(got, []string{"first\nsecond\n", "p=q", "first", "second"}) {
		t.Errorf("%q", got)
	}
}
