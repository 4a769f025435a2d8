package wire

import (
	"encoding/json"
	"testing"
)

func TestCommandURL(t *testing.T) {
	a, b := CommandURL([]string{"server", "a b"}), CommandURL([]string{"server", "a", "b"})
	if a == b || a != CommandURL([]string{"server", "a b"}) {
		t.Errorf("%s, %s", a, b)
	}
	for url, want := range map[string]bool{
		a: true, "": false, "stdio:": false, "stdio:server": false, "http://127.0.0.1/": false,
		a + "0": false, "stdio:0123456789ABCDEF": false,
	} {
		if IsCommand(url) != want {
			t.Errorf("%q: %v", url, !want)
		}
	}
}

// TestEncode_Line: a request to a command is one line, whatever the text of the
// params.
func TestEncode_Line(t *testing.T) {
	for name, test := range map[string]struct {
		r    Request
		want string
	}{
		"a request": {
			Request{Method: "m", ID: json.RawMessage(`"1-x"`), Params: json.RawMessage(`{}`)},
			`{"jsonrpc":"2.0","id":"1-x","method":"m","params":{}}`,
		},
		"breaks between tokens": {
			Request{Method: "m", ID: json.RawMessage("1"), Params: json.RawMessage("{\r\n\"a\": \"\\n\"\n}")},
			`{"jsonrpc":"2.0","id":1,"method":"m","params":{  "a": "\n" }}`,
		},
		"a body that is not JSON": {Request{Body: []byte("{\n")}, "{\n"},
	} {
		test.r.URL = CommandURL([]string{"server"})
		f := mustEncode(t, test.r)
		if !f.IsLine() || string(f.Body) != test.want+"\n" {
			t.Errorf("%s: %q, %q", name, f.Head, f.Body)
		}
		if back := Split(f.Bytes()); !back.IsLine() || string(back.Body) != string(f.Body) {
			t.Errorf("%s: comes back as %q", name, back.Body)
		}
	}
}
