package sampletools

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// conformanceRounds returns the suite's input-required-result-* fixtures.
func conformanceRounds() []serve.Tool {
	const prefix = "test_input_required_result_"
	return []serve.Tool{
		fixture(prefix+"elicitation", "Asks the user.", greetByForm),
		fixture(prefix+"sampling", "Asks a model.", askCapital),
		fixture(prefix+"list_roots", "Asks for the roots.", nameRoots),
		fixture(prefix+"request_state", "Asks with a requestState in the first round.", confirmWithState),
		fixture(prefix+"tampered_state", "Refuses a requestState that was changed.", confirmWithState),
		fixture(prefix+"multiple_inputs", "Asks the user, a model and for the roots at once.", askAll),
		fixture(prefix+"multi_round", "Asks twice, one after the other.", askTwice),
		fixture(prefix+"capabilities", "Asks only for what the client declared.", askWhatIsDeclared),
	}
}

func nameQuestion(key, message string) serve.Question {
	return serve.Form(key, message, `{"type":"object","properties":{"name":{"type":"string"}},`+
		`"required":["name"]}`)
}

func capitalQuestion() serve.Question {
	return serve.Sampling("capital_question", `{"messages":[{"role":"user","content":{"type":"text",`+
		`"text":"What is the capital of France?"}}],"maxTokens":100}`)
}

func greetByForm(_ context.Context, t *serve.Turn) (serve.Result, error) {
	a, err := t.AskOne(nameQuestion("user_name", "What is your name?"))
	if err != nil {
		return nil, err
	}
	return serve.Text("Hello, %s!", a.Text("name")), nil
}

func askCapital(_ context.Context, t *serve.Turn) (serve.Result, error) {
	a, err := t.AskOne(capitalQuestion())
	if err != nil {
		return nil, err
	}
	return serve.Text("The model says: %s", a.Message.Text()), nil
}

func nameRoots(_ context.Context, t *serve.Turn) (serve.Result, error) {
	a, err := t.AskOne(serve.Roots("client_roots"))
	if err != nil {
		return nil, err
	}
	var uris []string
	for _, r := range a.Roots {
		uris = append(uris, r.URI)
	}
	return serve.Text("Roots: %s", strings.Join(uris, ", ")), nil
}

// confirmWithState says in its result whether the state came back.
func confirmWithState(_ context.Context, t *serve.Turn) (serve.Result, error) {
	var state string
	known, err := t.LoadWork(&state)
	if err == nil && !known {
		err = t.SaveWork("asked")
	}
	if err != nil {
		return nil, err
	}
	a, err := t.AskOne(serve.Form("confirm", "Please confirm", `{"type":"object",`+
		`"properties":{"ok":{"type":"boolean"}},"required":["ok"]}`))
	if err != nil {
		return nil, err
	}
	if !known {
		return serve.Text("confirmed: %t, without a state", a.Bool("ok")), nil
	}
	return serve.Text("state-ok, confirmed: %t", a.Bool("ok")), nil
}

func askAll(_ context.Context, t *serve.Turn) (serve.Result, error) {
	if err := t.SaveWork("asked for all"); err != nil {
		return nil, err
	}
	answers, err := t.Ask(
		nameQuestion("user_name", "What is your name?"),
		serve.Sampling("greeting", `{"messages":[{"role":"user","content":{"type":"text","text":"Generate `+
			`a greeting"}}],"maxTokens":50}`),
		serve.Roots("client_roots"),
	)
	if err != nil {
		return nil, err
	}
	return serve.Text("%s %s, with %d roots", answers["greeting"].Message.Text(),
		answers["user_name"].Text("name"), len(answers["client_roots"].Roots)), nil
}

func askTwice(_ context.Context, t *serve.Turn) (serve.Result, error) {
	if err := t.SaveWork("asking"); err != nil {
		return nil, err
	}
	name, err := t.AskOne(nameQuestion("step1", "Step 1: What is your name?"))
	if err != nil {
		return nil, err
	}
	color, err := t.AskOne(serve.Form("step2", "Step 2: What is your favorite color?",
		`{"type":"object","properties":{"color":{"type":"string"}},"required":["color"]}`))
	if err != nil {
		return nil, err
	}
	return serve.Text("%s likes %s.", name.Text("name"), color.Text("color")), nil
}

// askWhatIsDeclared is the only script that reads the client's capabilities.
// For all others the host refuses a question that needs an undeclared
// capability, with -32021.
func askWhatIsDeclared(_ context.Context, t *serve.Turn) (serve.Result, error) {
	all := []serve.Question{nameQuestion("user_name", "What is your name?"), capitalQuestion(),
		serve.Roots("client_roots")}
	var possible []serve.Question
	for _, q := range all {
		if t.CanAsk(q) {
			possible = append(possible, q)
		}
	}
	answers, err := t.Ask(possible...)
	if err != nil {
		return nil, err
	}
	return serve.Text("%d answers", len(answers)), nil
}

// conformancePrompts returns the suite's prompts.
func conformancePrompts() []serve.Prompt {
	required := func(name, description string) *mcp.PromptArgument {
		return &mcp.PromptArgument{Name: name, Description: description, Required: true}
	}
	return []serve.Prompt{
		{Name: "test_simple_prompt", Description: "Takes no arguments.", Run: simplePrompt},
		{Name: "test_prompt_with_arguments", Description: "Takes two arguments.", Run: argumentsPrompt,
			Arguments: []*mcp.PromptArgument{required("arg1", "First argument"),
				required("arg2", "Second argument")}},
		{Name: "test_prompt_with_embedded_resource", Description: "Embeds a resource.", Run: resourcePrompt,
			Arguments: []*mcp.PromptArgument{required("resourceUri", "URI of the resource")}},
		{Name: "test_prompt_with_image", Description: "Has an image.", Run: imagePrompt},
		{Name: "test_input_required_result_prompt", Description: "Asks for context.", Run: contextPrompt},
	}
}

func contextPrompt(_ context.Context, t *serve.Turn) (serve.Result, error) {
	a, err := t.AskOne(serve.Form("user_context", "What context should the prompt use?",
		`{"type":"object","properties":{"context":{"type":"string"}},"required":["context"]}`))
	if err != nil {
		return nil, err
	}
	return userPrompt(&mcp.TextContent{Text: "Use this context: " + a.Text("context")}), nil
}
