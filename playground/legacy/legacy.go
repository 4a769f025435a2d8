// Package legacy holds sessions with servers from before 2026-07-28, on the
// official SDK's client: handshake, session id, the stream beside the calls and
// its resumption are the SDK's. Every byte goes through package wire, so it is
// recorded as it came and bounded as everywhere.
//
// What a server asks by a request of its own never reaches the SDK: the question
// is taken off the stream, kept as it came, and answered byte for byte with what
// the user decided. The package decides nothing and keeps no record itself.
package legacy

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Limits are what a call that stays open needs: people think while it waits.
func Limits() wire.Limits {
	const open = 10 * time.Minute
	return wire.Limits{Total: open, FirstByte: open, Idle: open}
}

// Sender sends one request and hands over the parts of the answer.
type Sender interface {
	Send(ctx context.Context, url string, f wire.Frame, record func(wire.Part) error) wire.Timing
}

// Recorder stores a request before it leaves, and returns what stores the parts
// of its answer. An error of either ends the request.
type Recorder func(f wire.Frame) (func(wire.Part) error, error)

// Config is what a Session needs.
type Config struct {
	Target playground.Target
	Client playground.Client
	Short  Sender // of what a server answers at once
	Open   Sender // of calls, and of the stream beside them
	Record Recorder
}

// Session is a session with one server.
type Session struct {
	client *mcp.ClientSession
	tap    *tap
}

// Open shakes hands with the newest of the older revisions that is spoken here.
// When it fails, the record says why.
func Open(ctx context.Context, c Config) (*Session, error) {
	capabilities, err := declared(c.Target.Capabilities)
	if err != nil {
		return nil, err
	}
	t := newTap(c)
	client := mcp.NewClient(&mcp.Implementation{Name: c.Client.Name, Version: c.Client.Version}, &mcp.ClientOptions{
		Capabilities:   capabilities,
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
	})
	transport := &mcp.StreamableClientTransport{
		Endpoint: c.Target.URL,
		HTTPClient: &http.Client{
			Transport:     t,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	session, err := client.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: playground.LegacyVersions()[0]})
	if err != nil {
		t.close()
		return nil, fmt.Errorf("open session: %w", err)
	}
	return &Session{session, t}, nil
}

// declared are the capabilities that the user declares, in the SDK's terms.
func declared(raw json.RawMessage) (*mcp.ClientCapabilities, error) {
	var capabilities mcp.ClientCapabilities
	var also struct {
		Roots *mcp.RootCapabilities `json:"roots"` // the SDK writes this one, and reads another
	}
	for _, into := range []any{&capabilities, &also} {
		if err := json.Unmarshal(orEmpty(raw), into); err != nil {
			return nil, fmt.Errorf("read declared capabilities: %w", err)
		}
	}
	capabilities.RootsV2 = also.Roots
	capabilities.Extensions = nil // they came with 2026-07-28
	return &capabilities, nil
}

func orEmpty(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("{}")
	}
	return raw
}

// List asks for one page of a list; what it says is in the record.
func (s *Session) List(ctx context.Context, method, cursor string) error {
	var err error
	switch method {
	case "tools/list":
		_, err = s.client.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
	case "prompts/list":
		_, err = s.client.ListPrompts(ctx, &mcp.ListPromptsParams{Cursor: cursor})
	case "resources/list":
		_, err = s.client.ListResources(ctx, &mcp.ListResourcesParams{Cursor: cursor})
	case "resources/templates/list":
		_, err = s.client.ListResourceTemplates(ctx, &mcp.ListResourceTemplatesParams{Cursor: cursor})
	}
	return err
}

// Call makes the call and returns when it has ended, or ctx has. The server is
// told of a call that is given up.
func (s *Session) Call(ctx context.Context, call playground.Call) error {
	done := make(chan error, 1)
	// Not with ctx: giving up is ours, because the SDK would tell the server
	// only after its session is closed, for which the server waits.
	inner, abandon := context.WithCancel(context.WithoutCancel(ctx))
	defer abandon()
	s.tap.wg.Go(func() { done <- s.call(inner, call) })
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		s.tap.giveUp()
		return context.Cause(ctx)
	}
}

func (s *Session) call(ctx context.Context, call playground.Call) error {
	var err error
	switch call.Method {
	case playground.PromptsGet:
		params := &mcp.GetPromptParams{}
		if err = json.Unmarshal(call.Params, params); err == nil {
			params.SetProgressToken(progressToken)
			_, err = s.client.GetPrompt(ctx, params)
		}
	case playground.ResourcesRead:
		params := &mcp.ReadResourceParams{}
		if err = json.Unmarshal(call.Params, params); err == nil {
			params.SetProgressToken(progressToken)
			_, err = s.client.ReadResource(ctx, params)
		}
	default:
		err = s.callTool(ctx, call.Params)
	}
	return err
}

// progressToken of the one call of a session.
const progressToken = "call"

// callTool leaves the arguments in the text in which they are.
func (s *Session) callTool(ctx context.Context, raw json.RawMessage) error {
	var call struct {
		Meta      mcp.Meta        `json:"_meta"`
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if err := json.Unmarshal(raw, &call); err != nil {
		return fmt.Errorf("read params: %w", err)
	}
	params := &mcp.CallToolParams{Meta: call.Meta, Name: call.Name, Arguments: orEmpty(call.Arguments)}
	params.SetProgressToken(progressToken)
	_, err := s.client.CallTool(ctx, params)
	return err
}

// Close ends the session, at the server too, and waits until nothing of it is
// left running.
func (s *Session) Close() {
	_ = s.client.Close() // the record has what went wrong
	s.tap.close()
}
