package export

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

var update = flag.Bool("update", false, "write the golden files")

// recorded is an exchange of two Rounds, then one that broke, with words of a
// server in all places where it has a say.
func recorded(word string) playground.Exchange {
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	x := playground.Exchange{
		ID: "x1", Session: "s1", Created: at,
		Target: playground.Target{
			ID: "azure-devops", Sample: "azure-devops", Name: "Azure DevOps (sample)",
			URL:          "http://127.0.0.1:2322/mcp/azure-devops?instances=a:v1,b:v1",
			Capabilities: json.RawMessage(`{ "elicitation":{} }`),
			Header:       []wire.Field{{Name: "Authorization", Value: "Bearer ********"}},
		},
		Call: playground.Call{Method: "tools/call",
			Params: json.RawMessage(`{"name":"update_work_item", "arguments":{"workItemId":4522}}`)},
	}
	quoted, _ := json.Marshal(word)
	add := func(after time.Duration, kind playground.EventKind, data string) {
		at = at.Add(after)
		x.Log = append(x.Log, playground.Event{Seq: len(x.Log) + 1, At: at, Conn: 1, Kind: kind,
			Data: []byte(data)})
	}
	head := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nMcp-Sample-Instance: a/v1\r\n\r\n"
	add(0, playground.Decided, `{"action":"start","round":1}`)
	add(0, playground.Sent, request(1, ``))
	add(40*time.Millisecond, playground.Received, head+fmt.Sprintf(
		`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required",`+
			`"inputRequests":{%s:{"method":"elicitation/create","params":{"message":%[1]s}}},`+
			`"requestState":%[1]s}}`, quoted))
	add(12*time.Second, playground.Decided,
		fmt.Sprintf(`{"action":"answer","round":2,"answers":[{"key":%s,"value":{"action":"accept",`+
			`"content":{"a":%[1]s}}}]}`, quoted))
	add(0, playground.Sent, request(2,
		fmt.Sprintf(`,"inputResponses":{%s:{"action":"accept","content":{"a":%[1]s}}},"requestState":%[1]s`,
			quoted)))
	add(20*time.Millisecond, playground.Received,
		head+`{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":`+string(quoted)+`}}`+word)
	return x
}

func request(id int, more string) string {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call",`+
		`"params":{"name":"update_work_item"%s}}`, id, more)
	return fmt.Sprintf("POST /mcp/azure-devops HTTP/1.1\r\nHost: 127.0.0.1:2322\r\nContent-Type: "+
		"application/json\r\nAuthorization: Bearer ********\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

func hostile() []string {
	return append(nasty(), "", "# title", "[click](javascript:alert(1))",
		"![x](https://evil.example/x.png)", "<script>alert(1)</script>",
		"```\n# out", "https://evil.example", "www.evil.example a@b.example", "=cmd|' /C calc'!A0", "+1",
		"-1", "@SUM(1)", "\t=1", "1. a\n- b\n> c\n\n---", "|a|b|", "&lt;", "\u200b", "\xc3")
}

func sessionWith(word string) Session {
	return Session{Title: "A bug", Note: "look", Exchanges: []playground.Exchange{recorded(word)}}
}

func TestFiles_Golden(t *testing.T) {
	s := sessionWith("duplicate_of")
	file, err := JSON(s)
	if err != nil {
		t.Fatal(err)
	}
	har, err := HAR(s, playground.Client{Name: "MRTR Playground", Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	masks := Mask{Value: "********"}
	for name, got := range map[string][]byte{"session.json": file, "session.har": har,
		"session.md": Markdown(s, masks), "session.txt": Text(s)} {
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s changed (run with -update if it should):\n%s", name, diff)
		}
	}
}

func TestFileName(t *testing.T) {
	for title, want := range map[string]string{
		"": "mrtr.json", "A bug": "mrtr-a-bug.json", "../../etc/passwd": "mrtr-etc-passwd.json",
		"-rf \"\r\nX: y": "mrtr-rf-x-y.json",
		"日本":             "mrtr.json", strings.Repeat("a", 300): "mrtr-" + strings.Repeat("a", 55) + ".json",
	} {
		if got := FileName(title, ".json"); got != want {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
}
