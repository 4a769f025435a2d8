package mock

import (
	"bytes"
	"encoding/json"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Played is what a client sends to come to the end of a recorded call of a tool.
type Played struct {
	Tool      string
	Arguments json.RawMessage // a JSON object
	Answers   []Answered      // to questions for the user, in their order
}

// Answered is a question with the recorded answer.
type Answered struct {
	Message string
	Answer  json.RawMessage
}

// Played returns the first call of a tool; false if the recording has none, or if a client of
// 2026-07-28 cannot make it.
func (r *Recording) Played() (Played, bool) {
	for _, first := range r.entries {
		if !first.opens || first.method != playground.ToolsCall || r.legacy {
			continue
		}
		p := Played{Tool: first.name, Arguments: first.params.Get("arguments").Raw()}
		if p.Arguments == nil {
			p.Arguments = json.RawMessage("{}")
		}
		messages := map[string]string{}
		for _, e := range r.entries {
			if e.call == first.call {
				p.add(e, messages)
			}
		}
		return p, true
	}
	return Played{}, false
}

// add adds the answers of a request, and notes the messages of what its response asks.
func (p *Played) add(e *entry, messages map[string]string) {
	for _, m := range e.params.Get(playground.InputResponses).Entries() {
		if message := messages[m.Key]; message != "" {
			p.Answers = append(p.Answers, Answered{message, m.Value.Raw()})
		}
	}
	for _, data := range e.reply.messages() {
		node, err := jsontree.Parse(data, jsontree.Limits{})
		if err != nil {
			continue
		}
		for _, m := range node.Get("result").Get("inputRequests").Entries() {
			if m.Value.Get("method").Str() == playground.Elicit {
				messages[m.Key] = m.Value.Get("params").Get("message").Str()
			}
		}
	}
}

// messages returns the messages of a response.
func (r recorded) messages() [][]byte {
	list := [][]byte{r.body}
	for _, b := range r.events {
		if !r.line {
			b, _, _ = wire.EventData(b)
		}
		list = append(list, b)
	}
	return list
}

// Snippet returns a program on the TypeScript SDK that makes the call at an address.
func (p Played) Snippet(address string) string {
	var answers bytes.Buffer
	for _, a := range p.Answers {
		answers.WriteString("  " + string(jsontree.Quote(a.Message)) + ": " +
			string(jsontree.Compact(a.Answer)) + ",\n")
	}
	return `import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const answers = {
` + answers.String() + `};
const client = new Client(
  { name: "my-client", version: "1.0.0" },
  { versionNegotiation: { mode: "auto" }, capabilities: { elicitation: { form: {}, url: {} } } },
);
client.setRequestHandler("elicitation/create", async ({ params }) => answers[params.message]);
await client.connect(new StreamableHTTPClientTransport(new URL(` + string(jsontree.Quote(address)) + `)));
console.log(await client.callTool({
  name: ` + string(jsontree.Quote(p.Tool)) + `,
  arguments: ` + string(jsontree.Compact(p.Arguments)) + `,
}));
await client.close();
`
}
