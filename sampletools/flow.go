package sampletools

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/sampletools/cluster"
	"github.com/mrtr-playground/mrtr-playground/sampletools/flow"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
	"github.com/mrtr-playground/mrtr-playground/sampletools/tasks"
)

// FlowText is a flow as it is stored.
type FlowText struct {
	Digest string // another one after each change
	Source string // YAML or JSON, as it is written
	// Example says that it is part of this program, and of no visitor.
	Example bool
	Owner   string // whose instances count together; empty if the flow counts by itself
}

// ErrNoFlow is the error for a token that no flow has, or one that has ended.
var ErrNoFlow = errors.New("there is no such flow, or it has ended")

// flowPrefix is the beginning of the slugs of flows, before the token.
const flowPrefix = "flow-"

// Texts for every client and user of a flow.
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

// scope returns the text that states are bound to, so that no other sample
// accepts them.
func (s Sample) scope() string {
	if s.Token == "" {
		return s.Slug
	}
	return flowScope(s.Slug, s.Example)
}

// flowScope returns the text that the states and pages of a flow are bound to.
// Others may read a state, and who has the token of a visitor's flow can call
// it, so there it is a digest.
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

// newFlowService returns the service that runs a flow. The error says why it
// cannot run.
func newFlowService(c Config, token string, text FlowText, pressed book) (*flow.Service, error) {
	slug, warning := flowPrefix+token, flowWarning
	if text.Example {
		warning = exampleWarning
	}
	return flow.New([]byte(text.Source), flow.Config{
		Keys: c.Keys, Now: c.Now, Rand: c.Rand, Wait: c.Wait, Pressed: pressed,
		Full:  func() { c.Refuse(refusedTicket) },
		Scope: flowScope(slug, text.Example), Link: c.BaseURL + flowPagePath(token), Warning: warning,
	})
}

func flowPagePath(token string) string { return "/samples/flow/" + token + "/page" }

// flowScenario returns the scenario of a flow; its tasks have the runner.
func flowScenario(
	s *flow.Service, token string, example bool, runner *tasks.Runner,
) (scenario, error) {
	title, tool := flow.PlainText(cmp.Or(s.Title, s.Name), 80), s.Tool()
	warning := s.Warning()
	sc := scenario{
		Sample: Sample{
			Slug: flowPrefix + token, Token: token, Example: example, Title: title, Group: "Flows", Era: Both,
			Summary:   strings.TrimSpace(flow.PlainText(s.Description, 300) + " " + warning),
			Replay:    flowReplay(s),
			Instances: cmp.Or(s.Instances, "a:v1,b:v1"), Versions: s.VersionNames(), Stream: s.HasProgress(),
			Protection: seal.Mode(s.State.Protection), Life: s.StateLife(),
			Start: Start{Label: title, Method: "tools/call", Params: s.Params(), Answers: s.Answers()},
		},
		serverName:   s.Name,
		instructions: warning,
		tools:        []serve.Tool{tool},
	}
	if s.HasTask() {
		sc.runner, sc.extensions = runner, []string{tasks.Extension}
	}
	_, err := cluster.Parse(sc.Instances, "", sc.Versions)
	return sc, err
}

// flowReplay returns sentences about the effect of a retry and the memory of
// the server.
func flowReplay(s *flow.Service) string {
	if s.HasTask() || s.HasPage() {
		return "The server keeps only tasks, and which pages were confirmed."
	}
	return "The same retry gives the same result again. Nothing is stored."
}
