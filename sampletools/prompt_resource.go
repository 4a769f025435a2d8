package sampletools

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// promptAndResource shows that prompts and resources can ask too, not only
// tools.
func promptAndResource() scenario {
	return scenario{
		Sample: Sample{
			Slug:    "prompt-resource",
			Title:   "Prompt and resource",
			Summary: "A prompt and a resource that ask a question.",
			Teaches: "Only tools/call, prompts/get and resources/read can answer input_required.",
			Try: []string{
				"Read the resource report://sales: it asks for a quarter.",
				"Decline the question of the prompt. " +
					"You get the prompt anyway, without a focus of your choice.",
			},
			Replay:    "The same retry gives the same result again. Nothing is stored.",
			Era:       Both,
			Versions:  []string{"v1"},
			Instances: "a:v1,b:v1",
			Start: Start{
				Label:  "Get the review prompt",
				Method: "prompts/get",
				Params: json.RawMessage(`{"name":"review_code","arguments":{"language":"Go"}}`),
			},
		},
		prompts: []prompt{{
			name: "review_code", title: "Review code",
			description: "A prompt for a code review. Asks what to focus on.",
			arguments: []*mcp.PromptArgument{{Name: "language", Description: "Programming language",
				Required: true}},
			run: reviewCode,
		}},
		resources: []resource{{
			uri: "report://sales", name: "sales", title: "Sales report",
			description: "Sales of a quarter. Asks which one.", mimeType: "text/plain",
			run: readReport,
		}},
	}
}

func reviewCode(_ context.Context, t *Turn) (Result, error) {
	args, err := arguments[struct {
		Language string `json:"language"`
	}](t)
	if err != nil {
		return nil, err
	}
	if args.Language == "" {
		return nil, toolErrorf("The argument language is required.")
	}
	a, err := t.AskOne(Form("focus", "What should the review focus on?",
		`{"type":"object","properties":{"focus":{"type":"string","enum":["correctness","readability",`+
			`"security"]}},"required":["focus"]}`))
	if err != nil {
		return nil, err
	}
	focus := "correctness and readability"
	if a.Accepted() {
		focus = a.Text("focus")
	}
	return &promptResult{
		Description: "A code review",
		Messages: []*mcp.PromptMessage{{
			Role: "user",
			Content: &mcp.TextContent{Text: fmt.Sprintf("Review this %s code. Look at %s first.",
				args.Language, focus)},
		}},
	}, nil
}

func readReport(_ context.Context, t *Turn) (Result, error) {
	a, err := t.AskOne(Form("quarter", "Which quarter?",
		`{"type":"object","properties":{"quarter":{"type":"string","enum":["Q1","Q2","Q3","Q4"]}},`+
			`"required":["quarter"]}`))
	if err != nil {
		return nil, err
	}
	report := "No quarter was chosen, so there is nothing to report."
	if a.Accepted() {
		sold := map[string]int{"Q1": 410, "Q2": 522, "Q3": 398, "Q4": 671}[a.Text("quarter")]
		report = fmt.Sprintf("Sales in %s: %d units.", a.Text("quarter"), sold)
	}
	return &resourceResult{Contents: []*mcp.ResourceContents{{URI: t.Name, MIMEType: "text/plain",
		Text: report}}}, nil
}
