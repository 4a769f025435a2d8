package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
)

// post sends one round: a request of its own, with the headers that say what is
// in it.
func post(url string, id int, params map[string]any) (*http.Response, error) {
	// [http]
	params["_meta"] = map[string]any{ // in every request
		"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
		"io.modelcontextprotocol/clientCapabilities": json.RawMessage(`{"elicitation":{}}`),
	}
	body, _ := json.Marshal(map[string]any{ // a new id, and the whole call
		"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
	return send(http.MethodPost, url, body, map[string]string{
		"Content-Type":         "application/json",
		"Accept":               "application/json, text/event-stream",
		"MCP-Protocol-Version": "2026-07-28", // as in _meta
		"Mcp-Method":           "tools/call", // as method
		"Mcp-Name":             "greet",      // as params.name
	})
	// [/http]
}

func send(method, url string, body []byte, headers map[string]string) (*http.Response, error) {
	r, err := http.NewRequest(method, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	return http.DefaultClient.Do(r)
}

// runClient calls greet, answers its question, and prints both results.
func runClient(url string) {
	params := map[string]any{"name": "greet", "arguments": none{}}
	show(post(url, 1, params))
	params["inputResponses"] = map[string]any{
		"name": map[string]any{"action": "accept", "content": map[string]any{"name": "Ada"}},
	}
	show(post(url, 2, params))
}

func show(response *http.Response, err error) {
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d %s\n", response.StatusCode, bytes.TrimSpace(body))
}
