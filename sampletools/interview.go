package sampletools

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// interview lets the client's model call a tool of the server while it answers.
func interview() scenario {
	return scenario{
		Sample: Sample{
			Slug:    "interview",
			Title:   "Interview",
			Summary: "Asks the client's model, which can call a tool before it answers.",
			Teaches: "Sampling with tools requires the capability sampling.tools. " +
				"If the model answers with tool_use, the server sends the tool's result in another round.",
			Try: []string{
				"Answer with tool_use of role_profile: another round follows.",
				"Answer with text at once: the call completes.",
			},
			Replay:    "The same retry gives the same result again. Nothing is stored.",
			Era:       Both,
			Versions:  []string{"v1"},
			Instances: "a:v1,b:v1",
			Start: Start{
				Label:  "Prepare an interview",
				Method: "tools/call",
				Params: json.RawMessage(`{"name":"prepare_interview","arguments":{"role":"engineer"}}`),
			},
		},
		tools: []serve.Tool{{
			Name: "prepare_interview", Title: "Prepare interview",
			Description: "Asks the client's model to write an interview question for a role.",
			Input: `{"type":"object","properties":{
				"role":{"type":"string","enum":["engineer","designer"],
					"description":"Role to interview for"}},"required":["role"]}`,
			Run: prepareInterview,
		}},
	}
}

// maxToolRounds ends the conversation with a model that keeps calling the tool.
const maxToolRounds = 4

func prepareInterview(_ context.Context, t *serve.Turn) (serve.Result, error) {
	args, err := serve.Arguments[struct {
		Role string `json:"role"`
	}](t)
	if err != nil {
		return nil, err
	}
	if roleProfile(args.Role) == "" {
		return nil, serve.ToolErrorf("There is no role %q. The roles are engineer and designer.", args.Role)
	}
	messages := []any{userText(fmt.Sprintf("Write one interview question for the role %q. "+
		"Look at its profile first.", args.Role))}
	for n := 1; n <= maxToolRounds; n++ {
		q, err := interviewQuestion(n, messages)
		if err != nil {
			return nil, err
		}
		a, err := t.AskOne(q)
		if err != nil {
			return nil, err
		}
		uses := toolUses(a.Message)
		if len(uses) == 0 {
			return serve.Text("Ask them: %s", a.Message.Text()), nil
		}
		messages = append(messages, assistantUses(uses), toolResults(uses))
	}
	return nil, serve.ToolErrorf("The model used the tool %d times and wrote no question.", maxToolRounds)
}

func interviewQuestion(n int, messages []any) (serve.Question, error) {
	b, err := json.Marshal(map[string]any{
		"messages":     messages,
		"systemPrompt": "You prepare job interviews.",
		"maxTokens":    300,
		"toolChoice":   map[string]any{"mode": "auto"},
		"tools": []any{map[string]any{
			"name":        "role_profile",
			"description": "Describes a role.",
			"inputSchema": map[string]any{"type": "object",
				"properties": map[string]any{"role": map[string]any{"type": "string"}},
				"required":   []string{"role"}},
		}},
	})
	return serve.Sampling(fmt.Sprintf("model_%d", n), string(b)), err
}

func roleProfile(role string) string {
	return map[string]string{
		"engineer": "Builds reliable services and writes clear code.",
		"designer": "Designs screens that need no explanation and talks to users.",
	}[role]
}

func toolUses(m serve.Message) []serve.Block {
	var uses []serve.Block
	for _, b := range m.Blocks {
		if b.Type == "tool_use" {
			uses = append(uses, b)
		}
	}
	return uses
}

func assistantUses(uses []serve.Block) any {
	var blocks []any
	for _, u := range uses {
		input := u.Input
		if len(input) == 0 {
			input = json.RawMessage("{}")
		}
		blocks = append(blocks, map[string]any{"type": "tool_use", "id": u.ID, "name": u.Name,
			"input": input})
	}
	return map[string]any{"role": "assistant", "content": blocks}
}

// toolResults runs the tool. Every tool_use gets a tool_result, and the message
// holds nothing else (client/sampling, tool results).
func toolResults(uses []serve.Block) any {
	var blocks []any
	for _, u := range uses {
		var in struct {
			Role string `json:"role"`
		}
		_ = json.Unmarshal(u.Input, &in) // written by a model: invalid input names no role
		profile := roleProfile(in.Role)
		known := u.Name == "role_profile" && profile != ""
		if !known {
			profile = "There is no such role or tool."
		}
		blocks = append(blocks, map[string]any{
			"type": "tool_result", "toolUseId": u.ID, "isError": !known,
			"content": []any{map[string]any{"type": "text", "text": profile}},
		})
	}
	return map[string]any{"role": "user", "content": blocks}
}
