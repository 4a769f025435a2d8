package main

import (
	"net/http"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// Every request of a sign-in to our own protected sample stays in this process:
// a public program need not reach itself by its public name.
func TestDialSamples_ReachesTheAuthorizationServer(t *testing.T) {
	const base = "https://playground.example"
	keys := seal.Generate()
	catalog, err := sampletools.New(sampletools.Config{Keys: keys, BaseURL: base, Shared: true})
	if err != nil {
		t.Fatal(err)
	}
	defer catalog.Close()
	a := &service{memory: wire.NewListener("samples"), samples: catalog}
	inside := newServer(a.samples, defaultRequestLimits())
	go func() { _ = inside.Serve(a.memory) }()
	defer inside.Close()
	sender := wire.New(wire.Config{Reach: wire.PublicOnly(), InMemory: a.dialSamples(base)})
	for _, tt := range []struct {
		method, path, kind, body string
		status                   int
	}{
		{http.MethodGet, "/.well-known/oauth-protected-resource/mcp/protected", "", "", http.StatusOK},
		{http.MethodGet, "/.well-known/oauth-authorization-server/samples/authorization", "", "",
			http.StatusOK},
		{http.MethodGet, "/.well-known/openid-configuration/samples/authorization", "", "", http.StatusOK},
		{http.MethodPost, "/samples/authorization/register", "application/json",
			`{"redirect_uris":["https://playground.example/oauth/callback"]}`, http.StatusCreated},
		{http.MethodPost, "/samples/authorization/token", "application/x-www-form-urlencoded", "",
			http.StatusBadRequest},
		{http.MethodPost, "/samples/authorization/revoke", "application/x-www-form-urlencoded", "",
			http.StatusBadRequest},
		{http.MethodPost, "/mcp/protected", "application/json", `{}`, http.StatusUnauthorized},
	} {
		frame, err := wire.EncodePlain(tt.method, base+tt.path,
			[]wire.Field{{Name: "Content-Type", Value: tt.kind}}, []byte(tt.body))
		if err != nil {
			t.Fatal(err)
		}
		status := 0
		sender.Send(t.Context(), base+tt.path, frame, func(p wire.Part) error {
			switch {
			case p.Failure != nil:
				t.Errorf("%s: %s", tt.path, p.Failure.Detail)
			case p.Kind == wire.Received:
				head, err := wire.ParseHead(wire.Split(p.Bytes).Head)
				status = head.Status
				return err
			}
			return nil
		})
		if status != tt.status {
			t.Errorf("%s %s: status %d, want %d", tt.method, tt.path, status, tt.status)
		}
	}
}
