package redact_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

const planted = `s3cr3t"\/é-planted`

func newSecrets(value string) *redact.Secrets {
	header := []wire.Field{{Name: "Authorization", Value: "Bearer " + value}, {Name: "X-Short", Value: "abc"}}
	return redact.New(header, "https://h/mcp?api_key=planted-in-the-url&page=2", nil)
}

func TestMask_KeepsLengthAndPlace(t *testing.T) {
	s := newSecrets(planted)
	quoted, _ := json.Marshal(planted)
	spellings := []string{planted, string(quoted[1 : len(quoted)-1]), url.QueryEscape(planted),
		url.PathEscape(planted), "planted-in-the-url"}
	for _, spelling := range spellings {
		text := "before " + spelling + " between " + spelling + " after"
		got := string(s.Mask([]byte(text)))
		stars := strings.Repeat("*", len(spelling))
		if got != "before "+stars+" between "+stars+" after" {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// A server can echo a secret with any of its characters escaped.
func TestMask_EverySpelling(t *testing.T) {
	const secret = "planted-in-the-url"
	s := newSecrets(planted)
	mixed := strings.NewReplacer("p", `\u0070`, "-", `\u002d`, "u", `\u0075`)
	percent := strings.NewReplacer("p", "%70", "-", "%2D", "u", "%75")
	hexed := hex.EncodeToString([]byte(secret))
	for _, spelling := range []string{
		mixed.Replace(secret), percent.Replace(secret), hexed, strings.ToUpper(hexed),
		strings.ReplaceAll(percent.Replace(secret), "%", "%25"),
		strings.ReplaceAll(strings.ReplaceAll(percent.Replace(secret), "%", "%25"), "%", `\u0025`),
		strings.ReplaceAll(mixed.Replace(secret), `\`, `\\`),
		mixed.Replace(hexed),
	} {
		text := `{"a":"before ` + spelling + ` after"}`
		got := string(s.Mask([]byte(text)))
		if len(got) != len(text) || strings.Contains(got, spelling[len(spelling)-4:]) ||
			!strings.HasPrefix(got, `{"a":"before `) || !strings.HasSuffix(got, ` after"}`) {
			t.Errorf("%s became %s", text, got)
		}
		if !json.Valid([]byte(got)) {
			t.Errorf("%s: masking broke the JSON", got)
		}
	}
}

func TestMask_Base64AtEveryOffset(t *testing.T) {
	s := newSecrets("planted-token-0123456789")
	for before := range 7 {
		for after := range 4 {
			text := strings.Repeat("x", before) + "planted-token-0123456789" + strings.Repeat("y", after)
			for _, e := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding,
				base64.RawStdEncoding} {
				encoded := e.EncodeToString([]byte(text))
				masked := string(s.Mask([]byte(encoded)))
				if len(masked) != len(encoded) || strings.Count(masked, "*") < 24 {
					t.Errorf("%d before, %d after: %q became %q", before, after, encoded, masked)
				}
			}
		}
	}
}

func TestMask_KeepsJSONValid(t *testing.T) {
	s := newSecrets(planted)
	body, _ := json.Marshal(map[string]any{planted: []any{planted, 1.5,
		map[string]any{"n": "x" + planted + "y"}}})
	masked := s.Mask(body)
	if !json.Valid(masked) || len(masked) != len(body) || strings.Contains(string(masked), "planted") {
		t.Errorf("%s", masked)
	}
}

func TestNew_WithoutSecrets(t *testing.T) {
	s := redact.New(nil, "https://h/mcp?page=2", nil)
	if s != nil || string(s.Mask([]byte("x"))) != "x" {
		t.Error("secrets out of nothing")
	}
}
