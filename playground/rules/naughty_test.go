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
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
)

// TestNaughty: each fault of the samples naughty and naughty-legacy gives a
// finding of the rule that it is said to break, and of no other rule about the
// server. Faults that show only in the answer to a faulty request belong to the
// experiments.
func TestNaughty(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(2 * 365 * 24 * time.Hour) // a bubble begins in 2000; numbers are dates from 2001 on
		driver, config, catalog := newStage(t)
		driver.Decide = drive.Answers(prepared(nil))
		for slug, era := range map[string]playground.Era{
			"naughty": playground.Modern, "naughty-legacy": playground.Legacy,
		} {
			sample, _ := catalog.Lookup(slug)
			url := "http://samples/mcp/" + slug
			n := naughtyStage{driver: driver, config: config, url: url, era: era}
			if era == playground.Modern {
				n.tools = toolsOf(t, config, url)
			}
			driven := 0
			for _, f := range sample.Faults {
				rule, known := rules.ByID(f.Rule)
				if f.Rule == "" || rule.OnReply {
					continue
				}
				driven++
				broken := n.broken(t, f)
				if !known || !slices.Equal(broken, []string{f.Rule}) {
					t.Errorf("%s of %s: %v, want %s", f.Name, slug, broken, f.Rule)
				}
			}
			if driven < 10 {
				t.Errorf("only %d faults of %s were driven", driven, slug)
			}
		}
	})
}

// naughtyStage sends the requests that show the faults of a sample.
type naughtyStage struct {
	driver drive.Driver
	config run.Config
	url    string
	era    playground.Era
	tools  map[string]json.RawMessage // definitions, by name
}

// broken returns the rules about the server that a fault breaks: in a call, in
// a subscription, or for the other methods in the connection to the server.
func (n naughtyStage) broken(t *testing.T, f sampletools.Fault) []string {
	t.Helper()
	target := playground.Target{ID: f.Name, URL: n.url + "?" + f.Query, Era: n.era,
		Capabilities: f.Capabilities}
	if f.Capabilities == nil {
		target.Capabilities = json.RawMessage(everything)
	}
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	var findings []rules.Finding
	switch {
	case playground.IsCall(f.Method):
		findings = n.call(ctx, f, target)
	case f.Method == "subscriptions/listen":
		findings = n.listen(ctx, t, target)
	default:
		findings = rules.JudgeConnection(drive.Discover(ctx, n.config, target))
	}
	var list []string
	for _, found := range findings {
		if (found.Verdict == verdict.Failed || found.Verdict == verdict.Advisory) &&
			found.Side == rules.Server {
			list = append(list, found.Rule)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// call makes the call that shows a fault and judges it.
func (n naughtyStage) call(ctx context.Context, f sampletools.Fault,
	target playground.Target) []rules.Finding {
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
	x := playground.Exchange{ID: f.Name + string(n.era), Target: target,
		Call: playground.Call{Method: f.Method, Params: encode(params), Tool: n.tools[f.Name]}}
	rounds := 2
	if f.Rule == "same-question" || strings.HasPrefix(f.Rule, "task-") {
		rounds = 6
	}
	x, _ = n.driver.To(ctx, x, rounds) // some of them never end
	if f.Rule == "task-terminal" {
		n.pollAgain(ctx, x)
	}
	time.Sleep(time.Second) // for messages after the response
	x.Log = n.config.Log.(*run.Memory).Events(x.ID)
	return rules.Judge(x)
}

// pollAgain asks for the task of a call some time after its end.
func (n naughtyStage) pollAgain(ctx context.Context, x playground.Exchange) {
	time.Sleep(5 * time.Second)
	req, _ := lab.PollOf(x, n.driver.Client)
	again := playground.Decision{Action: playground.ActionResend, Round: x.Fold().Next(), Changed: true}
	r, err := n.driver.Runner.Try(ctx, x, again, req)
	if err == nil {
		r.Settle(ctx, time.Second) // the task never ends
	}
}

// listen opens a subscription to changes of the tools and judges it.
func (n naughtyStage) listen(ctx context.Context, t *testing.T,
	target playground.Target) []rules.Finding {
	t.Helper()
	call := playground.Call{Method: "subscriptions/listen",
		Params: json.RawMessage(`{"notifications":{"toolsListChanged":true}}`)}
	x, err := n.driver.Open(ctx, playground.Exchange{ID: target.ID, Target: target, Call: call},
		playground.Decision{Action: playground.ActionStart, Round: 1})
	if err != nil {
		t.Fatal(err)
	}
	return rules.Judge(x)
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
