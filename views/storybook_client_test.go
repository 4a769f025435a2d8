package views_test

import (
	"bytes"
	"time"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	clientview "github.com/mrtr-playground/mrtr-playground/views/client"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
)

// byClient makes the decisions of a log those of a foreign client.
func byClient(x playground.Exchange, join playground.Join) playground.Exchange {
	for i, e := range x.Log {
		if e.Kind != playground.Decided {
			continue
		}
		d := e.Decision()
		if d.By, d.Answers = playground.ByClient, nil; d.Round > 1 {
			d.Join = join
		}
		x.Log[i].Data = d.Event(e.At).Data
	}
	return x
}

// exampleCapture is a capture in front of a foreign server.
func exampleCapture() capture.Capture {
	return capture.Capture{
		ID: "K1", Token: "TOKEN", Created: noon, Used: noon.Add(time.Minute),
		Target: playground.Target{ID: "T1", Name: "mcp.example.com", URL: "https://mcp.example.com/mcp"},
	}
}

// clientStories are the pages of captures.
func clientStories() []story {
	at := exampleCapture()
	page := func(k capture.Capture, list []playground.Exchange,
		log []playground.Event) func(layout.Page) templ.Component {
		n := session.Session{ID: k.ID, Kind: session.KindCapture, Exchanges: list}
		report := capture.NewReport(n, log)
		model := clientview.New(clientview.Input{
			Capture: k, Open: k.Ended.IsZero(), Address: "http://127.0.0.1:2322/c/TOKEN", Report: report,
			Progress: 7, Now: noon, RequestChanges: []string{"Cookie"},
			ResponseChanges: []string{"Set-Cookie"},
		})
		return func(p layout.Page) templ.Component { return clientview.Page(p, model) }
	}
	calls, log := clientRecord()
	ended := at
	ended.Ended = noon.Add(time.Hour)
	return []story{
		whole("client", page(at, calls, log)).
			of("main", ".snippet, .outcome, .round, .wire-panel"),
		story{group: "client", name: "nothing-yet", page: page(at, nil, nil)}.
			of(".client-page > h1, #snippets > summary", ""),
		{group: "client", name: "well", page: page(at, []playground.Exchange{calls[0]}, nil)},
		story{group: "client", name: "ended", page: page(ended, []playground.Exchange{calls[0]},
			nil)}.of(".client-address", "h2, .glyph"),
	}
}

// clientRecord returns what a client with four calls did, and its request outside of them:
// one call is right, one retry changes the state, one call is not continued, and the last
// retry only likely belongs to its call.
func clientRecord() (calls []playground.Exchange, log []playground.Event) {
	const asked = `{"resultType":"input_required","requestState":"a state that is long enough",` +
		`"inputRequests":{"env":{"method":"elicitation/create","params":{"message":"Where to?",` +
		`"requestedSchema":{"type":"object","properties":{"env":{"type":"string"}}}}}}}`
	const done = `{"resultType":"complete","content":[{"type":"text","text":"Deployed."}]}`
	accept := `{"action":"accept","content":{"env":"prod"}}`
	well := byClient(call("deploy", `{"app":"shop"}`).result(asked).answer("env", accept).result(done).x,
		playground.JoinCertain)
	badly := call("deploy", `{"app":"shop"}`).result(asked).answer("env", accept)
	altered(badly)
	wrong := byClient(badly.rpcError(-32602, "bad state").x, playground.JoinCertain)
	wrong.ID = "X2"
	waits := byClient(call("deploy", `{"app":"shop"}`).result(asked).x, playground.JoinCertain)
	waits.ID = "X3"
	likely := byClient(call("deploy", `{"app":"shop"}`).result(asked).answer("env", accept).result(done).x,
		playground.JoinLikely)
	likely.ID = "X4"
	bare := newRecorder(playground.Call{})
	bare.send(wire.Request{URL: bare.x.Target.URL, Method: "tools/list", ID: []byte("1"),
		Params: []byte(`{}`)})
	bare.rpcError(-32602, "no version")
	return []playground.Exchange{well, wrong, waits, likely}, bare.x.Log
}

// altered changes the state in the newest request.
func altered(r *recorder) {
	last := &r.x.Log[len(r.x.Log)-1]
	last.Data = bytes.Replace(last.Data, []byte("long enough"), []byte("long enougj"), 1)
}
