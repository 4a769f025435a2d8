package playground

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"
)

func TestFaultOfLine(t *testing.T) {
	const response = `{"jsonrpc":"2.0","id":1,"result":{}}`
	for _, test := range []struct {
		line  string
		words string // of the fault; empty for none
		shape LineShape
	}{
		{response + "\n", "", LineOther},
		{" " + response + " \r\n", "", LineOther},
		{`{"level":"info"}` + "\n", "", LineOther}, // the rule json-rpc judges it
		{`{"a":"` + "\xe9" + `"}` + "\n", "is not UTF-8", LineOther},
		{"\n", "is empty", LineOther},
		{"Server ready\n", "is not a JSON message", LineOther},
		{"[INFO] ready\n", "is not a JSON message", LineOther},
		{"[" + response + "]\n", "is an array", LineMixed},
		{"3\n", "is a number", LineOther},
		{"Content-Length: 36\r\n", "is a header", LineHeader},
		{"content-length:36\n", "is a header", LineHeader},
		{"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n", "is a header", LineHeader},
		{"Content-Length of the file: 36\n", "is not a JSON message", LineOther},
		{"{\n", "ends before its message does", LinePart},
		{`{"jsonrpc":"2.` + "\n", "ends before its message does", LinePart},
		{"[" + response + ",\n", "ends before its message does", LinePart},
		{"\"ready\n", "is not a JSON message", LineOther},
		{"-\n", "is not a JSON message", LineOther},
		{"n\n", "is not a JSON message", LineOther},
		{"\ufeff" + response + "\n", "byte order mark", LineEncoded},
		{"\ufeffServer ready\n", "byte order mark", LineOther},
		{"\xff\xfe{\x00\"\x00a\x00\"\x00:\x001\x00}\x00\n", "UTF-16", LineEncoded},
		{"\x00{\x00}\x00\n", "UTF-16", LineEncoded},
		{"INFO " + response + "\n", "other text before", LineMixed},
		{"INFO {}\n", "is not a JSON message", LineOther},
		{response + " 3 ms\n", "other text after", LineMixed},
		{response + response + "\n", "more than one message", LineMixed},
		{`{"level":"info"} 3 ms` + "\n", "other text after", LineOther},
		{"36:" + response + ",", "is not a JSON message", LineMixed},
		{"\x00\x00\x00\xe7" + response, "is not UTF-8", LineMixed},
		{`{"jsonrpc":"2.0","id":1,"result":NaN}` + "\n", "is not a JSON message", LineMixed},
		{"{'jsonrpc': '2.0', 'id': 1, 'error': None}\n", "is not a JSON message", LineMixed},
		{"\x83\xa7jsonrpc\xa32.0\xa2id\x01\xa6result\x80", "is not UTF-8", LineMixed},
		{"\x12\x07\x08\x01\x1a\x03abc\n", "is not a JSON message", LineMixed}, // a protocol buffer
		{"\x1f\x8b\x08\x00\xff\n", "is not UTF-8", LineMixed},
		{"d\xe9marr\xe9 en 3 ms\n", "is not UTF-8", LineOther},
		{"\x1b[32mINFO\x1b[0m ready\a\n", "is not a JSON message", LineOther},
		{`<?xml version="1.0"?>` + "\n", "is not a JSON message", LineMixed},
		{"<response><id>1</id></response>\n", "is not a JSON message", LineMixed},
		{"  </result>\n", "is not a JSON message", LineMixed},
		{"<response id='1'/>\n", "is not a JSON message", LineMixed},
		{"<info> ready\n", "is not a JSON message", LineOther},
		{"<Response [200]>\n", "is not a JSON message", LineOther},
		{"<coroutine object ask at 0x7f>\n", "is not a JSON message", LineOther},
		{"<-- tools/call -->\n", "is not a JSON message", LineOther},
		{"jsonrpc: \"2.0\"\n", "is not a JSON message", LineMixed},
		{"- jsonrpc: '2.0'\n", "is not a JSON message", LineMixed},
		{"id: 1\n", "is not a JSON message", LineOther},
		{base64.StdEncoding.EncodeToString([]byte(response)) + "\r\n", "is not a JSON message", LineMixed},
		{base64.RawURLEncoding.EncodeToString([]byte(response)) + "\n", "is not a JSON message", LineMixed},
		{hex.EncodeToString([]byte(response)) + "\n", "is not a JSON message", LineMixed},
		{"ready\n", "is not a JSON message", LineOther},
		{
			base64.StdEncoding.EncodeToString([]byte("Server ready")) + "\n", "is not a JSON message",
			LineOther,
		},
		{"jsonrpc 2.0 server ready\n", "is not a JSON message", LineOther},
		{"jsonrpc: the result of 2.0 is cached\n", "is not a JSON message", LineOther},
		{`got {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"error"}}` + "\n",
			"is not a JSON message", LineOther},
	} {
		got := FaultOfLine([]byte(test.line))
		if (got.Text == "") != (test.words == "") || !strings.Contains(got.Text, test.words) ||
			got.Shape != test.shape {
			t.Errorf("%q: %q, shape %d", test.line, got.Text, got.Shape)
		}
	}
}
