package sampletools

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// Hosts that are unused the longest make room for others and are closed, and so is the
// host of a flow that changes or ends.
func TestFlows_HostsAreBounded(t *testing.T) {
	keys := seal.Generate()
	texts := map[string]string{"a": "1", "b": "1", "c": "1"}
	limits := DefaultLimits()
	limits.Flows = 6
	catalog, err := New(Config{Keys: keys, Limits: limits,
		Flows: func(_ context.Context, token string) (FlowText, error) {
			if texts[token] == "" {
				return FlowText{}, ErrNoFlow
			}
			return FlowText{
				Digest: texts[token], Source: `{"flow":1,"name":"x","steps":[],"result":"r"}`,
			}, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	defer catalog.Close()
	request := func(token string, instances ...string) *host {
		for _, name := range instances {
			const body = `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{` +
				`"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
				`"io.modelcontextprotocol/clientCapabilities":{}}}}`
			r := httptest.NewRequest(http.MethodPost, "/mcp/flow/"+token+"?instances=a,b,c&next="+name,
				strings.NewReader(body))
			r.Header = http.Header{"Content-Type": {"application/json"}, "Mcp-Method": {"server/discover"},
				"Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": {serve.Revision}}
			w := httptest.NewRecorder()
			if catalog.ServeHTTP(w, r); w.Code != http.StatusOK && texts[token] != "" {
				t.Fatalf("%s: %d %s", token, w.Code, w.Body)
			}
		}
		h := catalog.flows.hosts[token]
		if h == nil {
			return nil
		}
		return h.host
	}
	call := func(token string) *host { return request(token, "a", "b", "c") }
	a, b := call("a"), call("b")
	if n := catalog.flows.running(); n != 6 || a.closing.Err() != nil {
		t.Fatalf("%d instances run", n)
	}
	c := call("c")
	if n := catalog.flows.running(); n != 6 || a.closing.Err() == nil || b.closing.Err() != nil || c == nil {
		t.Errorf("%d instances run", n)
	}
	if call("b") != b || c.closing.Err() != nil || catalog.flows.running() != 6 {
		t.Error("a host was closed without need")
	}
	texts["c"] = "2"
	if changed := call("c"); changed == c || c.closing.Err() == nil {
		t.Error("the host of a changed flow goes on")
	}
	delete(texts, "c")
	if call("c") != nil || catalog.flows.hosts["c"] != nil {
		t.Error("the host of a flow that has ended goes on")
	}
	for token := range strings.SplitSeq("d e f g h i j k", " ") {
		texts[token] = "1"
		request(token, "a")
	}
	if n := catalog.flows.running(); n > 6 {
		t.Errorf("%d hosts of one instance", n)
	}
}

// TestFlows_ManyInstancesEndNoOthers: an owner whose flows run many instances ends no
// session of a flow of another, who has few.
func TestFlows_ManyInstancesEndNoOthers(t *testing.T) {
	f := &flows{hosts: map[string]*flowHost{}}
	f.config.Limits.Flows = 3
	use := func(token, owner string) {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.hosts[token] == nil {
			f.hosts[token] = &flowHost{owner: owner}
		}
		f.use(f.hosts[token])
		f.trim()
	}
	use("other", "b")
	for range 3 {
		for _, token := range []string{"one", "two", "three", "four"} {
			use(token, "a")
		}
	}
	if f.hosts["other"] == nil {
		t.Error("the flow of another owner was ended")
	}
	if len(f.hosts) != 3 || f.hosts["three"] == nil || f.hosts["four"] == nil {
		t.Errorf("%d hosts are left, not those that were used last", len(f.hosts))
	}
}
