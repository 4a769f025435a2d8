package session_test

import (
	"encoding/json"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

func TestCallSummary(t *testing.T) {
	for _, c := range []struct{ params, want string }{
		{`{"name":"update","arguments":{"id":4522,"fields":{"State":"Resolved"}}}`,
			`id: 4522, fields: {"State":"Resolved"}`},
		{`{"name":"greet","arguments":{"who":"Ada \"A\"","loud":true}}`, `who: Ada "A", loud: true`},
		{`{"name":"now","arguments":{}}`, ""},
		{`{"uri":"file:///a"}`, ""},
		{`{"arguments":[1]}`, ""},
		{`{"arguments"`, ""},
		{"", ""},
	} {
		if got := session.CallSummary(playground.Call{Method: "tools/call",
			Params: json.RawMessage(c.params)}); got != c.want {
			t.Errorf("Gist of %s: %q, want %q", c.params, got, c.want)
		}
	}
}
