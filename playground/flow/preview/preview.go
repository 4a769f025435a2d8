// Package preview makes the exchange that a flow would lead to, without a server:
// the requests of this program's client and the responses that the flow predicts,
// as a log. So a picture, a question and the bytes of a draft are made by what
// makes those of a recording.
//
// A preview has no requestState that could be opened: where the server would
// return one, StatePlaceholder stands.
//
// A preview is a claim about a server that is not asked, so it must come from
// the evaluator that the server runs: package flow predicts every response, and
// this package only writes the messages around it. It is pure.
package preview

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// StatePlaceholder stands for a requestState.
const StatePlaceholder = "…"

// Input has the parts that a preview is made of.
type Input struct {
	Flow    *flow.Flow
	Version *flow.Version
	Answers map[string]flow.Answer // the exchange stops at a question without one
	Target  playground.Target      // with the URL that the flow would have
	Client  playground.Client
	At      time.Time
}

// Exchange returns the exchange. Its rounds are those that Predict gives.
func Exchange(in Input) playground.Exchange {
	m := maker{in: in, x: playground.Exchange{
		ID: "preview", Session: "preview", Target: in.Target, Created: in.At,
		Call: playground.Call{Method: playground.ToolsCall, Params: Params(in.Flow)},
	}}
	for _, r := range in.Version.Predict(in.Flow.Example(), in.Answers) {
		if !m.add(r) {
			break
		}
	}
	return m.x
}

// Params returns the params of the call of a flow with the examples of its
// arguments.
func Params(f *flow.Flow) json.RawMessage {
	return object("name", f.Name, "arguments", f.Example())
}

// object returns a JSON object of names and values that always encode.
func object(pairs ...any) json.RawMessage {
	var list []jsontree.Pair
	for i := 0; i+1 < len(pairs); i += 2 {
		raw, ok := pairs[i+1].(json.RawMessage)
		if !ok {
			var err error
			if raw, err = json.Marshal(pairs[i+1]); err != nil {
				panic("preview: encode: " + err.Error())
			}
		}
		list = append(list, jsontree.Pair{Key: pairs[i].(string), Value: raw})
	}
	return jsontree.ObjectOf(list...)
}

// maker adds rounds to an exchange.
type maker struct {
	in       Input
	x        playground.Exchange
	answered bool // a question was answered, so there is a state
	task     bool // the call became a task
	last     *flow.Round
}

// add adds a round. It reports whether there can be another one.
func (m *maker) add(r flow.Round) bool {
	d := m.decision()
	request, err := playground.Next(m.x, m.x.Fold(), d, m.in.Client)
	if err != nil {
		return false
	}
	m.event(0, d.Event(m.in.At))
	m.send(request)
	switch {
	case r.Task && !m.task:
		// The call itself ends with the task; its questions are read with
		// tasks/get.
		m.task = true
		m.receive(d.Round, request.ID, object(
			"resultType",
			"task",
			"taskId",
			taskID,
			"status",
			"working",
			"createdAt",
			m.in.At.UTC().Format(time.RFC3339),
			"lastUpdatedAt",
			m.in.At.UTC().Format(time.RFC3339),
			"ttlMs",
			600000,
			"pollIntervalMs",
			1000,
		))
		return m.poll(d, r)
	case r.Task:
		m.receive(d.Round, request.ID, object("resultType", "complete"))
		return m.poll(d, r)
	default:
		m.receive(d.Round, request.ID, m.result(r))
	}
	m.last, m.answered = &r, m.answered || d.Action == playground.ActionAnswer
	return true
}

const taskID = "task-1"

// poll adds the request that reads the task, and its response.
func (m *maker) poll(d playground.Decision, r flow.Round) bool {
	request, _, ok := playground.NextPoll(m.x, m.x.Fold(), m.in.Client)
	if !ok {
		return false
	}
	m.send(request)
	at := m.in.At.UTC().Format(time.RFC3339)
	task := []any{
		"resultType", "complete", "taskId", taskID, "status", "input_required", "createdAt", at,
		"lastUpdatedAt", at, "ttlMs", 600000, "pollIntervalMs", 1000,
	}
	if r.Ending != nil {
		task[5] = "completed"
		task = append(task, "result", content(*r.Ending))
	} else {
		task = append(task, "inputRequests", m.requests(r))
	}
	m.receive(d.Round, request.ID, object(task...))
	m.last = &r
	return true
}

// decision returns the decision that leads to the next round.
func (m *maker) decision() playground.Decision {
	d := playground.Decision{Action: playground.ActionStart, Round: 1}
	if m.last == nil {
		return d
	}
	d.Round, d.Action = m.x.Fold().Last().N+1, playground.ActionRetry
	for _, q := range m.last.Asks {
		d.Action = playground.ActionAnswer
		d.Answers = append(
			d.Answers,
			playground.Answer{Key: q.Key, Value: answerJSON(q.Step, m.in.Answers[q.Key])},
		)
	}
	return d
}

// answerJSON returns an answer as it is sent.
func answerJSON(s flow.Step, a flow.Answer) json.RawMessage {
	switch s.Kind {
	case flow.Sampling:
		return object("role", "assistant", "content", object("type", "text", "text", a.Values["text"]),
			"model", a.Values["model"], "stopReason", "endTurn")
	case flow.Roots:
		uris, _ := a.Values["uris"].([]any)
		names, _ := a.Values["names"].([]any)
		list := make([]map[string]any, len(uris))
		for i, uri := range uris {
			list[i] = map[string]any{"uri": uri}
			if i < len(names) {
				list[i]["name"] = names[i]
			}
		}
		return object("roots", list)
	}
	if s.Kind == flow.Form && a.Action == "accept" {
		return object("action", a.Action, "content", a.Values)
	}
	return object("action", a.Action)
}

// result returns the result of a round of the call.
func (m *maker) result(r flow.Round) json.RawMessage {
	if r.Ending != nil {
		return content(*r.Ending)
	}
	pairs := []any{"resultType", "input_required"}
	if len(r.Asks) > 0 {
		pairs = append(pairs, "inputRequests", m.requests(r))
	}
	if r.Shed != "" || m.answered || len(m.x.Fold().Rounds) > 1 {
		pairs = append(pairs, "requestState", StatePlaceholder)
	}
	return object(pairs...)
}

func content(e flow.Ended) json.RawMessage {
	pairs := []any{
		"resultType",
		"complete",
		"content",
		[]map[string]string{{"type": "text", "text": e.Text}},
	}
	if e.Error {
		pairs = append(pairs, "isError", true)
	}
	return object(pairs...)
}

// requests returns inputRequests.
func (m *maker) requests(r flow.Round) json.RawMessage {
	var pairs []any
	for _, q := range r.Asks {
		pairs = append(pairs, q.Key, m.request(q))
	}
	return object(pairs...)
}

func (m *maker) request(q flow.Asked) json.RawMessage {
	method, params := "elicitation/create", json.RawMessage(nil)
	switch q.Kind {
	case flow.Form:
		params = object("message", q.Words, "requestedSchema", q.Schema)
	case flow.URL:
		params = object("mode", "url", "message", q.Words, "url", m.in.Target.URL)
	case flow.Sampling:
		method = "sampling/createMessage"
		pairs := []any{"messages", []any{map[string]any{"role": "user",
			"content": map[string]any{"type": "text", "text": q.Words}}}, "maxTokens", q.MaxTokens}
		if q.SystemWords != "" {
			pairs = append(pairs, "systemPrompt", q.SystemWords)
		}
		params = object(pairs...)
	default:
		return object("method", "roots/list", "params", object())
	}
	return object("method", method, "params", params)
}

func (m *maker) send(r wire.Request) {
	frame, err := wire.Encode(r)
	if err != nil {
		panic("preview: " + err.Error()) // the address is that of this program
	}
	m.conn(playground.Sent, frame.Bytes(), true)
}

func (m *maker) receive(round int, id, result json.RawMessage) {
	on := m.in.Version.On
	body := object("jsonrpc", "2.0", "id", id, "result", result)
	head := fmt.Sprintf(
		"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nMcp-Sample-Instance: %s/%s\r\n"+
			"Content-Length: %d\r\n\r\n",
		on[(round-1)%len(on)],
		m.in.Version.Name,
		len(body),
	)
	m.conn(playground.Received, append([]byte(head), body...), false)
}

// conn adds an event of a connection, which a request opens.
func (m *maker) conn(kind playground.EventKind, data []byte, opens bool) {
	n := 1
	for _, e := range m.x.Log {
		n = max(n, e.Conn)
	}
	if opens && len(m.x.Log) > 1 {
		n++
	}
	m.event(n, playground.Event{At: m.in.At, Kind: kind, Data: data})
}

func (m *maker) event(conn int, e playground.Event) {
	e.Seq, e.Conn = len(m.x.Log)+1, conn
	m.x.Log = append(m.x.Log, e)
}
