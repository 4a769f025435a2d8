package playground

import (
	"maps"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Channel finds the request that a line of a process on standard output belongs to: all
// lines share one channel (basic/transports/stdio, "Receiving Messages"). A response
// belongs to the request with its id. A notification belongs to the request that it
// names by progress token, subscription or id; a log message, which names none, to the
// only request in progress. Any other line belongs to no request.
//
// R is the type that the user of a Channel keeps for a request. A Channel is
// not safe for concurrent use.
type Channel[R comparable] struct {
	requests map[string]*asked[R] // by id
	tokens   map[string]*asked[R] // by progress token
	open     []*asked[R]          // that wait for their response
}

// asked is a request on a Channel.
type asked[R comparable] struct {
	r      R
	method string
	legacy bool
}

// NewChannel returns a Channel without requests.
func NewChannel[R comparable]() *Channel[R] {
	return &Channel[R]{requests: map[string]*asked[R]{}, tokens: map[string]*asked[R]{}}
}

// Ask adds a request whose response is to come. It is legacy if it belongs to
// the session of an earlier revision.
func (c *Channel[R]) Ask(message *jsontree.Node, r R, legacy bool) {
	q := &asked[R]{r: r, method: message.Get("method").Str(), legacy: legacy}
	c.requests[IDKey(message.Get("id"))] = q
	if token := message.At("params", "_meta", "progressToken"); token != nil {
		c.tokens[IDKey(token)] = q
	}
	c.open = append(c.open, q)
}

// AskUnknown adds a line that may be a request, or several: its ids are not known.
func (c *Channel[R]) AskUnknown(r R) { c.open = append(c.open, &asked[R]{r: r}) }

// IDKey returns a key that is the same for equal ids, or "" for none.
func IDKey(id *jsontree.Node) string {
	if id == nil {
		return ""
	}
	return string(jsontree.Canonical(id))
}

// Close reports whether a request waited for its response. It does so no more.
func (c *Channel[R]) Close(r R) bool {
	i := slices.IndexFunc(c.open, func(q *asked[R]) bool { return q.r == r })
	if i < 0 {
		return false
	}
	c.open = slices.Delete(c.open, i, i+1)
	return true
}

// Forget drops a request. What still comes for it belongs to no request.
func (c *Channel[R]) Forget(r R) {
	c.Close(r)
	isIt := func(_ string, q *asked[R]) bool { return q.r == r }
	maps.DeleteFunc(c.requests, isIt)
	maps.DeleteFunc(c.tokens, isIt)
}

// Open returns the requests that wait for their response, oldest first.
func (c *Channel[R]) Open() []R {
	list := make([]R, len(c.open))
	for i, q := range c.open {
		list[i] = q.r
	}
	return list
}

// Request returns the newest request with an id.
func (c *Channel[R]) Request(id *jsontree.Node) (r R, ok bool) {
	return c.requests[IDKey(id)].request()
}

func (q *asked[R]) request() (r R, ok bool) {
	if q == nil {
		return r, false
	}
	return q.r, true
}

// Owner returns the request that a message of the server belongs to.
func (c *Channel[R]) Owner(m *jsontree.Node) (r R, ok bool) { return c.owner(m).request() }

func (c *Channel[R]) owner(m *jsontree.Node) *asked[R] {
	params := m.Get("params")
	switch method := m.Get("method").Str(); {
	case m == nil || m.Kind != jsontree.Object:
		return nil
	case RPC{Node: m}.IsResponse():
		return c.requests[IDKey(m.Get("id"))]
	case method == "" || m.Has("id"):
		return nil
	case method == ProgressNotified:
		return c.tokens[IDKey(params.Get("progressToken"))]
	case method == CancelledNotified:
		return c.modern(params.Get("requestId"))
	case method == MessageNotified:
		if q := c.only(); q != nil && !q.legacy {
			return q
		}
		return nil
	default:
		return c.modern(params.At("_meta", "io.modelcontextprotocol/subscriptionId"))
	}
}

// modern returns the request of this revision with an id, or nil.
func (c *Channel[R]) modern(id *jsontree.Node) *asked[R] {
	if q := c.requests[IDKey(id)]; q != nil && !q.legacy {
		return q
	}
	return nil
}

// Only returns the only request in progress. A subscription does not count.
func (c *Channel[R]) Only() (r R, ok bool) { return c.only().request() }

func (c *Channel[R]) only() *asked[R] {
	var found *asked[R]
	for _, q := range c.open {
		switch {
		case q.method == Listen:
		case found != nil:
			return nil
		default:
			found = q
		}
	}
	return found
}
