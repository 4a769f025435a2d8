// Package auth signs in to protected MCP servers (basic/authorization): from a
// server's challenge to an access token, and on to refreshing and revoking it.
//
// A sign-in is spread over several web requests, because the user leaves for
// the authorization server in between. Its state is a SignIn, which must be
// stored after every step: any process then takes the next one. Every message
// is recorded as events, with secrets masked, and every step has its findings.
// A fault of a remote server is content: a Fault, never an error of Go.
//
// A Registration belongs to one issuer and must not be used with another one,
// which would get its secret. A refresh token must not be used by two requests
// at the same time: a server takes that for theft and revokes everything. So
// the caller must hold a lock for the token, across processes.
package auth

import (
	"context"
	"crypto"
	"time"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Sender sends one request and passes each part of the response to record, as
// *wire.Client does.
type Sender interface {
	Send(ctx context.Context, url string, f wire.Frame, record func(wire.Part) error) wire.Timing
}

// Client is this program as an OAuth client. Sender, Redirect and Now are
// required.
type Client struct {
	Sender Sender
	Name   string // shown by authorization servers
	// Redirect is the absolute URL that the browser comes back to. Below it each
	// authorization server has one of its own, RedirectOf.
	Redirect string
	// Document returns the client ID metadata document for an authorization
	// server: its https URL, and whether its redirect URI is that of this server
	// alone. It is nil if no authorization server can reach one.
	Document func(issuer string) (address string, own bool)
	// Ticket begins the state of a sign-in, so that the return of the browser
	// names its sign-in. It may be empty.
	Ticket string
	// Offline asks for refresh tokens.
	Offline bool
	// Strict refuses endpoints that are neither https nor on this machine. If it
	// is false they are used with a warning.
	Strict bool
	Now    func() time.Time
}

// Registration is how an authorization server knows the client. It belongs to
// that server alone (basic/authorization/client-registration, "Authorization
// Server Binding").
type Registration struct {
	Kind   RegistrationKind `json:"kind"`
	Issuer string           `json:"issuer"` // of the authorization server; empty if the user did not say
	ID     string           `json:"id"`
	Secret string           `json:"secret,omitempty"`
	// Method is the authentication at the token endpoint: none,
	// client_secret_basic, client_secret_post or private_key_jwt. It is empty to
	// choose by the server's metadata.
	Method string `json:"method,omitempty"`
	// Own means that the client is registered with RedirectOf the issuer, and not
	// with the redirect URI that all authorization servers share.
	Own bool `json:"own_redirect,omitempty"`
	// Expires is when the secret expires; zero if it does not.
	Expires time.Time `json:"expires,omitzero"`
	// Key signs the assertions of private_key_jwt. It is never stored.
	Key crypto.Signer `json:"-"`
}

// RegistrationKind is the origin of a Registration.
type RegistrationKind string

// The kinds of registration, in the order in which they are preferred
// (basic/authorization/client-registration).
const (
	Preregistered    RegistrationKind = "preregistered"
	MetadataDocument RegistrationKind = "metadata_document"
	Dynamic          RegistrationKind = "dynamic"
)

// Stage is how far a SignIn is.
type Stage string

// The stages of a sign-in.
const (
	// Discovering is the stage before the browser can leave. A stored SignIn in
	// this stage was cut off.
	Discovering Stage = "discovering"
	// NeedsClient is for an authorization server that knows no way to register:
	// the user has to enter a client ID.
	NeedsClient Stage = "needs_client"
	// Ready is when the browser can leave for Authorize.
	Ready Stage = "ready"
	// Exchanging is from the return of the browser to the token.
	Exchanging Stage = "exchanging"
	Done       Stage = "done"
	Refused    Stage = "refused" // with a Fault that says why
)

// SignIn is one sign-in, as far as it is known. It has no secrets; they are in
// Private.
type SignIn struct {
	Server    string    `json:"server"` // URL of the MCP server
	Challenge Challenge `json:"challenge"`
	Stage     Stage     `json:"stage"`
	Steps     []Step    `json:"steps"`
	Log       Log       `json:"log"`

	Resource string                 `json:"resource,omitempty"` // value of the parameter resource
	Issuer   string                 `json:"issuer,omitempty"`
	Old      bool                   `json:"old,omitempty"` // by the rules of 2025-03-26
	Metadata oauthex.AuthServerMeta `json:"metadata"`
	Client   Registration           `json:"client"` // without its secret
	Scopes   []string               `json:"scopes,omitempty"`

	Supported []string `json:"supported,omitempty"` // scopes of the resource's metadata
	Before    []string `json:"before,omitempty"`    // scopes requested before

	// Deviations are those that the user chose for this sign-in.
	Deviations []playground.Deviation `json:"deviations,omitempty"`

	// Authorize is where the browser goes, with a code challenge and a state.
	Authorize string `json:"authorize,omitempty"`

	Private Private `json:"-"`
}

// Private has the parts of a SignIn that must be kept secret.
type Private struct {
	State    string `json:"state"`    // binds the return to the browser that left
	Verifier string `json:"verifier"` // PKCE (RFC 7636)
	Secret   string `json:"secret,omitempty"`

	key crypto.Signer
}

// Log is the record of the messages, one connection for each request.
type Log []playground.Event

// Purpose is the purpose of a Step.
type Purpose string

// The purposes of steps, in the order in which they occur.
const (
	Challenged    Purpose = "challenge"
	AskResource   Purpose = "resource_metadata"
	AskServer     Purpose = "server_metadata"
	Register      Purpose = "registration"
	Leave         Purpose = "authorization" // the browser goes to the authorization server
	Return        Purpose = "return"        // and comes back
	AskToken      Purpose = "token"
	RefreshToken  Purpose = "refresh"
	RevokeToken   Purpose = "revocation"
	Deviate       Purpose = "anyway" // the user goes on in spite of a fault
	NoFurtherStep Purpose = "end"
)

// Step is one step of a sign-in.
type Step struct {
	Purpose Purpose   `json:"purpose"`
	At      time.Time `json:"at"`
	URL     string    `json:"url,omitempty"`  // of the request, with secrets masked
	Conn    int       `json:"conn,omitempty"` // connection in the Log; 0 for a step of the browser
	// Found is the finding of the step in one sentence. It is empty if a Fault
	// says it.
	Found  string  `json:"found,omitempty"`
	Faults []Fault `json:"faults,omitempty"`
	// Anyway is the deviation that a step of the purpose Deviate begins.
	Anyway playground.Deviation `json:"anyway,omitempty"`
}

// Fault returns the Fault that ended the sign-in, or nil if none did.
func (s *SignIn) Fault() *Fault {
	for i := len(s.Steps) - 1; i >= 0; i-- {
		for j := range s.Steps[i].Faults {
			if f := &s.Steps[i].Faults[j]; f.Ends() {
				return f
			}
		}
	}
	return nil
}

// Warnings returns the faults that did not end the sign-in, in the order of the
// steps.
func (s *SignIn) Warnings() []Fault {
	var list []Fault
	for _, step := range s.Steps {
		for _, f := range step.Faults {
			if !f.Fatal {
				list = append(list, f)
			}
		}
	}
	return list
}

// Methods of authentication at the token endpoint (RFC 7591, section 2).
const (
	methodNone  = "none"
	methodBasic = "client_secret_basic"
	methodPost  = "client_secret_post"
	methodJWT   = "private_key_jwt"
)

// Append adds the steps of another SignIn to the same server, such as those of
// Client.Refresh, with their messages.
func (s *SignIn) Append(more *SignIn) {
	conns := 0
	for _, e := range s.Log {
		conns = max(conns, e.Conn)
	}
	for _, step := range more.Steps {
		if step.Conn > 0 {
			step.Conn += conns
		}
		s.Steps = append(s.Steps, step)
	}
	for _, e := range more.Log {
		e.Conn += conns
		e.Seq = len(s.Log) + 1
		s.Log = append(s.Log, e)
	}
}
