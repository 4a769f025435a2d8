package clienttest

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// stream begins an event stream and writes pieces of it.
func (c *call) stream(pieces ...string) {
	h := c.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	c.w.WriteHeader(http.StatusOK)
	c.pieces(pieces...)
}

// pieces writes pieces of an event stream. Each is flushed in two chunks, the first of which
// ends in the middle of a character if there is one of several bytes.
func (c *call) pieces(pieces ...string) {
	for _, piece := range pieces {
		at := strings.IndexFunc(piece, func(r rune) bool { return r >= utf8.RuneSelf }) + 1
		if at == 0 {
			at = len(piece) / 2
		}
		for _, part := range []string{piece[:at], piece[at:]} {
			_, _ = io.WriteString(c.w, part)
			_ = http.NewResponseController(c.w).Flush() // an error means that the client is gone
		}
	}
}

// event returns a message as an event with two data lines.
func event(message string) string {
	before, after, _ := strings.Cut(message, `,"`)
	return "event: message\r\ndata: " + before + ",\r\ndata: \"" + after + "\r\n\r\n"
}

// progress returns a notification for the progress token of the request, or a comment if it
// has none.
func (c *call) progress(n int) string {
	var meta map[string]json.RawMessage
	_ = json.Unmarshal(c.params["_meta"], &meta)
	token := meta["progressToken"]
	if token == nil {
		return ": no progress token\r\n\r\n"
	}
	return event(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` +
		string(token) +
		`,"progress":` + strconv.Itoa(n) + `,"total":3}}`)
}

// logged returns a log message if the request asks for them, or a comment.
func (c *call) logged(text string) string {
	var meta map[string]json.RawMessage
	_ = json.Unmarshal(c.params["_meta"], &meta)
	if meta["io.modelcontextprotocol/logLevel"] == nil {
		return ": no log level\r\n\r\n"
	}
	return event(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":` +
		`"hop","data":{"text":` + quote(text) + `,"n":1}}}`)
}

// wait returns when the client is gone, or after the longest time.
func (c *call) wait() {
	longest := c.s.config.Hold
	if c.gateway {
		longest = min(longest, longestPair)
	}
	c.pause(longest)
}

// changeAfter is how long after its acknowledgment a subscription gets its first notification in the
// test of a gateway.
const changeAfter = 500 * time.Millisecond

// pause returns after a time, or when the client is gone.
func (c *call) pause(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-c.r.Context().Done():
	case <-timer.C:
	}
}

// listen answers subscriptions/listen: it acknowledges, says that the tools have changed,
// and waits. In the test of a gateway it also says that a resource and the prompts have changed.
func (c *call) listen() {
	var filter struct {
		ToolsListChanged, PromptsListChanged bool
		ResourceSubscriptions                []string
	}
	_ = json.Unmarshal(c.params["notifications"], &filter)
	meta := `"_meta":{"io.modelcontextprotocol/subscriptionId":` + string(c.id) + `}`
	var accepted, changes []string
	add := func(member, method, params string) {
		accepted = append(accepted, member)
		changes = append(changes, event(`{"jsonrpc":"2.0","method":"notifications/`+method+`","params":{`+
			params+meta+`}}`))
	}
	if filter.ToolsListChanged {
		add(`"toolsListChanged":true`, "tools/list_changed", "")
	}
	if c.gateway && len(filter.ResourceSubscriptions) > 0 {
		uri := quote(filter.ResourceSubscriptions[0])
		add(`"resourceSubscriptions":[`+uri+`]`, "resources/updated", `"uri":`+uri+`,`)
	}
	if c.gateway && filter.PromptsListChanged {
		add(`"promptsListChanged":true`, "prompts/list_changed", "")
	}
	c.stream(event(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{` +
		`"notifications":{` + strings.Join(accepted, ",") + `},` + meta + `}}`))
	if c.gateway { // a gateway that has acknowledged it by itself is ready by then
		c.pause(changeAfter)
	}
	c.pieces(changes...)
	c.wait()
	_, _ = io.WriteString(c.w, event(c.messageWith(`"resultType":"complete"`,
		`"io.modelcontextprotocol/subscriptionId":`+string(c.id))))
}
