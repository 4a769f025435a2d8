// A server with one tool that asks two questions. Only the official SDK and the
// standard library; start it with: go run . -addr 127.0.0.1:8080 -key SECRET
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

// state is what round 2 must not forget. Trap: only what nobody sends again.
// The arguments come with every retry; it carries a digest of them, no copy.
type state struct {
	When    string `json:"when"`
	For     string `json:"for"` // digest of the call
	Expires int64  `json:"expires"`
}

type server struct{ key []byte }

// deploy runs from the top in every round. Trap: no side effect before the last
// answer is there, because nobody promises that a retry comes, or comes once.
func (s server) deploy(_ context.Context, req *mcp.CallToolRequest, args deployArgs) (*mcp.CallToolResult, any, error) {
	kept, err := s.open(req.Params.RequestState, args)
	if err != nil {
		return nil, nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "requestState was not accepted"}
	}
	answers := req.Params.InputResponses
	if kept.When == "" {
		when, said := accepted(answers, "when")
		switch choice, _ := when["when"].(string); {
		case said == "decline" || said == "cancel":
			return text("Nothing was deployed: no time was chosen."), nil, nil
		case choice == "now" || choice == "tonight": // Trap: nobody checked the answer before you.
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
	case sure["sure"] != true: // Trap: accept is not yes. The box may be empty.
		return text("Nothing was deployed: the box was not ticked."), nil, nil
	}
	return text(fmt.Sprintf("Deployed %s %s.", args.App, kept.When)), nil, nil
}

// accepted is the content under a key, and the action; empty when there is none.
func accepted(answers mcp.InputResponseMap, key string) (map[string]any, string) {
	a, ok := answers[key].(*mcp.ElicitResult)
	if !ok {
		return nil, ""
	}
	return a.Content, a.Action
}

// ask ends the request with a question. Trap: ask only for what was declared.
// The SDK does not check that for you.
func ask(req *mcp.CallToolRequest, key, message, state string, schema *jsonschema.Schema) (*mcp.CallToolResult, any, error) {
	c := req.ClientCapabilities()
	if c == nil || c.Elicitation == nil {
		return nil, nil, &jsonrpc.Error{
			Code: mcp.CodeMissingRequiredClientCapabilities, Message: "deploy asks with a form",
			Data: json.RawMessage(`{"requiredCapabilities":{"elicitation":{}}}`),
		}
	}
	question := &mcp.ElicitParams{Mode: "form", Message: message, RequestedSchema: schema}
	return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{key: question}, RequestState: state}, nil, nil
}

// Trap: forms are flat. No objects in objects, no patterns, no references.
func choices(name string, values ...any) *jsonschema.Schema {
	return form(name, &jsonschema.Schema{Type: "string", Enum: values})
}

func yes(name string) *jsonschema.Schema {
	return form(name, &jsonschema.Schema{Type: "boolean", Title: "Yes, deploy"})
}

func form(name string, field *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{name: field}, Required: []string{name}}
}

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}

// seal writes "claims.mac". It is readable: put no secrets inside, or use AEAD.
// With users, their verified identity belongs in the digest too.
func (s server) seal(kept state, args deployArgs) string {
	kept.For, kept.Expires = digest(args), time.Now().Add(10*time.Minute).Unix()
	claims, _ := json.Marshal(kept) // two strings and a number always marshal
	body := base64.RawURLEncoding.EncodeToString(claims)
	return body + "." + base64.RawURLEncoding.EncodeToString(s.mac(body))
}

// open refuses a state that is not ours, too old, or of another call. Trap: a
// state that comes back is an attacker's until its MAC says otherwise.
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
	// Trap: all instances need the same key, and so does the next process.
	key := flag.String("key", "", "secret of 32 characters or more, the same for all instances")
	flag.Parse()
	if len(*key) < 32 {
		log.Fatal("-key: 32 characters or more")
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "deployer", Version: "1.0.0"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "deploy", Description: "Deploys an app after two questions."}, server{[]byte(*key)}.deploy)
	// Trap: Stateless, or the SDK gives out sessions that live in one process.
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	log.Fatal(http.Serve(listener, handler))
}
