package rules_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
)

// TestNaughty: each fault of the sample naughty gives a finding of the rule
// that it is said to break, and of no other rule about the server. Faults that
// show only in the answer to a faulty request belong to the experiments.
func TestNaughty(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		driver, config, catalog := newStage(t)
		driver.Decide = drive.Answers(prepared(nil))
		sample, _ := catalog.Lookup("naughty")
		tools := toolsOf(t, config, "http://samples/mcp/naughty")
		for _, f := range sample.Faults {
			rule, known := rules.ByID(f.Rule)
			if !playground.IsCall(f.Method) || !known || rule.OnReply {
				continue
			}
			capabilities := f.Capabilities
			if capabilities == nil {
				capabilities = json.RawMessage(everything)
			}
			params := object{"name": f.Name, "arguments": object{}}
			if f.Arguments != nil {
				params["arguments"] = f.Arguments
			}
			if f.Method == playground.ResourcesRead {
				params = object{"uri": f.Name}
			}
			if f.LogLevel != "" {
				params["_meta"] = object{"io.modelcontextprotocol/logLevel": f.LogLevel}
			}
			x := playground.Exchange{ID: f.Name, Target: playground.Target{
				URL: "http://samples/mcp/naughty?" + f.Query, Capabilities: capabilities,
			}, Call: playground.Call{Method: f.Method, Params: encode(params), Tool: tools[f.Name]}}
			ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
			rounds := 2
			if f.Rule == "same-question" || strings.HasPrefix(f.Rule, "task-") {
				rounds = 6
			}
			x, _ = driver.To(ctx, x, rounds) // some of them never end
			stop()
			time.Sleep(time.Second) // for what follows the response
			x.Log = config.Log.(*run.Memory).Events(x.ID)
			var broken []string
			for _, found := range rules.Judge(x) {
				if (found.Verdict == rules.Fail || found.Verdict == rules.Hint) &&
					found.Side == rules.Server {
					broken = append(broken, found.Rule)
				}
			}
			slices.Sort(broken)
			if broken = slices.Compact(broken); !slices.Equal(broken, []string{f.Rule}) {
				t.Errorf("%s: %v, want %s", f.Name, broken, f.Rule)
			}
		}
	})
}

// toolsOf returns the definitions of the tools of a server by name.
func toolsOf(t *testing.T, config run.Config, url string) map[string]json.RawMessage {
	t.Helper()
	target := playground.Target{URL: url, Capabilities: json.RawMessage(everything)}
	r, err := drive.Ask(t.Context(), config, target, "tools/list", json.RawMessage("{}"))
	if err != nil {
		t.Fatal(err)
	}
	tools := map[string]json.RawMessage{}
	for _, tool := range r.Result.Get("tools").Elements() {
		tools[tool.Get("name").Str()] = tool.Raw()
	}
	return tools
}
