package wire

import (
	"strings"
	"testing"
)

func TestCheckURL(t *testing.T) {
	long := "https://h/" + strings.Repeat("a", maxURL-len("https://h/"))
	for _, tt := range []struct {
		url           string
		local, public Class // "" when fine
	}{
		{"https://example.com/mcp", "", ""},
		{"https://example.com:443/mcp", "", ""},
		{"https://example.com:8443/mcp?token=x", "", ""},
		{"HTTPS://xn--bcher-kva.example./", "", ""},
		{"https://a_b.example/", "", ""},
		{"https://[2606:4700::1111]/", "", ""},
		{"https://1.1.1.1/", "", ""},
		{"http://example.com/mcp", "", BadURL},
		{"http://localhost:2322/mcp", "", BadURL},
		{long, "", ""},
		{long + "a", BadURL, BadURL},
		// ports (18)
		{"https://h:22/", "", BlockedAddress}, {"https://h:25/", "", BlockedAddress},
		{"https://h:3306/", "", BlockedAddress},
		{"https://h:6379/", "", BlockedAddress}, {"https://h:80/", "", BlockedAddress},
		{"https://h:0/", BadURL, BadURL},
		{"https://h:65535/", "", BlockedAddress}, {"https://h:65536/", BadURL, BadURL},
		{"https://h:/", BadURL, BadURL},
		{"https://h:+443/", BadURL, BadURL}, {"https://h:https/", BadURL, BadURL},
		// schemes (19)
		{"file:///etc/passwd", BadURL, BadURL}, {"gopher://h/", BadURL, BadURL},
		{"ftp://h/", BadURL, BadURL},
		{"ws://h/", BadURL, BadURL}, {"data:text/plain,x", BadURL, BadURL},
		{"javascript:alert(1)", BadURL, BadURL},
		{"//h/", BadURL, BadURL}, {"h/mcp", BadURL, BadURL}, {"", BadURL, BadURL},
		{"https:", BadURL, BadURL},
		{"https:h", BadURL, BadURL}, {"https:///mcp", BadURL, BadURL}, {"https://:443/", BadURL, BadURL},
		// readers that disagree (20)
		{"https://user@h/", BadURL, BadURL}, {"https://user:pw@h/", BadURL, BadURL},
		{"https://@h/", BadURL, BadURL},
		{"https://h#@evil/", BadURL, BadURL}, {"https://h/#", BadURL, BadURL},
		{`https://h\@evil/`, BadURL, BadURL},
		{"https://h/%00", BadURL, BadURL}, {"https://h%00.evil/", BadURL, BadURL},
		{"https://h/\t", BadURL, BadURL},
		{"https://h\n/", BadURL, BadURL}, {" https://h/", BadURL, BadURL},
		{"https://h/\u00a0", BadURL, BadURL},
		{"https://h/\u2028", BadURL, BadURL}, {"https://h\x7f/", BadURL, BadURL},
		{"https://h/\x00", BadURL, BadURL},
		{"https://ex%61mple.com/", BadURL, BadURL}, {"https://h,evil/", BadURL, BadURL},
		{"https://h;evil/", BadURL, BadURL},
		{"https://аpple.com/", BadURL, BadURL}, {"https://bücher.example/", BadURL, BadURL},
		{"https://a\u200bb.example/", BadURL, BadURL},
		{"https://a..b/", BadURL, BadURL}, {"https://.b/", BadURL, BadURL},
		{"https://" + strings.Repeat("a", 254) + "/", BadURL, BadURL},
		// addresses in disguise (3 to 7, 13)
		{"https://127.1/", BadURL, BlockedAddress}, {"https://2130706433/", BadURL, BlockedAddress},
		{"https://0x7f000001/", BadURL, BlockedAddress},
		{"https://0177.0.0.1/", BadURL, BlockedAddress}, {"https://0/", BadURL, BlockedAddress},
		{"https://0x/", BadURL, BlockedAddress},
		{"https://a.0X7f/", BadURL, BlockedAddress}, {"https://127.0.0.1./", BadURL, BlockedAddress},
		{"https://1.2.3.4.5/", BadURL, BlockedAddress},
		{"https://①②⑦.0.0.1/", BadURL, BlockedAddress}, {"https://127。0。0。1/", BadURL, BlockedAddress},
		{"https://127．0.0.1/", BadURL, BlockedAddress},
		{"https://127%E3%80%820.0.1/", BadURL, BlockedAddress}, {"https://１.1.1.1/", BadURL, BlockedAddress},
		{"https://[fe80::1%25lo]/", "", BlockedAddress}, {"https://[::1/", BadURL, BadURL},
		{"https://::1/", BadURL, BadURL},
		{"https://[1.1.1.1]/", BadURL, BadURL},
	} {
		for public, want := range map[bool]Class{false: tt.local, true: tt.public} {
			u, failure := CheckURL(tt.url, Reach{Limited: public})
			switch {
			case want == "" && (failure != nil || u == nil):
				t.Errorf("CheckURL(%q, %v): %v", tt.url, public, failure)
			case want != "" && (failure == nil || failure.Class != want || u != nil):
				t.Errorf("CheckURL(%q, %v) = %v, want %s", tt.url, public, failure, want)
			}
		}
	}
}

func TestCheckURLKeepsSecretsOutOfItsWords(t *testing.T) {
	for _, url := range []string{
		"https://h/%zz?key=hunter2", "https://u:hunter2@h/", "https://h:hunter2/", "gopher://h/?hunter2",
	} {
		if _, failure := CheckURL(url, PublicOnly()); failure == nil ||
			strings.Contains(failure.Error(), "hunter2") {
			t.Errorf("%s: %v", url, failure)
		}
	}
}
