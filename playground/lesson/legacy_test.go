package lesson_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// legacyCall is what a client of 2025-11-25 saw.
type legacyCall struct {
	answered int    // HTTP status of the last answer that was posted
	text     string // of the result; empty if the call was lost
}

// callLegacy makes a sample's own call as a client of 2025-11-25 does: a
// handshake, a session, and answers to requests on the open stream. It does not
// use the SDK, which hides these steps.
func (a *actor) callLegacy(rest string) {
	words := strings.Fields(rest)
	slug, _, _ := strings.Cut(words[0], "?")
	sample, ok := a.catalog.Lookup(slug)
	if !ok {
		a.Fatalf("%s: no sample %q", a.where, slug)
	}
	srv := httptest.NewServer(a.catalog)
	defer srv.Close()
	ctx, cancel := context.WithCancel(a.Context())
	defer cancel()
	c := legacyClient{a, ctx, srv.URL + "/mcp/" + words[0], "", nil}
	hello := c.post(`{"jsonrpc":"2.0","id":1,"method":"initialize",` +
		`"params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},` +
		`"clientInfo":{"name":"old","version":"1"}}}`)
	c.session = hello.Header.Get("Mcp-Session-Id")
	_, err := io.Copy(io.Discard, hello.Body) // the session begins with the answer
	a.must(err)
	c.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	c.more, a.header = a.header, nil
	a.legacy = c.call(sample.Start.Params, words[1:])
}

type legacyClient struct {
	*actor
	ctx          context.Context
	url, session string
	more         []wire.Field // of all requests
}

func (c legacyClient) post(body string) *http.Response {
	req, err := http.NewRequestWithContext(c.ctx, http.MethodPost, c.url, strings.NewReader(body))
	c.must(err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if c.session != "" {
		req.Header.Set("Mcp-Session-Id", c.session)
		req.Header.Set("Mcp-Protocol-Version", "2025-11-25")
	}
	for _, f := range c.more {
		req.Header.Set(f.Name, f.Value)
	}
	res, err := http.DefaultClient.Do(req)
	c.must(err)
	c.Cleanup(func() { res.Body.Close() })
	return res
}

// call reads the stream of the call and answers its questions. If an answer is
// rejected the call is lost; it then answers the waiting instance directly, so
// that no call stays open. Examples compare the last question and its answer.
func (c legacyClient) call(params json.RawMessage, answers []string) legacyCall {
	var seen legacyCall
	stream := c.post(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":` + string(params) + `}`)
	lines := bufio.NewReader(stream.Body)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return seen
		}
		c.must(err)
		data, ok := bytes.CutPrefix(line, []byte("data: "))
		if !ok {
			continue
		}
		m, err := jsontree.Parse(bytes.TrimSpace(data), jsontree.Limits{})
		if err != nil {
			continue
		}
		switch {
		case m.Get("method").Str() == "elicitation/create" && len(answers) > 0:
			_, content, _ := strings.Cut(answers[0], "=")
			answers = answers[1:]
			answer := `{"jsonrpc":"2.0","id":` + string(m.Get("id").Raw()) + `,` +
				`"result":{"action":"accept","content":` + content + `}}`
			c.got = m
			c.sent, err = jsontree.Parse([]byte(answer), jsontree.Limits{})
			c.must(err)
			if seen.answered = c.post(answer).StatusCode; seen.answered != http.StatusAccepted {
				c.url, _, _ = strings.Cut(c.url, "?")
				c.post(answer)
			}
		case m.Has("result"):
			seen.text = texts(m.Get("result"))
			return seen
		}
	}
}
