package main

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/field"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// TestReadGateway: a line becomes a fact with both ends of its call, the upstream's after the
// client's, and without the mark of the run.
func TestReadGateway(t *testing.T) {
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	end := func(n int, after time.Duration, params, result string) gateway.EndDocument {
		return gateway.EndDocument{
			RoundDocument: lab.RoundDocument{
				Outcome: playground.OutcomeComplete,
				Request: lab.FrameDocument{
					Head: "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n",
					Body: fmt.Sprintf(
						`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%s}`,
						n,
						params,
					),
				},
				Response: lab.FrameDocument{
					Head: "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n",
					Body: fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, n, result),
				},
			},
			Started: at.Add(after), Ended: at.Add(after + time.Millisecond),
		}
	}
	const (
		first  = `{"name":"ask","arguments":{"mark":"mark-ABC"}}`
		retry  = `{"name":"ask","arguments":{"mark":"mark-ABC"},"requestState":"s"}`
		asks   = `{"resultType":"input_required","requestState":"s"}`
		result = `{"resultType":"complete","content":[]}`
	)
	d := gateway.Document{
		Revision: "2026-07-28",
		Lines: []verdict.LineDocument{
			{ID: "state", Title: "State", Requirement: "mrtr.echo", Level: spec.Must, Verdict: verdict.Failed,
				Text: "It was mark-ABC.", Where: &verdict.PlaceDocument{Request: 2, Name: "ask"}},
			{
				ID:      "once",
				Title:   "Once",
				Verdict: verdict.Passed,
				Where:   &verdict.PlaceDocument{Request: 1, Name: "ask"},
			},
			{ID: "tasks", Title: "Tasks", Verdict: verdict.NotReached, Text: "The upstream saw no case."},
		},
		Calls: []gateway.CallDocument{
			{Mark: "mark-ABC", Tool: "ask", Name: "ask", Requests: []gateway.RequestDocument{
				{Request: 1, Client: end(1, 0, first, asks),
					Upstream: []gateway.EndDocument{end(7, 1, first, asks)}},
				{Request: 2, Client: end(2, time.Second, retry, result),
					Upstream: []gateway.EndDocument{end(8, time.Second+1, retry, result)}},
			}},
		},
	}
	s := field.Subject{Name: "proxy"}
	n, err := readGateway(&s, d)
	if err != nil || len(s.Facts) != 3 || len(n.Exchanges) != 2 {
		t.Fatalf("%v, %d calls, %+v", err, len(n.Exchanges), s.Facts)
	}
	for i, name := range []string{"through proxy", "the upstream of proxy"} {
		x := n.Exchanges[i]
		if x.Target.Name != name || len(x.Fold().Rounds) != 2 || x.ID != fmt.Sprint(i+1) {
			t.Errorf("%s, %s with %d rounds", x.ID, x.Target.Name, len(x.Fold().Rounds))
		}
	}
	state, once, tasks := s.Facts[0], s.Facts[1], s.Facts[2]
	if state.Exchange != 1 || state.Round != 2 || state.Sentence != "It was MARK." ||
		state.Condition != "Tool ask" {
		t.Errorf("%+v", state)
	}
	if once.Exchange != 1 || once.Round != 1 || once.Sentence != "Once." || tasks.Exchange != 0 ||
		tasks.Condition != "" {
		t.Errorf("%+v, %+v", once, tasks)
	}
	lines := d
	lines.Calls = slices.Clone(d.Calls)
	lines.Calls[0].Requests = slices.Clone(d.Calls[0].Requests)
	for i := range lines.Calls[0].Requests {
		q := &lines.Calls[0].Requests[i]
		q.Client.Request.Head, q.Client.Response.Head = "", ""
	}
	command := field.Subject{Slug: "command", Kind: field.Gateway, Name: "command"}
	if n, err = readGateway(&command, lines); err != nil {
		t.Fatal(err)
	}
	data, err := export.JSON(n)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trim(&command, data); err != nil || !n.Exchanges[0].Target.IsCommand() ||
		len(n.Exchanges[0].Fold().Rounds) != 2 {
		t.Errorf("%v, a command with %d rounds", err, len(n.Exchanges[0].Fold().Rounds))
	}
	d.Lines[1].Where.Request = 9
	if _, err := readGateway(new(field.Subject), d); err == nil {
		t.Error("a line about no request is read")
	}
}
