package run

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// TestResend_ListsToolsAfterHeaderMismatch: the server has annotated another
// parameter since its tools were listed.
func TestResend_ListsToolsAfterHeaderMismatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, c := newRunner(t, func(_ context.Context, f wire.Frame, record func(wire.Part) error) {
			switch head := string(f.Head); {
			case strings.Contains(head, "Mcp-Method: tools/list"):
				_ = record(received(`{"jsonrpc":"2.0","id":"list-2-1","result":{"tools":[{"name":"t",` +
					`"inputSchema":` +
					`{"type":"object","properties":{"env":{"type":"string","x-mcp-header":"Env"}}}}]}}`))
			case strings.Contains(head, "Mcp-Param-Env: prod"):
				_ = record(result(2, `{"content":[]}`))
			default:
				_ = record(received(`{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"no"}}`))
			}
		})
		x := exchange(c.log)
		x.Call.Params = json.RawMessage(`{"name":"t","arguments":{"env":"prod"}}`)
		for _, d := range []playground.Decision{start, {Action: playground.ActionResend, Round: 2}} {
			x.Log = c.log.Events("x")
			if _, err := r.Decide(t.Context(), x, d); err != nil {
				t.Fatal(err)
			}
			r.Wait(t.Context(), "x")
		}
		f := playground.Fold(c.log.Events("x"))
		if f.Status != playground.StatusComplete || c.calls.Load() != 3 {
			t.Errorf("%s after %d requests", f.Status, c.calls.Load())
		}
		if err := r.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
