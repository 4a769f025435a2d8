package server

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// connected returns a connection to a server with these tools.
func connected(tools ...string) Connection {
	c := Connection{Status: Connected, Era: playground.Modern, Name: "S", Version: "1"}
	for _, raw := range tools {
		n, err := jsontree.Parse([]byte(raw), jsontree.Limits{})
		if err != nil {
			panic(err)
		}
		c.Tools = append(c.Tools, newTool(n))
	}
	return c
}

// TestChanges: each member of what a server offers is compared, by the names of the offers,
// and the order of a list is no difference.
func TestChanges(t *testing.T) {
	const a = `{"name":"a","description":"A","inputSchema":` +
		`{"type":"object","properties":{"x":{}}},"_meta":{"n":1}}`
	const b = `{"name":"b","inputSchema":{"type":"object"}}`
	with := func(change func(*Connection)) Connection {
		c := connected(a, b)
		change(&c)
		return c
	}
	capable := func(raw string) *jsontree.Node {
		n, err := jsontree.Parse([]byte(raw), jsontree.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := with(func(c *Connection) {
		c.Capabilities = capable(`{"tools":{}}`)
		c.Prompts = []Prompt{{Name: "p", Arguments: []PromptArgument{{Name: "x"}}}}
		c.Resources = []Resource{{URI: "r:1", Name: "one"}}
	})
	for name, x := range map[string]struct {
		after func(*Connection)
		want  string
	}{
		"the same":      {func(*Connection) {}, ""},
		"another order": {func(c *Connection) { *c = with2(*c, connected(b, a)) }, ""},
		"other metadata": {func(c *Connection) {
			*c = with2(*c, connected(strings.Replace(a, `"n":1`, `"n":2`, 1), b))
		}, ""},
		"a tool more": {func(c *Connection) { *c = with2(*c, connected(a, b, `{"name":"c"}`)) },
			"added tool c"},
		"a tool fewer": {func(c *Connection) { *c = with2(*c, connected(a)) }, "removed tool b"},
		"another schema": {func(c *Connection) {
			*c = with2(*c, connected(strings.Replace(a, `"x":{}`, `"y":{}`, 1), b))
		}, "changed tool a: inputSchema/properties/y added, inputSchema/properties/x removed"},
		"another description": {func(c *Connection) {
			*c = with2(*c, connected(strings.Replace(a, `"A"`, `"B"`, 1), b))
		}, "changed tool a: description"},
		"an output schema": {func(c *Connection) {
			*c = with2(*c, connected(a, strings.Replace(b, `"name"`, `"outputSchema":{},"name"`, 1)))
		}, "changed tool b: outputSchema added"},
		"a version":    {func(c *Connection) { c.Version = "2" }, "changed version: from 1 to 2"},
		"instructions": {func(c *Connection) { c.Instructions = "Do." }, "changed instructions"},
		"a capability": {func(c *Connection) { c.Capabilities = capable(`{"tools":{},"prompts":{}}`) },
			"changed capabilities: prompts added"},
		"an argument": {func(c *Connection) {
			c.Prompts = []Prompt{{Name: "p", Arguments: []PromptArgument{{Name: "x", Required: true}}}}
		}, "changed prompt p: arguments/0/required"},
		"a resource": {func(c *Connection) { c.Resources = nil }, "removed resource r:1"},
		"a list half read": {func(c *Connection) {
			c.Tools, c.Truncated = nil, []string{playground.ToolsList}
		}, ""},
	} {
		after := before
		x.after(&after)
		var words []string
		for _, d := range Changes(before, after) {
			w := strings.TrimSpace(fmt.Sprintf("%s %s %s", d.Kind, d.What, d.Name))
			if len(d.Details) > 0 {
				w += ": " + strings.Join(d.Details, ", ")
			}
			words = append(words, w)
		}
		if got := strings.Join(words, "; "); got != x.want {
			t.Errorf("%s: %q, want %q", name, got, x.want)
		}
	}
}

// with2 returns a connection with the tools of another.
func with2(c, tools Connection) Connection {
	c.Tools = tools.Tools
	return c
}

// TestEarlier: it is the last attempt that ended with the offers, before the newest one.
func TestEarlier(t *testing.T) {
	var log []playground.Event
	at := time.Unix(1000, 0)
	attempt := func(body string) {
		at = at.Add(time.Hour)
		log = append(log, playground.Decision{Action: playground.ActionStart}.Event(at))
		conn := len(log)
		log = append(log,
			playground.Event{Conn: conn, Kind: playground.Sent, Data: []byte("POST / HTTP/1.1\r\n\r\n" +
				`{"jsonrpc":"2.0","id":"1","method":"server/discover"}`)},
			playground.Event{Conn: conn, Kind: playground.Received, Data: []byte("HTTP/1.1 200 OK\r\n" +
				"Content-Type: application/json\r\n\r\n" + body)})
	}
	result := func(version string) string {
		return `{"jsonrpc":"2.0","id":"1","result":{"resultType":"complete",` +
			`"supportedVersions":["2026-07-28"],` +
			`"capabilities":{},"serverInfo":{"name":"s","version":"` + version + `"}}}`
	}
	if _, _, ok := Earlier(log); ok {
		t.Error("an empty log has an earlier connection")
	}
	attempt(result("1"))
	if _, _, ok := Earlier(log); ok {
		t.Error("the first attempt has an earlier one")
	}
	first := at
	attempt("no JSON")
	attempt(result("2"))
	c, made, ok := Earlier(log)
	if !ok || c.Version != "1" || !made.Equal(first) {
		t.Errorf("%+v, %s, %v", c, made, ok)
	}
	if now := FoldConnection(log); now.Version != "2" || len(Changes(c, now)) != 1 {
		t.Errorf("%+v: %+v", now, Changes(c, now))
	}
}
