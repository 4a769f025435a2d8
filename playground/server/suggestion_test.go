package server_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/launch"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

func TestChallenge_Parse(t *testing.T) {
	for _, c := range []struct {
		field string
		want  []wire.Challenge
	}{
		{`Bearer`, []wire.Challenge{{Scheme: "Bearer"}}},
		{`Bearer realm="a, \"b\"", error=invalid_token`,
			[]wire.Challenge{{Scheme: "Bearer",
				Params: []wire.ChallengeParam{{Name: "realm", Value: `a, "b"`},
					{Name: "error", Value: "invalid_token"}}}}},
		{`Basic realm="x", Bearer resource_metadata="https://h/x"`, []wire.Challenge{
			{Scheme: "Basic", Params: []wire.ChallengeParam{{Name: "realm", Value: "x"}}},
			{Scheme: "Bearer",
				Params: []wire.ChallengeParam{{Name: "resource_metadata", Value: "https://h/x"}}},
		}},
		{``, nil},
		{`, ,"`, []wire.Challenge{{Scheme: `"`}}},
	} {
		if diff := cmp.Diff(c.want, wire.Challenges([]string{c.field})); diff != "" {
			t.Errorf("%s: %s", c.field, diff)
		}
	}
}

func TestDeclare_RoundTrip(t *testing.T) {
	for n := range 1 << len(playground.Declarable()) {
		var names []string
		for i, name := range playground.Declarable() {
			if n&(1<<i) != 0 {
				names = append(names, name)
			}
		}
		got := playground.Declares(playground.Declare(names))
		want := map[string]bool{}
		for _, name := range names {
			want[name] = true
			if name == "sampling.tools" {
				want["sampling"] = true
			}
		}
		if len(got) != len(want) {
			t.Errorf("%q became %q", names, got)
		}
	}
}

func TestAddress_Suggestions(t *testing.T) {
	for _, c := range []struct {
		typed  string
		public bool
		class  playground.Class
		url    string
	}{
		{"example.com/mcp", false, "bad_url", "https://example.com/mcp"},
		{"  https://example.com/mcp  ", false, "", ""},
		{"localhost:3000", false, "bad_url", "http://localhost:3000"},
		{"npx -y server", false, "stdio_command", ""},
		{"uvx server --port 8000", true, "stdio_command", ""},
		{`{"mcpServers":{"a":{"command":"npx","args":["x"]}}}`, false, "stdio_command", ""},
		{"./server", false, "stdio_command", ""},
		{"npx -y server --http http://localhost:9/mcp", true, "stdio_command", ""},
		{"http://example.com/mcp", true, "bad_url", "https://example.com/mcp"},
		{"http://localhost:3000/mcp", true, "blocked_address", ""},
		{"", false, "bad_url", ""},
		{"javascript:alert(1)", false, "bad_url", ""},
		{"file:///etc/passwd", false, "bad_url", ""},
	} {
		_, failure, guesses := server.Address(c.typed, wire.Reach{Limited: c.public}, launch.Program{})
		if c.class == "" {
			if failure != nil {
				t.Errorf("%q: %v", c.typed, failure)
			}
			continue
		}
		if failure == nil || failure.Class != c.class {
			t.Errorf("%q: %v, want %s", c.typed, failure, c.class)
		}
		if c.url != "" && (len(guesses) == 0 || guesses[0].URL != c.url) {
			t.Errorf("%q: guesses %+v", c.typed, guesses)
		}
	}
}

// Every character that a URL may contain is left in it, and characters around a
// URL in a text are not.
func TestAddress_AnyLegalCharacter(t *testing.T) {
	for _, typed := range []string{
		"http://127.0.0.1:9/mcp/azure-devops?instances=a:v1,b:v2", "https://h.example/a,b/mcp",
		"https://h.example/mcp?x='1'", "https://h.example/mcp;v=1?list=a,b;c&d=(e)!*$+@:[]",
		"https://h.example/mcp?next=https://other.example/,x", "http://[::1]:8080/mcp?a,",
		"https://h.example/~a_b.", "https://h.example/{tenant}/mcp", "https://h.example/mcp?a|b^c",
		"https://h.example/%2C,%zz?q=%",
	} {
		u, failure, _ := server.Address(typed, wire.Reach{}, launch.Program{})
		if strings.Contains(typed, "%zz") {
			if failure == nil {
				t.Errorf("%s is a URL", typed)
			}
			continue
		}
		if failure != nil || u.String() == "" {
			t.Errorf("%s: %v", typed, failure)
		}
	}
	for typed, want := range map[string]string{
		`{"url": "https://h.example/mcp?instances=a:v1,b:v2"}`: "https://h.example/mcp?instances=a:v1,b:v2",
		`"https://h.example/mcp",`:                             "https://h.example/mcp",
		"see https://h.example/mcp, or ask":                    "https://h.example/mcp",
		"It is at https://h.example/mcp.":                      "https://h.example/mcp",
		"<https://h.example/a,b>":                              "https://h.example/a,b",
		"[it](https://h.example/mcp)":                          "https://h.example/mcp",
		"(see https://h.example/a(1))":                         "https://h.example/a(1)",
		"'https://h.example/mcp?a=b'":                          "https://h.example/mcp?a=b",
		"url='https://h.example/mcp?a,b'":                      "https://h.example/mcp?a,b",
		"mcp add x --url=https://h.example/mcp?a,b --scope y":  "https://h.example/mcp?a,b",
		"curl -N http://h.example/a https://h.example/b":       "http://h.example/a",
	} {
		_, failure, guesses := server.Address(typed, wire.Reach{}, launch.Program{})
		if failure == nil || len(guesses) == 0 || guesses[0].URL != want {
			t.Errorf("%s: %v, %+v; want %s", typed, failure, guesses, want)
		}
	}
}

func TestAddress_PortOfCommandLocalOnly(t *testing.T) {
	for command, want := range map[string]string{
		"npx server --port 3001":    "http://localhost:3001/mcp",
		"npx server --port=3001 -v": "http://localhost:3001/mcp",
		"node server.js -p 80":      "http://localhost:80/mcp",
		"npx server --port x":       "",
		"npx server":                "",
	} {
		for _, public := range []bool{false, true} {
			_, _, guesses := server.Address(command, wire.Reach{Limited: public}, launch.Program{})
			got := guesses[len(guesses)-1].URL
			if public && got != "" || !public && got != want {
				t.Errorf("%s, public %t: %q", command, public, got)
			}
		}
	}
}

// A path that has the segment mcp does not get another.
func TestSuggestions_AppendMCPOnce(t *testing.T) {
	for path, want := range map[string][]string{
		"/learn":    {"/learn/mcp", "/mcp"},
		"/mcp/nope": {"/mcp", "/"},
		"/a/mcp/":   {"/mcp", "/"},
		"/mcp":      {"/"},
		"/mcpx":     {"/mcpx/mcp", "/mcp"},
		"/x/sse":    {"/x/mcp", "/x/sse/mcp"},
	} {
		const host = "https://example.com"
		got := server.Suggestions(playground.Target{URL: host + path}, server.Connection{
			Status: server.ConnectFailed, Class: playground.HTTP404, Trips: make([]playground.Round, 1),
		}, wire.Reach{})
		var urls []string
		for _, s := range got {
			urls = append(urls, strings.TrimPrefix(s.URL, host))
		}
		if diff := cmp.Diff(want, urls); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}

// A redirect to another host, to another port and to the same URL are told apart, and JSON that is
// no MCP message suggests other paths.
func TestSuggestions_OfResponse(t *testing.T) {
	for name, c := range map[string]struct {
		url, location string
		class         playground.Class
		status        int
		body          string
		want, why     string // of the first one; empty for none
	}{
		"other host": {"http://h.example/mcp", "http://o.example/mcp", playground.Redirect, 307, "",
			"http://o.example/mcp", "another host, o.example"},
		"other port": {"http://h.example/mcp", "http://h.example:81/mcp", playground.Redirect, 307, "",
			"http://h.example:81/mcp", "same host"},
		"https": {"http://h.example:80/mcp", "https://H.example/mcp", playground.Redirect, 307, "",
			"https://H.example/mcp", "The same host over HTTPS."},
		"itself": {"http://h.example/mcp", "/mcp", playground.Redirect, 302, "", "https://h.example/mcp",
			"over HTTPS"},
		"itself, https": {"https://h.example/mcp", "/mcp", playground.Redirect, 302, "", "", ""},
		"other JSON": {"http://h.example/mcp", "", playground.Violation, 200, `{"ok":true}`,
			"http://h.example/", "root"},
		"wrong JSON-RPC": {"http://h.example/mcp", "", playground.Violation, 200, `{"jsonrpc":"2.0"}`, "",
			""},
		"no array of it": {"http://h.example/mcp", "", playground.Violation, 200, `[]`, "", ""},
		"422": {"http://h.example/mcp", "", playground.HTTP4xx, 422, `{}`, "http://h.example/",
			"root"},
		"418": {"http://h.example/mcp", "", playground.HTTP4xx, 418, `{}`, "", ""},
	} {
		trip := playground.Round{}
		trip.Head.Status, trip.Response.Body = c.status, []byte(c.body)
		if c.location != "" {
			trip.Head.Fields = []wire.Field{{Name: "Location", Value: c.location}}
		}
		got := server.Suggestions(playground.Target{URL: c.url}, server.Connection{
			Status: server.ConnectFailed, Class: c.class, Trips: []playground.Round{trip},
		}, wire.Reach{})
		if c.want == "" && len(got) == 0 {
			continue
		}
		if len(got) == 0 || got[0].URL != c.want || !strings.Contains(got[0].Why, c.why) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
