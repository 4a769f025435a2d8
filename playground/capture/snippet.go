package capture

import "github.com/mrtr-playground/mrtr-playground/playground/jsontree"

// Snippet is what makes a client use an address.
type Snippet struct {
	ID, Title string
	Language  string // as a highlighter knows it
	Text      string
}

// Snippets returns how each kind of client is pointed at an address.
func Snippets(address string) []Snippet {
	q := string(jsontree.Quote(address))
	return []Snippet{
		{"json", "Configuration", "json", `{
  "mcpServers": {
    "captured": {
      "type": "http",
      "url": ` + q + `
    }
  }
}
`},
		{"typescript", "TypeScript", "typescript",
			`import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const client = new Client(
  { name: "my-client", version: "1.0.0" },
  { versionNegotiation: { mode: "auto" } }, // without it, the SDK speaks earlier revisions only
);
await client.connect(new StreamableHTTPClientTransport(new URL(` + q + `)));
console.log(await client.listTools());
`},
		{"go", "Go", "go",
			`client := mcp.NewClient(&mcp.Implementation{Name: "my-client", Version: "1.0.0"}, nil)
session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: ` + q + `},
	&mcp.ClientSessionOptions{ProtocolVersion: "2026-07-28"})
`},
		{"python", "Python", "python", `from mcp import Client

async with Client(` + q + `) as client:
    print(await client.list_tools())
`},
		{"csharp", "C#", "csharp", `var transport = new HttpClientTransport(new() { Endpoint = new Uri(` + q +
			`) });
await using var client = await McpClient.CreateAsync(transport);
foreach (var tool in await client.ListToolsAsync()) Console.WriteLine(tool.Name);
`},
		{"curl", "curl", "bash", `curl ` + address + ` \
  -H 'Content-Type: application/json' \
  -H 'Accept: application/json, text/event-stream' \
  -H 'MCP-Protocol-Version: 2026-07-28' \
  -H 'Mcp-Method: tools/list' \
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{
    "io.modelcontextprotocol/protocolVersion":"2026-07-28",
    "io.modelcontextprotocol/clientCapabilities":{},
    "io.modelcontextprotocol/clientInfo":{"name":"curl","version":"8"}}}}'
`},
		{"inspector", "Inspector", "bash", `npx @modelcontextprotocol/inspector --cli ` + address +
			` --transport http --protocol-era modern --method tools/list
`},
	}
}

// StdioSnippet is the configuration of a client that starts its servers: it starts this
// program in place of the server's command.
func StdioSnippet() Snippet {
	return Snippet{"stdio", "Configuration of a client that starts commands", "json", `{
  "mcpServers": {
    "captured": {
      "command": "mrtr-playground",
      "args": ["client", "-stdio", "node /path/to/server.js",
        "-report", "/path/to/client-report.txt"]
    }
  }
}
`}
}
