package lesson

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Recording returns the exchange as it would be recorded if the option had been
// sent. Rules can judge it like any other.
func (s Scenario) Recording(option int) (playground.Exchange, error) {
	declared := cmp.Or(s.declared, `{"elicitation":{"form":{}}}`)
	x := playground.Exchange{
		ID: s.ID,
		Target: playground.Target{Name: "the server", URL: "https://mcp.example/mcp",
			Capabilities: json.RawMessage(declared)},
		Call: playground.Call{Method: s.Method, Params: json.RawMessage(s.Params)},
	}
	messages := append(slices.Clone(s.Messages), Message{Server: s.ByServer(), JSON: s.Options[option].JSON})
	r := recorder{x: &x}
	if err := r.request(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{"…":"…"}}`,
		s.Method)); err != nil {
		return x, err
	}
	for _, m := range messages {
		add := r.request
		if m.Server {
			add = r.response
		}
		if err := add(m.JSON); err != nil {
			return x, fmt.Errorf("%s: %w", s.Title, err)
		}
	}
	return x, nil
}

// recorder appends messages to a log.
type recorder struct {
	x *playground.Exchange
	n int // number of the Round
}

func (r *recorder) add(kind playground.EventKind, data []byte) {
	r.x.Log = append(r.x.Log, playground.Event{Seq: len(r.x.Log) + 1,
		At: time.Unix(int64(len(r.x.Log)), 0).UTC(), Conn: r.n, Kind: kind, Data: data})
}

// request records a client's message, with the params of the call in place of
// "…".
func (r *recorder) request(text string) error {
	node, err := jsontree.Parse([]byte(text), jsontree.Limits{})
	if err != nil {
		return fmt.Errorf("client message: %w", err)
	}
	if err := members(node, "jsonrpc", "id", "method", "params"); err != nil {
		return err
	}
	first, err := playground.Next(playground.Exchange{Target: r.x.Target, Call: r.x.Call},
		playground.Transcript{},
		playground.Decision{Action: playground.ActionStart, Round: 1},
		playground.Client{Name: "quiz", Version: "1"})
	if err != nil {
		return err
	}
	first.ID, first.Method = node.Get("id").Raw(), node.Get("method").Str()
	r.n++
	d := playground.Decision{Action: playground.ActionStart, Round: r.n}
	if r.n > 1 {
		d.Action = playground.ActionRetry
	}
	params := node.Get("params")
	if !params.Has("…") {
		return fmt.Errorf("client message: params without \"…\" have no _meta")
	}
	for _, m := range params.Members {
		if m.Key == "…" {
			continue
		}
		if m.Key == "inputResponses" {
			d.Action = playground.ActionAnswer
			for _, a := range m.Value.Members {
				d.Answers = append(d.Answers, playground.Answer{Key: a.Key, Value: a.Value.Raw()})
			}
		}
		if first.Params, err = jsontree.Set(first.Params,
			jsontree.Pair{Key: m.Key, Value: m.Value.Raw()}); err != nil {
			return err
		}
	}
	return r.send(d, first)
}

// members returns an error unless the message has exactly these members.
func members(n *jsontree.Node, names ...string) error {
	for _, name := range names {
		if !n.Has(name) {
			return fmt.Errorf("message without %q: %s", name, n.Raw())
		}
	}
	if len(n.Members) != len(names) {
		return fmt.Errorf("message has more than %v: %s", names, n.Raw())
	}
	return nil
}

// send records a decision and the request that it leads to.
func (r *recorder) send(d playground.Decision, req wire.Request) error {
	frame, err := wire.Encode(req)
	if err != nil {
		return fmt.Errorf("client message: %w", err)
	}
	event := d.Event(time.Time{})
	r.add(event.Kind, event.Data)
	r.x.Log[len(r.x.Log)-1].Conn = 0
	r.add(playground.Sent, slices.Concat(frame.Head, frame.Body))
	return nil
}

// response records a server's message.
func (r *recorder) response(text string) error {
	node, err := jsontree.Parse([]byte(text), jsontree.Limits{})
	if err != nil {
		return fmt.Errorf("server message: %w", err)
	}
	outcome := "result"
	if node.Has("error") {
		outcome = "error"
	}
	if err := members(node, "jsonrpc", "id", outcome); err != nil {
		return err
	}
	r.add(playground.Received, append([]byte(
		"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"), text...))
	return nil
}
