package legacy

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

func TestAsTask(t *testing.T) {
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"n":1.0}}}`
	want := strings.Replace(call, `{"n":1.0}}`, `{"n":1.0},"task":{}}`, 1)
	if got := string(asTask([]byte(call))); got != want {
		t.Errorf("%s", got)
	}
	if got := string(asTask([]byte("{"))); got != "{" {
		t.Errorf("not JSON: %s", got)
	}
}

// TestTap_TaskOnlyIfDeclared: a server that does not declare tasks must not be
// asked for one, whatever its tool says.
func TestTap_TaskOnlyIfDeclared(t *testing.T) {
	supports := map[string]bool{"required": true, "optional": false, "forbidden": false}
	for capabilities, want := range map[string]bool{
		`{"tools":{}}`:          false,
		`{"tasks":{"list":{}}}`: false,
		`{"tasks":{"requests":{"tools":{"call":{}}}}}`:   true,
		`{"tasks":{"requests":{"sampling":{"call":1}}}}`: false,
	} {
		x := newTap(Config{})
		x.observe(message{method: "initialize"}, parsed([]byte(`{"id":1,"result":{"capabilities":`+
			capabilities+`}}`)))
		for support, required := range supports {
			x.requireTask(requiresTask(json.RawMessage(`{"name":"t","execution":{` +
				`"taskSupport":"` + support + `"}}`)))
			f, err := x.frame(post(t, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t"}}`))
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(string(f.Body), `"task":{}`); got != (want && required) {
				t.Errorf("%s with %s: %s", support, capabilities, f.Body)
			}
		}
	}
}

// TestTap_AnswerNamesItsTask: every message about a task names it.
func TestTap_AnswerNamesItsTask(t *testing.T) {
	const meta = `{"io.modelcontextprotocol/related-task":{"taskId":"T"}}`
	x := newTap(Config{})
	x.observe(message{}, parsed([]byte(`{"id":"q","method":"elicitation/create","params":{`+
		`"_meta":`+meta+`}}`)))
	for answer, want := range map[string]string{
		`{"action":"decline"}`:           `{"action":"decline","_meta":` + meta + `}`,
		`{"action":"decline","_meta":1}`: `{"action":"decline","_meta":1}`,
	} {
		if got := string(x.withRelated(json.RawMessage(`"q"`), json.RawMessage(answer))); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := string(x.withRelated(json.RawMessage(`"other"`), json.RawMessage(`{}`))); got != `{}` {
		t.Errorf("another question: %s", got)
	}
}

func TestWithoutQuestion(t *testing.T) {
	const question = "event: message\nid: e7\nretry: 100\ndata: {\"id\":1,\"method\":\"roots/list\"}\n\n"
	for event, want := range map[string]string{
		question: "id: e7\nretry: 100\ndata:\n\n",
		strings.Replace(question, "id: e7\n", "", 1):     "retry: 100\ndata:\n\n",
		"data: {\"id\":1,\"method\":\"roots/list\"}\n\n": "",
		"id: e8\ndata: {\"id\":1,\"result\":{}}\n\n":     "id: e8\ndata: {\"id\":1,\"result\":{}}\n\n",
	} {
		if got := string(withoutQuestion([]byte(event))); got != want {
			t.Errorf("%q: %q, want %q", event, got, want)
		}
	}
}

// TestTap_AnsweredCallIsNotCancelled: its server gets no cancellation.
func TestTap_AnsweredCallIsNotCancelled(t *testing.T) {
	short := &scripted{}
	x := newTap(Config{Short: short, Record: recordAll})
	defer x.close()
	x.setCall(json.RawMessage("7"), func() {})
	x.observe(message{}, parsed([]byte(`{"jsonrpc":"2.0","id":7,"result":{"content":[]}}`)))
	if !x.isAnswered() || x.callTask() != nil {
		t.Error("the response was not seen")
	}
	x.disconnectCall()
	response, err := x.RoundTrip(post(t, `{"method":"notifications/cancelled","jsonrpc":"2.0"}`))
	if err != nil || response.StatusCode != http.StatusAccepted || len(short.sent) != 0 {
		t.Errorf("%v, %v; sent %q", response, err, short.sent)
	}
	response.Body.Close()
}
