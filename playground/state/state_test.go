package state_test

import (
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/state"
)

// Tokens of real libraries, made by running them; those of Rust and PHP were
// made from their source.
const (
	tsToken = "v1.eyJwIjp7InN0ZXAiOiJjb25maXJtIiwiZW52IjoicHJvZCJ9LCJleHAiOjE3OTUxNjAyMzN9." +
		"fV2_j_WdP1se8Xh6Nap7Ar6CBJIv7AoRi815mn-7Ev4"
	tsBoundToken = "v1.eyJwIjp7InN0ZXAiOiJjb25maXJtIiwiZW52IjoicHJvZCJ9LCJleHAiOjE3OTUxNjA1ODYs" +
		"ImIiOiJnaVU2bENUSFhObTc5RlBvNk1JNjhnIn0.dSIKbavJ5-CDCge-r3cyYrXyAK5JY1IT68oGdkCirP0"
	pythonToken = "v1.bQ4yplhD-m49bKeTPyY5eXy04mWB0pZJYNfo5EBb-_CMYVJvUMaJWcLniHbdRohrp5Z8xhSacT7lN" +
		"EM-29uxcTkcstR7QGhF3U_9M6YDiI2V3V-qTeWnyxV1SvqS6VaRXTZ_1medAlTCH6tUp_jAPB2-r5SiEWDV7F-tnQ9" +
		"_r76iQrQclUKkI-R7TzH8UrRi4F_YqHX5NIzCkLTn0kP6oJJyjiWV2pio0fD-NaFpLknCICVv9A"
	mcpkitToken = "humTg4b0McgJ-IYpL8W70gUXr5ywxiYNo2MWA2jG2e4." +
		"eyJ0b29sIjoidGVzdF9pbnB1dF9yZXF1aXJlZF9yZXN1bHRfbXVsdGlfcm91bmQiLCJhbnN3ZXJlZCI6eyJzdGVwMSI6eyJhY" +
		"3Rpb24iOiJhY2NlcHQiLCJjb250ZW50Ijp7Im5hbWUiOiJBbGljZSJ9fX0sImV4cCI6MTc5NTI0NjA0OH0"
	rustToken = "rs1.AAABoffotsN7InN0ZXAiOjJ9.ls5mrIhXkedpI2aZq-LN59SxNGGDzm5UQ84VgrVWN_M"
	randomMAC = "aP8lR8jHQKwXWlgYF-qBpUCjugsopbLH7saaVxYkCdw"
	phpToken  = "eyJleHAiOjE3OTUxNjA4NTgsImRhdGEiOnsic3RlcCI6ImNvbmZpcm0ifX0." +
		"aP8lR8jHQKwXWlgYF-qBpUCjugsopbLH7saaVxYkCdw"
)

func TestRecognise(t *testing.T) {
	mac := strings.Repeat("A", 43)
	tests := []struct {
		token, id           string
		readable, protected bool
		payload, expires    string
	}{
		{"", state.Empty, true, false, "", ""},
		{
			tsToken, state.TypeScript, true, true, `{"p":{"step":"confirm","env":"prod"},"exp":1795160233}`,
			"2026-11-20T07:37:13Z",
		},
		{
			tsBoundToken, state.TypeScript, true, true,
			`{"p":{"step":"confirm","env":"prod"},"exp":1795160586,"b":"giU6lCTHXNm79FPo6MI68g"}`,
			"2026-11-20T07:43:06Z",
		},
		{pythonToken, state.AESGCM, false, true, "", ""},
		{
			mcpkitToken, state.Mcpkit, true, true,
			`{"tool":"test_input_required_result_multi_round","answered":{"step1":{"action":"accept",` +
				`"content":{"name":"Alice"}}},"exp":1795246048}`,
			"2026-11-21T07:27:28Z",
		},
		{rustToken, state.Rust, true, true, `{"step":2}`, "2026-11-20T07:43:05Z"},
		{
			phpToken, state.PHP, true, true, `{"exp":1795160858,"data":{"step":"confirm"}}`,
			"2026-11-20T07:47:38Z",
		},
		{"mrtr1.plain.eyJ2IjoxfQ", state.Playground, true, false, `{"v":1}`, ""},
		{"mrtr1.signed.0011aabb.eyJ2IjoxfQ." + mac, state.Playground, true, true, `{"v":1}`, ""},
		{
			"mrtr1.sealed.0011aabb.AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA", state.Playground, false,
			true, "", "",
		},
		{
			"eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjE3OTUxNjAyMzN9.c2ln", state.JWT, true, true,
			`{"exp":1795160233}`, "2026-11-20T07:37:13Z",
		},
		{"eyJhbGciOiJub25lIn0.eyJhIjoxfQ.", state.JWT, true, false, `{"a":1}`, ""},
		{
			"eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA",
			state.JWE, false, true, "", "",
		},
		{"5f4dcc3b5aa765d61d8327deb882cf99", state.Handle, false, false, "", ""},
		{"550e8400-e29b-41d4-a716-446655440000", state.Handle, false, false, "", ""},
		{"eyJzdGVwIjoyfQ", state.Base64JSON, true, false, `{"step":2}`, ""},
		{"eyJzdGVwIjoyfQ==", state.Base64JSON, true, false, `{"step":2}`, ""},
		{"v1.********", state.Masked, false, false, "", ""},
		{`{"secret":"********"}`, state.JSON, true, false, `{"secret":"********"}`, ""},
		{`{"step":2}`, state.JSON, true, false, `{"step":2}`, ""},
		{"qL8zW3kP0vN5xT7yB2mC9dF4gH6jK1sA", state.Opaque, false, false, "", ""},
		{"env=prod", state.Text, true, false, "env=prod", ""},
		{"step-2", state.Text, true, false, "step-2", ""},
		{"1.2.3.4.5", state.Text, true, false, "1.2.3.4.5", ""},
		{"v1.2", state.Text, true, false, "v1.2", ""},
		{"v1.x." + mac, state.Text, true, false, "v1.x." + mac, ""},
		{
			"awaiting-second-confirmation-of-the-user", state.Text, true, false,
			"awaiting-second-confirmation-of-the-user", "",
		},
		{"q1W2e3R4t5Y6u7I8.c3RlcD0yO3VzZXI9YWRh.Zk8sLp0QxW3vT7nB2mC9dA", state.Opaque, false, false, "", ""},
		{"name=Ada." + randomMAC, state.Opaque, false, false, "", ""},
		{"q1W2e3R4t5Y6u7I8.eyJ2YWxpZF91bnRpbCI6MTc5NTE2MDIzM30." + randomMAC, state.Tagged, true, true,
			`{"valid_until":1795160233}`, "2026-11-20T07:37:13Z"},
		{"st_9f8e7d6c5b4a39281706f5e4", state.Opaque, false, false, "", ""},
		{"V1StGXR8_Z5jdHi6B-myT", state.Opaque, false, false, "", ""},
		{"5f4dcc3b5aa765d61d8327deb882cf995f4dcc3b5aa765d61d8327deb882cf99", state.Opaque, false, false, "",
			""},
		{`{"p":{"a":{"expires_at":"2026-11-20T07:37:13Z"}},"sig":"` + randomMAC + `"}`, state.JSON, true,
			true, `{"p":{"a":{"expires_at":"2026-11-20T07:37:13Z"}},"sig":"` + randomMAC + `"}`,
			"2026-11-20T07:37:13Z"},
		{`{"expiry":1795160233000}`, state.JSON, true, false, `{"expiry":1795160233000}`,
			"2026-11-20T07:37:13Z"},
		{`{"exp":5}`, state.JSON, true, false, `{"exp":5}`, ""},
		{"mrtr1.odd.x", state.Text, true, false, "mrtr1.odd.x", ""},
		{"état 👋", state.Text, true, false, "état 👋", ""},
	}
	for _, test := range tests {
		f := state.Recognise(test.token)
		if f.ID != test.id || f.Readable != test.readable || f.Protected != test.protected ||
			f.Payload != test.payload {
			t.Errorf("%.30s: got %s readable=%v protected=%v payload %q",
				test.token, f.ID, f.Readable, f.Protected, f.Payload)
		}
		expires := ""
		if !f.Expires.IsZero() {
			expires = f.Expires.Format(time.RFC3339)
		}
		if expires != test.expires {
			t.Errorf("%.30s: expires %q, want %q", test.token, expires, test.expires)
		}
		checkParts(t, test.token, f)
	}
}

// separators are the characters that stand between parts.
const separators = ".:*-"

// checkParts: parts stand in order, do not overlap, and leave out nothing but
// separators.
func checkParts(t *testing.T, token string, f state.Format) {
	t.Helper()
	if f.Length != len(token) || len(f.SHA256) != 64 || f.Name == "" {
		t.Fatalf("%q: incomplete %+v", token, f)
	}
	at := 0
	for _, p := range f.Parts {
		if p.Start < at || p.End < p.Start || p.End > len(token) ||
			strings.Trim(token[at:p.Start], separators) != "" || p.Label == "" || p.Note == "" {
			t.Fatalf("%q: part %+v after %d", token, p, at)
		}
		at = p.End
	}
	if strings.Trim(token[at:], separators) != "" {
		t.Fatalf("%q: no part has %q", token, token[at:])
	}
}

func TestRecognise_Hash(t *testing.T) {
	if f := state.Recognise("env=prod"); f.Length != 8 ||
		f.SHA256 != "7c650affa4929ea35fc41c59670885f881a56b841a111cf3630cda98e8311545" {
		t.Errorf("got %d %s", f.Length, f.SHA256)
	}
	const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	if got := state.Recognise("").SHA256; got != empty {
		t.Errorf("hash of the empty state: %s", got)
	}
}

func TestRecognise_Binding(t *testing.T) {
	for token, want := range map[string]string{
		tsToken: "No tag binds it", tsBoundToken: "The tag b binds it",
	} {
		if note := state.Recognise(token).Parts[1].Note; !strings.Contains(note, want) {
			t.Errorf("%s lacks %q", note, want)
		}
	}
}

func FuzzRecognise(f *testing.F) {
	for _, token := range []string{
		tsToken, tsBoundToken, pythonToken, mcpkitToken, rustToken, phpToken, "", ".", "....", "v1.",
		fernetToken, pasetoPublic, macaroonToken, ironToken, djangoToken, itsdangerousToken, "CfDJ8", "--",
		"v3.public.", "v4.local..",
		"rs1..", "mrtr1.sealed....", "{", "e30", "\xff",
	} {
		f.Add(token)
	}
	f.Fuzz(func(t *testing.T, token string) {
		checkParts(t, token, state.Recognise(token))
	})
}
