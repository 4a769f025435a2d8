package sampletools

import (
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
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
	{"anonymous", "a guest", ""},
}

// principal returns the principal of a request, "anonymous" if its bearer is
// unknown. The bearer itself is never stored.
func principal(req mcp.Request) string {
	e := req.GetExtra()
	for _, id := range identities {
		if id.Bearer != "" && e != nil && e.Header.Get("Authorization") == "Bearer "+id.Bearer {
			return id.Principal
		}
	}
	return "anonymous"
}

// personName returns the display name of a principal.
func personName(principal string) string {
	i := slices.IndexFunc(identities, func(id Identity) bool { return id.Principal == principal })
	if i < 0 {
		return "an unknown user"
	}
	return identities[i].Name
}
