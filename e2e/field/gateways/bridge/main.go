// Command bridge is an MCP server on standard input that passes every message to a
// server with an address, and its messages back, byte for byte but for line breaks
// between members. It is for gateways that start their server as a command. It adds
// the header fields of MCP, so that nothing is learned about those of the gateway.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: bridge URL")
		os.Exit(2)
	}
	b := bridge{url: os.Args[1], open: map[string]context.CancelFunc{}, tools: map[string]json.RawMessage{}}
	if err := b.run(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// bridge is what is known between messages.
type bridge struct {
	url   string
	out   sync.Mutex // of standard output
	mu    sync.Mutex
	open  map[string]context.CancelFunc // by the id of a request
	tools map[string]json.RawMessage    // as the server lists them, for header fields of arguments
	wait  sync.WaitGroup
}

// message is what has to be known of a message.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result struct {
		Tools []json.RawMessage `json:"tools"`
	} `json:"result"`
}

// run passes messages on until standard input ends, and then closes what is open.
func (b *bridge) run(in io.Reader) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if body := bytes.TrimSpace(line); len(body) > 0 {
			b.take(body)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("read standard input: %w", err)
		}
	}
	b.mu.Lock()
	for _, cancel := range b.open {
		cancel()
	}
	b.mu.Unlock()
	b.wait.Wait()
	return nil
}

// take passes one message on. To cancel a request is to close its connection.
func (b *bridge) take(body []byte) {
	var m message
	if err := json.Unmarshal(body, &m); err != nil {
		b.print([]byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no JSON"}}`))
		return
	}
	if m.Method == playground.CancelledNotified {
		var p struct{ RequestID json.RawMessage }
		_ = json.Unmarshal(m.Params, &p)
		b.mu.Lock()
		if cancel := b.open[string(p.RequestID)]; cancel != nil {
			cancel()
		}
		b.mu.Unlock()
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	b.mu.Lock()
	b.open[string(m.ID)] = cancel
	b.mu.Unlock()
	b.wait.Go(func() {
		defer cancel()
		if err := b.send(ctx, m, body); err != nil && ctx.Err() == nil && m.ID != nil {
			text, _ := json.Marshal(err.Error())
			const format = `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":%s}}`
			b.print(fmt.Appendf(nil, format, m.ID, text))
		}
	})
}

// send sends a message and prints what comes back.
func (b *bridge) send(ctx context.Context, m message, body []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	for _, f := range b.header(m) {
		req.Header.Set(f.Name, f.Value)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		return b.stream(res.Body)
	}
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	var reply map[string]json.RawMessage
	switch {
	case json.Unmarshal(text, &reply) == nil && reply["jsonrpc"] != nil:
		b.pass(text)
	case res.StatusCode >= http.StatusBadRequest:
		return fmt.Errorf("HTTP status %d: %s", res.StatusCode, bytes.TrimSpace(text))
	}
	return nil
}

// stream prints the messages of an event stream as they come.
func (b *bridge) stream(body io.Reader) error {
	in := bufio.NewReader(body)
	var event []byte
	for {
		line, err := in.ReadBytes('\n')
		event = append(event, line...)
		if len(bytes.TrimSpace(line)) == 0 {
			if data, _, whole := wire.EventData(event); whole && len(data) > 0 {
				b.pass(data)
			}
			event = nil
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// header returns the header fields of a message (basic/transports/streamable-http, "Request
// Metadata").
func (b *bridge) header(m message) []wire.Field {
	fields := []wire.Field{
		{Name: "Content-Type", Value: "application/json"},
		{Name: "Accept", Value: "application/json, text/event-stream"},
		{Name: "Mcp-Method", Value: m.Method},
	}
	var params map[string]json.RawMessage
	_ = json.Unmarshal(m.Params, &params)
	text := func(raw json.RawMessage) (s string) {
		_ = json.Unmarshal(raw, &s)
		return s
	}
	var meta map[string]json.RawMessage
	_ = json.Unmarshal(params["_meta"], &meta)
	if v := text(meta["io.modelcontextprotocol/protocolVersion"]); v != "" {
		fields = append(fields, wire.Field{Name: "MCP-Protocol-Version", Value: v})
	}
	name := text(params[wire.NameMember(m.Method)])
	if name != "" {
		fields = append(fields, wire.Field{Name: "Mcp-Name", Value: wire.FieldValue(name)})
	}
	if m.Method == playground.ToolsCall {
		b.mu.Lock()
		defer b.mu.Unlock()
		fields = append(fields, playground.HeaderParams(b.tools[name], m.Params)...)
	}
	return fields
}

// pass prints a message of the server, and remembers the tools that it lists.
func (b *bridge) pass(text []byte) {
	var m message
	_ = json.Unmarshal(text, &m)
	b.mu.Lock()
	for _, tool := range m.Result.Tools {
		var t struct{ Name string }
		_ = json.Unmarshal(tool, &t)
		b.tools[t.Name] = tool
	}
	b.mu.Unlock()
	b.print(text)
}

// print prints a message as one line. A line break in JSON is only between members.
func (b *bridge) print(text []byte) {
	line := bytes.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return ' '
		}
		return r
	}, text)
	b.out.Lock()
	defer b.out.Unlock()
	_, _ = os.Stdout.Write(append(line, '\n')) // an error means that the gateway is gone
}
