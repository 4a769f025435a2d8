package sampletools

import (
	"net/http"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// Identity is a demo user that the samples recognize by a bearer token.
type Identity struct {
	Principal string // as the state contains it
	Name      string
	Bearer    string // empty for requests without a known bearer
}

// Identities returns the users that the samples know. They exist so that a
// state can be seen to belong to one user.
func Identities() []Identity { return slices.Clone(identities) }

var identities = []Identity{
	{"alice", "Alice", "demo-alice"},
	{"bob", "Bob", "demo-bob"},
	{serve.Anonymous, "a guest", ""},
}

// identify returns the principal that the header Authorization names, or that
// of the access token that a guard has admitted. It
// reports false if the header has anything but the token of a demo user.
func identify(header http.Header) (string, bool) {
	if user := header.Get(userHeader); user != "" {
		return user, true
	}
	values := header.Values("Authorization")
	if len(values) == 0 {
		return serve.Anonymous, true
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if len(values) == 1 && strings.EqualFold(scheme, "Bearer") {
		for _, id := range identities {
			if id.Bearer != "" && id.Bearer == strings.TrimLeft(token, " ") {
				return id.Principal, true
			}
		}
	}
	return serve.Anonymous, false
}

// checkToken refuses a request with an access token that the sample does not
// know (basic/authorization, "Token Handling"; RFC 6750, section 3). A sample
// with a handler of its own has no users and ignores the header.
func (h *host) checkToken(w http.ResponseWriter, r *http.Request) bool {
	if h.guard != nil {
		return h.guard.admit(w, r)
	}
	if h.handler != nil {
		return true
	}
	if _, known := identify(r.Header); known {
		return true
	}
	w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token", `+
		`error_description="The samples know the tokens demo-alice and demo-bob only"`)
	serve.RefuseUnread(w, r, http.StatusUnauthorized,
		"unknown access token: the samples know demo-alice and demo-bob, and a guest sends none")
	return false
}

// personName returns the display name of a principal.
func personName(principal string) string {
	i := slices.IndexFunc(identities, func(id Identity) bool { return id.Principal == principal })
	if i < 0 {
		return "an unknown user"
	}
	return identities[i].Name
}
