package server

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

// expand expands a template as its form does.
func expand(t *testing.T, template string, values map[string]string) string {
	t.Helper()
	object, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	uri, err := Resource{URI: template}.Expand(object)
	if err != nil {
		t.Errorf("%s: %v", template, err)
	}
	return uri
}

// TestExpand_RFC6570 has the examples of the RFC whose values are strings, as all values of
// a form are, and cases that they leave out.
func TestExpand_RFC6570(t *testing.T) {
	values := map[string]string{
		"var": "value", "hello": "Hello World!", "path": "/foo/bar", "empty": "", "x": "1024", "y": "768",
		"half": "50%", "base": "http://example.com/home/", "who": "fred", "v": "6", "dub": "me/too",
		"semi": ";", "é": "é", "world": "世界", "nul": "a\x00b", "triplet": "%C3%A9x", "face": "👩‍🚀",
		"a.b": "dot", "replaced": "\ufffd",
	}
	for template, want := range map[string]string{
		// level 1
		"{var}": "value", "{hello}": "Hello%20World%21",
		// level 2
		"{+var}": "value", "{+hello}": "Hello%20World!", "{+path}/here": "/foo/bar/here",
		"here?ref={+path}": "here?ref=/foo/bar", "X{#var}": "X#value", "X{#hello}": "X#Hello%20World!",
		// level 3
		"map?{x,y}": "map?1024,768", "{x,hello,y}": "1024,Hello%20World%21,768",
		"{+x,hello,y}": "1024,Hello%20World!,768", "{+path,x}/here": "/foo/bar,1024/here",
		"{#x,hello,y}": "#1024,Hello%20World!,768", "{#path,x}/here": "#/foo/bar,1024/here",
		"X{.var}": "X.value", "X{.x,y}": "X.1024.768", "{/var}": "/value",
		"{/var,x}/here": "/value/1024/here", "{;x,y}": ";x=1024;y=768",
		"{;x,y,empty}": ";x=1024;y=768;empty", "{?x,y}": "?x=1024&y=768",
		"{?x,y,empty}": "?x=1024&y=768&empty=", "?fixed=yes{&x}": "?fixed=yes&x=1024",
		"{&x,y,empty}": "&x=1024&y=768&empty=",
		// level 4, apart from lists and maps
		"{var:3}": "val", "{var:30}": "value", "{+path:6}/here": "/foo/b/here",
		"{#path:6}/here": "#/foo/b/here", "X{.var:3}": "X.val", "{/var:1,var}": "/v/value",
		"{;hello:5}": ";hello=Hello", "{?var:3}": "?var=val", "{&var:3}": "&var=val",
		"{var*}": "value", "{?var*}": "?var=value",
		// section 3.2
		"{half}": "50%25", "{+half}": "50%25", "O{empty}X": "OX", "O{undef}X": "OX", "{?undef,y}": "?y=768",
		"{base}index":  "http%3A%2F%2Fexample.com%2Fhome%2Findex",
		"{+base}index": "http://example.com/home/index",
		"O{#empty}X":   "O#X", "{.empty}": ".", "X{.empty,who}": "X..fred", "{/who,who}": "/fred/fred",
		"{/half,who}": "/50%25/fred", "{/who,dub}": "/fred/me%2Ftoo", "{;v,empty,who}": ";v=6;empty;who=fred",
		"{;v,undef,who}": ";v=6;who=fred", "{semi:2}": "%3B", "{a.b}": "dot",
		// section 2.4.1 and 3.2.1: characters, then UTF-8
		"ev://e/{world}": "ev://e/%E4%B8%96%E7%95%8C", "{world:1}": "%E4%B8%96", "{face:1}": "%F0%9F%91%A9",
		"{+world:1}": "%E4%B8%96", "{?world:1}": "?world=%E4%B8%96", "{nul}": "a%00b",
		"{replaced}": "%EF%BF%BD", "{triplet}": "%25C3%25A9x", "{+triplet}": "%C3%A9x",
		"{+triplet:2}": "%C3%A9", "{triplet:1}": "%25",
		"ev://é/{var}": "ev://%C3%A9/value", "ev://%C3%A9/{var}": "ev://%C3%A9/value",
	} {
		if got := expand(t, template, values); got != want {
			t.Errorf("%s: got %s, want %s", template, got, want)
		}
	}
}

// TestExpand_EveryCharacter: each character of Unicode comes back from its URI.
func TestExpand_EveryCharacter(t *testing.T) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if utf8.ValidRune(r) {
			comesBack(t, string(r), expandTemplate("{v}", map[string]string{"v": string(r)}))
		}
	}
}

func FuzzExpand(f *testing.F) {
	f.Add("世界 50% {x}")
	f.Fuzz(func(t *testing.T, value string) {
		value = strings.ToValidUTF8(value, "")
		values := map[string]string{"v": value}
		comesBack(t, value, expand(t, "{v}", values))
		comesBack(t, value, strings.TrimPrefix(expand(t, "{/v}", values), "/"))
		runes := []rune(value)
		comesBack(t, string(runes[:min(3, len(runes))]), expand(t, "{v:3}", values))
		if uri := expand(t, "a://b/{+v}{#v}{?v}", values); strings.Trim(uri, inURI) != "" {
			t.Errorf("%q leads to %q", value, uri)
		}
	})
}

const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"

// inURI are the characters that a URI may have.
const inURI = unreserved + ":/?#[]@!$&'()*+,;=%"

// comesBack fails unless decoding a part of a URI returns value, and all else is encoded.
func comesBack(t *testing.T, value, part string) {
	t.Helper()
	got, err := url.PathUnescape(part)
	if err != nil || got != value || strings.Trim(part, unreserved+"%") != "" {
		t.Errorf("%q is encoded as %q, which is %q (%v)", value, part, got, err)
	}
}
