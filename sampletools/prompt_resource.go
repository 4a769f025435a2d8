package sampletools

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
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
		prompts: []serve.Prompt{{
			Name: "review_code", Title: "Review code",
			Description: "A prompt for a code review. Asks what to focus on.",
			Arguments: []*mcp.PromptArgument{{Name: "language", Description: "Programming language",
				Required: true}},
			Run: reviewCode,
		}},
		resources: []serve.Resource{{
			URI: "report://sales", Name: "sales", Title: "Sales report",
			Description: "Sales of a quarter. Asks which one.", MIMEType: "text/plain",
			Run: readReport,
		}},
	}
}

func reviewCode(_ context.Context, t *serve.Turn) (serve.Result, error) {
	args, err := serve.Arguments[struct {
		Language string `json:"language"`
	}](t)
	if err != nil {
		return nil, err
	}
	if args.Language == "" {
		return nil, serve.ToolErrorf("The argument language is required.")
	}
	a, err := t.AskOne(serve.Form("focus", "What should the review focus on?",
		`{"type":"object","properties":{"focus":{"type":"string","enum":["correctness","readability",`+
			`"security"]}},"required":["focus"]}`))
	if err != nil {
		return nil, err
	}
	focus := "correctness and readability"
	if a.Accepted() {
		focus = a.Text("focus")
	}
	return &serve.PromptResult{
		Description: "A code review",
		Messages: []*mcp.PromptMessage{{
			Role: "user",
			Content: &mcp.TextContent{Text: fmt.Sprintf("Review this %s code. Look at %s first.",
				args.Language, focus)},
		}},
	}, nil
}

func readReport(_ context.Context, t *serve.Turn) (serve.Result, error) {
	a, err := t.AskOne(serve.Form("quarter", "Which quarter?",
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
	return &serve.ResourceResult{Contents: []*mcp.ResourceContents{{URI: t.Name, MIMEType: "text/plain",
		Text: report}}}, nil
}
