package share

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// asked is an exchange with a sample of two Rounds: a question, its answer, and
// a result that repeats the answer.
func asked(answer, state string) session.Session {
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	quoted, _ := json.Marshal(answer)
	head := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nSet-Cookie: a=b\r\n" +
		"Mcp-Sample-Instance: a/v1\r\n\r\n"
	request := func(id int, more string) []byte {
		return fmt.Appendf(nil, "POST /mcp/s HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"+
			"X-Tenant: acme\r\n\r\n"+
			`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t"%s}}`, id, more)
	}
	given := `{"k":{"action":"accept","content":{"word":` + string(quoted) + `,"n":4301,"yes":true}}}`
	x := playground.Exchange{
		ID: "x", Created: at, Target: playground.Target{Sample: "s", Name: "Sample", URL: "http://h/mcp/s",
			Header: []wire.Field{{Name: "X-Tenant", Value: "acme"}}},
		Call: playground.Call{Method: "tools/call", Params: json.RawMessage(`{"name":"t"}`)},
		Log: []playground.Event{
			{Seq: 1, At: at, Kind: playground.Decided, Data: []byte(`{"action":"start","round":1}`)},
			{Seq: 2, At: at, Conn: 1, Kind: playground.Sent, Data: request(1, "")},
			{Seq: 3, At: at, Conn: 1, Kind: playground.Received,
				Data: []byte(head + `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required",` +
					`"inputRequests":{"k":{"method":"elicitation/create",` +
					`"params":{"message":"Which?"}}},"requestState":"` + state + `"}}`)},
			{Seq: 4, At: at, Kind: playground.Decided,
				Data: []byte(`{"action":"answer","round":2,"answers":[{"key":"k","value":` +
					strings.TrimSuffix(strings.TrimPrefix(given, `{"k":`), "}") + `}]}`)},
			{Seq: 5, At: at, Conn: 2, Kind: playground.Sent,
				Data: request(2, `,"inputResponses":`+given+`,"requestState":"`+state+`"`)},
			{Seq: 6, At: at, Conn: 2, Kind: playground.Received,
				Data: []byte(head + `{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text",` +
					`"text":"You said ` + answer + ` and 4301"}]}}`)},
		},
	}
	return session.Session{Title: "T", Note: "between us", Exchanges: []playground.Exchange{x}}
}

const sealed = "mrtr1.sealed.AAAAAA.BBBBBBBBBBBBBBBB.Q2lwaGVydGV4dEExYjJDM2Q0.DDDDDDDDDDDDDDDDDDDDDD"

func TestOmitAnswers_RemovesAll(t *testing.T) {
	s := asked("my own words", sealed)
	if len(NewSnapshot(s, Options{}).Findings) != 1 { // Set-Cookie
		t.Errorf("a sample's state is no finding: %+v", NewSnapshot(s, Options{}).Findings)
	}
	public := NewSnapshot(s, Options{OmitAnswers: true, OmitNote: true, OmitHeaders: true})
	text := dump(public.Session)
	for _, word := range []string{"my own words", "4301", "true", "between us", "X-Tenant", "acme",
		"Set-Cookie"} {
		if strings.Contains(text, word) {
			t.Errorf("%q is still there:\n%s", word, text)
		}
	}
	f := playground.Fold(public.Session.Exchanges[0].Log)
	if f.Status != playground.StatusComplete || len(f.Rounds) != 2 || f.Rounds[0].Instance != "a/v1" {
		t.Errorf("the story was lost: %s, %d rounds", f.Status, len(f.Rounds))
	}
	for _, r := range f.Rounds {
		if r.Sent == nil || len(r.Messages) != 1 || r.Messages[0].Err != nil {
			t.Errorf("round %d cannot be read any more", r.N)
		}
	}
}

func TestNewSnapshot_MasksStatesWithMaskedAnswers(t *testing.T) {
	for _, o := range []struct {
		answer string
		with   Options
		gone   bool
	}{
		{"Duplicate", Options{OmitHeaders: true}, false},
		{"Duplicate", Options{OmitHeaders: true, OmitAnswers: true}, true},
		{"sk_live_4eC39HqLyjWDarjtT1zdp7dc", Options{OmitHeaders: true}, true},
	} {
		text := dump(NewSnapshot(asked(o.answer, sealed), o.with).Session)
		if gone := !strings.Contains(text, "mrtr1."); gone != o.gone {
			t.Errorf("%q, %+v: state gone: %t\n%s", o.answer, o.with, gone, text)
		}
	}
}

// A demo also has the call before MRTR, whose session id is masked: the states of the other
// call stay.
func TestNewSnapshot_StatesStayBesideAMaskedSession(t *testing.T) {
	s := asked("Duplicate", sealed)
	legacy := s.Exchanges[0]
	legacy.Log = []playground.Event{{Seq: 1, Conn: 1, Kind: playground.Sent, Data: []byte(
		"POST /mcp HTTP/1.1\r\nMcp-Session-Id: 5f2c81d09ab34e76\r\n\r\n" +
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`)}}
	s.Exchanges = append(s.Exchanges, legacy)
	text := dump(NewSnapshot(s, Options{}).Session)
	if !strings.Contains(text, "mrtr1.") || strings.Contains(text, "5f2c81d09ab34e76") {
		t.Error(text)
	}
}

func TestScan_ForeignState(t *testing.T) {
	for state, want := range map[string]bool{
		"step-2": false, `eyJzdGVwIjoyfQ`: false,
		"v1.bQ4yplhD-m49bKeTPyY5eXy04mWB0pZJYNfo5EBb-_CMYVJvUMaJWcLniHbdRohrp5Z8xhSacT7lNEM": true,
		"0123456789abcdef0123456789abcdef":                                                   true,
	} {
		s := asked("yes", state)
		s.Exchanges[0].Target.Sample = ""
		text := dump(NewSnapshot(s, Options{}).Session)
		if gone := !strings.Contains(text, state); gone != want {
			t.Errorf("%q masked: %t, want %t", state, gone, want)
		}
	}
}
