package session_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

func TestNormalise(t *testing.T) {
	for _, c := range []struct {
		name  string
		texts []string // all normalised to want
		want  string
	}{
		{"ASCII", []string{"EINS", "eins", "eInS"}, "eins"},
		{"umlaut", []string{"Übung", "ÜBUNG", "übung", "u\u0308bung", "U\u0308BUNG"}, "übung"},
		{"sharp s", []string{"Straße", "STRASSE", "STRAẞE"}, "strasse"},
		{"final sigma", []string{"ΟΔΟΣ", "οδος", "οδοσ"}, "οδοσ"},
		{"dotted and dotless i", []string{"İzmir", "IZMIR", "izmir", "ızmir", "I\u0307zmir"}, "izmir"},
		{"compatibility forms", []string{"ﬁle ①", "FILE 1", "ｆｉｌｅ 1"}, "file 1"},
		{"capitals inside compatibility forms", []string{"㎒", "MHz"}, "mhz"},
		{"kelvin sign", []string{"K", "K", "k"}, "k"},
		{"accents differ", []string{"É"}, "é"},
		{"NUL", []string{"a\x00B"}, "a b"},
		{"damaged UTF-8", []string{"A\xff"}, "a\ufffd"},
		{"empty", []string{""}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, text := range c.texts {
				if got := session.Normalise(text); got != c.want {
					t.Errorf("%q became %q, want %q", text, got, c.want)
				}
			}
		})
	}
}

func FuzzNormalise(f *testing.F) {
	for _, seed := range []string{
		"Übung EINS", "İı", "ß", "ΣΑΣ", "ﬁ①", "\x00\xff", "\u0345\u03b9", "㎒", "i\u0323\u0307",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := session.Normalise(text)
		if !utf8.ValidString(got) || strings.ContainsRune(got, 0) {
			t.Errorf("%q became %q", text, got)
		}
	})
}

func TestExchangeSearchText(t *testing.T) {
	x := playground.Exchange{
		Target: playground.Target{Name: "Azure DevOps", URL: "http://h/MCP"},
		Call: playground.Call{Method: "tools/call", Params: json.RawMessage(
			`{"name":"t","arguments":{"workItemId":4522,"type":"\u00dcbung"}}`)},
	}
	want := "azure devops tools/call name t arguments workitemid 4522 type übung  http://h/mcp"
	if got := session.ExchangeSearchText(x); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	x.Call.Params = json.RawMessage(`{"Damaged`)
	if got := session.ExchangeSearchText(x); !strings.Contains(got, `{"damaged`) {
		t.Errorf("damaged params: %q", got)
	}
	x.Call.Params = json.RawMessage(`{"a":"` + strings.Repeat("ﷺ", 9000) + `"}`)
	if got := session.ExchangeSearchText(x); len(got) > session.MaxSearchText/2 || !utf8.ValidString(got) {
		t.Errorf("%d bytes, valid: %v", len(got), utf8.ValidString(got))
	}
}

func TestSearchText(t *testing.T) {
	for _, c := range []struct {
		name string
		e    playground.Event
		want string
	}{
		{"answers", playground.Event{Kind: playground.Decided, Data: []byte(
			`{"action":"answer","answers":[{"key":"k","value":{"action":"accept",` +
				`"content":{"x":"LÖSUNG"}}}]}`)},
			"k lösung "},
		{"result", playground.Event{Kind: playground.Received, Data: []byte(
			"HTTP/1.1 200 OK\r\n\r\n" +
				`{"id":1,"result":{"requestState":"SECRET","content":[{"type":"text","text":"Straße 7"}]}}`)},
			"strasse 7 "},
		{"stream", playground.Event{Kind: playground.Message, Data: []byte(
			"data: {\"error\":{\"code\":-32602,\"message\":\"Nein\"}}\n\n")},
			"-32602 nein "},
		{"request", playground.Event{Kind: playground.Sent, Data: []byte(`{"result":"x"}`)}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := session.SearchText(c.e); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestJoinSearchText(t *testing.T) {
	if got := session.JoinSearchText("a", " b "); got != "a b" {
		t.Errorf("%q", got)
	}
	got := session.JoinSearchText(strings.Repeat("x", session.MaxSearchText-1), "ü")
	if len(got) > session.MaxSearchText || !utf8.ValidString(got) {
		t.Errorf("%d bytes", len(got))
	}
}
