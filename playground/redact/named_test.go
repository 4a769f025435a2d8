package redact_test

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// A member with the name of a secret is masked in a body of any kind, whole or
// cut off, and one that only has a similar name stays.
func TestMaskNamed(t *testing.T) {
	for message, want := range map[string]string{
		`{"access_token": "a\"b","scope":"read","Refresh_Token":"r"}`: `{"access_token": ` +
			`"****","scope":"read","Refresh_Token":"*"}`,
		`[{"a":{"client\u005fsecret":"ab"}}]`: `[{"a":{"client\u005fsecret":"**"}}]`,
		`{"token_type":"Bearer","client\u005fsecret":"ab\"c`: `{"token_type` +
			`":"Bearer","client\u005fsecret":"*****`,
		`{"token_endpoint_auth_method":"none","client_secret_expires_at":0`: `{"token_endp` +
			`oint_auth_method":"none","client_secret_expires_at":0`,
		"grant_type=x&code=abc&client%5Fsecret=s1&code_challenge=c&token_type_hint=t": "grant_type=x&" +
			"code=***&client%5Fsecret=**&code_challenge=c&token_type_hint=t",
		"HTTP/1.1 200 OK\r\nX: code=1\r\n\r\naccess_token=a": "HTTP/1.1 200 OK\r\nX: " +
			"code=1\r\n\r\naccess_token=*",
		"": "",
	} {
		in := []byte(message)
		if got := string(redact.MaskNamed(in)); got != want || string(in) != message {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}

func TestMaskRequest_FieldsOfAnyLength(t *testing.T) {
	s := redact.New([]wire.Field{{Name: "Authorization"}, {Name: "DPoP"}}, "", nil, "further-value")
	got := string(s.MaskRequest([]byte("POST /token HTTP/1.1\r\nHost: h\r\nauthorization: Basic abcd\r\n" +
		"dpop: x\r\n\r\nfurther-value")))
	want := "POST /token HTTP/1.1\r\nHost: h\r\nauthorization: Basic ****\r\ndpop: *\r\n\r\n*************"
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestMaskURL(t *testing.T) {
	for raw, want := range map[string]string{
		"https://h/mcp": "https://h/mcp",
		"https://h/mcp?api%5Fkey=abc&page=2&key=": "https://h/mcp?api%5Fkey=***&page=2&key=",
		"https://h/cb?code=abc&state=s&iss=i":     "https://h/cb?code=***&state=s&iss=i",
	} {
		if got := redact.MaskURL(raw); got != want {
			t.Errorf("%s: %s, want %s", raw, got, want)
		}
	}
}
