package lab_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// rightRequest returns the retry that the tests edit.
func rightRequest(t testing.TB, state string) (wire.Request, lab.Edit) {
	t.Helper()
	req := wire.Request{
		URL: "http://example.com/mcp", Method: "tools/call", ID: json.RawMessage("3"),
		Params: json.RawMessage(`{"name":"update","arguments":{"id":4522,"fields":{"a":[1,2.50]}},` +
			`"inputResponses":{"q":{"action":"accept","content":{"x":"y"}}},"requestState":"` + state + `",` +
			`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","progressToken":"round-3"}}`),
		Header: []wire.Field{{Name: "Authorization", Value: "Bearer abc"}},
	}
	e, err := lab.EditOf(req)
	if err != nil {
		t.Fatal(err)
	}
	return req, e
}

// body returns the edit with a text of its body replaced, which it has once.
func body(t *testing.T, e lab.Edit, old, other string) lab.Edit {
	t.Helper()
	if strings.Count(string(e.Body), old) != 1 {
		t.Fatalf("%s is not once in %s", old, e.Body)
	}
	e.Body = []byte(strings.Replace(string(e.Body), old, other, 1))
	return e
}

// header returns the edit with a header field replaced, or left out if value is
// empty, or added if there is none.
func header(e lab.Edit, name, value string) lab.Edit {
	e.Header = slices.DeleteFunc(slices.Clone(e.Header),
		func(f wire.Field) bool { return f.Name == name })
	if value != "" {
		e.Header = append(e.Header, wire.Field{Name: name, Value: value})
	}
	return e
}

func TestChanges(t *testing.T) {
	_, right := rightRequest(t, "abcdef")
	sent := func(header []wire.Field, body string) lab.Edit {
		return lab.Edit{Header: header, Body: []byte(body)}
	}
	crlf := strings.ReplaceAll(string(right.Body), "\n", "\r\n\t")
	twice := append(slices.Clone(right.Header), wire.Field{Name: "mcp-name", Value: "x"})
	replaced := func(old, other string) lab.Edit { return body(t, right, old, other) }
	tests := map[string]struct {
		edited lab.Edit
		part   lab.Part
		want   string
	}{
		"nothing":         {right, "", ""},
		"white space":     {sent(right.Header, crlf), "", ""},
		"header left out": {header(right, "Mcp-Name", ""), lab.PartHeader, "Mcp-Name left out"},
		"header added":    {header(right, "X-A", "b"), lab.PartHeader, "X-A added: b"},
		"header changed":  {header(right, "Mcp-Name", "other"), lab.PartHeader, "Mcp-Name: update → other"},
		"header twice": {sent(twice, string(right.Body)), lab.PartHeader,
			"Mcp-Name: update → update and x"},
		"header spelled": {sent(spelled(right.Header), string(right.Body)), lab.PartHeader,
			"Mcp-Name written as mcp-name"},
		"hidden character": {header(right, "X-A", "b\u202ec"), lab.PartHeader, "X-A added: b⟨U+202E⟩c"},
		"id":               {replaced(`"id": 3`, `"id": "3"`), lab.PartID, `id 3 → "3"`},
		"id left out":      {replaced(`"id": 3,`, ``), lab.PartID, "id left out"},
		"method":           {replaced(`tools/call`, `x`), lab.PartMethod, `method "tools/call" → "x"`},
		"argument":         {replaced(`4522`, `1`), lab.PartParams, "params.arguments.id 4522 → 1"},
		"number in notation": {replaced(`2.50`, `2.5`), lab.PartBody,
			"the same values in another order or spelling"},
		"argument of a list": {replaced(`2.50`, `3`), lab.PartParams,
			"params.arguments.fields.a.1 2.50 → 3"},
		"answer": {replaced(`"y"`, `["y"]`), lab.PartAnswers,
			`inputResponses.q.content.x "y" → ["y"]`},
		"meta": {replaced(`"round-3"`, `null`), lab.PartMeta,
			`_meta.progressToken "round-3" → null`},
		"state, one byte":    {replaced(`abcdef`, `abcdeg`), lab.PartState, "requestState: 1 byte differs"},
		"state, three bytes": {replaced(`abcdef`, `xyzdef`), lab.PartState, "requestState: 3 bytes differ"},
		"state, shorter":     {replaced(`abcdef`, `a`), lab.PartState, "requestState: 6 bytes → 1 byte"},
		"state, no string":   {replaced(`"abcdef"`, `7`), lab.PartState, `requestState "abcdef" → 7`},
		"member twice":       {replaced(`"id": 3`, `"id": 3, "id": 3`), lab.PartBody, "/id is there twice"},
		"version": {replaced(`"jsonrpc": "2.0"`, `"jsonrpc": 2`), lab.PartBody,
			`jsonrpc "2.0" → 2`},
		"empty":    {sent(right.Header, ""), lab.PartBody, "the body is empty"},
		"a list":   {sent(right.Header, "[]"), lab.PartBody, ""},
		"not JSON": {sent(right.Header, "{"), lab.PartBody, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := lab.Changes(right, tt.edited)
			switch {
			case tt.part == "" && len(got) != 0:
				t.Errorf("got %+v", got)
			case tt.part == "":
			case len(got) != 1 || got[0].Part != tt.part || tt.want != "" && got[0].Text != tt.want:
				t.Errorf("got %+v, want %s %q", got, tt.part, tt.want)
			}
			if tt.part == "" || name == "number in notation" {
				return
			}
			back := tt.edited.Reset(tt.part, right)
			if again := lab.Changes(right, back); len(again) != 0 {
				t.Errorf("after a reset: %+v", again)
			}
		})
	}
}

func TestChanges_AreBounded(t *testing.T) {
	_, right := rightRequest(t, "abcdef")
	many := body(t, right, `"id": 4522`, `"id": 4522`+strings.Repeat(`,"k":1`, 1)+numbered(500))
	got := lab.Changes(right, many)
	if len(got) > 101 || !strings.Contains(got[len(got)-1].Text, "more change") {
		t.Errorf("%d changes, the last %+v", len(got), got[len(got)-1])
	}
	long := header(right, "X-A", strings.Repeat("b", 10000))
	if got := lab.Changes(right, long); len(got[0].Text) > 400 {
		t.Errorf("a change of %d bytes", len(got[0].Text))
	}
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(`,"n` + strings.Repeat("x", i) + `":1`)
	}
	return b.String()
}

// spelled returns the fields with Mcp-Name in lower case.
func spelled(fields []wire.Field) []wire.Field {
	list := slices.Clone(fields)
	for i, f := range list {
		if f.Name == "Mcp-Name" {
			list[i].Name = "mcp-name"
		}
	}
	return list
}

// TestEdit_RequestSendsExactlyThat: the frame of an edited request has its
// fields and its body, byte for byte.
func TestEdit_RequestSendsExactlyThat(t *testing.T) {
	req, right := rightRequest(t, "abcdef")
	edited := header(header(right, "Mcp-Name", ""), "User-Agent", "")
	edited = header(edited, "X-A", "b")
	edited.Body = []byte("{\n not JSON")
	frame, err := wire.Encode(edited.Request(req))
	if err != nil {
		t.Fatal(err)
	}
	head := string(frame.Head)
	if string(frame.Body) != "{\n not JSON" || strings.Contains(head, "Mcp-Name") ||
		strings.Contains(head, "User-Agent") || !strings.Contains(head, "X-A: b\r\n") ||
		!strings.Contains(head, "Content-Length: 11\r\n") ||
		!strings.Contains(head, "Host: example.com\r\n") {
		t.Errorf("sent %s", frame.Bytes())
	}
	same, err := wire.Encode(right.Request(req))
	if err != nil {
		t.Fatal(err)
	}
	plain, _ := wire.Encode(req)
	if got, want := lengthOut(same.Head), lengthOut(plain.Head); got != want {
		t.Errorf("unedited head %s, want %s", got, want)
	}
	if empty := (lab.Edit{Header: right.Header}).Request(req); empty.Body == nil {
		t.Error("an empty body is replaced by the right one")
	}
}

// lengthOut returns a head without Content-Length, which the layout changes.
func lengthOut(head []byte) string {
	var lines []string
	for line := range strings.Lines(string(head)) {
		if !strings.HasPrefix(line, "Content-Length:") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// TestEdit_Rebase: a part that was not edited follows the right request; an
// edited one stays.
func TestEdit_Rebase(t *testing.T) {
	_, from := rightRequest(t, "old-state")
	_, to := rightRequest(t, "new-state")
	to = header(to, "Authorization", "Bearer xyz")
	for name, tt := range map[string]struct{ edited, want lab.Edit }{
		"nothing edited": {from, to},
		"an argument":    {body(t, from, "4522", "1"), body(t, to, "4522", "1")},
		"a longer value": {body(t, from, `"y"`, `"yyyyyyyy"`), body(t, to, `"y"`, `"yyyyyyyy"`)},
		"the state":      {body(t, from, "old-state", "my-state"), body(t, to, "new-state", "my-state")},
		"another header": {header(from, "X-A", "b"), header(to, "X-A", "b")},
		"a header changed": {header(from, "Authorization", "Bearer mine"),
			header(to, "Authorization", "Bearer mine")},
		"not JSON": {lab.Edit{Header: from.Header, Body: from.Body[:40]},
			lab.Edit{Header: to.Header, Body: from.Body[:40]}},
	} {
		got := tt.edited.Rebase(from, to)
		if string(got.Body) != string(tt.want.Body) {
			t.Errorf("%s: body %s, want %s", name, got.Body, tt.want.Body)
		}
		if len(lab.Changes(tt.want, got)) != 0 {
			t.Errorf("%s: header %v, want %v", name, got.Header, tt.want.Header)
		}
	}
	masked := body(t, from, "old-state", "*********")
	untouched := body(t, masked, `"id": 3`, `"id": 4`).Rebase(masked, from)
	if !strings.Contains(string(untouched.Body), "old-state") {
		t.Errorf("an untouched mask stays: %s", untouched.Body)
	}
	touched := body(t, masked, "*********", "********").Rebase(masked, from)
	if strings.Contains(string(touched.Body), "old-state") {
		t.Errorf("a touched mask is put back: %s", touched.Body)
	}
}

func TestPatch(t *testing.T) {
	_, right := rightRequest(t, "abcdef")
	for document, want := range map[string][]string{
		`{}`:                            nil,
		`{"headers":{"mcp-name":null}}`: {"Mcp-Name left out"},
		`{"headers":{"X-A":"b","Mcp-Method":"x"}}`: {
			"Mcp-Method: tools/call → x", "X-A added: b"},
		`{"body":{"id":null,"params":{"arguments":{"id":1}}}}`: {
			"id left out", "params.arguments.id 4522 → 1"},
		`{"body":{"params":{"inputResponses":{"q":"text","r":{"a":1}}}}}`: {
			`inputResponses.q {"action":"accept","content":{"x":"y"}} → "text"`,
			`inputResponses.r added: {"a":1}`},
		`{"body":"not JSON"}`: {"not JSON: json: byte 0: not a JSON value"},
	} {
		p, err := lab.ReadPatch([]byte(document))
		if err != nil {
			t.Errorf("%s: %v", document, err)
			continue
		}
		edited, err := p.Apply(right)
		if err != nil {
			t.Errorf("%s: %v", document, err)
		}
		var got []string
		for _, c := range lab.Changes(right, edited) {
			got = append(got, c.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", document, got, want)
		}
	}
}

func TestClaimChanges(t *testing.T) {
	before := []byte(`{"id":"1","answers":{"a":{"b":1}}}`)
	for after, want := range map[string]string{
		`{"answers":{"a":{"b":2}},"id":"1"}`: "claims.answers.a.b 1 → 2",
		`{"id":"1"}`:                         "claims.answers left out",
	} {
		if got := lab.ClaimChanges(before, []byte(after)); len(got) != 1 || got[0].Text != want {
			t.Errorf("%s: %+v", after, got)
		}
	}
	if got := lab.ClaimChanges(before, []byte(" \n"+string(before))); len(got) != 0 {
		t.Errorf("white space: %+v", got)
	}
	if got := lab.ClaimChanges(before, []byte("{")); len(got) != 1 || got[0].Part != lab.PartClaims {
		t.Errorf("not JSON: %+v", got)
	}
}
