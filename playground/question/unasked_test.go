package question_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
)

// ended is a call that asked for a name under the key who, and ended with this answer.
func ended(answer string) playground.Exchange {
	decided := func(d playground.Decision) playground.Event {
		data, _ := json.Marshal(d)
		return playground.Event{Kind: playground.Decided, Data: data}
	}
	side := func(conn int, kind playground.EventKind, body string) playground.Event {
		head := "POST /mcp HTTP/1.1\r\n\r\n"
		if kind == playground.Received {
			head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
		}
		return playground.Event{Conn: conn, Kind: kind, Data: []byte(head + body)}
	}
	log := []playground.Event{
		decided(playground.Decision{Action: playground.ActionStart, Round: 1}),
		side(1, playground.Sent, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet"}}`),
		side(1, playground.Received, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required",`+
			`"inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Who?",`+
			`"requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},`+
			`"required":["name"]}}}}}}`),
		decided(playground.Decision{Action: playground.ActionAnswer, Round: 2,
			Answers: []playground.Answer{{Key: "who", Value: json.RawMessage(answer)}}}),
		side(2, playground.Sent, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"greet"}}`),
		side(2, playground.Received,
			`{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[]}}`),
	}
	for i := range log {
		log[i].Seq = i + 1
	}
	return playground.Exchange{Log: log, Reading: new(playground.Reading)}
}

// TestUnasked: a key that was never asked is an error only if an answer was made up.
func TestUnasked(t *testing.T) {
	const made = `{"action":"accept","content":{"name":"text"}}`
	const entered = `{"action":"accept","content":{"name":"Ada"}}`
	for _, c := range []struct {
		name, given, answer string
		own                 map[string]bool
		unused              []string
		madeUp              string
	}{
		{"right", `{"who":{"name":"Ada"}}`, entered, nil, nil, ""},
		{"none", `{}`, made, nil, nil, ""},
		{"mistyped", `{"woh":{"name":"Ada"}}`, made, nil, []string{"woh"}, "who"},
		{"entered", `{"woh":{"name":"Ada"}}`, entered, nil, []string{"woh"}, ""},
		{"entered what would be made up", `{"woh":{}}`, made, map[string]bool{"who": true},
			[]string{"woh"}, ""},
		{"one more", `{"who":{"name":"text"},"why":{}}`, made, nil, []string{"why"}, ""},
	} {
		var given map[string]json.RawMessage
		if err := json.Unmarshal([]byte(c.given), &given); err != nil {
			t.Fatal(err)
		}
		x := ended(c.answer)
		if s := x.Fold().Status; s != playground.StatusComplete {
			t.Fatalf("the call is %s", s)
		}
		if got := question.Unused(given, x); !slices.Equal(got, c.unused) {
			t.Errorf("%s: unused %q, want %q", c.name, got, c.unused)
		}
		var unasked *question.UnaskedError
		if errors.As(question.Unasked(x, given, c.own), &unasked); (unasked == nil) != (c.madeUp == "") ||
			unasked != nil && unasked.MadeUp != c.madeUp {
			t.Errorf("%s: %v, want %q", c.name, unasked, c.madeUp)
		}
	}
}
