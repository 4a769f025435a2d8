package playground

import (
	"encoding/json"
	"strings"
	"testing"
)

// annotated is a tool whose argument n, and in the object o the argument b, are
// repeated in headers.
const annotated = `{"name":"t","inputSchema":{"type":"object","properties":{` +
	`"n":{"type":"integer","x-mcp-header":"N"},` +
	`"o":{"type":"object","properties":{"b":{"type":"boolean","x-mcp-header":"B"}}}}}}`

func TestHeaderParams_AreDecimal(t *testing.T) {
	for arguments, want := range map[string]string{
		`{"n":42}`:                "N: 42",
		`{"n":42.0}`:              "N: 42",
		`{"n":4e1}`:               "N: 40",
		`{"n":-0}`:                "N: 0",
		`{"n":1.5}`:               "N: 1.5", // not an integer: for the server to judge
		`{"n":null}`:              "",
		`{"n":7,"o":{"b":false}}`: "N: 7, B: false",
	} {
		params := json.RawMessage(`{"name":"t","arguments":` + arguments + `}`)
		var got []string
		for _, f := range HeaderParams(json.RawMessage(annotated), params) {
			got = append(got, strings.TrimPrefix(f.Name, "Mcp-Param-")+": "+f.Value)
		}
		if list := strings.Join(got, ", "); list != want {
			t.Errorf("%s: %q, want %q", arguments, list, want)
		}
	}
}

func TestCheckHeaderArguments(t *testing.T) {
	for argument, fits := range map[string]bool{
		"9007199254740991":               true,
		"-9007199254740991":              true,
		"9007199254740992":               false,
		"-9007199254740992":              false,
		"99999999999999999999999":        false,
		"1e300":                          false,
		"9007199254740992.5":             true, // not an integer
		`"99999999999999999999999"`:      true,
		"9007199254740991000000e-6":      true,
		"90071992547409910000000000e-10": true,
	} {
		call := Call{
			Tool:   json.RawMessage(annotated),
			Params: json.RawMessage(`{"name":"t","arguments":{"n":` + argument + `}}`),
		}
		err := call.CheckHeaderArguments()
		if (err == nil) != fits {
			t.Errorf("%s: %v", argument, err)
		}
		if err != nil && !strings.Contains(err.Error(), "Mcp-Param-N repeats the argument n") {
			t.Errorf("%s: %v", argument, err)
		}
	}
}
