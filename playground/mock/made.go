package mock

import (
	"encoding/json"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// offers are the lists by which a client learns what can be called, with the member of the
// result and the capability of each.
var offers = []struct{ call, list, member, capability string }{
	{playground.ToolsCall, playground.ToolsList, "tools", "tools"},
	{playground.PromptsGet, playground.PromptsList, "prompts", "prompts"},
	{playground.ResourcesRead, playground.ResourcesList, "resources", "resources"},
}

// make adds answers to what a client asks before its call, as far as they were not recorded:
// what is called is what the server offers.
func (r *Recording) make(s session.Session) {
	capabilities := map[string]any{}
	for _, o := range offers {
		if len(r.methods[o.call]) == 0 && len(r.methods[o.list]) == 0 {
			continue
		}
		capabilities[o.capability] = struct{}{}
		if len(r.methods[o.list]) == 0 {
			r.answer(o.list, map[string]any{o.member: definitions(s, o.call)})
		}
	}
	if r.legacy || len(r.methods[playground.Discover]) > 0 {
		return
	}
	if len(r.methods[playground.TasksGet]) > 0 {
		capabilities["extensions"] = map[string]any{playground.TasksExtension: struct{}{}}
	}
	r.answer(playground.Discover, map[string]any{
		"supportedVersions": []string{wire.ProtocolVersion},
		"capabilities":      capabilities,
		"serverInfo":        map[string]string{"name": "Recording", "version": "1"},
	})
}

// definitions returns the tools, prompts or resources that were called, each once.
func definitions(s session.Session, method string) []json.RawMessage {
	list := []json.RawMessage{}
	var names []string
	for _, x := range s.Exchanges {
		name := x.Call.Name()
		if x.Call.Method != method || slices.Contains(names, name) {
			continue
		}
		names = append(names, name)
		quoted := jsontree.Quote(name)
		switch {
		case isTool(x.Call.Tool, name):
			list = append(list, x.Call.Tool)
		case method == playground.ToolsCall:
			list = append(list, jsontree.ObjectOf(jsontree.Pair{Key: "name", Value: quoted},
				jsontree.Pair{Key: "inputSchema", Value: json.RawMessage(`{"type":"object"}`)}))
		case method == playground.ResourcesRead:
			list = append(list, jsontree.ObjectOf(
				jsontree.Pair{Key: "uri", Value: quoted}, jsontree.Pair{Key: "name", Value: quoted}))
		default:
			list = append(list, jsontree.ObjectOf(jsontree.Pair{Key: "name", Value: quoted}))
		}
	}
	return list
}

// isTool reports whether a text is the definition of a tool with a name.
func isTool(definition []byte, name string) bool {
	n, err := jsontree.Parse(definition, jsontree.Limits{})
	return err == nil && n.Get("name").Str() == name
}

// answer adds an answer that was not recorded. Clients must not keep it (basic, "Caching").
func (r *Recording) answer(method string, result map[string]any) {
	if !r.legacy {
		result["resultType"], result["ttlMs"], result["cacheScope"] = "complete", 0, "private"
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 0, "result": result})
	if err != nil {
		panic("make an answer: " + err.Error()) // its raw JSON was checked
	}
	id, _ := jsontree.Parse([]byte("0"), jsontree.Limits{})
	e := &entry{
		n: len(
			r.entries,
		) + 1, call: -1, method: method, id: id, made: true, times: 1, params: r.ignored.reduce(nil),
		reply: recorded{body: body, head: wire.Head{Status: 200, Fields: []wire.Field{
			{Name: "Content-Type", Value: "application/json"},
		}}},
	}
	r.made = append(r.made, e)
	r.add(e)
}
