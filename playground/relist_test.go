package playground

import (
	"encoding/json"
	"strings"
	"testing"
)

const mismatch = `"error":{"code":-32020,"message":"Mcp-Param-Env is missing"}`

// TestNext_ListsToolsAfterHeaderMismatch: the definition may have changed since
// the tool was listed.
func TestNext_ListsToolsAfterHeaderMismatch(t *testing.T) {
	s := newStory(t)
	s.x.Call.Params = json.RawMessage(`{"name":"t","arguments":{"env":"prod"}}`)
	s.start()
	f := s.receiveAs(400, "application/json", `{"jsonrpc":"2.0","id":1,`+mismatch+`}`)
	if !f.Last().Resendable() {
		t.Fatal("the call cannot be sent again")
	}
	req := s.decide(Decision{Action: ActionResend, Round: 2})
	if req.Method != "tools/list" || string(req.ID) != `"list-2-1"` {
		t.Fatalf("sent %s with id %s", req.Method, req.ID)
	}
	f = Fold(s.x.Log)
	if _, ok := NextListed(s.x, f, Client{}); ok || f.Status != StatusRunning {
		t.Fatalf("while the list is running: %s", f.Status)
	}
	f = s.receive(`{"jsonrpc":"2.0","id":"list-2-1","result":{"tools":[{"name":"s"}],"nextCursor":"c"}}`)
	req, ok := NextListed(s.x, f, Client{})
	if !ok || !strings.Contains(string(req.Params), `"cursor":"c"`) {
		t.Fatalf("next page: %s %s", req.Method, req.Params)
	}
	s.send(req)
	f = s.receive(`{"jsonrpc":"2.0","id":"list-2-2","result":{"tools":[{"name":"t","inputSchema":{"type":` +
		`"object","properties":{"env":{"type":"string","x-mcp-header":"Env"}}}}]}}`)
	if req, ok = NextListed(s.x, f, Client{}); !ok || req.Method != ToolsCall || string(req.ID) != "2" ||
		len(req.Header) != 1 || req.Header[0].Name != "Mcp-Param-Env" || req.Header[0].Value != "prod" {
		t.Fatalf("the call: %s %s %v", req.Method, req.ID, req.Header)
	}
	s.send(req)
	f = s.result(`{"resultType":"input_required","requestState":"s"}`)
	r := f.Last()
	if len(f.Rounds) != 2 || r.Kind != OutcomeRetry || r.Method != ToolsCall || len(r.Others) != 2 {
		t.Fatalf("%s with %d others", outcomes(f), len(r.Others))
	}
	if _, ok := NextListed(s.x, f, Client{}); ok {
		t.Error("it goes on by itself")
	}
	req = s.decide(Decision{Action: ActionRetry, Round: 3})
	if len(req.Header) != 1 {
		t.Errorf("the next round lost the header: %v", req.Header)
	}
}

func TestFold_RelistInterrupted(t *testing.T) {
	for _, between := range []bool{false, true} {
		s := newStory(t)
		s.start()
		s.receiveAs(400, "application/json", `{"jsonrpc":"2.0","id":1,`+mismatch+`}`)
		s.decide(Decision{Action: ActionResend, Round: 2})
		conn := 2
		if between {
			s.receive(`{"jsonrpc":"2.0","id":"list-2-1","result":{"tools":[]}}`)
			conn++
		}
		s.add(Event{At: s.tick(), Conn: conn, Kind: Interrupted})
		f := Fold(s.x.Log)
		if f.Status != StatusInterrupted || !f.Last().Resendable() {
			t.Fatalf("%s", f.Status)
		}
		if req := s.decide(Decision{Action: ActionResend, Round: 3}); req.Method != ToolsCall {
			t.Errorf("sent again: %s", req.Method)
		}
	}
}

func TestRound_ExperimentKeepsItsHeaderMismatch(t *testing.T) {
	r := Round{Trip: Trip{Method: ToolsCall}, Outcome: Outcome{Kind: OutcomeRPCError, Class: HeaderMismatch},
		Decision: Decision{Experiment: "wrong-name"}}
	if r.HeadersRejected() {
		t.Error("an experiment that was rejected is repeated")
	}
}
