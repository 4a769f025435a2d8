package agent

import (
	"errors"
	"net/http"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// identify returns the workspace of the token that a request has, or "" for one without
// a token. Local mode has no tokens. A wrong one is refused, and an address may try
// a number of them; right ones always work.
func (s *Pages) identify(r *web.Request) (workspace string, err error) {
	h := r.Header.Get("Authorization")
	if !s.Mode.Shared() || h == "" {
		return "", nil
	}
	scheme, token, _ := strings.Cut(h, " ")
	err = playground.ErrNotFound
	if strings.EqualFold(scheme, "Bearer") && strings.HasPrefix(token, web.AgentTokenPrefix) {
		workspace, err = s.Store.UseAgentToken(r.Context(), token, s.Now())
	}
	if !errors.Is(err, playground.ErrNotFound) {
		return workspace, err
	}
	if wait := s.Limiters.WrongLinks.Reserve(r.Visit.Address, s.Now()); wait > 0 {
		return "", app.TooMany(wait, "wrong_tokens",
			"Too many invalid tokens were sent from your address.", "Valid tokens still work.")
	}
	return "", app.Refuse(http.StatusUnauthorized, "token",
		"The token is unknown, has expired or was revoked.",
		"Make a new one at "+s.BaseURL+"/settings#agents, or send none: each result is a link then.")
}
