package playground_test

import (
	"bytes"
	"compress/gzip"
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

// prefix is a keeper that shows the sealed data.
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

// TestRedact_CompressedInPart: a secret is masked also in a compressed body that was cut off,
// as one that was too large is.
func TestRedact_CompressedInPart(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(append([]byte(`{"text":"planted-token","m":"`), bytes.Repeat([]byte("more "), 1<<16)...))
	_ = z.Close()
	const head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
	e := playground.Event{Kind: playground.Received, Data: append([]byte(head), b.Bytes()[:b.Len()-20]...)}
	masked := e.Redact(secretsOf(secretTarget("planted-token"), nil)).Data
	f := wire.Split(masked)
	in, err := gzip.NewReader(bytes.NewReader(f.Body))
	if err != nil {
		t.Fatal(err)
	}
	start := make([]byte, len(`{"text":"planted-token",`))
	if n, _ := in.Read(start); string(start[:n]) != `{"text":"*************",` {
		t.Errorf("%s", start[:n])
	}
}
