package share_test

import (
	"slices"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

func TestArguments_LeavesSecretsOut(t *testing.T) {
	own := redact.New([]wire.Field{{Name: "X-Key", Value: "planted-value-1"}}, "https://h/", nil)
	for _, c := range []struct {
		arguments, kept string
		omitted         []string
	}{
		{`{"id": 1.0, "page_token":"abc"}`, `{"id": 1.0, "page_token":"abc"}`, nil},
		{`{}`, `{}`, nil},
		{`[1]`, ``, nil},
		{`{`, ``, nil},
		{`{"a":1,"password":"hunter2"}`, `{"a":1}`, []string{"password"}},
		{`{"password":""}`, `{"password":""}`, nil},
		{`{"login":{"name":"x","pwd":"hunter2"},"b":[1]}`, `{"b":[1]}`, []string{"login"}},
		{`{"api_keys":["abc"],"tokens":1}`, `{"api_keys":["abc"],"tokens":1}`, nil},
		{`{"secret":["abc"]}`, `{}`, []string{"secret"}},
		{`{"a":"x planted-value-1","b":"planted\u002dvalue-1","c":2}`, `{"c":2}`, []string{"a", "b"}},
		{`{"h":"Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlc2lnbmF0dXJl","c":2}`, `{"c":2}`,
			[]string{"h"}},
		{`{"id":"9f86d081884c7d659a2feaa0c55ad015"}`, `{"id":"9f86d081884c7d659a2feaa0c55ad015"}`, nil},
	} {
		kept, omitted := share.Arguments([]byte(c.arguments), own)
		if string(kept) != c.kept || !slices.Equal(omitted, c.omitted) {
			t.Errorf("%s: %s, %q", c.arguments, kept, omitted)
		}
	}
}
