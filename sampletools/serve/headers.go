package serve

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"
)

// VersionHeader names the revision of a request.
const VersionHeader = "Mcp-Protocol-Version"

// sendsJSON reports whether the request declares its body as JSON.
func sendsJSON(h http.Header) bool {
	media, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	return err == nil && media == "application/json"
}

// acceptsBoth reports whether the client accepts the two content types that a
// server can choose from (basic/transports/streamable-http, "Sending
// Messages").
func acceptsBoth(h http.Header) bool {
	var accepted []string
	for _, entry := range strings.Split(strings.Join(h.Values("Accept"), ","), ",") {
		media, _, _ := strings.Cut(entry, ";")
		accepted = append(accepted, strings.ToLower(strings.TrimSpace(media)))
	}
	accepts := func(media ...string) bool {
		return slices.ContainsFunc(media, func(m string) bool { return slices.Contains(accepted, m) })
	}
	return accepts("application/json", "application/*", "*/*") &&
		accepts("text/event-stream", "text/*", "*/*")
}

// CheckHeaders compares Mcp-Method, Mcp-Name and the form of Mcp-Param-* with
// the body (basic/transports/streamable-http, "Server Validation"). It leaves
// the decoded name in the header, because the SDK compares it undecoded, and
// the values of Mcp-Param-* to the SDK, which knows the tools' schemas.
func (m *Envelope) CheckHeaders(h http.Header) *Refusal {
	method, f := m.header(h, "Mcp-Method")
	if f != nil {
		return f
	}
	if method != m.Method {
		return m.headerMismatch(fmt.Sprintf("Mcp-Method is %q, the method is %q", method, m.Method))
	}
	if source := nameSource(m.Method); source != "" {
		if f := m.checkName(h, source); f != nil {
			return f
		}
	}
	for name, values := range h {
		if !strings.HasPrefix(name, "Mcp-Param-") {
			continue
		}
		value, f := m.header(h, name)
		if f != nil {
			return f
		}
		if _, err := decodeHeader(value); err != nil {
			return m.headerMismatch(name + " is not valid Base64")
		}
		if value == "" { // an empty string, which the SDK would take for a missing header
			values[0] = "=?base64??="
		}
	}
	return nil
}

// checkName compares Mcp-Name with the member of the params that it mirrors.
func (m *Envelope) checkName(h http.Header, source string) *Refusal {
	name, f := m.nameFrom(source)
	if f != nil {
		return f
	}
	value, f := m.header(h, "Mcp-Name")
	if f != nil {
		return f
	}
	decoded, err := decodeHeader(value)
	if err != nil || decoded != name {
		return m.headerMismatch(fmt.Sprintf("Mcp-Name is %q, params.%s is %q", value, source, name))
	}
	h.Set("Mcp-Name", name)
	if name == "" { // which the SDK would take for a missing header
		return Refuse(m.ID, -32602, "params."+source+" is empty")
	}
	return nil
}

// nameFrom returns the member of the params that names the tool, prompt or
// resource of a request.
func (m *Envelope) nameFrom(source string) (name string, f *Refusal) {
	if json.Unmarshal(m.Params[source], &name) != nil {
		return "", Refuse(m.ID, -32602, "params."+source+" must be a string")
	}
	return name, nil
}

// header returns the single value of a required header. Values are visible
// ASCII, spaces and tabs.
func (m *Envelope) header(h http.Header, name string) (string, *Refusal) {
	values := h.Values(name)
	switch {
	case len(values) == 0:
		return "", m.headerMismatch(name + " is missing")
	case len(values) > 1:
		return "", m.headerMismatch(name + " is there more than once")
	case strings.ContainsFunc(values[0], func(r rune) bool { return r != '\t' && (r < ' ' || r > '~') }):
		return "", m.headerMismatch(name + " contains invalid characters")
	}
	return values[0], nil
}

// nameSource returns the member of the params that Mcp-Name mirrors, or "" for
// methods without the header.
func nameSource(method string) string {
	switch method {
	case "tools/call", "prompts/get":
		return "name"
	case "resources/read":
		return "uri"
	case "tasks/get", "tasks/update", "tasks/cancel":
		return "taskId"
	}
	return ""
}

// decodeHeader decodes the Base64 form of a value that is not plain ASCII
// (basic/transports/streamable-http, "Value Encoding").
func decodeHeader(value string) (string, error) {
	text, ok := strings.CutPrefix(value, "=?base64?")
	if !ok {
		return value, nil
	}
	if text, ok = strings.CutSuffix(text, "?="); !ok {
		return value, nil
	}
	b, err := base64.StdEncoding.Strict().DecodeString(text)
	return string(b), err
}
