package sampletools

import (
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An Identity is somebody the samples know by a bearer token.
type Identity struct {
	Principal string // as it stands in a state
	Name      string
	Bearer    string // empty for whoever shows none of the others
}

// Identities lists whom the samples know, so that a state can be seen to belong to somebody.
func Identities() []Identity {
	return []Identity{
		{"alice", "Alice", "demo-alice"},
		{"bob", "Bob", "demo-bob"},
		{"anonymous", "a guest", ""},
	}
}

// principal says who makes the request. Unknown bearers are nobody's; none is ever kept.
func principal(req mcp.Request) string {
	e := req.GetExtra()
	for _, id := range Identities() {
		if id.Bearer != "" && e != nil && e.Header.Get("Authorization") == "Bearer "+id.Bearer {
			return id.Principal
		}
	}
	return "anonymous"
}

// personName says who a principal is, to people.
func personName(principal string) string {
	all := Identities()
	i := slices.IndexFunc(all, func(id Identity) bool { return id.Principal == principal })
	if i < 0 {
		return "nobody"
	}
	return all[i].Name
}
