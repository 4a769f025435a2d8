package playground

import (
	"fmt"
	"strings"
	"testing"
)

// older begins a call at an older server: handshake, then the call as a stream.
func older(t *testing.T) *story {
	s := newStory(t)
	s.x.Target.Era = Legacy
	s.add(Decision{Action: ActionStart, Round: 1}.Event(s.tick()))
	s.raw(1, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`)
	s.part(1, Received, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"+
		`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}`)
	s.raw(2, "")
	s.raw(3, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t"}}`)
	s.part(3, Received, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
	return s
}

func (s *story) raw(conn int, body string) {
	s.add(Event{At: s.tick(), Conn: conn, Kind: Sent, Data: []byte("POST /mcp HTTP/1.1\r\n\r\n" + body)})
}

func (s *story) part(conn int, kind EventKind, data string) Transcript {
	s.add(Event{At: s.tick(), Conn: conn, Kind: kind, Data: []byte(data)})
	return Fold(s.x.Log)
}

func (s *story) says(conn int, message string) Transcript {
	return s.part(conn, Message, "data: "+message+"\n\n")
}

func asksFor(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"elicitation/create","params":{"message":"?"}}`
}

// answered appends the decision and its request, without asking Next.
func (s *story) answered(round, conn int, keys ...string) {
	d := Decision{Action: ActionAnswer, Round: round}
	for _, k := range keys {
		d.Answers = append(d.Answers, accept(k, "{}"))
	}
	if err := Fold(s.x.Log).Allows(d); err != nil {
		s.t.Fatal(err)
	}
	s.add(d.Event(s.tick()))
	for i, k := range keys {
		s.raw(conn+i, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{}}`, k))
	}
}

func TestFold_LegacyRound(t *testing.T) {
	s := older(t)
	if f := Fold(s.x.Log); f.Status != StatusRunning || f.Last().Method != ToolsCall {
		t.Fatalf("got %s %s", f.Status, f.Last().Method)
	}
	s.says(3, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}`)
	f := s.says(3, asksFor(`"q"`))
	r := f.Last()
	if f.Status != StatusWaiting || len(r.Questions) != 1 || r.Questions[0].Key != `"q"` ||
		len(r.Others) != 2 || len(r.AllMessages()) != 3 {
		t.Fatalf("got %s, %d questions, %d others, %d messages", f.Status, len(r.Questions), len(r.Others),
			len(r.AllMessages()))
	}
	s.answered(2, 4, `"q"`)
	if f = s.part(4, Received, "HTTP/1.1 202 Accepted\r\n\r\n"); f.Status != StatusRunning {
		t.Errorf("after the answer: %s", f.Status)
	}
	f = s.says(3, `{"jsonrpc":"2.0","id":2,"result":{"content":[],"isError":true}}`)
	if r := f.Last(); f.Status != StatusComplete || r.N != 2 || !r.IsError || len(r.Others) != 1 ||
		!strings.Contains(string(r.Others[0].Response.Body), "isError") {
		t.Errorf("got %s, round %d", f.Status, r.N)
	}
	s.raw(5, "")
	if f = s.part(2, Cancelled, ""); f.Status != StatusComplete {
		t.Errorf("the end of the session makes it %s", f.Status)
	}
}

// TestFold_LegacyRootsAside: roots are no question of the call where nothing ties them to
// it. A recording in which the user answered them shows the question.
func TestFold_LegacyRootsAside(t *testing.T) {
	s := older(t)
	s.add(Event{At: s.tick(), Conn: 4, Kind: Sent, Data: []byte("GET /mcp HTTP/1.1\r\n\r\n")})
	s.part(4, Received, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
	if f := s.says(4, `{"jsonrpc":"2.0","id":7,"method":"roots/list"}`); f.Status != StatusRunning {
		t.Errorf("asked for roots, the call is %s", f.Status)
	}
	if f := s.says(4, asksFor("8")); f.Status != StatusWaiting || len(f.Last().Questions) != 1 {
		t.Errorf("asked by form, the call is %s", f.Status)
	}
	d := Decision{Action: ActionAnswer, Round: 2, Answers: []Answer{accept("7", "{}"), accept("8", "{}")}}
	s.add(d.Event(s.tick()))
	if q := Fold(s.x.Log).Round(1).Questions; len(q) != 2 {
		t.Errorf("round 1 has %d questions", len(q))
	}
}

func TestFold_LegacyAnswersOneByOne(t *testing.T) {
	s := older(t)
	s.says(3, asksFor("1"))
	s.says(3, asksFor("2"))
	f := s.says(3, `{"jsonrpc":"2.0","id":9,"method":"ping"}`)
	if n := len(f.Last().Questions); n != 2 {
		t.Fatalf("%d questions", n)
	}
	s.answered(2, 4, "1")
	f = s.part(4, Received, "HTTP/1.1 202 Accepted\r\n\r\n")
	if q := f.Last().Questions; f.Status != StatusWaiting || len(q) != 1 || q[0].Key != "2" {
		t.Errorf("got %s, %v", f.Status, q)
	}
	f = s.says(3, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
	if f.Status != StatusRunning {
		t.Errorf("a question that was taken back: %s", f.Status)
	}
	if err := f.Allows(Decision{Action: ActionAnswer, Round: 3,
		Answers: []Answer{accept("2", "{}")}}); err == nil {
		t.Error("it can still be answered")
	}
}

func TestFold_LegacyCallEnds(t *testing.T) {
	tests := []struct {
		name    string
		kind    EventKind
		data    string
		outcome OutcomeKind
		class   Class
		status  Status
	}{
		{"error", Message, `data: {"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"no"}}` + "\n\n",
			OutcomeRPCError, RPCFailed, StatusFailed},
		{"lost", Failed, `{"class":"no_response","detail":"gone"}`, OutcomeTransportError,
			CallLost, StatusFailed},
		{"reset", Failed, `{"class":"reset","detail":"gone"}`, OutcomeTransportError, "reset", StatusFailed},
		{"cancelled", Cancelled, "", OutcomeCancelled, "", StatusCancelled},
		{"interrupted", Interrupted, "", OutcomeInterrupted, CallLost, StatusInterrupted},
	}
	for _, test := range tests {
		for _, asked := range []bool{false, true} {
			s := older(t)
			if asked {
				s.says(3, asksFor("1"))
			}
			f := s.part(3, test.kind, test.data)
			r := f.Last()
			if r.Kind != test.outcome || r.Class != test.class || f.Status != test.status ||
				len(r.Questions) > 0 {
				t.Errorf("%s, asked %t: %s %s %s", test.name, asked, r.Kind, r.Class, f.Status)
			}
		}
	}
}

func TestFold_LegacyHandshakeFails(t *testing.T) {
	s := newStory(t)
	s.add(Decision{Action: ActionStart, Round: 1}.Event(s.tick()))
	s.raw(1, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`)
	f := s.part(1, Received, "HTTP/1.1 401 Unauthorized\r\n\r\n")
	if r := f.Last(); f.Status != StatusFailed || r.Class != HTTP401 || !r.Legacy {
		t.Errorf("got %s %s", f.Status, r.Class)
	}
}

func TestFold_LegacyAnswerLost(t *testing.T) {
	s := older(t)
	s.says(3, asksFor("1"))
	s.answered(2, 4, "1")
	f := s.part(4, Received, "HTTP/1.1 404 Not Found\r\nMcp-Sample-Instance: b/v1\r\n\r\n")
	if r := f.Last(); f.Status != StatusRunning || !strings.Contains(r.Lost, "instance b/v1") ||
		!strings.Contains(r.Lost, "404") {
		t.Errorf("got %s, %q", f.Status, r.Lost)
	}
}

// TestChangesStatus_EventWithoutData: 2025-11-25 begins a stream with one, so
// that it can be resumed.
func TestChangesStatus_EventWithoutData(t *testing.T) {
	s := older(t)
	e := Event{At: s.tick(), Conn: 3, Kind: Message, Data: []byte("id: 1\ndata: \n\n")}
	s.add(e)
	if f := Fold(s.x.Log); f.Status != StatusRunning || e.ChangesStatus() {
		t.Errorf("got %s, counts %t", f.Status, e.ChangesStatus())
	}
}
