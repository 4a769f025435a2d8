package playground

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// story drives an Exchange against answers that the test writes.
type story struct {
	t    testing.TB
	x    Exchange
	conn int
	now  time.Time

	reader Reader // of x.Log, compared with Fold at every event
}

func newStory(t testing.TB) *story {
	t.Helper()
	return &story{t: t, now: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC), x: Exchange{
		ID: "x1",
		Target: Target{Name: "the server", URL: "http://127.0.0.1:9/mcp",
			Capabilities: Declare([]string{"elicitation.form", "tasks"})},
		Call: Call{Method: ToolsCall, Params: json.RawMessage(`{"name":"t","arguments":{"n":1.0}}`)},
	}}
}

func (s *story) tick() time.Time { s.now = s.now.Add(time.Second); return s.now }

func (s *story) add(e Event) {
	s.t.Helper()
	e.Seq = len(s.x.Log) + 1
	s.x.Log = append(s.x.Log, e)
	sameReading(s.t, &s.reader, s.x.Log)
}

// decide appends the decision and the request that Next builds for it.
func (s *story) decide(d Decision) wire.Request {
	s.t.Helper()
	req, err := Next(s.x, Fold(s.x.Log), d, Client{"test", "1"})
	if err != nil {
		s.t.Fatalf("next: %v", err)
	}
	s.add(d.Event(s.tick()))
	s.send(req)
	return req
}

func (s *story) send(req wire.Request) {
	s.t.Helper()
	frame, err := wire.Encode(req)
	if err != nil {
		s.t.Fatalf("encode: %v", err)
	}
	s.conn++
	s.add(Event{At: s.tick(), Conn: s.conn, Kind: Sent, Data: slices.Concat(frame.Head, frame.Body)})
}

func (s *story) start() wire.Request {
	s.t.Helper()
	return s.decide(Decision{Action: ActionStart, Round: 1})
}

func (s *story) answer(answers ...Answer) wire.Request {
	s.t.Helper()
	return s.decide(Decision{Action: ActionAnswer, Round: Fold(s.x.Log).Last().N + 1, Answers: answers})
}

// receive appends an answer with a JSON body.
func (s *story) receive(body string) Transcript { return s.receiveAs(200, "application/json", body) }

func (s *story) receiveAs(status int, contentType, body string) Transcript {
	head := fmt.Sprintf("HTTP/1.1 %d X\r\nContent-Type: %s\r\n\r\n", status, contentType)
	s.add(Event{At: s.tick(), Conn: s.conn, Kind: Received, Data: []byte(head + body)})
	return Fold(s.x.Log)
}

// result appends a response with the id of the last request.
func (s *story) result(result string) Transcript {
	return s.receive(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, Fold(s.x.Log).Last().N, result))
}

const asks = `{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create",` +
	`"params":{"message":"?","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}}}}}`

func accept(key, content string) Answer {
	return Answer{Key: key, Value: json.RawMessage(`{"action":"accept","content":` + content + `}`)}
}
