package serve

import (
	"context"
	"crypto/rand"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Link returns a question that asks the user to open a page (URL mode).
// Accepting means consent, not completion (client/elicitation, URL mode), so
// the answer counts for one round only.
func Link(key, message, url string) Question {
	return Question{Key: key, asker: link{message, url}, oneRound: true}
}

// link is a question in URL mode.
type link struct{ message, url string }

func (link) method() string { return "elicitation/create" }

type linkParams struct {
	Mode    string `json:"mode"`
	Message string `json:"message"`
	URL     string `json:"url"`
}

func (l link) params() any { return linkParams{"url", l.message, l.url} }

func (l link) missing(c mcp.ClientCapabilities) (string, map[string]any, bool) {
	if c.Elicitation != nil && c.Elicitation.URL != nil {
		return "", nil, false
	}
	return "elicitation", map[string]any{"url": map[string]any{}}, true
}

func (l link) Read(raw json.RawMessage) (Answer, string, error) {
	action, _, err := readElicited(raw)
	return Answer{Action: action}, "", err
}

// ask adds the elicitation id that 2025-11-25 requires; later revisions dropped
// it.
func (l link) ask(ctx context.Context, s *mcp.ServerSession) (any, error) {
	return s.Elicit(ctx, &mcp.ElicitParams{Mode: "url", Message: l.message, URL: l.url,
		ElicitationID: rand.Text()})
}

func (l link) withProblem(problem string) asker {
	l.message = problem + " " + l.message
	return l
}
