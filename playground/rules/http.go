package rules

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// rightMediaType judges answers that should carry a response.
func rightMediaType(s scene) answer {
	if s.Head.Status/100 != 2 || s.Sent.Get("id") == nil {
		return na()
	}
	switch s.Head.MediaType() {
	case "application/json", "text/event-stream":
		return pass()
	}
	return fail("The answer to a request has the type %s, not application/json or text/event-stream.", quoted(s.Head.MediaType()))
}

// refusesHeaders judges requests whose headers are wrong and whose rest is right.
func refusesHeaders(s scene) answer {
	wrong := s.headerFault()
	if wrong == "" || s.metaFault() != "" || s.Head.Status == 0 {
		return na()
	}
	if s.Error == nil || s.Error.Code != -32020 || s.Head.Status != 400 {
		return fail("%s, and the server answered with %s instead of 400 and error -32020.", wrong, s.outcome())
	}
	return pass()
}

// outcome is what came back, for a sentence.
func (s scene) outcome() string {
	if s.Error != nil {
		return fmt.Sprintf("HTTP status %d and error %d", s.Head.Status, s.Error.Code)
	}
	return fmt.Sprintf("HTTP status %d", s.Head.Status)
}

// headerFault says which standard header is missing or differs from the body.
// A body that is no request has nothing to compare with.
func (s scene) headerFault() string {
	if s.Sent.Get("method").Str() == "" {
		return ""
	}
	version := s.meta().Get("io.modelcontextprotocol/protocolVersion").Str()
	for _, h := range []struct{ name, body string }{
		{"MCP-Protocol-Version", version}, {"Mcp-Method", s.Method}, {"Mcp-Name", s.named()},
	} {
		values := s.head.Values(h.name)
		switch {
		case h.body == "":
		case len(values) == 0:
			return "The header " + h.name + " was missing"
		case len(values) > 1 || headerValue(h.name, values[0]) != h.body:
			return "The header " + h.name + " differed from the body"
		}
	}
	return ""
}

// named is what Mcp-Name mirrors; empty when the method has no such header.
func (s scene) named() string {
	switch s.Method {
	case "tools/call", "prompts/get":
		return s.params().Get("name").Str()
	case "resources/read":
		return s.params().Get("uri").Str()
	case "tasks/get", "tasks/update", "tasks/cancel": // seps/2663, "Streamable HTTP"
		return s.params().Get("taskId").Str()
	}
	return ""
}

// headerValue undoes the Base64 form of Mcp-Name ("Value Encoding").
func headerValue(name, value string) string {
	inner, ok := strings.CutPrefix(value, "=?base64?")
	inner, closed := strings.CutSuffix(inner, "?=")
	if name != "Mcp-Name" || !ok || !closed {
		return value
	}
	text, err := base64.StdEncoding.DecodeString(inner)
	if err != nil {
		return value
	}
	return string(text)
}

// refusesMeta judges requests that lack a required member of _meta.
func refusesMeta(s scene) answer {
	wrong := s.metaFault()
	if wrong == "" || s.headerFault() != "" || s.Head.Status == 0 {
		return na()
	}
	if s.Error == nil || s.Error.Code != -32602 || s.Head.Status != 400 {
		return fail("%s, and the server answered with %s instead of 400 and error -32602.", wrong, s.outcome())
	}
	return pass()
}

func (s scene) metaFault() string {
	if s.Sent.Get("method").Str() == "" {
		return ""
	}
	for _, name := range []string{"protocolVersion", "clientCapabilities"} {
		if !s.meta().Has("io.modelcontextprotocol/" + name) {
			return "The member " + name + " was missing from _meta"
		}
	}
	return ""
}

// refusesVersion judges requests for a version that the server does not name
// among those it supports; here only one that cannot exist is sure.
func refusesVersion(s scene) answer {
	version := s.meta().Get("io.modelcontextprotocol/protocolVersion").Str()
	if s.Head.Status == 0 || version == "" || version == wire.ProtocolVersion || s.headerFault() != "" {
		return na()
	}
	switch {
	case s.Error != nil && s.Error.Code == -32022 && s.Head.Status == 400:
		return pass()
	case version == "1900-01-01":
		return fail("The server answered a request for the version 1900-01-01 with %s instead of 400 and error -32022.", s.outcome())
	}
	return na()
}

// errorStatus: the codes that the protocol ties to an HTTP status.
func errorStatus(s scene) answer {
	if s.Error == nil {
		return na()
	}
	want := 0
	switch s.Error.Code {
	case -32020, -32021, -32022:
		want = 400
	case -32601:
		want = 404
	}
	switch {
	case want == 0:
		return na()
	case s.Head.Status != want:
		return fail("Error %d came with HTTP status %d; it must come with %d.", s.Error.Code, s.Head.Status, want)
	}
	return pass()
}

// errorData: two errors must say what to do better.
func errorData(s scene) answer {
	if s.Error == nil {
		return na()
	}
	switch s.Error.Code {
	case -32021:
		if needs := s.Error.Data.Get("requiredCapabilities"); needs == nil || needs.Kind != jsontree.Object {
			return fail("Error -32021 does not say in data.requiredCapabilities what it needs.")
		}
	case -32022:
		if supported := s.Error.Data.Get("supported"); supported == nil || supported.Kind != jsontree.Array {
			return fail("Error -32022 does not list in data.supported what the server speaks.")
		}
	default:
		return na()
	}
	return pass()
}

// currentCodes names codes that are gone or were never defined.
func currentCodes(s scene) answer {
	if s.Error == nil {
		return na()
	}
	code := s.Error.Code
	switch {
	case code == -32002 || code == -32042:
		return hint("Error %d belongs to an earlier revision and must not be sent any more.", code)
	case code <= -32020 && code >= -32099 && !slices.Contains([]int64{-32020, -32021, -32022}, code):
		return hint("Error %d is reserved for the specification, which does not define it.", code)
	case code <= -32000 && code >= -32019:
		return hint("Error %d is in the legacy range, which has no agreed meaning.", code)
	}
	return pass()
}

func noSession(s scene) answer {
	switch {
	case s.Head.Status == 0:
		return na()
	case len(s.Head.Values("Mcp-Session-Id")) > 0:
		return hint("The server minted a session id; this revision has no sessions.")
	}
	return pass()
}
