// A server with one tool that asks two questions. It needs Go 1.24 or later, the
// official SDK and the standard library. Save it as main.go in an empty folder:
//
//	go mod init deployer
//	go get github.com/modelcontextprotocol/go-sdk@v1.8.0
//	go mod tidy
//	go run . -addr 127.0.0.1:8080 -key "$(openssl rand -hex 32)"
package main

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type deployArgs struct {
	App string `json:"app" jsonschema:"what to deploy"`
}

// state is what the server has to remember after round 2. Pitfall: store only
// what the retry doesn't contain. The retry contains the arguments.
type state struct {
	When    string `json:"when"`
	Expires int64  `json:"expires"`
}

type server struct{ protect protection }

// deploy runs from the start in every round. Pitfall: have no side effects
// before the last answer. A retry may never come, or may come twice.
func (s server) deploy(_ context.Context, req *mcp.CallToolRequest,
	args deployArgs) (*mcp.CallToolResult, any, error) {
	kept, ok := s.open(req, args)
	if !ok { // Pitfall: the same words for every reason.
		return nil, nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams,
			Message: "requestState was not accepted"}
	}
	asked := kept.When != "" // the second question; before that, an answer to it is ignored
	if !asked {
		when, said := answer(req, "when")
		switch choice, _ := when["when"].(string); {
		case said == "decline" || said == "cancel":
			return text("Nothing was deployed: no time was chosen."), nil, nil
		case choice == "now" || choice == "tonight": // Pitfall: the SDK doesn't validate answers.
			kept.When = choice
		default:
			field := &jsonschema.Schema{Type: "string", Enum: []any{"now", "tonight"}}
			return ask(req, "when", "When?", "", field) // no state: nothing to remember
		}
	}
	sure, said := answer(req, "sure")
	yes, valid := sure["sure"].(bool)
	switch {
	// Pitfall: an answer that comes before its question is none.
	case !asked || said == "" || said == "accept" && !valid:
		field := &jsonschema.Schema{Type: "boolean", Title: "Yes, deploy"}
		question := fmt.Sprintf("Deploy %s %s?", args.App, kept.When)
		return ask(req, "sure", question, s.seal(req, args, kept), field)
	case said != "accept":
		return text("Nothing was deployed: it was not confirmed."), nil, nil
	case !yes: // Pitfall: accept is not yes. The box can be cleared.
		return text("Nothing was deployed: the box was not ticked."), nil, nil
	}
	return text(fmt.Sprintf("Deployed %s %s.", args.App, kept.When)), nil, nil
}

// answer returns the content and the action of an answer, or nothing.
func answer(req *mcp.CallToolRequest, key string) (map[string]any, string) {
	a, ok := req.Params.InputResponses[key].(*mcp.ElicitResult)
	if !ok {
		return nil, ""
	}
	return a.Content, a.Action
}

// ask ends the request with a question. Pitfall: ask only for what the request
// declared. The SDK doesn't check that. Pitfall: forms are flat. They have no
// nested objects, patterns or references.
func ask(req *mcp.CallToolRequest, key, message, state string,
	field *jsonschema.Schema) (*mcp.CallToolResult, any, error) {
	// An empty elicitation means forms only.
	c := req.ClientCapabilities()
	if c == nil || c.Elicitation == nil || c.Elicitation.Form == nil && c.Elicitation.URL != nil {
		return nil, nil, &jsonrpc.Error{
			Code: mcp.CodeMissingRequiredClientCapabilities, Message: "deploy asks with a form",
			Data: json.RawMessage(`{"requiredCapabilities":{"elicitation":{}}}`),
		}
	}
	question := &mcp.ElicitParams{Mode: "form", Message: message, RequestedSchema: &jsonschema.Schema{
		Type: "object", Properties: map[string]*jsonschema.Schema{key: field}, Required: []string{key}}}
	questions := mcp.InputRequestMap{key: question}
	return &mcp.CallToolResult{InputRequests: questions, RequestState: state}, nil, nil
}

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}

// about is a digest of what a state belongs to: the user and the call. Pitfall:
// not the token. A new token of the same user must be able to continue.
func about(req *mcp.CallToolRequest, args deployArgs) []byte {
	user := "" // anonymous
	if token := req.Extra.TokenInfo; token != nil {
		user = token.UserID // verified by RequireBearerToken
	}
	call, _ := json.Marshal([]any{user, req.Params.Name, args})
	sum := sha256.Sum256(call)
	return sum[:]
}

// Pitfall: without Strict, a change of unused bits goes undetected.
var b64 = base64.RawURLEncoding.Strict()

func (s server) seal(req *mcp.CallToolRequest, args deployArgs, kept state) string {
	kept.Expires = time.Now().Add(10 * time.Minute).Unix()
	claims, _ := json.Marshal(kept) // a string and a number always marshal
	return b64.EncodeToString(s.protect.Seal(nil, nil, claims, about(req, args)))
}

// open rejects a state that this server didn't make, that has expired, or that
// belongs to another call or user. Pitfall: trust nothing in it before that.
func (s server) open(req *mcp.CallToolRequest, args deployArgs) (kept state, ok bool) {
	if req.Params.RequestState == "" {
		return kept, true
	}
	claims, err := b64.DecodeString(req.Params.RequestState)
	if err == nil {
		claims, err = s.protect.Open(nil, nil, claims, about(req, args))
	}
	return kept, err == nil && json.Unmarshal(claims, &kept) == nil && time.Now().Unix() < kept.Expires
}

// protection is what a state needs of a cipher.AEAD.
type protection interface {
	Seal(dst, nonce, claims, about []byte) []byte
	Open(dst, nonce, data, about []byte) ([]byte, error)
}

// sealed returns AES-GCM: the client can't read the state.
func sealed(key string) protection {
	sum := sha256.Sum256([]byte(key)) // 32 bytes select AES-256
	block, _ := aes.NewCipher(sum[:]) // the length is right
	aead, _ := cipher.NewGCMWithRandomNonce(block)
	return aead
}

// signed is a key. It only signs: the client can read the claims. No secrets.
type signed string

func (p signed) Seal(_, _, claims, about []byte) []byte {
	return append(p.mac(claims, about), claims...)
}

func (p signed) Open(_, _, data, about []byte) ([]byte, error) {
	if len(data) < 32 || !hmac.Equal(data[:32], p.mac(data[32:], about)) {
		return nil, fmt.Errorf("not ours")
	}
	return data[32:], nil
}

func (p signed) mac(claims, about []byte) []byte {
	h := hmac.New(sha256.New, []byte(p))
	h.Write(about) // always 32 bytes, so no claims can pass for a part of it
	h.Write(claims)
	return h.Sum(nil)
}

// asked is a result that asks. Pitfall: the SDK's own adds "content": null, which
// only a final result has.
type asked struct {
	mcp.ResultBase
	ResultType    string              `json:"resultType"` // input_required
	InputRequests mcp.InputRequestMap `json:"inputRequests"`
	RequestState  string              `json:"requestState,omitempty"`
}

// onlyQuestions is a middleware, which runs around the handlers of the SDK. It
// sends asked in place of each result that asks.
func onlyQuestions(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		if r, ok := res.(*mcp.CallToolResult); err == nil && ok && r.InputRequests != nil {
			return &asked{ResultType: "input_required", InputRequests: r.InputRequests,
				RequestState: r.RequestState}, nil
		}
		return res, err
	}
}

// strict answers a request that has a fault of faultOf. Pitfall: go-sdk v1.8.0
// answers it in plain text or with another code. Clients go by the code: after
// plain text, they take the server for one of an older revision.
func strict(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			http.Error(w, "the body is too large", http.StatusRequestEntityTooLarge)
			return
		}
		id, fault := faultOf(r.Header.Get("Mcp-Protocol-Version"), body)
		if fault == nil || r.Method != http.MethodPost {
			r.Body = io.NopCloser(bytes.NewReader(body))
			next.ServeHTTP(w, r)
			return
		}
		response, _ := jsonrpc.EncodeMessage(&jsonrpc.Response{ID: id, Error: fault})
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write(response)
	})
}

// faultOf returns what is wrong with a request, and its id as far as it has one.
func faultOf(version string, body []byte) (id jsonrpc.ID, fault *jsonrpc.Error) {
	message, err := jsonrpc.DecodeMessage(body)
	req, ok := message.(*jsonrpc.Request)
	switch {
	case !json.Valid(body):
		return id, &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "the body is not JSON"}
	case err != nil || !ok:
		return id, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the body is not a request"}
	}
	var params mcp.CallToolParams
	malformed := json.Unmarshal(req.Params, &params) != nil && req.Method == "tools/call"
	supported := mcp.SupportedProtocolVersions()
	switch known := version == "" || slices.Contains(supported, version); {
	case !known && params.Meta["io.modelcontextprotocol/protocolVersion"] != version:
		fault = &jsonrpc.Error{Code: mcp.CodeHeaderMismatch, Message: "header and _meta differ"}
	case !known:
		fault = &jsonrpc.Error{Code: mcp.CodeUnsupportedProtocolVersion, Message: "unsupported version"}
		data := mcp.UnsupportedProtocolVersionData{Supported: supported, Requested: version}
		fault.Data, _ = json.Marshal(data) // strings always marshal
	case malformed: // for example, an answer that is not an object
		fault = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the params are malformed"}
	}
	return req.ID, fault
}

// signIn lets the users of tokens in. Pitfall: without WWW-Authenticate, a client
// can't know how to sign in. The SDK sends none with status 401.
func signIn(next http.Handler, verify auth.TokenVerifier) http.Handler {
	verified := auth.RequireBearerToken(verify, nil)(http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			w.Header().Del("WWW-Authenticate")
			next.ServeHTTP(w, r)
		}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		challenge := "Bearer"
		if r.Header.Get("Authorization") != "" {
			challenge = `Bearer error="invalid_token"`
		}
		w.Header().Set("WWW-Authenticate", challenge)
		verified.ServeHTTP(w, r)
	})
}

// verifier stands for your authorization server.
func verifier(users string) auth.TokenVerifier {
	return func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		for pair := range strings.SplitSeq(users, ",") {
			if user, ok := strings.CutPrefix(pair, token+"="); ok {
				return &auth.TokenInfo{UserID: user, Expiration: time.Now().Add(time.Hour)}, nil
			}
		}
		return nil, auth.ErrInvalidToken
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "where to listen")
	// Pitfall: all instances need the same key, also after a restart.
	key := flag.String("key", "", "secret of 32 characters or more, the same for all instances")
	sign := flag.Bool("sign", false, "sign the state instead of sealing it")
	users := flag.String("users", "", "TOKEN=USER,TOKEN=USER; empty: callers are anonymous")
	flag.Parse()
	if len(*key) < 32 {
		log.Fatal("-key: 32 characters or more")
	}
	deployer := server{map[bool]protection{false: sealed(*key), true: signed(*key)}[*sign]}
	s := mcp.NewServer(&mcp.Implementation{Name: "deployer", Version: "1.0.0"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "deploy", Description: "Deploys after two questions."}, deployer.deploy)
	s.AddReceivingMiddleware(onlyQuestions)
	// Pitfall: without Stateless, the SDK keeps sessions in one process.
	handler := strict(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true}))
	if *users != "" { // Pitfall: without it, a token is not verified.
		handler = signIn(handler, verifier(*users))
	}
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	log.Fatal(http.Serve(listener, handler))
}
