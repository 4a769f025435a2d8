package lesson_test

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// TestGoListing_IsAServer builds the listing, starts it, and runs its three
// rounds and its refusals, with each of its two protections. Two processes with
// the same key stand for two instances behind a load balancer.
func TestGoListing_IsAServer(t *testing.T) {
	program := buildListing(t, "./listings/go")
	key := strings.Repeat("k", 32)
	for name, flags := range map[string][]string{"sealed": nil, "signed": {"-sign"}} {
		t.Run(name, func(t *testing.T) {
			first, second := startListing(t, program, key, flags...), startListing(t, program, key, flags...)
			a := &actor{T: t, where: "listing", caller: wire.New(wire.Config{}), clock: &clock{}}
			a.deploy(first)
			a.answer(`when {"when":"tonight"}`)
			a.x.Target.URL = second
			a.retry("")
			a.expect("keys sure")
			a.expect("state")
			if got := strings.Contains(opened(a.last().StateText()), "tonight"); got != (name == "signed") {
				t.Errorf("the client can read the answer: %v", got)
			}
			a.answer(`sure {"sure":true}`)
			a.x.Target.URL = first
			a.retry("")
			a.expect("outcome complete")
			a.expect("text Deployed shop tonight.")
			for _, tt := range []struct{ spoil, answer, then string }{
				{"tamper state", `{"sure":true}`, "error -32602"},
				{`arguments {"app":"blog"}`, `{"sure":true}`, "error -32602"},
				{"", `{"sure":true}`, "text Deployed shop now."},
				{"", `{"sure":false}`, "text Nothing was deployed: the box was not ticked."},
				{"", "decline", "text Nothing was deployed: it was not confirmed."},
			} {
				a.deploy(first)
				a.answer(`when {"when":"now"}`)
				a.retry("")
				a.answer("sure " + tt.answer)
				if tt.spoil != "" {
					verb, rest, _ := strings.Cut(tt.spoil, " ")
					a.spoil(verb, rest)
				}
				a.retry("")
				a.expect(tt.then)
			}
			a.declared = json.RawMessage(`{}`)
			a.open(first, "deploy", `{"app":"shop"}`)
			a.expect("error -32021")
		})
	}
}

// deploy starts the listing's call.
func (a *actor) deploy(url string) {
	a.Helper()
	a.open(url, "deploy", `{"app":"shop"}`)
	a.expect("keys when")
	a.expect("no state")
}

// A state belongs to the user of the verified token.
func TestGoListing_BindsTheUser(t *testing.T) {
	program := buildListing(t, "./listings/go")
	key := strings.Repeat("k", 32)
	users := []string{"-users", "demo-ada=ada,demo-bob=bob"}
	for name, flags := range map[string][]string{"sealed": users, "signed": append(users, "-sign")} {
		t.Run(name, func(t *testing.T) {
			url := startListing(t, program, key, flags...)
			a := &actor{T: t, where: "listing", caller: wire.New(wire.Config{}), clock: &clock{}}
			for user, then := range map[string]string{
				"ada": "text Deployed shop now.", "bob": "error -32602", "eve": "http 401", "": "http 401",
			} {
				a.bearer = "ada"
				a.deploy(url)
				a.answer(`when {"when":"now"}`)
				a.retry("")
				a.bearer = user
				a.answer(`sure {"sure":true}`)
				a.retry("")
				a.expect(then)
			}
		})
	}
}

// The listing compiles in a folder of its own with what its install lines fetch,
// at the versions that the tests of this site use.
func TestGoListing_NeedsNothingElse(t *testing.T) {
	source, err := os.ReadFile("listings/go/main.go")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	const sdk = "github.com/modelcontextprotocol/go-sdk"
	version := regexp.MustCompile(sdk + ` (v\S+)`).FindStringSubmatch(string(mod))
	lines := "//\tgo mod init deployer\n//\tgo get " + sdk + "@" + version[1] + "\n//\tgo mod tidy\n"
	if !strings.Contains(string(source), lines) {
		t.Errorf("the listing does not say\n%s", lines)
	}
	sums, err := os.ReadFile("../../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	_, requirements, _ := strings.Cut(string(mod), "\n")
	requirements, _, _ = strings.Cut(requirements, "\ntool (")
	for name, text := range map[string]string{"main.go": string(source), "go.sum": string(sums),
		"go.mod": "module deployer\n" + requirements} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-o", "deployer", ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOPROXY=off", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("build: %v\n%s", err, out)
	}
}

// open starts a call of a tool. It declares forms unless the script declares
// something else.
func (a *actor) open(url, name, args string) {
	declared := a.declared
	if declared == nil {
		declared = json.RawMessage(`{"elicitation":{}}`)
	}
	a.x = playground.Exchange{
		ID: "x", Call: playground.Call{Method: playground.ToolsCall,
			Params: json.RawMessage(`{"name":"` + name + `","arguments":` + args + `}`)},
		Target: playground.Target{Name: "listing", URL: url, Capabilities: declared},
	}
	a.conn = 0
	a.decide(playground.Decision{Action: playground.ActionStart, Round: 1})
}

// startListing starts a program of the listings and returns its URL.
func startListing(t *testing.T, program, key string, flags ...string) string {
	t.Helper()
	cmd := exec.Command(program, append([]string{"-addr", "127.0.0.1:0", "-key", key}, flags...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if err != nil || !ok {
		t.Fatalf("listing said %q: %v", line, err)
	}
	return url
}
