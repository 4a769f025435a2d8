package views_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// noon is when every log that is written by hand begins.
var noon = time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)

// everything declares every client capability.
var everything = playground.Declare(playground.Declarable())

// recorder writes the log of an exchange: the requests as playground.Next
// builds them, the answers as a story gives them. One second passes between
// two events.
type recorder struct {
	x    playground.Exchange
	now  time.Time
	conn int
}

// call begins the log of a call of a foreign server's tool, with its first
// request sent.
func call(tool, arguments string) *recorder {
	r := newRecorder(playground.Call{
		Method: playground.ToolsCall,
		Params: fmt.Appendf(nil, `{"name":%q,"arguments":%s}`, tool, arguments),
	})
	return r.decide(playground.Decision{Action: playground.ActionStart})
}

func newRecorder(c playground.Call) *recorder {
	return &recorder{now: noon, x: playground.Exchange{
		ID: "X1", Session: "S1", Call: c, Created: noon,
		Target: playground.Target{
			ID: "T1", Name: "mcp.example.com", URL: "https://mcp.example.com/mcp", Capabilities: everything,
		},
	}}
}

func (r *recorder) add(e playground.Event) *recorder {
	r.now = r.now.Add(time.Second)
	e.Seq, e.At = len(r.x.Log)+1, r.now
	r.x.Log = append(r.x.Log, e)
	return r
}

// decide records a decision about the next Round and the request that it leads
// to.
func (r *recorder) decide(d playground.Decision) *recorder {
	f := playground.Fold(r.x.Log)
	d.Round = 1
	if last := f.Last(); last != nil {
		d.Round = last.N + 1
	}
	req, err := playground.Next(r.x, f, d, playground.Client{Name: "mrtr-playground", Version: "storybook"})
	if err != nil {
		panic("build request: " + err.Error())
	}
	return r.add(d.Event(noon)).send(req)
}

func (r *recorder) send(req wire.Request) *recorder {
	frame, err := wire.Encode(req)
	if err != nil {
		panic("encode request: " + err.Error())
	}
	r.conn++
	return r.add(playground.Event{Conn: r.conn, Kind: playground.Sent,
		Data: slices.Concat(frame.Head, frame.Body)})
}

// answer records the answers to the open questions: key and value in turns.
func (r *recorder) answer(keysAndValues ...string) *recorder {
	d := playground.Decision{Action: playground.ActionAnswer}
	for pair := range slices.Chunk(keysAndValues, 2) {
		d.Answers = append(d.Answers, playground.Answer{Key: pair[0], Value: json.RawMessage(pair[1])})
	}
	return r.decide(d)
}

// poll records a tasks/get that the client sends by itself.
func (r *recorder) poll() *recorder {
	me := playground.Client{Name: "mrtr-playground", Version: "storybook"}
	req, _, ok := playground.NextPoll(r.x, playground.Fold(r.x.Log), me)
	if !ok {
		panic("there is nothing to poll")
	}
	return r.send(req)
}

// receive records a whole answer.
func (r *recorder) receive(status int, contentType, body string, fields ...string) *recorder {
	return r.add(playground.Event{
		Conn: r.conn, Kind: playground.Received, Data: []byte(head(status, contentType, fields) + body),
		Timing: &wire.Timing{
			DNS: 4 * time.Millisecond, Connect: 12 * time.Millisecond, TLS: 30 * time.Millisecond,
			FirstByte: 80 * time.Millisecond, Total: 130 * time.Millisecond,
		},
	})
}

func head(status int, contentType string, fields []string) string {
	words := map[int]string{200: "OK", 202: "Accepted", 307: "Temporary Redirect", 401: "Unauthorized",
		404: "Not Found", 429: "Too Many Requests", 503: "Service Unavailable"}
	lines := append([]string{fmt.Sprintf("HTTP/1.1 %d %s", status, words[status]),
		"Content-Type: " + contentType}, fields...)
	return strings.Join(lines, "\r\n") + "\r\n\r\n"
}

// result records a response to the last request.
func (r *recorder) result(result string) *recorder { return r.response(`"result":` + result) }

// rpcError records an error response to the last request.
func (r *recorder) rpcError(code int, message string) *recorder {
	return r.response(fmt.Sprintf(`"error":{"code":%d,"message":%q}`, code, message))
}

func (r *recorder) response(member string) *recorder {
	return r.receive(200, "application/json", `{"jsonrpc":"2.0","id":`+r.id()+`,`+member+`}`)
}

// id is that of the last request.
func (r *recorder) id() string {
	for _, e := range slices.Backward(r.x.Log) {
		if e.Kind == playground.Sent {
			var m struct{ ID json.RawMessage }
			if err := json.Unmarshal(wire.Split(e.Data).Body, &m); err != nil {
				panic("read request: " + err.Error())
			}
			return string(m.ID)
		}
	}
	return "null"
}

// stream records an answer as a stream with these messages; a notification is
// its method and params.
func (r *recorder) stream(messages ...string) *recorder {
	r.add(playground.Event{Conn: r.conn, Kind: playground.Received,
		Data: []byte(head(200, "text/event-stream", nil)),
		Timing: &wire.Timing{Connect: 12 * time.Millisecond, FirstByte: 80 * time.Millisecond,
			Total: 130 * time.Millisecond}})
	for _, m := range messages {
		data := "event: message\ndata: " + strings.ReplaceAll(m, "$ID", r.id()) + "\n\n"
		r.add(playground.Event{Conn: r.conn, Kind: playground.Message, Data: []byte(data)})
	}
	return r
}

// fail records that the connection broke.
func (r *recorder) fail(class wire.Class, detail string) *recorder {
	part := wire.Part{Kind: wire.Failed, Failure: &wire.Failure{Class: class, Detail: detail}}
	return r.add(playground.PartEvent(part, r.conn))
}

// end records an event without data: Cancelled or Interrupted.
func (r *recorder) end(kind playground.EventKind) *recorder {
	return r.add(playground.Event{Conn: r.conn, Kind: kind})
}

// repeat records polls that were answered as the newest one was.
func (r *recorder) repeat(n int) *recorder {
	of := len(r.x.Log)
	r.conn += n
	r.now = r.now.Add(time.Duration(n) * time.Second)
	return r.add(playground.Repetition{Of: of, Count: n}.Event(r.now, r.conn))
}

// halt records that the client stopped polling.
func (r *recorder) halt(why playground.StopReason) *recorder {
	return r.add(playground.Stop{Reason: why}.Event(r.now, r.conn))
}

// refuse records that the user refused.
func (r *recorder) refuse() *recorder {
	return r.add(playground.Decision{Action: playground.ActionRefuse,
		Round: playground.Fold(r.x.Log).Last().N + 1}.Event(noon))
}

// upTo returns an exchange as it was before the decision that opens Round n+1.
func upTo(x playground.Exchange, n int) playground.Exchange {
	i := slices.IndexFunc(x.Log, func(e playground.Event) bool { return e.Opens() > n })
	if i >= 0 {
		x.Log = x.Log[:i]
	}
	return x
}

// cut returns an exchange as it was after so many events.
func cut(x playground.Exchange, events int) playground.Exchange {
	x.Log = x.Log[:events]
	return x
}

// connecting writes the log of connecting to a server that answers its
// requests one after the other as the functions say.
func connecting(answers ...func(*recorder)) []playground.Event {
	r := newRecorder(playground.Call{})
	me := playground.Client{Name: "mrtr-playground", Version: "storybook"}
	for _, answer := range answers {
		req, ok := server.NextConnect(r.x.Target, server.FoldConnection(r.x.Log), me)
		if !ok {
			panic("connecting is over")
		}
		r.send(req)
		answer(r)
	}
	return r.x.Log
}
