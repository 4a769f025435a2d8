package agent_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// everything is what a client declares that can be asked everything.
func everything() map[string]any {
	none := map[string]any{}
	return map[string]any{"elicitation": map[string]any{"form": none, "url": none}, "sampling": none,
		"roots": none}
}

// byMethod returns the keys of the questions of a result by their methods, and of the
// question whether roots may be sent.
func byMethod(r sitetest.ToolResult) map[string]string {
	keys := map[string]string{}
	for key, q := range r.Questions {
		if strings.HasSuffix(key, "-consent") {
			keys["consent"] = key
			continue
		}
		keys[q["method"].(string)] = key
	}
	return keys
}

// reply answers questions with values as they are sent.
func reply(a *sitetest.Agent, tool string, arguments map[string]any, last sitetest.ToolResult,
	answers map[string]any) sitetest.ToolResult {
	return a.Ask(playground.ToolsCall, map[string]any{
		"name": tool, "arguments": arguments, "requestState": last.State, "inputResponses": answers,
	})
}

func accepted(content map[string]any) map[string]any {
	return map[string]any{"action": "accept", "content": content}
}

// TestAgent_EveryKindOfQuestionTravelsThrough: a form, a request to the model and one for
// roots are asked at once, each names the server, and roots are sent only with a yes.
func TestAgent_EveryKindOfQuestionTravelsThrough(t *testing.T) {
	t.Parallel()
	a := sitetest.New(t, app.Local).Agent()
	a.Can = everything()
	place := "The server at 127.0.0.1:2322/mcp/trip"
	in := map[string]any{"url": sitetest.Base + "/mcp/trip", "tool": "plan_trip",
		"arguments": map[string]any{"destination": "Lisbon"}}
	asked := a.Call("call_tool", in, sitetest.ToolResult{})
	keys := byMethod(asked)
	for kind, member := range map[string]string{
		playground.Elicit: "message", playground.CreateMessage: "systemPrompt",
		"consent": "message"} {
		params, _ := asked.Questions[keys[kind]]["params"].(map[string]any)
		if words := fmt.Sprint(params[member]); !strings.HasPrefix(words, place+" asks") {
			t.Errorf("%s: %+v", kind, asked.Questions[keys[kind]])
		}
	}
	roots := map[string]any{"roots": []any{map[string]any{"uri": "file:///trips"}}}
	answers := func(send bool) map[string]any {
		return map[string]any{
			keys[playground.Elicit]: accepted(map[string]any{"days": 3, "mood": "food"}),
			keys[playground.CreateMessage]: map[string]any{"role": "assistant", "model": "m",
				"content": map[string]any{"type": "text", "text": "See the tiles."}},
			keys[playground.RootsList]: roots,
			keys["consent"]:            accepted(map[string]any{"send": send}),
		}
	}
	var done struct {
		Status string
		Result json.RawMessage
		Rounds []string
	}
	reply(a, "call_tool", in, asked, answers(true)).Read(t, &done)
	if want := "3 days of food in Lisbon. See the tiles. To be saved in file:///trips."; done.Status !=
		"complete" || !strings.Contains(string(done.Result), want) {
		t.Errorf("%+v", done)
	}
	again := a.Call("call_tool", in, sitetest.ToolResult{})
	got := reply(a, "call_tool", in, again, answers(false))
	if got.Read(t, &done); done.Status != "declined" || len(done.Rounds) != 1 ||
		strings.Contains(got.Words(), "file:///trips") {
		t.Errorf("without the roots: %+v", got)
	}
	a.NoErrors()
}

// TestAgent_LinksTravelThrough: a page to open is asked for as one, and a refusal is an
// answer.
func TestAgent_LinksTravelThrough(t *testing.T) {
	t.Parallel()
	a := sitetest.New(t, app.Local).Agent()
	a.Can = everything()
	in := map[string]any{"url": sitetest.Base + "/mcp/sign-in", "tool": "list_invoices"}
	asked := a.Call("call_tool", in, sitetest.ToolResult{})
	key := byMethod(asked)[playground.Elicit]
	params, _ := asked.Questions[key]["params"].(map[string]any)
	link := fmt.Sprint(params["url"])
	if params["mode"] != "url" || !strings.HasPrefix(link, sitetest.Base+"/") ||
		!strings.HasPrefix(fmt.Sprint(params["message"]), "The server at 127.0.0.1:2322/mcp/sign-in asks") {
		t.Fatalf("%+v", asked)
	}
	opened := reply(a, "call_tool", in, asked, map[string]any{key: map[string]any{"action": "accept"}})
	next := byMethod(opened)[playground.Elicit]
	if next == "" || next == key {
		t.Fatalf("accepted, and the page was not visited: %+v", opened)
	}
	var done struct{ Status string }
	reply(a, "call_tool", in, opened, map[string]any{next: map[string]any{"action": "decline"}}).Read(t,
		&done)
	if done.Status != "declined" {
		t.Errorf("declined: %+v", done)
	}
	a.NoErrors()
}

// TestAgent_SaysWhatItCannotAsk: a client that does not declare what a question needs gets
// words, and can give the answer in advance.
func TestAgent_SaysWhatItCannotAsk(t *testing.T) {
	t.Parallel()
	a := sitetest.New(t, app.Local).Agent()
	for path, tool := range map[string]string{"trip": "plan_trip", "sign-in": "list_invoices"} {
		in := map[string]any{"url": sitetest.Base + "/mcp/" + path, "tool": tool,
			"arguments": map[string]any{}}
		if path == "trip" {
			in["arguments"] = map[string]any{"destination": "Lisbon"}
		}
		var r struct{ Status, Open string }
		a.Call("call_tool", in, sitetest.ToolResult{}).Read(t, &r)
		if r.Status != "waiting" || !strings.Contains(r.Open, "this client does not declare") ||
			!strings.Contains(r.Open, "Call again with an answer to it in answers.") {
			t.Errorf("%s: %+v", path, r)
		}
	}
	in := map[string]any{"url": sitetest.Base + "/mcp/trip", "tool": "plan_trip",
		"arguments": map[string]any{"destination": "Lisbon"},
		"answers": map[string]any{
			"ideas": map[string]any{"role": "assistant", "model": "m",
				"content": map[string]any{"type": "text", "text": "See the tiles."}},
			"folders": map[string]any{"roots": []any{}},
		}}
	asked := a.Call("call_tool", in, sitetest.ToolResult{})
	if len(asked.Questions) != 1 {
		t.Fatalf("%+v", asked)
	}
	var r struct{ Status string }
	a.Call("call_tool", in, asked, byMethod(asked)[playground.Elicit],
		map[string]any{"days": 3, "mood": "food"}).Read(t, &r)
	if r.Status != "complete" {
		t.Errorf("%+v", r)
	}
}
