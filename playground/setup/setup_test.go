package setup_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/launch"
	"github.com/mrtr-playground/mrtr-playground/playground/setup"
)

// describe returns a server in one line.
func describe(s setup.Server) string {
	return fmt.Sprintf("%s url=%s header=%v words=%q env=%v off=%v legacy=%v",
		s.Name, s.URL, s.Header, s.Words, s.Env, s.Off, s.Legacy)
}

func TestRead_FilesOfClients(t *testing.T) {
	for name, c := range map[string]struct {
		file string
		want []string
	}{
		"Claude Desktop": {
			`{"mcpServers":{"files":{"command":"npx","args":["-y","server-files","/tmp"],` +
				`"env":{"KEY":"v"}}},` +
				`"theme":"x"}`,
			[]string{`files url= header=[] words=["npx" "-y" "server-files" "/tmp"] env=[{KEY v}] ` +
				`off=false ` +
				`legacy=false`},
		},
		"Claude Code": {
			`{"projects":{"/a":{"mcpServers":{"api":{"type":"http","url":"https://a.example/mcp",` +
				`"headers":{"Authorization":"Bearer ${API_KEY}"}}}}}}`,
			[]string{`api url=https://a.example/mcp header=[{Authorization Bearer ${API_KEY}}] words=[] ` +
				`env=[] ` +
				`off=false legacy=false`},
		},
		"VS Code": {
			`{
// servers
"inputs":[{"type":"promptString","id":"k","password":true}], /* asked for */
"servers":{"gh":{"type":"http","url":"https://gh.example/","headers":{"X":"${input:k}"},},},
}`,
			[]string{
				`gh url=https://gh.example/ header=[{X ${input:k}}] words=[] env=[] off=false legacy=false`,
			},
		},
		"VS Code settings": {
			`{"editor.x":1,"mcp":{"servers":{"a":{"type":"sse","url":"https://a.example/sse"}}}}`,
			[]string{`a url=https://a.example/sse header=[] words=[] env=[] off=false legacy=true`},
		},
		"Windsurf": {`{"mcpServers":{"w":{"serverUrl":"https://w.example/mcp","disabled":true}}}`,
			[]string{`w url=https://w.example/mcp header=[] words=[] env=[] off=true legacy=false`}},
		"Gemini": {`{"mcpServers":{"g":{"httpUrl":"https://g.example/mcp","headers":{"K":"$GEMINI_KEY"}}}}`,
			[]string{`g url=https://g.example/mcp header=[{K $GEMINI_KEY}] words=[] env=[] off=false ` +
				`legacy=false`}},
		"Zed": {`{"context_servers":{"z":{"source":"custom","command":{"path":"/bin/z","args":["a"],` +
			`"env":{"E":"1"}}},"y":{"command":"y","args":[]}}}`,
			[]string{`z url= header=[] words=["/bin/z" "a"] env=[{E 1}] off=false legacy=false`,
				`y url= header=[] words=["y"] env=[] off=false legacy=false`}},
		"opencode": {`{"mcp":{"o":{"type":"local","command":["bun","x"],"environment":{"A":"{env:A}"},` +
			`"enabled":false},"r":{"type":"remote","url":"https://r.example/mcp"}}}`,
			[]string{`o url= header=[] words=["bun" "x"] env=[{A {env:A}}] off=true legacy=false`,
				`r url=https://r.example/mcp header=[] words=[] env=[] off=false legacy=false`}},
		"a snippet": {`"a": {"url": "https://a.example/mcp"},`,
			[]string{`a url=https://a.example/mcp header=[] words=[] env=[] off=false legacy=false`}},
		"one server": {`{"url":"https://a.example/mcp"}`,
			[]string{`server url=https://a.example/mcp header=[] words=[] env=[] off=false legacy=false`}},
	} {
		f, err := setup.Read([]byte(c.file))
		var got []string
		for _, s := range f.Servers {
			got = append(got, describe(s))
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v\n got %s\nwant %s", name, err, strings.Join(got, "\n"), strings.Join(c.want,
				"\n"))
		}
	}
}

func TestRead_RefusesOthers(t *testing.T) {
	for _, file := range []string{"", "{}", "[]", "hello", `{"a":1}`, `{"mcpServers":{}}`,
		`{"mcpServers":[1]}`,
		"[mcp_servers.a]\nurl = 'https://a'", strings.Repeat("[", 100000), "{/* "} {
		if _, err := setup.Read([]byte(file)); !errors.Is(err, setup.ErrFormat) {
			t.Errorf("%.40q: %v", file, err)
		}
	}
	if _, err := setup.Read(make([]byte, setup.MaxBytes+1)); !errors.Is(err, setup.ErrTooLarge) {
		t.Error(err)
	}
}

func TestRead_ManyServers(t *testing.T) {
	var list []string
	for i := range 1000 {
		list = append(list, fmt.Sprintf(`"s%d":{"url":"https://h%d.example/mcp"}`, i, i))
	}
	f, err := setup.Read([]byte(`{"mcpServers":{` + strings.Join(list, ",") + `}}`))
	if err != nil || len(f.Servers) != setup.MaxServers || f.More != 1000-setup.MaxServers {
		t.Errorf("%d and %d more, %v", len(f.Servers), f.More, err)
	}
}

func TestVariables(t *testing.T) {
	got := setup.Variables("Bearer ${A}-${env:B}-${C:-d:e}-${input:id}-$F-${workspaceFolder}-{env:G}-${A}-$5")
	want := []setup.Variable{
		{"${A}", "A", false, "", true}, {"${env:B}", "B", false, "", true}, {"${C:-d:e}", "C", false,
			"d:e", true},
		{"${input:id}", "id", true, "", true}, {"$F", "F", false, "", true},
		{"${workspaceFolder}", "workspaceFolder", false, "", false}, {"{env:G}", "G", false, "", true},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	filled, whole := setup.Fill("${A} and $F", map[string]string{"${A}": "${F}$F", "$F": "x"})
	if filled != "${F}$F and x" || !whole {
		t.Errorf("%q %v", filled, whole)
	}
	if _, whole := setup.Fill("${A}", nil); whole {
		t.Error("a missing value is not named")
	}
}

// A command is text for a shell, whatever it has in it.
func TestServer_LineIsQuoted(t *testing.T) {
	s := setup.Server{Words: []string{"sh", "-c", "rm -rf ~; echo '$(id)'", "`id`\n&& x"}}
	if got, want := s.Line(launch.Program{}),
		`mrtr-playground -stdio 'sh -c '\''rm -rf ~; echo '\''\'\'''\''$(id)'\''\'\'''\'''\'' `+
			`'\''`+"`id`\n"+`&& x'\'''`; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func TestServer_Address(t *testing.T) {
	for u, want := range map[string]string{
		"https://a.example/mcp?key=${K}":   "https://a.example/mcp",
		"https://${HOST}/mcp":              "https://${HOST}/mcp",
		"https://u:p@a.example:8443/x#y":   "https://a.example:8443/x",
		"https://a.example@evil.example/x": "https://evil.example/x",
	} {
		if got := (setup.Server{URL: u}).Address(); got != want {
			t.Errorf("%s: %s", u, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"mcpServers":{"a":{"url":"https://a/${B}"}}}`))
	f.Add([]byte("{ // x\n \"servers\": {\"a\": {\"command\": [\"x\"],},}, /* y */ }"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := setup.Read(data)
		if err == nil && len(file.Servers) == 0 {
			t.Error("no server and no error")
		}
		for _, s := range file.Servers {
			s.Address()
			s.Line(launch.Program{})
			setup.Variables(s.URL)
		}
	})
}
