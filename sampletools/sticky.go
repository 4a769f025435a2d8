package sampletools

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/sampletools/cluster"
)

var errNoSession = errors.New("session not found: the instance that held it is gone")

// pick returns the instance that holds the session of a legacy request (sticky
// routing), and leaves every other request to the balancer. A sample of the
// legacy era begins every session on its first live instance: next sends answers
// to another one, where they are always lost.
func (h *host) pick(t cluster.Topology, r *http.Request) (cluster.Instance, error) {
	name, _, ok := strings.Cut(r.Header.Get("Mcp-Session-Id"), ".")
	if !ok {
		if h.Era == Legacy {
			t.Next = t.FirstLive()
		}
		return h.balancer.Pick(t)
	}
	if h.Era == Legacy && t.Next != "" && isAnswer(r) {
		return h.balancer.Pick(t)
	}
	c, ok := t.Find(name)
	if !ok || c.Health == cluster.Dead {
		return c, errNoSession
	}
	return c, nil
}

// isAnswer reports whether the request is the answer to a server-initiated
// request. The body can be read again afterwards.
func isAnswer(r *http.Request) bool {
	body, err := io.ReadAll(r.Body)
	r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), errorReader{err}))
	var m struct {
		Method string          `json:"method"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	return err == nil && json.Unmarshal(body, &m) == nil && m.Method == "" &&
		(m.Result != nil || m.Error != nil)
}

// errorReader returns the error that ended the body, or io.EOF.
type errorReader struct{ err error }

func (f errorReader) Read([]byte) (int, error) { return 0, cmp.Or(f.err, io.EOF) }
