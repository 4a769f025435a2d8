package sampletools

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// stream returns a reply with an SSE stream. In the messages, $ID is the
// request's id and $TOKEN its progress token, $RESPONSE a right response.
func stream(messages ...string) reply {
	return func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Accel-Buffering", "no")
		c.stream(w, messages...)
	}
}

func (c *naughtyCall) stream(w http.ResponseWriter, messages ...string) {
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, ":\n\n") // a comment, so that a stream without messages is one too
	fill := strings.NewReplacer("$RESPONSE", c.message(fine), "$ID", string(c.ID), "$TOKEN",
		string(c.Meta["progressToken"]))
	for _, m := range messages {
		if strings.Contains(m, "$TOKEN") && c.Meta["progressToken"] == nil {
			continue // progress that was not asked for would be another fault
		}
		// Write errors are ignored: the client is gone.
		_, _ = io.WriteString(w, serve.Event(fill.Replace(m)))
	}
}

func progress(token string, value any) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{`+
		`"progressToken":%s,"progress":%v,"total":100}}`, token, value)
}

func logMessage(level, data string) string {
	return `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"` + level +
		`","logger":"naughty","data":` + serve.Quote(data) + `}}`
}

// faultsOfStreams break the stream of a response
// (basic/transports/streamable-http, "Receiving Messages";
// basic/patterns/progress; server/utilities/logging).
func faultsOfStreams() []fault {
	return []fault{
		{
			tool: "request_on_stream",
			answer: stream(`{"jsonrpc":"2.0","id":"s-1","method":"elicitation/create","params":{"message":`+
				`"Psst","requestedSchema":{"type":"object","properties":{}}}}`, `$RESPONSE`),
		},
		{tool: "after_response", answer: stream(`$RESPONSE`, progress("$TOKEN", 100))},
		{tool: "no_response", answer: stream(progress("$TOKEN", 10))},
		{
			tool:   "unrelated_notification",
			answer: stream(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`, `$RESPONSE`),
		},
		{
			tool: "log_without_level",
			answer: func(c *naughtyCall, w http.ResponseWriter, r *http.Request) {
				if _, asked := c.MetaText("logLevel"); !asked {
					c.result(w, fine)
					return
				}
				stream(`{"jsonrpc":"2.0","method":"notifications/message","params":{}}`, `$RESPONSE`)(c, w, r)
			},
		},
		{tool: "log_unasked", answer: stream(logMessage("info", "working"), `$RESPONSE`)},
		{
			tool: "log_below_level",
			answer: func(c *naughtyCall, w http.ResponseWriter, r *http.Request) {
				if _, asked := c.MetaText("logLevel"); !asked {
					c.result(w, fine)
					return
				}
				stream(logMessage("debug", "details"), `$RESPONSE`)(c, w, r)
			},
		},
		{
			tool: "progress_falls",
			answer: stream(progress("$TOKEN", 50), progress("$TOKEN", 30), progress("$TOKEN", 90),
				`$RESPONSE`),
		},
		{tool: "progress_of_another", answer: stream(progress(`"another"`, 50), `$RESPONSE`)},
		{
			tool: "buffered_stream",
			answer: func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
				c.stream(w, progress("$TOKEN", 50), `$RESPONSE`)
			},
		},
	}
}

// listen sends the messages of a subscription and ends it well.
func (c *naughtyCall) listen(w http.ResponseWriter, messages ...string) {
	w.Header().Set("X-Accel-Buffering", "no")
	messages = append(messages, c.change("cancelled", `,"requestId":`+string(c.ID)),
		`{"jsonrpc":"2.0",`+serve.IDMember(c.ID)+
			`"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":`+
			string(c.ID)+`,"io.modelcontextprotocol/serverInfo":{"name":"naughty","version":"v1"}}}}`)
	c.stream(w, messages...)
}

// acknowledgment is the first message of a subscription.
func (c *naughtyCall) acknowledgment(agreed string) string {
	return c.change("subscriptions/acknowledged", `,"notifications":`+agreed)
}

// change is a notification of a subscription.
func (c *naughtyCall) change(name, params string) string {
	return `{"jsonrpc":"2.0","method":"notifications/` + name + `","params":{"_meta":{` +
		`"io.modelcontextprotocol/subscriptionId":` + string(c.ID) + `}` + params + `}}`
}

// faultsOfListening break subscriptions/listen (basic/patterns/subscriptions).
func faultsOfListening() []fault {
	listening := func(name string, answer func(c *naughtyCall) []string) fault {
		return fault{tool: name, answer: func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
			c.listen(w, answer(c)...)
		}}
	}
	const tools = `{"toolsListChanged":true}`
	return []fault{
		listening("listen_silent", func(c *naughtyCall) []string {
			return []string{c.change("tools/list_changed", "")}
		}),
		listening("listen_more", func(c *naughtyCall) []string {
			return []string{c.acknowledgment(tools), c.change("prompts/list_changed", "")}
		}),
		listening("listen_no_id", func(c *naughtyCall) []string {
			return []string{c.acknowledgment(tools),
				`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`}
		}),
		listening("listen_other_id", func(c *naughtyCall) []string {
			other := &naughtyCall{Envelope: &serve.Envelope{ID: json.RawMessage(`"another"`)}}
			return []string{c.acknowledgment(tools), other.change("tools/list_changed", "")}
		}),
		listening("listen_tasks_unasked", func(c *naughtyCall) []string {
			return []string{c.acknowledgment(`{"taskIds":["t-1"]}`)}
		}),
	}
}
