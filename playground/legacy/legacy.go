// Package legacy keeps sessions with servers of revisions before 2026-07-28.
// The official SDK's client does the handshake, the session id, the standalone
// stream and its resumption. Every byte goes through package wire, which
// records and bounds it.
//
// Requests of the server never reach the SDK, apart from ping: a question is
// removed from the stream and recorded, and Answer sends the user's answer byte
// for byte. The SDK would encode the answer by itself. The package decides
// nothing and keeps no record. A session is memory of this process: when the
// process ends, an open call is interrupted and cannot be continued.
//
// A server on standard input has no HTTP: a POST of the SDK is sent as a line,
// and the lines that come back are events to it (see line.go).
package legacy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Limits returns the limits of a call that stays open while the user answers
// questions.
func Limits() wire.Limits {
	const open = 10 * time.Minute
	return wire.Limits{Total: open, FirstByte: open, Idle: open}
}

// Sender sends one request and passes the parts of the response to record.
type Sender interface {
	Send(ctx context.Context, url string, f wire.Frame, record func(wire.Part) error) wire.Timing
}

// trusting is a Sender that accepts the certificate that the user trusts, also
// in contexts that the SDK makes.
type trusting struct {
	Sender
	trust wire.Trust
}

func (s trusting) Send(
	ctx context.Context, url string, f wire.Frame, record func(wire.Part) error,
) wire.Timing {
	return s.Sender.Send(wire.WithTrust(ctx, s.trust), url, f, record)
}

// brief is a Sender that ends each request after a time, which begins when the request
// is on record.
type brief struct {
	Sender
	most time.Duration
}

func (s brief) Send(
	ctx context.Context, url string, f wire.Frame, record func(wire.Part) error,
) wire.Timing {
	ctx, cancel := context.WithTimeout(ctx, s.most)
	defer cancel()
	return s.Sender.Send(ctx, url, f, record)
}

// Recorder stores a request before it is sent, and returns a function that
// stores the parts of its response. An error of either ends the request. It may wait
// for the storage.
type Recorder func(f wire.Frame) (func(wire.Part) error, error)

// Config configures a Session.
type Config struct {
	Target playground.Target
	Client playground.Client
	Short  Sender // for messages to which the server responds at once
	Open   Sender // for calls and for the standalone stream
	Record Recorder

	// Interval is the longest time between two polls of a task; 0 means any. A call
	// whose task asks for more ends with a *RareError.
	Interval time.Duration

	// Roots returns the roots of the user, a JSON array. They answer a server that asks on
	// the stream that belongs to no call. Nil means none.
	Roots func() json.RawMessage
}

// Session is a session with one server.
type Session struct {
	client   *mcp.ClientSession
	tap      *tap
	requests int // about a task, so far
}

// RareError ends a call whose server asks for more time between two polls of its
// task than the Config allows. The task goes on: see CancelTask.
type RareError struct{ Asked time.Duration }

func (e *RareError) Error() string {
	return fmt.Sprintf("the server asks for %s between two polls of the task", e.Asked)
}

// ErrAnswered is the cause to cancel a call with whose response is in the
// record, although the SDK still waits for it. The server is not notified:
// nothing of it is in progress.
var ErrAnswered = errors.New("the call has its response")

// Open initializes a session with the newest legacy revision. If it fails, the
// record has the cause.
func Open(ctx context.Context, c Config) (*Session, error) {
	capabilities, err := declared(c.Target.Capabilities)
	if err != nil {
		return nil, err
	}
	c.Short, c.Open = trusting{c.Short, c.Target.Trust}, trusting{c.Open, c.Target.Trust}
	t := newTap(c)
	me := &mcp.Implementation{Name: c.Client.Name, Version: c.Client.Version}
	client := mcp.NewClient(me, &mcp.ClientOptions{
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
	options := &mcp.ClientSessionOptions{ProtocolVersion: playground.LegacyVersions()[0]}
	session, err := client.Connect(ctx, transport, options)
	if err != nil {
		t.close()
		return nil, fmt.Errorf("open session: %w", err)
	}
	return &Session{client: session, tap: t}, nil
}

// declared returns the capabilities of the user as the SDK's type.
func declared(raw json.RawMessage) (*mcp.ClientCapabilities, error) {
	var capabilities mcp.ClientCapabilities
	var also struct {
		Roots *mcp.RootCapabilities `json:"roots"` // the SDK writes this field and reads another
	}
	for _, into := range []any{&capabilities, &also} {
		if err := json.Unmarshal(orEmpty(raw), into); err != nil {
			return nil, fmt.Errorf("read declared capabilities: %w", err)
		}
	}
	capabilities.RootsV2 = also.Roots
	capabilities.Extensions = nil // not in legacy revisions
	return &capabilities, nil
}

func orEmpty(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("{}")
	}
	return raw
}

// List requests one page of a list. The result is in the record.
func (s *Session) List(ctx context.Context, method, cursor string) error {
	var err error
	switch method {
	case playground.ToolsList:
		_, err = s.client.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
	case playground.PromptsList:
		_, err = s.client.ListPrompts(ctx, &mcp.ListPromptsParams{Cursor: cursor})
	case playground.ResourcesList:
		_, err = s.client.ListResources(ctx, &mcp.ListResourcesParams{Cursor: cursor})
	case playground.TemplatesList:
		_, err = s.client.ListResourceTemplates(ctx, &mcp.ListResourceTemplatesParams{Cursor: cursor})
	}
	return err
}

// Call makes the call and returns when it or ctx ends. If ctx ends while the
// call is in progress, the server is notified with the cause of ctx as the
// reason; a task is cancelled instead.
func (s *Session) Call(ctx context.Context, call playground.Call) error {
	done := make(chan error, 1)
	// Not with ctx: the SDK would notify the server only after closing its
	// session, for which the server waits.
	inner, abandon := context.WithCancel(context.WithoutCancel(ctx))
	defer abandon()
	ended := make(chan struct{})
	s.tap.wg.Go(func() {
		defer close(ended)
		err := s.call(inner, call)
		if task := s.tap.callTask(); task != nil {
			err = s.follow(inner, task)
		}
		done <- err
	})
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	cause := context.Cause(ctx)
	task := s.tap.callTask()
	switch {
	case errors.Is(cause, ErrAnswered), task == nil && s.tap.isAnswered():
		s.tap.disconnectCall()
	case task != nil:
		abandon()
		<-ended
		s.cancelTask(task)
	default:
		s.tap.cancelCall(cause.Error())
	}
	return cause
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
		s.tap.requireTask(requiresTask(call.Tool))
		err = s.callTool(ctx, call.Params)
	}
	return err
}

// progressToken is the progress token of the one call of a session.
const progressToken = "call"

// callTool sends the arguments in their exact text.
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

// Close ends the session, on the server too, and waits until nothing of it is
// running.
func (s *Session) Close() {
	_ = s.client.Close() // the record has the cause of an error
	s.tap.close()
}
