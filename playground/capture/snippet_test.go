package capture_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/capture"
)

// TestSnippets_DeclareThatTheyShowForms: a client that is pasted can be asked: its program has
// a handler of forms, which declares them, or the capability itself. What only configures
// another program has neither.
func TestSnippets_DeclareThatTheyShowForms(t *testing.T) {
	const address = "http://127.0.0.1:2322/c/x"
	declares := map[string][]string{
		"typescript": {
			`capabilities: { elicitation: { form: {} } }`, `setRequestHandler("elicitation/create"`,
		},
		"go":        {"ElicitationHandler: func(ctx context.Context, r *mcp.ElicitRequest)"},
		"python":    {"elicitation_callback=ask", "async def ask(context, params)"},
		"csharp":    {"options.Handlers.ElicitationHandler = ", "CreateAsync(transport, options)"},
		"curl":      {`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}`},
		"json":      nil,
		"inspector": nil,
	}
	var ids []string
	for _, s := range capture.Snippets("captured", address) {
		ids = append(ids, s.ID)
		words, known := declares[s.ID]
		if !known {
			t.Errorf("%s: does it declare that it shows forms?", s.ID)
		}
		for _, w := range append(words, address) {
			if !strings.Contains(s.Text, w) {
				t.Errorf("%s: no %q in\n%s", s.ID, w, s.Text)
			}
		}
	}
	for id := range declares {
		if !slices.Contains(ids, id) {
			t.Errorf("no snippet %s", id)
		}
	}
}
