package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const userAgent = "mrtr-playground (+https://github.com/mrtr-playground/mrtr-playground)"

// Encode returns the exact bytes of a request: one JSON-RPC message as an HTTP
// POST (basic/transports/streamable-http, "Sending Messages" and "Request
// Metadata"). Params need not be JSON; header fields derived from them are then
// left out. If the URL is that of a command, the request is a Line, without header
// fields. The error wraps a *Failure for the URL or a *FieldError for a header field.
func Encode(r Request) (Frame, error) {
	if IsCommand(r.URL) {
		return Line(r.line()), nil
	}
	u, failure := CheckURL(r.URL, Reach{})
	if failure != nil {
		return Frame{}, fmt.Errorf("encode request: %w", failure)
	}
	for _, f := range r.Header {
		if err := CheckField(f); err != nil {
			return Frame{}, fmt.Errorf("encode request: %w", err)
		}
	}
	body := r.body()
	fields := append(r.standard(u),
		Field{"Content-Length", strconv.Itoa(len(body))}, Field{"Connection", "close"})
	var head bytes.Buffer
	fmt.Fprintf(&head, "POST %s HTTP/1.1\r\n", requestTarget(u))
	for _, f := range r.override(fields) {
		if strings.ContainsAny(f.Value, "\r\n\x00") {
			err := &FieldError{f.Name, "the value contains a line break or NUL"}
			return Frame{}, fmt.Errorf("encode request: %w", err)
		}
		fmt.Fprintf(&head, "%s: %s\r\n", f.Name, f.Value)
	}
	head.WriteString("\r\n")
	return Frame{head.Bytes(), body}, nil
}

// requestTarget returns path and query with non-ASCII bytes escaped, because
// url.URL leaves the query as it was typed and a start line is ASCII.
func requestTarget(u *url.URL) string {
	var b strings.Builder
	for _, c := range []byte(u.RequestURI()) {
		if c < utf8.RuneSelf {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func (r Request) body() []byte {
	if r.Body != nil {
		return r.Body
	}
	var b bytes.Buffer
	b.WriteString(`{"jsonrpc":"2.0"`)
	if len(r.ID) > 0 {
		fmt.Fprintf(&b, `,"id":%s`, r.ID)
	}
	b.WriteString(`,"method":`)
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(r.Method)  // a string into memory: cannot fail
	b.Truncate(b.Len() - 1) // the line break of Encode
	if len(r.Params) > 0 {
		fmt.Fprintf(&b, `,"params":%s`, r.Params)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// standard returns the fields derived from the message, without those that
// frame it.
func (r Request) standard(u *url.URL) []Field {
	var params map[string]json.RawMessage // not a struct: names of members are exact
	_ = json.Unmarshal(r.Params, &params)
	fields := []Field{
		{"Host", hostField(u)},
		{"Content-Type", "application/json"},
		{"Accept", "application/json, text/event-stream"},
		{"Accept-Encoding", "identity"}, // responses are recorded as they come
		{"MCP-Protocol-Version", protocolVersion(params)},
	}
	if r.Method != "" {
		fields = append(fields, Field{"Mcp-Method", r.Method})
	}
	if name, ok := textOf(params[NameMember(r.Method)]); ok {
		fields = append(fields, Field{"Mcp-Name", FieldValue(name)})
	}
	return append(fields, Field{"User-Agent", userAgent})
}

// hostField returns the host as written, without the zone of an address, which
// has a meaning on this machine only (RFC 6874, section 4).
func hostField(u *url.URL) string {
	host, zone, found := strings.Cut(u.Hostname(), "%")
	if !found || zone == "" {
		return u.Host
	}
	if port := u.Port(); port != "" {
		return net.JoinHostPort(host, port)
	}
	return "[" + host + "]"
}

// protocolVersion returns the version in _meta, which the header must match.
func protocolVersion(params map[string]json.RawMessage) string {
	var meta map[string]json.RawMessage
	_ = json.Unmarshal(params["_meta"], &meta)
	if v, ok := textOf(meta["io.modelcontextprotocol/protocolVersion"]); ok {
		return v
	}
	return ProtocolVersion
}

// NameMember returns the member of params that Mcp-Name mirrors ("Standard
// Request Headers"; for tasks the tasks extension).
func NameMember(method string) string {
	switch {
	case method == "tools/call", method == "prompts/get":
		return "name"
	case method == "resources/read":
		return "uri"
	case strings.HasPrefix(method, "tasks/"):
		return "taskId"
	}
	return ""
}

func textOf(raw json.RawMessage) (s string, ok bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	return s, json.Unmarshal(raw, &s) == nil
}

// override applies Header and Drop: the user's fields replace the standard
// field of the same name. Fields that frame the message stay; CheckField keeps
// them out of Header.
func (r Request) override(standard []Field) []Field {
	var fields []Field
	for _, f := range standard {
		same := func(name string) bool { return strings.EqualFold(name, f.Name) }
		framing := f.Name == "Content-Length" || f.Name == "Connection"
		replaced := false
		for _, h := range r.Header {
			if same(h.Name) {
				fields, replaced = append(fields, h), true
			}
		}
		if !replaced && (framing || !slices.ContainsFunc(r.Drop, same)) {
			fields = append(fields, f)
		}
	}
	for _, h := range r.Header {
		same := func(f Field) bool { return strings.EqualFold(f.Name, h.Name) }
		if !slices.ContainsFunc(standard, same) {
			fields = append(fields, h)
		}
	}
	return fields
}

// EncodePlain returns the exact bytes of a plain HTTP request, without the
// header fields of MCP. The errors are those of Encode.
func EncodePlain(method, url string, header []Field, body []byte) (Frame, error) {
	if body == nil {
		body = []byte{}
	}
	f, err := Encode(Request{
		URL: url, Header: header, Body: body,
		Drop: []string{"MCP-Protocol-Version", "Content-Type", "Accept"},
	})
	if err != nil {
		return f, err
	}
	f.Head = append([]byte(method), bytes.TrimPrefix(f.Head, []byte("POST"))...)
	return f, nil
}
