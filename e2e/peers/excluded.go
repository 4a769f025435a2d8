package peers

import "net/http"

// Excluded returns a server with the tool charge, which clients must exclude for
// its x-mcp-header, and the tool refund, which they may call.
func Excluded() http.Handler {
	call := func(r *request) (any, error) {
		if r.name != "charge" && r.name != "refund" {
			return nil, refuse(-32602, "unknown tool")
		}
		return text("Done."), nil
	}
	return &peer{name: "excluded", capabilities: `{"tools":{}}`,
		lists: map[string]string{"tools/list": `{"tools":[{"name":"charge","inputSchema":{"type":"object",` +
			`"properties":{"amount":{"type":"number","x-mcp-header":"Amount"}}}},` +
			`{"name":"refund","inputSchema":{"type":"object"}}]}`},
		methods: map[string]func(*request) (any, error){"tools/call": call}}
}
