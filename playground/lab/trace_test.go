package lab_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// TestEditedChanges_CopyOfATrace: the span in the request of a copied exchange,
// such as an imported one, is no change of it.
func TestEditedChanges_CopyOfATrace(t *testing.T) {
	const trace = "0af7651916cd43dd8448eb211c80319c"
	x := playground.Exchange{
		ID: "recorded", Target: playground.Target{URL: "http://127.0.0.1:9/mcp"},
		Call: playground.Call{Method: playground.ToolsCall, Params: json.RawMessage(
			`{"name":"t","arguments":{},"_meta":{"traceparent":"00-` + trace + `-00f067aa0ba902b7-01"}}`)},
	}
	d := playground.Decision{
		Action: playground.ActionStart, Round: 1, Experiment: lab.EditedID, Changed: true,
	}
	client := playground.Client{Name: "c", Version: "1"}
	req, err := playground.Next(x, playground.Transcript{}, d, client)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ from, to string }{
		"another argument": {`"arguments":{}`, `"arguments":{"a":1}`},
		"another trace":    {trace, "11111111111111111111111111111111"},
		"no trace":         {"00-" + trace, "mine"},
		"nothing":          {},
	} {
		edited := req
		edited.Params = bytes.Replace(req.Params, []byte(test.from), []byte(test.to), 1)
		frame, err := wire.Encode(edited)
		if err != nil {
			t.Fatal(err)
		}
		started := d.Event(x.Created)
		started.Seq = 1
		sent := playground.Event{Seq: 2, Conn: 1, Kind: playground.Sent, Data: frame.Bytes()}
		x.Log = []playground.Event{started, sent}
		want := 1
		if name == "nothing" {
			want = 0
		}
		for _, x.ID = range []string{"recorded", "imported"} {
			if changes, ok := lab.EditedChanges(x, nil); !ok || len(changes) != want {
				t.Errorf("%s, %s: %v, %v", name, x.ID, changes, ok)
			}
		}
	}
}
