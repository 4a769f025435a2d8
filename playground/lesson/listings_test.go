package lesson_test

import (
	"bufio"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// TestGoListing_IsAServer builds the listing, starts it, and runs its three
// rounds and its refusals. Two processes with the same key stand for two
// instances behind a load balancer.
func TestGoListing_IsAServer(t *testing.T) {
	program := buildListing(t, "./listings/go")
	key := strings.Repeat("k", 32)
	first, second := startListing(t, program, key), startListing(t, program, key)
	a := &actor{T: t, where: "listing", caller: wire.New(wire.Config{}), clock: &clock{}}

	a.open(first, "deploy", `{"app":"shop"}`)
	a.expect("keys when")
	a.expect("no state")
	a.answer(`when {"when":"tonight"}`)
	a.x.Target.URL = second
	a.retry("")
	a.expect("keys sure")
	a.expect("state")
	a.answer(`sure {"sure":true}`)
	a.x.Target.URL = first
	a.retry("")
	a.expect("outcome complete")
	a.expect("text Deployed shop tonight.")

	for _, tt := range []struct{ spoil, then string }{
		{"tamper state", "error -32602"},
		{`arguments {"app":"blog"}`, "error -32602"},
		{"", "text Deployed shop now."},
	} {
		a.open(first, "deploy", `{"app":"shop"}`)
		a.answer(`when {"when":"now"}`)
		a.retry("")
		a.answer(`sure {"sure":true}`)
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
