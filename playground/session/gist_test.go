package session

import (
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

func TestResultText(t *testing.T) {
	head := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
	received := func(body string) playground.Event {
		return playground.Event{Kind: playground.Received, Data: []byte(head + body)}
	}
	for _, c := range []struct {
		name string
		e    playground.Event
		want string
	}{
		{
			"tool",
			received(`{"result":{"content":[
			  {"type":"text","text":"Bug\n4522"},{"type":"text","text":"done"}]}}`),
			"Bug 4522 done",
		},
		{"resource", received(`{"result":{"contents":[{"uri":"a:b","text":"# Notes"}]}}`), "# Notes"},
		{
			"prompt",
			received(`{"result":{"messages":[{"role":"user","content":{"type":"text","text":"Hi"}}]}}`),
			"Hi",
		},
		{
			"structured",
			received(`{"result":{"structuredContent":{"degrees":21},"content":[]}}`), `{"degrees":21}`,
		},
		{"error", received(`{"error":{"code":-32602,"message":"requestState was not accepted"}}`),
			"requestState was not accepted"},
		{
			"task",
			received(`{"result":{"taskId":"t","status":"completed",
			  "result":{"content":[{"type":"text","text":"7"}]}}}`),
			"7",
		},
		{
			"failed task",
			received(`{"result":{"taskId":"t","status":"failed","error":{"code":1,"message":"no paper"}}}`),
			"no paper",
		},
		{"question", received(`{"result":{"resultType":"input_required","inputRequests":{}}}`), ""},
		{"stream", playground.Event{Kind: playground.Message,
			Data: []byte("data: {\"result\":{\"content\":[{\"text\":\"late\"}]}}\n\n")}, "late"},
		{"not JSON", received(`<html>`), ""},
		{"decision", playground.Event{Kind: playground.Decided, Data: []byte(`{"action":"start"}`)}, ""},
	} {
		if got := ResultText(c.e); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	long := ResultText(received(`{"error":{"code":1,"message":"` + strings.Repeat("ü", 200) + `"}}`))
	if len(long) > maxResultText || !strings.HasSuffix(long, "ü…") {
		t.Errorf("%d bytes: %q", len(long), long)
	}
}

func TestJoinAnswers(t *testing.T) {
	answers := ""
	for _, data := range []string{
		`{"action":"start","round":1}`,
		`{"action":"answer","answers":[{"key":"r","value":{"action":"accept","content":{"r":"Duplicate"}}}]}`,
		`{"action":"answer","answers":[
		  {"key":"dup","value":{"action":"accept","content":{"id":4301,"sure":true}}},
		  {"key":"draft","value":{"role":"assistant","model":"m","stopReason":"endTurn",
		    "content":{"type":"text","text":"Hello"}}},
		  {"key":"no","value":{"action":"decline"}}]}`,
	} {
		answers = JoinAnswers(answers, playground.Event{Kind: playground.Decided, Data: []byte(data)})
	}
	if answers != "Duplicate, 4301, true, Hello" {
		t.Errorf("%q", answers)
	}
	many := JoinAnswers(strings.Repeat("a", 99), playground.Event{Kind: playground.Decided,
		Data: []byte(`{"answers":[{"key":"k","value":{"content":{"v":"more"}}}]}`)})
	if len(many) > maxAnswersText || !strings.HasSuffix(many, "…") {
		t.Errorf("%q", many)
	}
}
