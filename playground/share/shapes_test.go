package share

import "testing"

func TestMaskText(t *testing.T) {
	for text, want := range map[string]string{
		"send: Bearer abcdefgh1234: refused":            "send: Bearer ***: refused",
		"two: sk-aaaaaaaaaaaaaaaa, sk-bbbbbbbbbbbbbbbb": "two: ***, ***",
		"postgres://u:secret@db/name":                   "postgres://u:***@db/name",
		"call x of target y ended":                      "call x of target y ended",
		"":                                              "",
	} {
		if got := MaskText(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A challenge and prose about it are evidence, not secrets. What has the place of
// a token is masked, whatever follows it.
func TestMaskText_ChallengesStay(t *testing.T) {
	for _, text := range []string{
		`WWW-Authenticate: Bearer resource_metadata="https://h/.well-known/oauth-protected-resource/mcp"`,
		`Bearer authorization_uri="https://login.example/x", error="invalid_token"`,
		`Bearer error_description=\"The access token expired\"`, `Basic charset="UTF-8", realm="x"`,
		`bearer Resource_Metadata=https://h/m`, `Bearer error=insufficient_scope`,
		"Bearer authentication is required", "basic functionality", "Basic Authentication",
	} {
		if got := MaskText(text); got != text {
			t.Errorf("%s became %s", text, got)
		}
	}
	for text, want := range map[string]string{
		`curl -H "Authorization: Bearer YWJjZGVmZ2g="`: `curl -H "Authorization: Bearer ***"`,
		`curl -H "Authorization: Bearer abcdefgh=" -H "X: y"`: `curl -H "Authorization: Bearer ***" -H "X: ` +
			`y"`,
		`Basic abcdefgh==`:         `Basic ***`,
		`{"h":"Bearer abcdefghi"}`: `{"h":"Bearer ***"}`,
		`Basic YWJjZGVmZ2g6eHl6`:   `Basic ***`,
		`Bearer abcdefgh==, Bearer resource_metadata="https://h`: `Bearer ***, Bearer ` +
			`resource_metadata="https://h`,
	} {
		if got := MaskText(text); got != want {
			t.Errorf("%s became %s", text, got)
		}
	}
}
