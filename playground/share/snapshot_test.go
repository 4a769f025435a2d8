package share

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/redact/redacttest"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// planted are 25 secrets, each with a way to stand in a recording. None is a
// real one.
func planted() []string {
	pem := "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n" +
		"KcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n-----END PRIVATE KEY-----"
	return []string{
		"Tr0ub4dor-and-3-horses", "hunter22hunter22", "s3ss10n-1d-9f8e7d6c5b", "AKIAIOSFODNN7EXAMPLE",
		"ghp_16C7e42F292c6912E7710c838347Ae178B4a",
		"github_pat_11ABCDEFG0123456789_abcdefghijklmnop", "glpat-ABCdef1234567890wxyz",
		"xoxb-123456789012-abcdefGHIJKL", "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
		"sk-proj-abc123DEF456ghi789JKL012", "AIzaSyA1234567890abcdefghijklmnopqrstuv",
		"ya29.a0AfH6SMBx1234567890abcdef", "npm_abcdefghijklmnopqrstuvwxyz0123456789",
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U", pem,
		"hf_aBcDeFgHiJkLmNoPqRsTuVwXyZ123456",
		"dop_v1_" + strings.Repeat("0a1b2c3d", 8), "hvs.CAESIJ1234567890abcdefghij",
		"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",
		"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "q7RzL2vX9mK4pT8wB3nY6cJ1sD5hF0gA",
		"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"123456789:AAF1k2J3h4G5f6D7s8A9q0W1e2R3t4Y5u6I", "p@ssw0rd%20/with?signs&more", "kunde-geheim-4711",
	}
}

// places are ways in which a secret can stand in a recording; the text is put
// into a result of a server unless it is a header.
func places(secret string) map[string]string {
	quoted, _ := json.Marshal(secret)
	var escaped strings.Builder
	for _, c := range []byte(secret) {
		fmt.Fprintf(&escaped, `\u%04x`, c)
	}
	b64, raw := base64.StdEncoding.EncodeToString([]byte(secret)),
		base64.RawURLEncoding.EncodeToString([]byte("user:"+secret))
	return map[string]string{
		"a named member":  `{"password":` + string(quoted) + `}`,
		"escaped letters": `{"apiKey":"` + escaped.String() + `"}`,
		"an address": `{"access_token":` + string(quoted) +
			`,"link":"https://h.example/?access_token=` + url.QueryEscape(secret) + `"}`,
		"base64":        `{"client_secret":` + string(quoted) + `,"echo":"` + b64 + `"}`,
		"inside base64": `{"client_secret":` + string(quoted) + `,"echo":"` + raw + `"}`,
		"hexadecimal": `{"client_secret":` + string(quoted) + `,"echo":"` +
			hex.EncodeToString([]byte(secret)) + `"}`,
		"json in json": `{"text":` + string(jsontree.Quote(`{"token":`+string(quoted)+`}`)) + `}`,
		"all three": `{"token":` + string(quoted) + `,"echo":"` +
			base64.StdEncoding.EncodeToString([]byte(url.QueryEscape(secret))) + `"}`,
	}
}

func recorded(result string, header ...wire.Field) session.Session {
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	request := "POST /mcp HTTP/1.1\r\nHost: h.example\r\nContent-Type: application/json\r\n"
	for _, f := range header {
		request += f.Name + ": " + f.Value + "\r\n"
	}
	x := playground.Exchange{
		ID: "own-id", Session: "own-session", Created: at,
		Target: playground.Target{ID: "own-target", Name: "h.example", URL: "https://h.example/mcp",
			Capabilities: json.RawMessage(`{}`), Header: header},
		Call: playground.Call{Method: "tools/call", Params: json.RawMessage(`{"name":"t","arguments":{}}`)},
		Log: []playground.Event{
			{Seq: 1, At: at, Kind: playground.Decided, Data: []byte(`{"action":"start","round":1}`)},
			{Seq: 2, At: at, Conn: 1, Kind: playground.Sent,
				Data: []byte(request + "\r\n" + `{"jsonrpc":"2.0","id":1,"method":"tools/call",` +
					`"params":{"name":"t","arguments":{}}}`)},
			{Seq: 3, At: at, Conn: 1, Kind: playground.Received,
				Data: []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" +
					`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":` + result + `}}`)},
		},
	}
	return session.Session{ID: "own-session", Title: "A call", Exchanges: []playground.Exchange{x}}
}

// dump is every byte of a session.
func dump(s session.Session) string {
	var b strings.Builder
	b.WriteString(s.Title + "\n" + s.Note + "\n")
	for _, x := range s.Exchanges {
		fmt.Fprintf(&b, "%s %s %v %s %s\n", x.Target.Name, x.Target.URL, x.Target.Header,
			x.Target.Capabilities, x.Call.Params)
		for _, e := range x.Log {
			b.Write(e.Data)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func hits(text, secret string) []string {
	var found []string
	for _, form := range redacttest.Spellings(secret) {
		if strings.Contains(text, form.Text) {
			found = append(found, form.Name)
		}
	}
	return found
}

func TestNewSnapshot_MasksEveryEncoding(t *testing.T) {
	for _, secret := range planted() {
		for place, result := range places(secret) {
			s := recorded(result)
			public := NewSnapshot(s, Options{})
			if found := hits(dump(public.Session), secret); len(found) > 0 {
				t.Errorf("%q as %s: still there as %q in\n%s", secret, place, found, dump(public.Session))
			}
			body := wire.Split(public.Session.Exchanges[0].Log[2].Data).Body
			if !json.Valid(body) {
				t.Errorf("%q as %s: masking broke the JSON: %s", secret, place, body)
			}
			if len(body) != len(wire.Split(s.Exchanges[0].Log[2].Data).Body) {
				t.Errorf("%q as %s: masking changed the length", secret, place)
			}
		}
	}
}

func TestScan_ShapesWithoutName(t *testing.T) {
	nameless := []string{"Tr0ub4dor-and-3-horses", "hunter22hunter22", "s3ss10n-1d-9f8e7d6c5b",
		"p@ssw0rd%20/with?signs&more", "kunde-geheim-4711"}
	for _, secret := range planted() {
		quoted, _ := json.Marshal("here it is: " + secret + " ok")
		found := hits(dump(NewSnapshot(recorded(`{"text":`+string(quoted)+`}`), Options{}).Session), secret)
		if known := !slices.Contains(nameless, secret); known && len(found) > 0 {
			t.Errorf("%q was not recognised by its shape", secret)
		}
	}
}

func TestNewSnapshot_MasksHeadersAndURLs(t *testing.T) {
	for _, f := range []wire.Field{
		{Name: "Authorization", Value: "Bearer kunde-geheim-4711"}, {Name: "Authorization",
			Value: "Basic " + base64.StdEncoding.EncodeToString([]byte("me:kunde-geheim-4711"))},
		{Name: "Cookie", Value: "a=kunde-geheim-4711; b=c"}, {Name: "X-Api-Key",
			Value: "kunde-geheim-4711"}, {Name: "X-Note", Value: "sk_live_4eC39HqLyjWDarjtT1zdp7dc"},
	} {
		s := recorded(`{"echo":"you sent `+f.Value+`"}`, f)
		public := NewSnapshot(s, Options{})
		for _, secret := range []string{"kunde-geheim-4711", "sk_live_4eC39HqLyjWDarjtT1zdp7dc"} {
			if found := hits(dump(public.Session), secret); len(found) > 0 {
				t.Errorf("%s: %q is still there", f.Name, found)
			}
		}
		if len(public.Session.Exchanges[0].Target.Header) != 0 {
			t.Errorf("%s: a field without its value would be sent again", f.Name)
		}
	}
	s := recorded(`{}`)
	s.Exchanges[0].Target.URL = "https://me:kunde-geheim-4711@h.example/mcp?api_key=other-geheim-0815"
	s.Note = "my password: kunde-geheim-4711"
	for _, secret := range []string{"kunde-geheim-4711", "other-geheim-0815"} {
		if found := hits(dump(NewSnapshot(s, Options{}).Session), secret); len(found) > 0 {
			t.Errorf("address: %q is still there", found)
		}
	}
}

func TestNewSnapshot_MasksOwnCredentialsAlways(t *testing.T) {
	secret := "just words of mine"
	s := recorded(`{"text":"` + secret + `","b":"` + base64.StdEncoding.EncodeToString([]byte("x"+secret)) +
		`"}`)
	all := NewSnapshot(s, Options{Credentials: []string{secret}})
	var ids []string
	for _, f := range all.Findings {
		ids = append(ids, f.ID)
	}
	if found := hits(dump(NewSnapshot(s, Options{Credentials: []string{secret}, Show: ids}).Session),
		secret); len(found) > 0 {
		t.Errorf("still there as %q", found)
	}
}

func TestNewSnapshot_ShowsChosenFindings(t *testing.T) {
	s := recorded(`{"password":"kunde-geheim-4711","token":"other-geheim-0815"}`)
	first := NewSnapshot(s, Options{})
	if len(first.Findings) != 2 {
		t.Fatalf("findings: %+v", first.Findings)
	}
	kept := dump(NewSnapshot(s, Options{Show: []string{first.Findings[0].ID}}).Session)
	if !strings.Contains(kept, "kunde-geheim-4711") || strings.Contains(kept, "other-geheim-0815") {
		t.Errorf("kept the wrong one:\n%s", kept)
	}
}

func TestNewSnapshot_PartsEqualSession(t *testing.T) {
	for _, secret := range planted() {
		public := NewSnapshot(recorded(places(secret)["base64"]), Options{OmitHeaders: true})
		var shown bytes.Buffer
		for _, p := range public.Parts {
			for _, r := range p.Runs {
				shown.Write(r.Text)
			}
		}
		for _, e := range public.Session.Exchanges[0].Log {
			if !bytes.Contains(shown.Bytes(), e.Data) {
				t.Errorf("%q: event %d is published otherwise than shown", secret, e.Seq)
			}
		}
	}
}

func TestNewSnapshot_IsIdempotent(t *testing.T) {
	for _, secret := range planted() {
		for place, result := range places(secret) {
			once := NewSnapshot(recorded(result,
				wire.Field{Name: "Authorization", Value: "Bearer " + strings.ReplaceAll(secret, "\n", "")}),
				Options{}).Session
			if diff := cmp.Diff(once, NewSnapshot(once, Options{}).Session); diff != "" {
				t.Errorf("%q as %s: %s", secret, place, diff)
			}
		}
	}
}

func TestNewSnapshot_DoesNotChangeTheSession(t *testing.T) {
	s := recorded(places(planted()[0])["base64"], wire.Field{Name: "Authorization", Value: "Bearer abcdefgh"})
	before := dump(s)
	NewSnapshot(s, Options{OmitAnswers: true, OmitHeaders: true, OmitNote: true})
	if dump(s) != before {
		t.Error("the user's own record changed")
	}
}

func TestScan_OrdinaryText(t *testing.T) {
	for _, text := range []string{
		`{"text":"Bug #4522 resolved as Duplicate of Bug #4301. State set to Resolved and duplicate ` +
			`link created."}`,
		`{"name":"test_input_required_result_elicitation","at":"2026-11-20T09:00:00.123456Z",` +
			`"progressToken":"round-12"}`,
		`{"message":"Paste your API token: please do not.","title":"Password",` +
			`"uuid":"123e4567-e89b-12d3-a456-426614174000"}`,
		`{"traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",` +
			`"url":"https://example.com/mcp/azure-devops?instances=a:v1,b:v1"}`,
	} {
		if found := NewSnapshot(recorded(text), Options{}).Findings; len(found) > 0 {
			t.Errorf("%s: %+v", text, found)
		}
	}
}
