package server_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// listed connects to a server that answers as reply says, without a network.
func listed(t *testing.T, reply func(method, cursor string) string) (server.Connection, int) {
	t.Helper()
	target := playground.Target{URL: "http://h/mcp"}
	var log []playground.Event
	for n := 1; ; n++ {
		c := server.FoldConnection(log)
		req, ok := server.NextConnect(target, c, playground.Client{Name: "me", Version: "1"})
		if !ok || n > 100 {
			return c, n - 1
		}
		frame, err := wire.Encode(req)
		if err != nil {
			t.Fatal(err)
		}
		var params struct{ Cursor string }
		_ = json.Unmarshal(req.Params, &params)
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, req.ID, reply(req.Method, params.Cursor))
		answer := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + body
		log = append(log, playground.Event{At: time.Unix(int64(n), 0), Conn: n, Kind: playground.Sent,
			Data: slices.Concat(frame.Head, frame.Body)},
			playground.Event{At: time.Unix(int64(n), 1), Conn: n, Kind: playground.Received,
				Data: []byte(answer)})
	}
}

const allCapabilities = `"result":{"resultType":"complete","supportedVersions":["2026-07-28"],` +
	`"capabilities":{"tools":{},"prompts":{},"resources":{}}}`

// pages answers tools/list with this many pages of this many tools.
func pages(count, size int) func(string, string) string {
	return func(method, cursor string) string {
		if method == "server/discover" {
			return `"result":{"resultType":"complete","supportedVersions":["2026-07-28"],` +
				`"capabilities":{"tools":{}}}`
		}
		page := 1
		_, _ = fmt.Sscanf(cursor, "page-%d", &page)
		var tools []string
		for i := range size {
			tools = append(tools, fmt.Sprintf(`{"name":"t%d-%d","inputSchema":{"type":"object"}}`, page, i))
		}
		next := ""
		if page < count {
			next = fmt.Sprintf(`,"nextCursor":"page-%d"`, page+1)
		}
		return `"result":{"resultType":"complete","tools":[` + strings.Join(tools, ",") + `]` + next + `}`
	}
}

func TestFoldConnection_ListLimits(t *testing.T) {
	for _, c := range []struct {
		pages, size  int
		tools, asked int
		cut          bool
		what         string
	}{
		{10, 50, 500, 11, false, "at both limits"},
		{11, 10, 100, 11, true, "a page too many"},
		{10, 51, 500, 11, true, "an entry too many"},
		{1, 501, 500, 2, true, "an entry too many at once"},
		{1, 0, 0, 2, false, "an empty list"},
	} {
		got, asked := listed(t, pages(c.pages, c.size))
		if got.Status != server.Connected || len(got.Tools) != c.tools || asked != c.asked ||
			(len(got.Truncated) > 0) != c.cut {
			t.Errorf("%s: %s, %d tools, %d requests, cut %q", c.what, got.Status, len(got.Tools),
				asked, got.Truncated)
		}
	}
}

func TestNextConnect_EveryDeclaredList(t *testing.T) {
	var asked []string
	got, _ := listed(t, func(method, _ string) string {
		asked = append(asked, method)
		switch method {
		case "server/discover":
			return allCapabilities
		case "resources/templates/list":
			return `"error":{"code":-32601,"message":"no such method"}`
		}
		return `"result":{"resultType":"complete"}`
	})
	want := []string{"server/discover", "tools/list", "prompts/list", "resources/list",
		"resources/templates/list"}
	if !slices.Equal(asked, want) || got.Status != server.Connected {
		t.Errorf("asked %q, %s", asked, got.Status)
	}
	odd := strings.Join(server.Warnings(got), " ")
	if !strings.Contains(odd, "resources/templates/list") || !strings.Contains(odd, "-32601") {
		t.Errorf("warnings: %s", odd)
	}
}

func TestTool_ExcludedByAnnotation(t *testing.T) {
	for _, c := range []struct{ schema, why string }{
		{`{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"integer",` +
			`"x-mcp-header":"B"},"c":{"type":"boolean","x-mcp-header":"C"}}}`, ""},
		{`{"type":"object","properties":{"x-mcp-header":{"type":"string"}}}`, ""}, // a parameter of that name
		{`{"type":"object","properties":{"a":{"enum":[{"x-mcp-header":"A"}]}}}`, ""},
		{`{"type":"object","properties":{"o":{"type":"object","properties":{"a":{"type":"string",` +
			`"x-mcp-header":"A"}}}}}`, ""},
		{`{"type":"object","properties":{"a":{"type":"string","x-mcp-header":""}}}`, "empty"},
		{`{"type":"object","properties":{"a":{"type":"string","x-mcp-header":5}}}`, "empty"},
		{`{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"a b"}}}`, "not a header name"},
		{`{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"R\u00e9gion"}}}`,
			"not a header name"},
		{`{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"a\r\nb"}}}`,
			"not a header name"},
		{`{"type":"object","properties":{"a":{"type":"number","x-mcp-header":"A"}}}`,
			"not a string, integer or boolean"},
		{`{"type":"object","properties":{"a":{"type":"array","items":{"type":"string",` +
			`"x-mcp-header":"A"}}}}`,
			"not on a property of the arguments"},
		{`{"type":"object","x-mcp-header":"A"}`,
			"not on a property of the arguments"},
		{`{"type":"object","oneOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]}`,
			"not on a property of the arguments"},
		{`{"type":"object","$defs":{"a":{"type":"string","x-mcp-header":"A"}}}`,
			"not on a property of the arguments"},
		{`{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"Same"},` +
			`"b":{"type":"string","x-mcp-header":"sAME"}}}`, "used twice"},
	} {
		got, _ := listed(t, func(method, _ string) string {
			if method == "server/discover" {
				return `"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`
			}
			return `"result":{"tools":[{"name":"x","inputSchema":` + c.schema +
				`},{"name":"fine","inputSchema":{"type":"object"}}]}`
		})
		excluded := got.Tools[0].Excluded
		if (c.why == "") != (excluded == "") || !strings.Contains(excluded, c.why) ||
			got.Tools[1].Excluded != "" {
			t.Errorf("%s: %q, want %q", c.schema, excluded, c.why)
		}
		if _, callable := got.Tool("x"); callable != (c.why == "") {
			t.Errorf("%s: callable %t", c.schema, callable)
		}
	}
}

func TestHeaderParams(t *testing.T) {
	const tool = `{"inputSchema":{"type":"object","properties":{"s":{"type":"string",` +
		`"x-mcp-header":"S"},"n":{"type":"integer","x-mcp-header":"N"},"b":{"type":"boolean",` +
		`"x-mcp-header":"B"},"deep":{"type":"object","properties":{"x":{"type":"string",` +
		`"x-mcp-header":"X"}}}}}}`
	for _, c := range []struct{ arguments, want string }{
		{`{"s":"us-west1","n":42,"b":false}`, "Mcp-Param-S: us-west1; Mcp-Param-N: 42; Mcp-Param-B: false"},
		{`{"s":" padded ","n":null}`, "Mcp-Param-S: =?base64?IHBhZGRlZCA=?="},
		{`{"s":""}`, "Mcp-Param-S: "},
		{`{"s":"=?base64?literal?="}`, "Mcp-Param-S: =?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="},
		{`{"deep":{"x":"y"}}`, "Mcp-Param-X: y"},
		{`{"deep":[{"x":"y"}]}`, ""},
		{`{}`, ""},
	} {
		var list []string
		for _, f := range playground.HeaderParams(json.RawMessage(tool),
			json.RawMessage(`{"name":"t","arguments":`+c.arguments+`}`)) {
			list = append(list, f.Name+": "+f.Value)
		}
		if got := strings.Join(list, "; "); got != c.want {
			t.Errorf("%s gave %q, want %q", c.arguments, got, c.want)
		}
	}
}

// TestWarnings_ClientCapability: elicitation is known to the specification, but
// not as a server's capability.
func TestWarnings_ClientCapability(t *testing.T) {
	c, _ := listed(t, func(string, string) string {
		return `"result":{"resultType":"complete","supportedVersions":["2026-07-28"],` +
			`"capabilities":{"elicitation":{},"sparkle":{}}}`
	})
	want := []string{
		`It declares the capability "elicitation", which only clients declare.`,
		`The capabilities object has the member "sparkle", which the specification does not define.`,
	}
	if got := server.Warnings(c); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// TestFoldConnection_EmptyCursor: the empty cursor leads on, as any other, and
// a value that is no string is no cursor.
func TestFoldConnection_EmptyCursor(t *testing.T) {
	for cursor, want := range map[string]int{`""`: 2, `7`: 1, `null`: 1} {
		requests := 0
		got, _ := listed(t, func(method, _ string) string {
			if method == "server/discover" {
				return `"result":{"resultType":"complete","supportedVersions":["2026-07-28"],` +
					`"capabilities":{"tools":{}}}`
			}
			if requests++; requests == 1 {
				return `"result":{"resultType":"complete","tools":[{"name":"a"}],"nextCursor":` + cursor + `}`
			}
			return `"result":{"resultType":"complete","tools":[{"name":"b"}]}`
		})
		if got.Status != server.Connected || len(got.Tools) != want || requests != want {
			t.Errorf("cursor %s: %s, %d tools after %d requests", cursor, got.Status, len(got.Tools),
				requests)
		}
	}
}
