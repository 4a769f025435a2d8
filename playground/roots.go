package playground

import (
	"encoding/json"
	"fmt"
)

// MaxRootsAnswers is how many answers with the roots may wait for one server, which may ask
// again and again. Further requests for the roots get none.
const MaxRootsAnswers = 16

// RootsAnswer returns the response to a request for the roots; id is its exact text. If
// they were not declared it is an error. roots returns a JSON array; nil means none.
func RootsAnswer(id []byte, declared bool, roots func() json.RawMessage) []byte {
	switch {
	case !declared:
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":`+
			`"The client has not declared roots."}}`, id)
	case roots == nil:
		roots = func() json.RawMessage { return json.RawMessage("[]") }
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{"roots":%s}}`, id, roots())
}
