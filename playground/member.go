package playground

import "strings"

// The members of params that turn a request into a retry (basic/patterns/mrtr).
const (
	InputResponses = "inputResponses"
	RequestState   = "requestState"
)

var separators = strings.NewReplacer("_", "", "-", "")

// PlainName returns the name of a member without the parts that its
// misspellings change: capitals and separators.
func PlainName(name string) string { return strings.ToLower(separators.Replace(name)) }

// ChangesByRound reports whether a client may change a member of params from one request of
// a call to the next: _meta, and the answers and the state, however their names are
// misspelled.
func ChangesByRound(name string) bool {
	switch name {
	case "_meta", InputResponses, RequestState:
		return true
	}
	plain := PlainName(name)
	return plain == PlainName(InputResponses) || plain == PlainName(RequestState)
}
