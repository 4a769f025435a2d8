// A server on go-sdk with one tool that asks a question, behind tokens of an
// authorization server: its middleware checks the token, and each request needs
// the scope deploy:read.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

const metadataPath = "/.well-known/oauth-protected-resource/mcp"

func main() {
	issuer := flag.String("issuer", "", "the authorization server")
	flag.Parse()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	origin := "http://" + l.Addr().String()
	keys, err := keyfunc.NewDefault([]string{*issuer + "/jwks"})
	if err != nil {
		log.Fatal(err)
	}
	verify := verifier(keys, *issuer, origin+"/mcp")
	protect := auth.RequireBearerToken(verify, &auth.RequireBearerTokenOptions{
		ResourceMetadataURL: origin + metadataPath, Scopes: []string{"deploy:read"},
	})
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return newServer() },
		&mcp.StreamableHTTPOptions{Stateless: true})
	http.Handle("/mcp", protect(handler))
	http.Handle(metadataPath, auth.ProtectedResourceMetadataHandler(&oauthex.ProtectedResourceMetadata{
		Resource: origin + "/mcp", AuthorizationServers: []string{*issuer},
		ScopesSupported: []string{"deploy:read"},
	}))
	fmt.Printf("listening on %s/mcp\n", origin)
	log.Fatal(http.Serve(l, nil))
}

// verifier accepts tokens that the authorization server signed for this server.
func verifier(keys keyfunc.Keyfunc, issuer, audience string) auth.TokenVerifier {
	return func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		var claims struct {
			jwt.RegisteredClaims
			Scope string `json:"scope"`
		}
		_, err := jwt.ParseWithClaims(token, &claims, keys.Keyfunc, jwt.WithIssuer(issuer),
			jwt.WithAudience(audience), jwt.WithExpirationRequired())
		if err != nil {
			return nil, errors.Join(auth.ErrInvalidToken, err)
		}
		return &auth.TokenInfo{
			Scopes: strings.Fields(claims.Scope), Expiration: claims.ExpiresAt.Time, UserID: claims.Subject,
		}, nil
	}
}

func newServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "go-sdk-protected", Version: "1.0.0"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "deploy", Description: "Deploys after you confirmed it."}, deploy)
	return s
}

type arguments struct {
	Env string `json:"env"`
}

func deploy(_ context.Context, req *mcp.CallToolRequest, args arguments) (*mcp.CallToolResult, any, error) {
	user := req.Extra.TokenInfo.UserID
	answer, ok := req.Params.InputResponses["confirm"].(*mcp.ElicitResult)
	if !ok {
		question := &mcp.ElicitParams{
			Mode: "form", Message: "Deploy to " + args.Env + "?", RequestedSchema: &jsonschema.Schema{
				Type:       "object",
				Properties: map[string]*jsonschema.Schema{"ok": {Type: "boolean", Title: "Yes, deploy"}},
				Required:   []string{"ok"},
			},
		}
		return &mcp.CallToolResult{
			InputRequests: mcp.InputRequestMap{"confirm": question},
			RequestState:  "asked by " + time.Now().UTC().Format(time.RFC3339),
		}, nil, nil
	}
	done := fmt.Sprintf("%s deployed to %s: %v", user, args.Env, answer.Content["ok"])
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: done}}}, nil, nil
}
