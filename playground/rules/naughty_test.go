package rules_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
)

// TestNaughty: each fault of the sample naughty gives a finding of the rule that
// it is said to break, and of no other rule about the server. Faults that show
// only in the answer to a faulty request belong to the experiments.
func TestNaughty(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		driver, catalog := newStage(t)
		driver.Decide = drive.Answers(prepared(nil))
		sample, _ := catalog.Lookup("naughty")
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
			}, Call: playground.Call{Method: f.Method, Params: encode(params)}}
			ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
			rounds := 2
			if f.Rule == "same-question" || f.Rule == "task-keys" {
				rounds = 6
			}
			x, _ = driver.To(ctx, x, rounds) // some of them never end
			stop()
			var broken []string
			for _, found := range rules.Judge(x) {
				if (found.Verdict == rules.Fail || found.Verdict == rules.Hint) && found.Side == rules.Server {
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
