package auth

import (
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Challenge is the answer of a server that refuses a request for want of a
// token or of scopes (basic/authorization, "Error Handling").
type Challenge struct {
	Status      int      `json:"status"` // 401 or 403
	Given       bool     `json:"given"`  // whether the response has a Bearer challenge
	Metadata    string   `json:"metadata,omitempty"`
	Scopes      []string `json:"scopes,omitempty"`
	Error       string   `json:"error,omitempty"` // such as insufficient_scope
	Description string   `json:"description,omitempty"`
}

// StepUp reports whether the server asks for further scopes.
func (c Challenge) StepUp() bool {
	return wire.WantsScopes(c.Status, c.Error, strings.Join(c.Scopes, " "))
}

// ChallengeOf returns the challenge of a Round, and whether a sign-in can help:
// the server refused the request with 401, or with 403 for want of a scope.
func ChallengeOf(r playground.Round) (Challenge, bool) {
	return ChallengeIn(r.Head)
}

// ChallengeIn returns the challenge in the head of a response, and whether a
// sign-in can help.
func ChallengeIn(head wire.Head) (Challenge, bool) {
	c := Challenge{Status: head.Status}
	for _, offered := range wire.Challenges(head.Values("WWW-Authenticate")) {
		if !strings.EqualFold(offered.Scheme, "Bearer") {
			continue
		}
		c.Given = true
		for _, p := range offered.Params {
			c.set(strings.ToLower(p.Name), p.Value)
		}
		break
	}
	return c, head.AsksForToken()
}

func (c *Challenge) set(name, value string) {
	switch name {
	case "resource_metadata":
		c.Metadata = value
	case "scope":
		c.Scopes, _ = union(nil, strings.Fields(value))
	case "error":
		c.Error = value
	case "error_description":
		c.Description = value
	}
}

// maxScopes is how many scopes are requested or kept. A server that names more
// and more must not make the request grow.
const maxScopes = 100

// maxScope is how long a scope may be, in bytes.
const maxScope = 256

// union returns the scopes of both lists, each once, in their order, and whether
// it left out any: names that are no scope (RFC 6749, section 3.3), and those
// beyond maxScopes.
func union(a, b []string) (list []string, left bool) {
	seen := map[string]bool{}
	for _, scope := range slices.Concat(a, b) {
		switch {
		case seen[scope]:
		case len(list) == maxScopes || !isScope(scope):
			left = true
		default:
			seen[scope] = true
			list = append(list, scope)
		}
	}
	return list, left
}

// isScope reports whether a name is a scope-token (RFC 6749, section 3.3).
func isScope(name string) bool {
	wrong := func(r rune) bool { return r <= ' ' || r == '"' || r == '\\' || r > '~' }
	return name != "" && len(name) <= maxScope && !strings.ContainsFunc(name, wrong)
}
