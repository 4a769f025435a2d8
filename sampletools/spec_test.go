package sampletools_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// sentence is one requirement of the specification, as a request and the
// required answer of the sample.
type sentence struct {
	name   string // the requirement
	slug   string // azure-devops if empty; may have a query
	verb   string // POST if empty
	header string // lines "Name: value" over those of a right request; "Name:" removes one
	body   string
	status int
	code   int    // of the error; 0 for none
	id     string // the raw id of the response; empty for no id
	want   string // part of the body; may be empty
	lacks  string // must not be in the body; may be empty
	reply  string // a line "Name: value" of the response; may be empty
}

const (
	meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}`
	listTools = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `}}`
)

// sendSentence sends the request of a row. Without other headers, they are
// those that the body needs.
func sendSentence(t *testing.T, p *peer, s sentence) (*http.Response, []byte) {
	t.Helper()
	verb, slug := s.verb, s.slug
	if verb == "" {
		verb = http.MethodPost
	}
	if slug == "" {
		slug = "azure-devops"
	}
	req, err := http.NewRequestWithContext(t.Context(), verb, p.url+"/mcp/"+slug, strings.NewReader(s.body))
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Method string `json:"method"`
		Params struct {
			Name   string `json:"name"`
			URI    string `json:"uri"`
			TaskID string `json:"taskId"`
		} `json:"params"`
	}
	_ = json.Unmarshal([]byte(s.body), &m) // a body that is no request needs no headers
	req.Header = http.Header{
		"Content-Type":         {"application/json"},
		"Accept":               {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {"2026-07-28"},
		"Mcp-Method":           {m.Method},
	}
	if name := m.Params.Name + m.Params.URI + m.Params.TaskID; name != "" {
		req.Header.Set("Mcp-Name", name)
	}
	for line := range strings.Lines(s.header) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		if req.Header.Del(name); value != "" {
			req.Header.Add(name, strings.TrimPrefix(value, " "))
		}
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, body
}

// check compares the response with the row.
func (s sentence) check(t *testing.T, res *http.Response, body []byte) {
	t.Helper()
	if res.StatusCode != s.status {
		t.Errorf("status %d, want %d: %.300s", res.StatusCode, s.status, body)
	}
	media := res.Header.Get("Content-Type")
	if len(body) > 0 && media != "application/json" && media != "text/event-stream" {
		t.Errorf("Content-Type %q: %.300s", media, body)
	}
	if media == "text/event-stream" && res.Header.Get("X-Accel-Buffering") != "no" {
		t.Errorf("a stream without X-Accel-Buffering: no")
	}
	var m struct {
		ID    json.RawMessage `json:"id"`
		Error *struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	if data := lastEvent(res.Header, body); len(data) > 0 {
		if err := json.Unmarshal(data, &m); err != nil {
			t.Fatalf("%v: %.300s", err, body)
		}
	}
	code := 0
	if m.Error != nil {
		code = m.Error.Code
	}
	if code != s.code || code != 0 && m.Error.Message == "" {
		t.Errorf("code %d, want %d: %.300s", code, s.code, body)
	}
	if string(m.ID) != s.id {
		t.Errorf("id %s, want %s: %.300s", m.ID, s.id, body)
	}
	if !strings.Contains(string(body), s.want) || s.lacks != "" && strings.Contains(string(body), s.lacks) {
		t.Errorf("body %.500s, want %s, not %s", body, s.want, s.lacks)
	}
	if name, value, ok := strings.Cut(s.reply, ": "); ok && res.Header.Get(name) != value {
		t.Errorf("%s: %q, want %q", name, res.Header.Get(name), value)
	}
}

func checkSentences(t *testing.T, p *peer, rows []sentence) {
	t.Helper()
	for _, s := range rows {
		t.Run(s.name, func(t *testing.T) {
			res, body := sendSentence(t, p, s)
			s.check(t, res, body)
		})
	}
}
