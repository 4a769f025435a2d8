package question

import (
	"strings"
	"testing"
)

func TestLinksOfAServerAreJudgedBeforeTheyAreOffered(t *testing.T) {
	tests := []struct {
		url  string
		safe bool
		warn string
	}{
		{"https://example.com/a?b", true, ""},
		{"http://example.com/", true, "not encrypted"},
		{"https://xn--80ak6aa92e.com/", true, "look like others"},
		{"https://аpple.com/", true, "look like others"},
		{"javascript:alert(1)", false, "no usable"},
		{"data:text/html,x", false, "no usable"},
		{"javascript://example.com/%0aalert(1)", false, "javascript"},
		{"https://user@example.com/", false, "user name"},
		{"//example.com", false, "Only web"},
		{"", false, "no usable"},
		{"https://example.com/\u202e", false, "no usable"},
		{"https://exa\nmple.com/", false, "no usable"},
	}
	for _, test := range tests {
		l := NewLink(test.url)
		if l.Safe != test.safe || !strings.Contains(l.Warning, test.warn) ||
			(test.warn == "") != (l.Warning == "") {
			t.Errorf("%q: safe %v, %q", test.url, l.Safe, l.Warning)
		}
	}
}

func TestLink_HostIsFoundWhereItIs(t *testing.T) {
	for url, want := range map[string][3]string{
		"https://s/a":                          {"https://", "s", "/a"},
		"https://bank.example:8443?a=//b":      {"https://", "bank.example:8443", "?a=//b"},
		"https://bank.example#x":               {"https://", "bank.example", "#x"},
		"https://bank.example":                 {"https://", "bank.example", ""},
		"https://bank.example.evil.example/":   {"https://", "bank.example.evil.example", "/"},
		"javascript://bank.example/":           {"javascript://bank.example/", "", ""},
		"https://bank.example@evil.example/in": {"https://bank.example@evil.example/in", "", ""},
	} {
		before, host, after := NewLink(url).parts()
		if got := [3]string{before, host, after}; got != want {
			t.Errorf("%s: %q", url, got)
		}
	}
	if l := NewLink("https://%62ank.example/"); l.Safe && l.Warning == "" {
		t.Errorf("a host that is spelled in another way has no warning: %+v", l)
	}
}
