package capture

import (
	"cmp"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/launch"
)

// Snippet is the configuration that makes a client use an address.
type Snippet struct {
	ID, Title string
	Language  string // as a highlighter knows it
	Text      string
}

// Snippets returns how each kind of client is pointed at an address. The programs declare
// that they show forms, and decline each: without the capability, the first tool that asks
// refuses the call. name is that of the server in a configuration.
func Snippets(name, address string) []Snippet {
	q := string(jsontree.Quote(address))
	return []Snippet{
		{"json", "Configuration", "json", `{
  "mcpServers": {
    ` + string(jsontree.Quote(name)) + `: {
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
  {
    versionNegotiation: { mode: "auto" }, // without it, the SDK speaks earlier revisions only
    capabilities: { elicitation: { form: {} } },
  },
);
client.setRequestHandler("elicitation/create", async ({ params }) => {
  console.log(params.message);
  return { action: "decline" }; // or show the form, and return "accept" with its content
});
await client.connect(new StreamableHTTPClientTransport(new URL(` + q + `)));
console.log(await client.listTools());
`},
		{"go", "Go", "go",
			`client := mcp.NewClient(&mcp.Implementation{Name: "my-client", Version: "1.0.0"}, ` +
				`&mcp.ClientOptions{
	// declares the capability; show the form, and return "accept" with its content
	ElicitationHandler: func(ctx context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		fmt.Println(r.Params.Message)
		return &mcp.ElicitResult{Action: "decline"}, nil
	},
})
session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: ` + q + `},
	&mcp.ClientSessionOptions{ProtocolVersion: "2026-07-28"})
`},
		{"python", "Python", "python", `from mcp import Client
from mcp.types import ElicitResult

async def ask(context, params):  # declares the capability
    print(params.message)
    return ElicitResult(action="decline")  # or show the form: "accept" with its content

async with Client(` + q + `, elicitation_callback=ask) as client:
    print(await client.list_tools())
`},
		{"csharp", "C#", "csharp", `var transport = new HttpClientTransport(new() { Endpoint = new Uri(` + q +
			`) });
var options = new McpClientOptions();
options.Handlers.ElicitationHandler = (question, _) => // declares the capability
{
    Console.WriteLine(question?.Message);
    return ValueTask.FromResult(new ElicitResult { Action = "decline" }); // or show the form
};
await using var client = await McpClient.CreateAsync(transport, options);
foreach (var tool in await client.ListToolsAsync()) Console.WriteLine(tool.Name);
`},
		{"curl", "curl", "bash", `curl ` + address + ` \
  -H 'Content-Type: application/json' \
  -H 'Accept: application/json, text/event-stream' \
  -H 'MCP-Protocol-Version: 2026-07-28' \
  -H 'Mcp-Method: tools/list' \
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{
    "io.modelcontextprotocol/protocolVersion":"2026-07-28",
    "io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},
    "io.modelcontextprotocol/clientInfo":{"name":"curl","version":"8"}}}}'
`},
		{"inspector", "Inspector", "bash", `npx @modelcontextprotocol/inspector --cli ` + address +
			` --transport http --protocol-era modern --method tools/list
`},
	}
}

// StdioSnippet is the configuration of a client that starts its servers: it starts p in
// place of the server's command.
func StdioSnippet(p launch.Program) Snippet {
	file := string(jsontree.Quote(cmp.Or(p.File, launch.Name)))
	return Snippet{"stdio", "Configuration of a client that starts commands", "json", `{
  "mcpServers": {
    "captured": {
      "command": ` + file + `,
      "args": ["client", "-stdio", "node /path/to/server.js",
        "-report", "/path/to/client-report.txt"]
    }
  }
}
`}
}
