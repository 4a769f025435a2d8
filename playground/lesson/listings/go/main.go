// A server with one tool that asks two questions. It needs only the official
// SDK and the standard library:
//
//	go mod init deployer
//	go get github.com/modelcontextprotocol/go-sdk@v1.8.0
//	go mod tidy
//	go run . -addr 127.0.0.1:8080 -key "$(openssl rand -hex 32)"
//
// Known differences from the specification in this version of the SDK: it
// rejects an unsupported revision without the error -32022, and sends
// "content": null with a question.
package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type deployArgs struct {
	App string `json:"app" jsonschema:"what to deploy"`
}

// state is what the server has to remember after round 2. Pitfall: store only
// what the retry doesn't contain. The retry contains the arguments, so the
// state has only their digest.
type state struct {
	When    string `json:"when"`
	For     string `json:"for"` // digest of the call
	Expires int64  `json:"expires"`
}

type server struct{ key []byte }

// deploy runs from the start in every round. Pitfall: have no side effects
// before the last answer. A retry may never come, or may come twice.
func (s server) deploy(_ context.Context, req *mcp.CallToolRequest,
	args deployArgs) (*mcp.CallToolResult, any, error) {
	kept, err := s.open(req.Params.RequestState, args)
	if err != nil {
		return nil, nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams,
			Message: "requestState was not accepted"}
	}
	answers := req.Params.InputResponses
	if kept.When == "" {
		when, said := accepted(answers, "when")
		switch choice, _ := when["when"].(string); {
		case said == "decline" || said == "cancel":
			return text("Nothing was deployed: no time was chosen."), nil, nil
		case choice == "now" || choice == "tonight": // Pitfall: the SDK doesn't validate answers.
			kept.When = choice
		default:
			return ask(req, "when", "When?", "", choices("when", "now", "tonight"))
		}
	}
	sure, said := accepted(answers, "sure")
	switch {
	case said == "decline" || said == "cancel":
		return text("Nothing was deployed: it was not confirmed."), nil, nil
	case said == "":
		sealed := s.seal(kept, args)
		return ask(req, "sure", fmt.Sprintf("Deploy %s %s?", args.App, kept.When), sealed, yes("sure"))
	case sure["sure"] != true: // Pitfall: accept is not yes. The box can be cleared.
		return text("Nothing was deployed: the box was not ticked."), nil, nil
	}
	return text(fmt.Sprintf("Deployed %s %s.", args.App, kept.When)), nil, nil
}

// accepted returns the content and the action of the answer to a question. Both
// are empty if there is no answer.
func accepted(answers mcp.InputResponseMap, key string) (map[string]any, string) {
	a, ok := answers[key].(*mcp.ElicitResult)
	if !ok {
		return nil, ""
	}
	return a.Content, a.Action
}

// ask ends the request with a question. Pitfall: ask only for what the request
// declared. The SDK doesn't check that.
func ask(req *mcp.CallToolRequest, key, message, state string,
	schema *jsonschema.Schema) (*mcp.CallToolResult, any, error) {
	c := req.ClientCapabilities()
	if c == nil || c.Elicitation == nil {
		return nil, nil, &jsonrpc.Error{
			Code: mcp.CodeMissingRequiredClientCapabilities, Message: "deploy asks with a form",
			Data: json.RawMessage(`{"requiredCapabilities":{"elicitation":{}}}`),
		}
	}
	question := &mcp.ElicitParams{Mode: "form", Message: message, RequestedSchema: schema}
	return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{key: question},
		RequestState: state}, nil, nil
}

// choices returns a form with a list. Pitfall: forms are flat. They have no
// nested objects, patterns or references.
func choices(name string, values ...any) *jsonschema.Schema {
	return form(name, &jsonschema.Schema{Type: "string", Enum: values})
}

func yes(name string) *jsonschema.Schema {
	return form(name, &jsonschema.Schema{Type: "boolean", Title: "Yes, deploy"})
}

func form(name string, field *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{name: field},
		Required: []string{name}}
}

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}

// seal returns "claims.mac". A client can read it, so don't include secrets, or
// use AEAD. If the server has users, include their verified identity in the
// digest.
func (s server) seal(kept state, args deployArgs) string {
	kept.For, kept.Expires = digest(args), time.Now().Add(10*time.Minute).Unix()
	claims, _ := json.Marshal(kept) // two strings and a number always marshal
	body := base64.RawURLEncoding.EncodeToString(claims)
	return body + "." + base64.RawURLEncoding.EncodeToString(s.mac(body))
}

// open rejects a state that this server didn't sign, that has expired or that
// belongs to another call. Pitfall: trust nothing in a state before its MAC is
// verified. Strict decoding rejects changes to unused bits.
func (s server) open(text string, args deployArgs) (state, error) {
	if text == "" {
		return state{}, nil
	}
	var kept state
	body, mac, _ := strings.Cut(text, ".")
	sum, err := base64.RawURLEncoding.Strict().DecodeString(mac)
	if err != nil || !hmac.Equal(sum, s.mac(body)) {
		return state{}, errors.New("not ours")
	}
	claims, err := base64.RawURLEncoding.Strict().DecodeString(body)
	if err != nil || json.Unmarshal(claims, &kept) != nil {
		return state{}, errors.New("not ours")
	}
	if time.Now().Unix() >= kept.Expires || kept.For != digest(args) {
		return state{}, errors.New("too old, or of another call")
	}
	return kept, nil
}

func (s server) mac(body string) []byte {
	h := hmac.New(sha256.New, s.key)
	h.Write([]byte(body))
	return h.Sum(nil)
}

func digest(args deployArgs) string {
	call, _ := json.Marshal(args) // a struct of strings always marshals
	sum := sha256.Sum256(append([]byte("tools/call deploy "), call...))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "where to listen")
	// Pitfall: all instances need the same key, also after a restart.
	key := flag.String("key", "", "secret of 32 characters or more, the same for all instances")
	flag.Parse()
	if len(*key) < 32 {
		log.Fatal("-key: 32 characters or more")
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "deployer", Version: "1.0.0"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "deploy", Description: "Deploys an app after two questions."},
		server{[]byte(*key)}.deploy)
	// Pitfall: without Stateless, the SDK creates sessions that exist in one
	// process only.
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	log.Fatal(http.Serve(listener, handler))
}
