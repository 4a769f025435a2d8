package export_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

const (
	listTools = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`
	tools = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"refund",` +
		`"inputSchema":{"type":"object"}}]}}`
	call = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"refund",` +
		`"arguments":{"id":"A-1"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`
	asked = `{"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required",` +
		`"requestState":"a-state-that-no-other-call-has-by-chance-1",` +
		`"inputRequests":{"why":{"method":"elicitation/create","params":{"message":"Why?",` +
		`"requestedSchema":{"type":"object","properties":{"reason":{"type":"string"}}}}}}}}`
	retried = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"refund",` +
		`"arguments":{"id":"A-1"},"inputResponses":{"why":{"action":"accept","content":{"reason":"late"}}},` +
		`"requestState":"a-state-that-no-other-call-has-by-chance-1",` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`
	done = `{"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","content":[{"type":"text",` +
		`"text":"Refunded."}]}}`
)

// entry returns an entry of a HAR file.
func entry(second int, method, url, request, contentType, response string) string {
	q := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	return fmt.Sprintf(`{"startedDateTime":"2026-11-30T09:00:%02d.000Z","time":12.5,"request":{"method":%q,`+
		`"url":%q,`+
		`"httpVersion":"HTTP/2","headers":[{"name":":authority","value":"x"},{"name":"Content-Type",`+
		`"value":"application/json"},`+
		`{"name":"MCP-Protocol-Version","value":"2026-07-28"},{"name":"Authorization","value":"Bearer `+
		`secret-token-of-the-user"},`+
		`{"name":"Cookie","value":"sid=cookie-value-of-user"},{"name":"x-api-key",`+
		`"value":"key-of-the-api-1234"}],`+
		`"postData":{"mimeType":"application/json","text":%s}},"response":{"status":200,"statusText":"OK",`+
		`"headers":[{"name":"content-type","value":%q},{"name":"content-encoding","value":"br"},`+
		`{"name":"Set-Cookie","value":"sid=another-cookie-value; Path=/"},{"name":"content-length",`+
		`"value":"3"}],`+
		`"content":{"text":%s}},"_resourceType":"fetch"}`,
		second, method, url, q(request), contentType, q(response))
}

func har(entries ...string) []byte {
	return []byte(`{"log":{"version":"1.2","creator":{"name":"A browser","version":"1"},"pages":[],` +
		`"entries":[` +
		strings.Join(entries, ",") + `]}}`)
}

// joined checks that a recording is one call of two rounds and one list of tools.
func joined(t *testing.T, n export.Session) playground.Exchange {
	t.Helper()
	if n.Kind != session.KindCapture || !n.Imported || len(n.Exchanges) != 1 {
		t.Fatalf("%s, %d exchanges", n.Kind, len(n.Exchanges))
	}
	x := n.Exchanges[0]
	f := x.Fold()
	if len(f.Rounds) != 2 || f.Status != playground.StatusComplete || f.Last().FirstText() != "Refunded." ||
		!x.Imported || !f.Foreign() {
		t.Errorf("%s, %d rounds, foreign %v", f.Status, len(f.Rounds), f.Foreign())
	}
	if len(x.Call.Tool) == 0 {
		t.Error("the definition of the tool is not that of the list")
	}
	if trips := playground.Trips(n.Others); len(trips) != 1 || trips[0].Method != "tools/list" {
		t.Errorf("others: %d", len(trips))
	}
	return x
}

func TestRead_HAR(t *testing.T) {
	const url = "https://mcp.example.com/mcp?key=query-secret-value"
	n, err := export.Read(har(
		entry(0, "GET", "https://app.example.com/", "", "text/html", "<html>"),
		entry(4, "POST", url, retried, "text/event-stream", "event: message\ndata: "+done+"\n\n"),
		entry(1, "POST", url, listTools, "application/json", tools),
		entry(2, "POST", "https://app.example.com/api", `{"a":1}`, "application/json", `{}`),
		entry(3, "POST", url, call, "application/json", asked),
	), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	x := joined(t, n)
	if x.Target.Name != "mcp.example.com" || !strings.Contains(n.Note, "3 requests") || !strings.Contains(
		n.Note, "Left out: 2") {
		t.Errorf("%q, note %q", x.Target.Name, n.Note)
	}
	everything := fmt.Sprintf("%+v", n)
	for _, e := range append(x.Log, n.Others...) {
		everything += string(e.Data)
	}
	for _, secret := range []string{"secret-token", "cookie-value", "another-cookie", "key-of-the-api",
		"query-secret"} {
		if strings.Contains(everything, secret) {
			t.Errorf("%s is stored", secret)
		}
	}
	if sent := string(x.Log[1].Data); !strings.Contains(sent, "Authorization: ****") || strings.Contains(
		sent, ":authority") {
		t.Errorf("request %s", sent)
	}
}

// Our own HAR file of a call is the same call again.
func TestRead_OwnHAR(t *testing.T) {
	n, err := export.Read(har(entry(1, "POST", "http://127.0.0.1:9/mcp", listTools, "application/json",
		tools),
		entry(2, "POST", "http://127.0.0.1:9/mcp", call, "application/json", asked),
		entry(3, "POST", "http://127.0.0.1:9/mcp", retried, "application/json", done)), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	first := joined(t, n)
	file, err := export.HAR(n, playground.Client{Name: "x", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	again, err := export.Read(file, 1<<20)
	if err != nil || len(again.Exchanges) != 1 {
		t.Fatalf("%v, %d", err, len(again.Exchanges))
	}
	a, b := first.Fold(), again.Exchanges[0].Fold()
	for i := range a.Rounds {
		if string(a.Rounds[i].Request.Body) != string(b.Rounds[i].Request.Body) ||
			string(a.Rounds[i].Response.Body) != string(b.Rounds[i].Response.Body) {
			t.Errorf("round %d changed", i+1)
		}
	}
}

func TestRead_Lines(t *testing.T) {
	wrap := func(format string, list ...string) string {
		var b strings.Builder
		for i, message := range list {
			side := []string{"client", "server"}[i%2]
			fmt.Fprintf(&b, format+"\n", side, message)
		}
		return b.String()
	}
	all := []string{listTools, tools, call, asked, retried, done}
	quoted := make([]string, len(all))
	for i, s := range all {
		b, _ := json.Marshal(s)
		quoted[i] = string(b)
	}
	inOut := strings.NewReplacer(`"client"`, `"in"`, `"server"`, `"out"`)
	for name, file := range map[string]string{
		"plain":     strings.Join(all, "\n"),
		"crlf":      strings.Join(all, "\r\n") + "\r\n\r\n",
		"list":      "[" + strings.Join(all, ",\n") + "]",
		"direction": inOut.Replace(wrap(`{"direction":%q,"message":%s}`, all...)),
		"text":      wrap(`{"time":"2026-11-30T09:00:00Z","from":%q,"raw":%s}`, quoted...),
		"deep":      wrap(`{"ts":1764493200123,"level":"debug","type":%q,"data":{"payload":%s}}`, all...),
		"words": "starting up\n" + wrap(`2026-11-30T09:00:00.000Z [demo] [info] Message from %s: %s { `+
			`metadata: undefined }`, all...),
		"arrows": strings.NewReplacer("client", "-->", "server", "<--").Replace(wrap("%s %s", all...)),
		"exchange": "# 1 decision\n# {\"action\":\"start\"}\n" + strings.NewReplacer("client", ">", "server",
			"<").Replace(wrap("%s %s", all...)),
		"responses":  strings.Join([]string{listTools, call, asked, tools, retried, done}, "\n"),
		"byte order": "\xef\xbb\xbf" + strings.Join(all, "\n"),
	} {
		t.Run(name, func(t *testing.T) {
			n, err := export.Read([]byte(file), 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			if name == "responses" { // the list came after the call
				n.Exchanges[0].Call.Tool = []byte("{}")
			}
			joined(t, n)
			if wrapped := name == "text" || name == "deep" || name == "words"; export.HasTimes(n) != wrapped {
				t.Errorf("has times: %v", !wrapped)
			}
		})
	}
}

func TestRead_LimitsAndOthers(t *testing.T) {
	many := strings.Repeat(strings.Join([]string{call, done}, "\n")+"\n", 300)
	for name, c := range map[string]struct {
		file string
		most int
		want error
	}{
		"too large":      {call + "\n" + asked, 100, export.ErrTooLarge},
		"too many calls": {many, 1 << 20, export.ErrTooLarge},
		"no message": {string(har(entry(1, "POST", "https://x.example/", "a=b", "text/html", ""))),
			1 << 20, export.ErrContent},
		"no entry":    {`{"log":{"entries":[]}}`, 1 << 20, export.ErrContent},
		"one message": {call, 1 << 20, export.ErrFormat},
		"text":        {"hello\nworld\n", 1 << 20, export.ErrFormat},
		"a flow":      {"flow: 1\nname: x\nresult: y\n", 1 << 20, export.ErrFormat},
		"deep":        {strings.Repeat("[", 100000), 1 << 20, export.ErrFormat},
		"empty":       {"", 1 << 20, export.ErrFormat},
	} {
		if _, err := export.Read([]byte(c.file), c.most); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(har(entry(1, "POST", "https://x.example/mcp", call, "text/event-stream", "data: "+asked+"\n\n")))
	f.Add([]byte(strings.Join([]string{listTools, tools, call, asked, retried, done}, "\n")))
	f.Add([]byte(`{"direction":"in","message":` + call + "}\n" + `{"direction":"out","message":` + done +
		"}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := export.Read(data, 1<<16)
		if err != nil {
			return
		}
		if len(n.Exchanges)+len(n.Others) == 0 {
			t.Error("an empty recording without an error")
		}
		for _, x := range n.Exchanges {
			x.Fold()
			for i, e := range x.Log {
				if e.Seq != i+1 {
					t.Errorf("event %d has the number %d", i+1, e.Seq)
				}
			}
		}
	})
}
