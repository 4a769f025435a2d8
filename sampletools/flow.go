package sampletools

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/mrtr-playground/mrtr-playground/sampletools/cluster"
	"github.com/mrtr-playground/mrtr-playground/sampletools/flow"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
	"github.com/mrtr-playground/mrtr-playground/sampletools/tasks"
)

// FlowText is a flow as it is stored.
type FlowText struct {
	Digest string                 // another one after each change
	JSON   func() ([]byte, error) // in the written format; called when the text is new
	// Example says that it is part of this program, and of no visitor.
	Example bool
	Owner   string // whose instances count together; empty if the flow counts by itself
}

// ErrNoFlow is the error for a token that no flow has, or one that has ended.
var ErrNoFlow = errors.New("there is no such flow, or it has ended")

// flowPrefix is the beginning of the slugs of flows, before the token.
const flowPrefix = "flow-"

// What every client and user of a flow is told.
const (
	flowWarning    = "A visitor of this playground wrote this flow. Enter no real data."
	exampleWarning = "This is an example of a flow. Enter no real data."
)

// flowPool is the name that all flows have in logs and counts.
const flowPool = "flow"

// tokenOf returns the token of the flow with a slug, or "".
func tokenOf(slug string) string {
	token, ok := strings.CutPrefix(slug, flowPrefix)
	if !ok {
		return ""
	}
	return token
}

// scope returns what states are bound to, so that no other sample accepts them.
func (s Sample) scope() string {
	if s.Token == "" {
		return s.Slug
	}
	return flowScope(s.Slug, s.Example)
}

// flowScope returns what the states and pages of a flow are bound to. Others may read a
// state, and who has the token of a visitor's flow can call it, so there it is a digest.
func flowScope(slug string, example bool) string {
	if example {
		return slug
	}
	sum := sha256.Sum256([]byte(slug))
	return flowPrefix + hex.EncodeToString(sum[:8])
}

// FlowSlug returns the slug of the flow with a token.
func FlowSlug(token string) string { return flowPrefix + token }

// SlugAt returns the slug of the sample or flow with the path of an MCP endpoint, or "".
func SlugAt(path string) string {
	if token, ok := strings.CutPrefix(path, flowPath); ok {
		return flowPrefix + token
	}
	slug, ok := strings.CutPrefix(path, "/mcp/")
	if !ok || strings.HasPrefix(slug, flowPrefix) {
		return ""
	}
	return slug
}

// flowService runs the calls of one flow.
type flowService struct {
	Config
	flow    *flow.Flow
	slug    string
	link    string // URL of its page
	pressed book   // ids of the pages whose button was pressed
	example bool   // it is part of this program
}

// warning returns what clients and users of the flow are told.
func (s flowService) warning() string {
	if s.example {
		return exampleWarning
	}
	return flowWarning
}

// newFlowService returns what runs a flow. The error says why it cannot run.
func newFlowService(
	c Config, token string, source []byte, example bool, pressed book,
) (flowService, error) {
	f, err := flow.Read(source)
	return flowService{c, f, flowPrefix + token, c.BaseURL + flowPagePath(token), pressed, example}, err
}

// scenario returns the scenario of the flow; its tasks have the runner.
func (s flowService) scenario(token string, runner *tasks.Runner) (scenario, error) {
	f := s.flow
	title := plainText(cmp.Or(f.Title, f.Name), 80)
	sc := scenario{
		Sample: Sample{
			Slug: s.slug, Token: token, Example: s.example, Title: title, Group: "Flows", Era: Both,
			Summary:   strings.TrimSpace(plainText(f.Description, 300) + " " + s.warning()),
			Replay:    flowReplay(f),
			Instances: cmp.Or(f.Instances, "a:v1,b:v1"), Stream: f.HasProgress(),
			Protection: seal.Mode(f.Protection), Life: f.Life,
			Start: Start{
				Label: title, Method: "tools/call",
				Params: serve.MustMarshal(map[string]json.RawMessage{
					"name": mustQuote(f.Name), "arguments": f.Arguments()}),
				Answers: f.Versions[0].Answers(),
			},
		},
		serverName:   f.Name,
		instructions: s.warning(),
		tools: []serve.Tool{{
			Name: f.Name, Title: f.Title, Description: f.Description, Input: string(f.Input), Run: s.run,
		}},
	}
	for _, v := range f.Versions {
		sc.Versions = append(sc.Versions, v.Name)
	}
	if f.HasTask() {
		sc.runner, sc.extensions = runner, []string{tasks.Extension}
	}
	_, err := cluster.Parse(sc.Instances, "", sc.Versions)
	return sc, err
}

// flowReplay says what a retry does, and what the server stores.
func flowReplay(f *flow.Flow) string {
	if f.HasTask() || f.HasPage() {
		return "The server keeps only tasks, and which pages were confirmed."
	}
	return "The same retry gives the same result again. Nothing is stored."
}

// plainText returns text of a stranger for one line, without characters that control
// or turn around what is beside it.
func plainText(s string, most int) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			r = ' '
		}
		if n++; n > most {
			return b.String() + "…"
		}
		b.WriteRune(r)
	}
	return b.String()
}

func mustQuote(s string) json.RawMessage {
	b, err := json.Marshal(s)
	if err != nil { // cannot happen: a string always encodes
		return json.RawMessage(`""`)
	}
	return b
}

// run is the script of a flow's tool.
func (s flowService) run(ctx context.Context, t *serve.Turn) (serve.Result, error) {
	v := s.flow.Version(t.Instance.Version)
	if v == nil {
		return nil, fmt.Errorf("the flow has no version %s", t.Instance.Version)
	}
	args, err := s.arguments(t)
	if err != nil {
		return nil, err
	}
	turn, err := s.newTurn(t, v)
	if err != nil {
		return nil, err
	}
	r := v.Start(args, t.Instance.Label())
	e, err := r.Call(ctx, turn)
	if e != nil || err != nil {
		return serve.ResultOf(turn.finish(ctx, e, err))
	}
	if t.KnowsTasks() {
		if err := turn.flush(ctx); err != nil {
			return nil, err
		}
	}
	return nil, &serve.Job{
		Required: v.TaskRequired,
		Run: func(ctx context.Context, d serve.JobClient) (*serve.ToolResult, error) {
			if d.Inline() {
				e, err := r.Task(ctx, turn)
				return turn.finish(ctx, e, err)
			}
			return flowResult(r.Task(ctx, &flowTask{
				flowService: s, client: d, version: v, given: map[string]flow.Answer{},
				pages: map[string]string{},
			}))
		},
	}
}

// arguments reads the arguments of a call, which fit the input schema then.
func (s flowService) arguments(t *serve.Turn) (map[string]any, error) {
	args, err := serve.Arguments[map[string]any](t)
	if err != nil {
		return nil, err
	}
	if problem := serve.CheckContent(s.flow.Input, args); problem != "" {
		return nil, serve.ToolErrorf("The arguments do not fit the tool's input schema: %s", problem)
	}
	return args, nil
}

// flowResult returns the result of a call that has ended.
func flowResult(e *flow.Ending, err error) (*serve.ToolResult, error) {
	var refused flow.Refusal
	switch {
	case errors.As(err, &refused):
		return nil, serve.ToolError(refused)
	case err != nil:
		return nil, err
	case e.Error:
		return serve.Failure(e.Text), nil
	}
	return serve.Text("%s", e.Text), nil
}

// questionOf returns a question of a flow as it is asked; link is where one in URL
// mode leads.
func questionOf(q flow.Question, link string) serve.Question {
	switch q.Kind {
	case flow.URL:
		return serve.Link(q.Key, q.Message, link)
	case flow.Sampling:
		return serve.Sampling(q.Key, flowSampling(q))
	case flow.Roots:
		return serve.Roots(q.Key)
	}
	return serve.Form(q.Key, q.Message, string(q.Schema))
}

// flowSampling returns the params of a sampling request.
func flowSampling(q flow.Question) string {
	params := map[string]any{"messages": []any{userText(q.Message)}, "maxTokens": q.MaxTokens}
	if q.System != "" {
		params["systemPrompt"] = q.System
	}
	b, err := json.Marshal(params)
	if err != nil { // strings and numbers always marshal
		return "{}"
	}
	return string(b)
}

// answerOf returns an answer as a flow sees it.
func answerOf(q flow.Question, a serve.Answer) flow.Answer {
	values := a.Content
	switch q.Kind {
	case flow.Sampling:
		var lines []string
		for _, b := range a.Message.Blocks {
			if b.Type == "text" {
				lines = append(lines, b.Text)
			}
		}
		values = map[string]any{"text": strings.Join(lines, "\n"), "model": a.Message.Model}
	case flow.Roots:
		var uris, names []any
		for _, r := range a.Roots {
			uris, names = append(uris, r.URI), append(names, cmp.Or(r.Name, r.URI))
		}
		values = map[string]any{"uris": uris, "names": names}
	}
	return flow.Answer{Action: a.Action, Values: values}
}

// flowTask is the turn of a flow that goes on as a task.
type flowTask struct {
	flowService
	client  serve.JobClient
	version *flow.Version
	given   map[string]flow.Answer
	pages   map[string]string // tickets of pages, by key
}

// Ask asks until all questions have an answer, and the button of a page was pressed.
func (c *flowTask) Ask(ctx context.Context, list []flow.Question) (map[string]flow.Answer, error) {
	problems := map[string]string{}
	for {
		var open []serve.Question
		for _, q := range list {
			if _, ok := c.given[q.Key]; ok {
				continue
			}
			link, err := c.page(q)
			if err != nil {
				return nil, err
			}
			open = append(open, questionOf(q, link).WithProblem(problems[q.Key]))
		}
		if len(open) == 0 {
			return c.given, nil
		}
		answers, err := c.client.Ask(ctx, open...)
		if err != nil {
			return nil, err
		}
		for _, q := range list {
			a, ok := answers[q.Key]
			done, err := !ok || q.Kind != flow.URL || !a.Accepted(), error(nil)
			if !done {
				done, err = c.isPressed(c.pages[q.Key])
			}
			switch {
			case err != nil:
				return nil, err
			case !done:
				problems[q.Key] = pageNotFinished
			case ok:
				c.given[q.Key] = answerOf(q, a)
			}
		}
	}
}

// page returns the link of a question in URL mode, or "".
func (c *flowTask) page(q flow.Question) (string, error) {
	if q.Kind != flow.URL {
		return "", nil
	}
	if c.pages[q.Key] == "" {
		ticket, err := c.newTicket(c.version, q)
		if err != nil {
			return "", err
		}
		c.pages[q.Key] = ticket
	}
	return c.pageURL(c.pages[q.Key]), nil
}

// Forget implements [flow.Turn].
func (c *flowTask) Forget(key string) { delete(c.given, key) }

// Shed implements [flow.Turn]. No task sheds its work.
func (c *flowTask) Shed(context.Context, string) (string, error) {
	return "", flow.Refusal("A task has no state to shed its work with.")
}

// Progress sets the status message.
func (c *flowTask) Progress(ctx context.Context, p flow.Progress) error {
	if err := c.client.SetStatus(ctx, p.Message); err != nil {
		return err
	}
	return c.Wait(ctx, min(p.Wait, time.Minute))
}
