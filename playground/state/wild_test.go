package state_test

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/state"
)

// Tokens from the documentation and the test vectors of their formats.
const (
	fernetToken = "gAAAAAAdwJ6wAAECAwQFBgcICQoLDA0ODy021cpGVWKZ_eEwCGM4BLLF_5CV9dOPmrhuVUPgJobwOz7Jcbmr" +
		"R64jVmpU4IwqDA=="
	pasetoLocal = "v4.local.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAr68PS4AXe7If" +
		"_ZgesdkUMvSwscFlAl1pk5HC0e8kApeaqMfGo_7OpBnwJOAbY9V7WU6abu74MmcUE8YWAiaArVI8XJ5hOb_4v9RmDkneN0S9"
	pasetoPublic = "v4.public.eyJkYXRhIjoidGhpcyBpcyBhIHNpZ25lZCBtZXNzYWdlIiwiZXhwIjoiMjAyMi0wMS0wMVQwMDow" +
		"MDowMCswMDowMCJ9bg_XBBzds8lTZShVlwwKSgeKpLT3yukTw6JUz3W4h_ExsQV-P0V54zemZDcAxFaSeef1QlXEFtkqxT1ci" +
		"iQEDA"
	macaroonToken = "MDAxY2xvY2F0aW9uIGh0dHA6Ly9teWJhbmsvCjAwMjZpZGVudGlmaWVyIHdlIHVzZWQgb3VyIHNlY3JldCBr" +
		"ZXkKMDAyZnNpZ25hdHVyZSDj2eApCFJsTAA5rhURQRXZf91ovyujebNCqvD2F9BVLwo"
	ironToken = "Fe26.2**0cdd607945dd1dffb7da0b0bf5f1a7daa6218cbae14cac51dcbd91fb077aeb5b*aOZLCKLhCt0D5IU1q" +
		"LTtYw*g0ilNDlQ3TsdFUqJCqAm9iL7Wa60H7eYcHL_5oP136TOJREkS3BzheDC1dlxz5oJ**05b8943049af490e913bbc3a2" +
		"485bee2aaf7b823f4c41d0ff0b7c168371a3772*R8yscVdTBRMdsoVbdDiFmUL8zb-c3PQLGJn4Y8C-AqI"
	djangoToken       = "eyJmb28iOiJiYXIifQ:1NMg1b:zGcDE4-TCkaeGzLeW9UQwZesciI"
	itsdangerousToken = "WzEsMiwzLDRd.wSPHqC0gR7VUqivlSukJ0IeTDgo"
)

// encoded returns the Base64url of the parts, joined.
func encoded(parts ...string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strings.Join(parts, "")))
}

func TestRecognise_OtherLibraries(t *testing.T) {
	guid := "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10"
	random := strings.Repeat("\x8f\x13\xee\x90", 20)
	protected := encoded("\x09\xf0\xc9\xf0", guid, random)
	railsMAC := strings.Repeat("5d", 32)
	gcm := encoded(random) + "--" + encoded(random[:12]) + "--" + encoded(random[:16])
	cookie := encoded("1795160233|", encoded(`{"step":2}`), "|", random[:32])
	laravel := encoded(`{"iv":"QUJD","value":"QUJD","mac":"` + railsMAC + `","tag":""}`)
	tests := []struct {
		name, token, id string
		payload         string // empty if it cannot be read
		expires, note   string // note is in one of the notes
	}{
		{"fernet", fernetToken, state.Fernet, "", "", "1985-10-26T08:20:00Z"},
		{"paseto local", pasetoLocal, state.Paseto, "", "", "Only the server"},
		{"short paseto", "v2.local." + encoded(random[:42]), state.Paseto, "", "", "Only the server"},
		{"no paseto", "v2.local." + encoded(random[:39]), state.Opaque, "", "", ""},
		{
			"paseto public", pasetoPublic, state.Paseto,
			`{"data":"this is a signed message","exp":"2022-01-01T00:00:00+00:00"}`, "2022-01-01T00:00:00Z",
			"signature",
		},
		{"macaroon", macaroonToken, state.Macaroon, "", "", "caveats"},
		{
			"macaroon 2", encoded("\x02\x01\x03loc\x02\x02id\x00\x00\x06\x20", random[:32]),
			state.Macaroon, "", "", "caveats",
		},
		{
			"data protection", protected, state.DataProtection, "", "",
			"04030201-0605-0807-090a-0b0c0d0e0f10",
		},
		{"iron", ironToken, state.Iron, "", "", "password"},
		{
			"iron with expiry", strings.Replace(ironToken, "5oJ**", "5oJ*1795160233000*", 1), state.Iron, "",
			"2026-11-20T07:37:13Z", "password",
		},
		{"rails signed", encoded(`{"a":1}`) + "--" + railsMAC, state.Rails, `{"a":1}`, "", "anyone can read"},
		{"rails encrypted", gcm, state.Rails, "", "", "Only the server"},
		{"laravel", laravel, state.Laravel, "", "", "Only the server"},
		{"django", djangoToken, state.Django, `{"foo":"bar"}`, "", "base 62"},
		{"itsdangerous", itsdangerousToken, state.ItsDangerous, "[1,2,3,4]", "", "Readable JSON"},
		{
			"itsdangerous with a time", "WzEsMiwzLDRd.YS06AQ.wSPHqC0gR7VUqivlSukJ0IeTDgo", state.ItsDangerous,
			"[1,2,3,4]", "", "When it was made",
		},
		{"securecookie", cookie, state.SecureCookie, "", "", "2026-11-20T07:37:13Z"},
		// Near misses, which are like random bytes.
		{"not fernet", encoded("\x81" + random), state.Opaque, "", "", ""},
		{"another header", encoded("\x09\xf0\xc9\xf1", guid, random), state.Opaque, "", "", ""},
		{"tink", encoded("\x01\x6d\x0e\x32\xa6", random), state.Opaque, "", "", "not visible from outside"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := state.Recognise(test.token)
			if f.ID != test.id || f.Payload != test.payload || f.Readable != (test.payload != "") ||
				f.Protected != (test.id != state.Opaque) {
				t.Fatalf("got %s readable=%v protected=%v payload %q", f.ID, f.Readable, f.Protected,
					f.Payload)
			}
			expires := ""
			if !f.Expires.IsZero() {
				expires = f.Expires.Format(time.RFC3339)
			}
			var notes strings.Builder
			for _, p := range f.Parts {
				notes.WriteString(p.Note)
			}
			if expires != test.expires || !strings.Contains(notes.String(), test.note) {
				t.Errorf("expires %q, want %q; notes %q lack %q", expires, test.expires, notes.String(),
					test.note)
			}
			checkParts(t, test.token, f)
		})
	}
}
