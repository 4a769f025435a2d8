package views_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	resultview "github.com/mrtr-playground/mrtr-playground/views/result"
)

// completed is a Round with this result.
func completed(t *testing.T, method, result string) playground.Round {
	t.Helper()
	request := "POST /mcp HTTP/1.1\r\n\r\n" + fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q}`, method)
	answer := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" +
		`{"jsonrpc":"2.0","id":1,"result":` + result + `}`
	f := playground.Fold([]playground.Event{
		playground.Decision{Action: playground.ActionStart, Round: 1}.Event(time.Unix(0, 0)),
		{Conn: 1, Kind: playground.Sent, Data: []byte(request)}, {Conn: 1, Kind: playground.Received,
			Data: []byte(answer)},
	})
	if f.Status != playground.StatusComplete {
		t.Fatalf("%s: %s", f.Status, f.Last().Detail)
	}
	return *f.Last()
}

// TestResult_Output: what the page says of structured content and its schema.
func TestResult_Output(t *testing.T) {
	const time = `{"type":"object","properties":{"t":{"type":"string","format":"date-time"}}}`
	for _, c := range []struct {
		name, schema, content string
		verdict               verdict.Outcome
		says                  string
	}{
		{"fits", time, `{"t":"2026-11-20T10:30:00Z"}`, "", ""},
		{"no time", time, `{"t":7}`, verdict.Failed, `"t" must be a string, not a number.`},
		{"no zone", time, `{"t":"2026-11-20T10:30:00"}`, verdict.Advisory,
			`"t" is not a date and time, like 2026-11-20T10:30:00Z.`},
		{"elsewhere", `{"$ref":"https://schemas.example/out.json"}`, `{"a":1}`, verdict.NotJudged,
			"It refers to another document, which is not fetched: https://schemas.example/out.json."},
		{"absent", time, "", verdict.Failed,
			"The tool has an output schema, but the result has no structuredContent."},
	} {
		result := `{"resultType":"complete","content":[]}`
		if c.content != "" {
			result = `{"resultType":"complete","content":[],"structuredContent":` + c.content + `}`
		}
		tool := []byte(`{"name":"n","outputSchema":` + c.schema + `}`)
		r := resultview.New(playground.Call{Tool: tool},
			completed(t, "tools/call", result), playground.StatusComplete)
		if got := strings.Join(r.Output.Reasons, "|"); r.Output.Verdict != c.verdict || got != c.says ||
			(r.Output.Heading == "") != (c.verdict == "") {
			t.Errorf("%s: %+v, want %s %q", c.name, r.Output, c.verdict, c.says)
		}
	}
}

func TestEveryKindOfContentIsShownAndNoneCanRun(t *testing.T) {
	png := base64.StdEncoding.EncodeToString([]byte("\x89PNG"))
	svg := base64.StdEncoding.EncodeToString([]byte("<svg onload=alert(1)>"))
	for _, c := range []struct {
		block, kind, shows, file string
		inline                   bool
	}{
		{`{"type":"text","text":"<b>hi</b>"}`, "text", "<b>hi</b>", "", false},
		{`{"type":"image","mimeType":"image/png","data":"` + png + `"}`, "image", "", "", true},
		{`{"type":"audio","mimeType":"audio/wav","data":"` + png + `"}`, "audio", "", "", true},
		{`{"type":"image","mimeType":"image/svg+xml","data":"` + svg + `"}`, "other", "",
			"content.svg", false},
		{`{"type":"image","mimeType":"text/html","data":"` + svg + `"}`, "other", "", "content.html", false},
		{`{"type":"image","mimeType":"../../x","data":"` + svg + `"}`, "other", "", "content.bin", false},
		{`{"type":"image","mimeType":"image/png","data":"%%%"}`, "other", "", "", false},
		{`{"type":"resource_link","uri":"https://h/x","name":"link"}`, "link", "link", "", false},
		{`{"type":"resource","resource":{"uri":"f://a","mimeType":"text/html","text":"<script>"}}`, "file",
			"<script>", "", false},
		{`{"type":"resource","resource":{"uri":"f://a","mimeType":"application/pdf","blob":"` + png + `"}}`,
			"file", "", "content.pdf", false},
		{`{"type":"hologram","x":1}`, "other", "hologram", "", false},
	} {
		r := resultview.New(playground.Call{}, completed(t, "tools/call",
			`{"resultType":"complete","content":[`+c.block+`]}`), playground.StatusComplete)
		p := r.Parts[0]
		if p.Kind != c.kind || !strings.Contains(p.Text, c.shows) || p.FileName != c.file ||
			(p.Data != "") != c.inline {
			t.Errorf("%s: %+v", c.block, p)
		}
		if p.Download != "" && !strings.HasPrefix(p.Download, "data:application/octet-stream;base64,") {
			t.Errorf("%s would be opened: %.60s", c.block, p.Download)
		}
	}
}
