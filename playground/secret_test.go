package playground_test

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

const planted = `s3cr3t"\/é-planted`

func secretTarget(value string) playground.Target {
	return playground.Target{URL: "https://h/mcp?api_key=planted-in-the-url&page=2", Header: []wire.Field{{Name: "Authorization", Value: "Bearer " + value}, {Name: "X-Short", Value: "abc"}}}
}

func TestMaskKeepsLengthAndPlaceInEverySpelling(t *testing.T) {
	s := playground.NewSecrets(secretTarget(planted), nil)
	quoted, _ := json.Marshal(planted)
	spellings := []string{planted, string(quoted[1 : len(quoted)-1]), url.QueryEscape(planted), url.PathEscape(planted), "planted-in-the-url"}
	for _, spelling := range spellings {
		text := "before " + spelling + " between " + spelling + " after"
		got := string(s.Mask([]byte(text)))
		stars := strings.Repeat("*", len(spelling))
		if got != "before "+stars+" between "+stars+" after" {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestMaskFindsBase64WhereverItBegins(t *testing.T) {
	s := playground.NewSecrets(secretTarget("planted-token-0123456789"), nil)
	for before := range 7 {
		for after := range 4 {
			text := strings.Repeat("x", before) + "planted-token-0123456789" + strings.Repeat("y", after)
			for _, e := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding} {
				encoded := e.EncodeToString([]byte(text))
				masked := string(s.Mask([]byte(encoded)))
				if len(masked) != len(encoded) || strings.Count(masked, "*") < 24 {
					t.Errorf("%d before, %d after: %q became %q", before, after, encoded, masked)
				}
			}
		}
	}
}

func TestMaskedJSONIsStillJSON(t *testing.T) {
	s := playground.NewSecrets(secretTarget(planted), nil)
	body, _ := json.Marshal(map[string]any{planted: []any{planted, 1.5, map[string]any{"n": "x" + planted + "y"}}})
	masked := s.Mask(body)
	if !json.Valid(masked) || len(masked) != len(body) || strings.Contains(string(masked), "planted") {
		t.Errorf("%s", masked)
	}
}

func TestHeaderValuesAreMaskedHoweverShort(t *testing.T) {
	s := playground.NewSecrets(secretTarget("tiny"), nil)
	e := s.Hide(playground.Event{Kind: playground.Sent, Data: []byte("POST /mcp HTTP/1.1\r\nauthorization: Bearer tiny\r\nX-Short: abc\r\nX-Other: abc\r\n\r\n{\"a\":\"abc\"}")})
	want := "POST /mcp HTTP/1.1\r\nauthorization: Bearer ****\r\nX-Short: ***\r\nX-Other: abc\r\n\r\n{\"a\":\"abc\"}"
	if string(e.Data) != want || e.Sealed != nil {
		t.Errorf("%q", e.Data)
	}
}

func TestWhatMustBeSentAgainIsSealedBeside(t *testing.T) {
	s := playground.NewSecrets(secretTarget("planted-token"), func(b []byte) []byte { return append([]byte("sealed:"), b...) })
	e := s.Hide(playground.Event{Kind: playground.Received, Data: []byte(`{"requestState":"planted-token"}`)})
	if string(e.Data) != `{"requestState":"*************"}` || string(e.Sealed) != `sealed:{"requestState":"planted-token"}` {
		t.Errorf("%q %q", e.Data, e.Sealed)
	}
	clean := s.Hide(playground.Event{Kind: playground.Received, Data: []byte(`{}`)})
	if clean.Sealed != nil {
		t.Error("something without a secret was sealed")
	}
}

func TestHiddenTargetsShowNothing(t *testing.T) {
	x := playground.Exchange{Target: secretTarget("planted-token"), Call: playground.Call{Params: json.RawMessage(`{"a":"planted-token"}`)}}
	x.Target.Secrets = playground.NewSecrets(x.Target, nil)
	h := x.Hidden()
	if h.Target.URL != "https://h/mcp?api_key=******************&page=2" || h.Target.Header[0].Value != "Bearer *************" ||
		h.Target.Header[1].Value != "***" || string(h.Call.Params) != `{"a":"*************"}` {
		t.Errorf("%+v %s", h.Target, h.Call.Params)
	}
	if x.Target.Header[1].Value != "abc" {
		t.Error("the original was changed")
	}
}

func TestNothingSecretNeedsNoSecrets(t *testing.T) {
	s := playground.NewSecrets(playground.Target{URL: "https://h/mcp?page=2"}, nil)
	if s != nil || string(s.Mask([]byte("x"))) != "x" {
		t.Error("secrets out of nothing")
	}
}
