package views_test

import (
	"bytes"
	"time"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	checkview "github.com/mrtr-playground/mrtr-playground/views/check"
	gatewayview "github.com/mrtr-playground/mrtr-playground/views/gateway"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	serverview "github.com/mrtr-playground/mrtr-playground/views/server"
)

// gatewayRecording is a call through a gateway that rounds a number, and has a requestState and an
// id of its own.
func gatewayRecording() gateway.Recording {
	const asked = `{"resultType":"input_required","requestState":"wrapped:abc","inputRequests":{"env":` +
		`{"method":"elicitation/create","params":{"message":"Where to?","requestedSchema":{"type":"object",` +
		`"properties":{"env":{"type":"string"}}}}}}}`
	const done = `{"resultType":"complete","content":[{"type":"text","text":"Deployed."}]}`
	x := call("deploy", `{"mark":"mark-1","build":9007199254740993}`).result(asked).
		answer("env", `{"action":"accept","content":{"env":"prod"}}`).result(done).x
	upstream := []playground.Event{}
	for _, e := range x.Log {
		if e.Kind == playground.Decided {
			continue
		}
		for _, change := range [][2]string{
			{"9007199254740993", "9007199254740992"}, {"wrapped:abc", "abc"}, {`"id":`, `"id":10`},
		} {
			e.Data = bytes.ReplaceAll(e.Data, []byte(change[0]), []byte(change[1]))
		}
		e.Seq = len(upstream) + 1
		upstream = append(upstream, e)
	}
	return gateway.Recording{
		Gateway: "127.0.0.1:8080", Upstream: upstream,
		Calls: []gateway.Call{{
			Exchange: x.ID, Mark: "mark-1", Method: playground.ToolsCall, Tool: "deploy", Name: "deploy",
			Log: x.Log,
		}},
	}
}

// gatewayStories are the pages of a test of a gateway.
func gatewayStories() []story {
	waiting := gatewayview.Input{
		Saved:   gateway.Saved{ID: "G1", Capture: "K1", Created: noon},
		Address: "http://127.0.0.1:2322/c/TOKEN", Path: "/c/TOKEN", Open: true,
		Expires: "21 November 2026, 09:00 UTC", Upstream: "the server of the gateway test",
	}
	own := waiting
	own.Upstream, own.Problem = "mcp.example.com", "The arguments must be a JSON object."
	own.Own = &gatewayview.Own{
		Tools: []checkview.Tool{{Name: "deploy", Label: "Deploy (deploy)"}}, Tool: "deploy", Args: "[]",
	}
	ended := waiting
	ended.Open = false
	judged := waiting
	judged.Saved.Server, judged.Saved.Name, judged.Saved.Began = "T1", "127.0.0.1:8080", noon
	judged.Saved.Ended = noon.Add(time.Minute)
	judged.Recording = gatewayRecording()
	judged.Connect = serverview.ConnectForm{URL: "http://127.0.0.1:8080/mcp"}
	judged.Report = gateway.Report(judged.Recording)
	running := judged
	running.Running, running.Report.Progress = true, verdict.Progress{}
	gap := judged
	gap.Saved.Gap = "The gateway does not answer."
	gap.Recording = gateway.Recording{Gateway: "127.0.0.1:8080", Gap: gap.Saved.Gap}
	gap.Report = gateway.Report(gap.Recording)
	page := func(in gatewayview.Input) func(layout.Page) templ.Component {
		return func(p layout.Page) templ.Component { return gatewayview.Page(p, gatewayview.New(in)) }
	}
	return []story{
		whole("gateway", page(judged)).of("main", ".json, .frame details, #requests tbody, .outcome"),
		story{group: "gateway", name: "upstream", page: page(waiting)}.of(".gateway-steps",
			".snippet, .settings"),
		story{group: "gateway", name: "own", page: page(own)}.of(".gateway-steps form, .problem",
			"details, .muted"),
		story{group: "gateway", name: "ended", page: page(ended)}.of(".gateway-steps > li:first-child", ""),
		story{group: "gateway", name: "running", page: page(running)}.of(".judged", ""),
		story{group: "gateway", name: "not-judged", page: page(gap)}.of(".judged, .judged + p", ""),
	}
}
