package playground_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

func secretTarget(value string) playground.Target {
	return playground.Target{
		URL: "https://h/mcp?api_key=planted-in-the-url&page=2",
		Header: []wire.Field{{Name: "Authorization", Value: "Bearer " + value},
			{Name: "X-Short", Value: "abc"}},
	}
}

func secretsOf(t playground.Target, k redact.Keeper) *redact.Secrets {
	return redact.New(t.Header, t.URL, k)
}

// prefix is a keeper that shows what it was given.
type prefix string

func (p prefix) Seal(plain []byte) []byte { return append([]byte(p), plain...) }

func (p prefix) Open(sealed []byte) ([]byte, bool) { return bytes.CutPrefix(sealed, []byte(p)) }

func TestRedact_ShortHeaderValues(t *testing.T) {
	s := secretsOf(secretTarget("tiny"), nil)
	e := playground.Event{Kind: playground.Sent,
		Data: []byte("POST /mcp HTTP/1.1\r\nauthorization: Bearer tiny\r\nX-Short: abc\r\nX-Other: " +
			"abc\r\n\r\n{\"a\":\"abc\"}")}.Redact(s)
	want := "POST /mcp HTTP/1.1\r\nauthorization: Bearer ****\r\nX-Short: ***\r\nX-Other: abc\r\n\r\n" +
		"{\"a\":\"abc\"}"
	if string(e.Data) != want || e.Sealed != nil {
		t.Errorf("%q", e.Data)
	}
}

func TestRedact_SealsTheOriginal(t *testing.T) {
	s := secretsOf(secretTarget("planted-token"), prefix("sealed:"))
	e := playground.Event{Kind: playground.Received,
		Data: []byte(`{"requestState":"planted-token"}`)}.Redact(s)
	if string(e.Data) != `{"requestState":"*************"}` ||
		string(e.Sealed) != `sealed:{"requestState":"planted-token"}` {
		t.Errorf("%q %q", e.Data, e.Sealed)
	}
	if again, err := e.Reveal(s); err != nil || string(again.Data) != `{"requestState":"planted-token"}` {
		t.Errorf("revealed: %q, %v", again.Data, err)
	}
	_, err := e.Reveal(secretsOf(secretTarget("planted-token"), nil))
	if !errors.Is(err, playground.ErrLocked) {
		t.Errorf("revealed without a key: %v", err)
	}
	clean := playground.Event{Kind: playground.Received, Data: []byte(`{}`)}.Redact(s)
	if clean.Sealed != nil {
		t.Error("something without a secret was sealed")
	}
}

func TestRedacted_TargetHasNoSecrets(t *testing.T) {
	x := playground.Exchange{Target: secretTarget("planted-token"),
		Call: playground.Call{Params: json.RawMessage(`{"a":"planted-token"}`)}}
	x.Target.Secrets = secretsOf(x.Target, nil)
	h := x.Redacted()
	if h.Target.URL != "https://h/mcp?api_key=******************&page=2" ||
		h.Target.Header[0].Value != "Bearer *************" ||
		h.Target.Header[1].Value != "***" || string(h.Call.Params) != `{"a":"*************"}` {
		t.Errorf("%+v %s", h.Target, h.Call.Params)
	}
	if x.Target.Header[1].Value != "abc" {
		t.Error("the original was changed")
	}
}
