// Package authserver is the authorization server of the samples: authorization
// code with PKCE, refresh tokens that rotate, dynamic registration of clients
// and revocation (OAuth 2.1; RFC 7591, 7009, 8414, 8707, 9068, 9207). It asks
// for no password: its users are the demo identities, and everyone may be any
// of them.
//
// It stores nothing that it can seal. A client ID, a request that waits for
// the user, a code and a refresh token each carry what they stand for, so any
// instance with the same keys goes on. What must be remembered, such as used
// codes, is in a Memory with limits.
//
// The protocol of the endpoints is that of github.com/zitadel/oidc, as its
// op.Server, without OpenID: there are no ID tokens. The package makes no
// request of its own, so it does not read client ID metadata documents.
//
// Codes and refresh tokens work once. That is the reason for the Memory, and it
// must be shared by all processes with the same keys: with one for each, a code
// would work once in each of them. The handlers may be called from several
// goroutines.
package authserver

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"

	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// Config has the parts that the server needs. All fields are required.
type Config struct {
	BaseURL  string // public URL of the program, without a trailing slash
	Path     string // of the server below BaseURL; both together are the issuer
	Resource string // URL that tokens are for if a request names none
	Scopes   []Scope
	Users    []User
	Keys     *seal.Keys
	Memory   Memory
	Now      func() time.Time
	Rand     io.Reader
	Log      *slog.Logger
	Caller   func(remote string) string // whose part of Memory a request uses
	Refused  func()                     // is called when Memory is full
}

// Scope is one thing that a token may permit.
type Scope struct{ Name, Meaning string }

// User is someone whom a token can be for.
type User struct{ Subject, Name string }

// Memory remembers names for a time.
type Memory interface {
	// Put adds a name. It reports false if the name is there already. The error is
	// ErrFull if there is no room for it, and any other if it cannot be added now.
	Put(name, value, caller string, ttl time.Duration) (bool, error)
	// Get reports whether a name is there, with its value. The error says that it
	// cannot be looked up now.
	Get(name string) (value string, found bool, err error)
}

// ErrFull is the error of a Memory that has no room for a name.
var ErrFull = errors.New("too many tickets are in use; try again tomorrow")

// offlineAccess is the scope that asks for a refresh token.
const offlineAccess = oidc.ScopeOfflineAccess

// Server is the authorization server.
type Server struct {
	Config
	protocol func() http.Handler // the library, made for the first request
}

// New returns a Server.
func New(c Config) *Server {
	s := &Server{Config: c}
	s.protocol = sync.OnceValue(s.library)
	return s
}

func (s *Server) library() http.Handler {
	return http.StripPrefix(s.Path, op.RegisterServer(protocol{s: s}, op.Endpoints{
		Authorization: op.NewEndpoint("authorize"), Token: op.NewEndpoint("token"),
		Revocation: op.NewEndpoint("revoke"), JwksURI: op.NewEndpoint("keys"),
	}, op.WithServerCORSOptions(nil), op.WithEncoder(encoder{oidc.NewEncoder(), s.Issuer()})))
}

// Issuer returns the identifier of the server.
func (s *Server) Issuer() string { return s.BaseURL + s.Path }

// Places of metadata (RFC 8414, section 3; OpenID Connect Discovery 1.0, section
// 4). An issuer with a path has it after the well-known part, and OpenID before
// it too.
const (
	wellKnownServer = "/.well-known/oauth-authorization-server"
	wellKnownOpenID = "/.well-known/openid-configuration"
)

// Register adds the endpoints to mux.
func (s *Server) Register(mux *http.ServeMux) {
	mux.HandleFunc("GET "+wellKnownServer+s.Path, s.metadata)
	mux.HandleFunc("GET "+wellKnownOpenID+s.Path, s.metadata)
	mux.HandleFunc("GET "+s.Path+wellKnownOpenID, s.metadata)
	mux.HandleFunc("GET "+s.Path+"/keys", func(w http.ResponseWriter, r *http.Request) {
		s.protocol().ServeHTTP(w, r)
	})
	mux.HandleFunc("GET "+s.Path+"/authorize", s.authorize)
	mux.HandleFunc("POST "+s.Path+"/token", s.post)
	mux.HandleFunc("POST "+s.Path+"/revoke", s.post)
	mux.HandleFunc("POST "+s.Path+"/register", s.register)
	consent := http.NewCrossOriginProtection().Handler(http.HandlerFunc(s.consent))
	mux.Handle("GET "+s.Path+"/consent", consent)
	mux.Handle("POST "+s.Path+"/consent", consent)
}

// metadata shows the features of the server (RFC 8414, section 2).
func (s *Server) metadata(w http.ResponseWriter, _ *http.Request) {
	methods := []oidc.AuthMethod{oidc.AuthMethodNone, oidc.AuthMethodBasic, oidc.AuthMethodPost}
	grants := []oidc.GrantType{oidc.GrantTypeCode, oidc.GrantTypeRefreshToken}
	scopes := []string{offlineAccess}
	for _, scope := range s.Scopes {
		scopes = append(scopes, scope.Name)
	}
	writeJSON(w, http.StatusOK, struct {
		oidc.DiscoveryConfiguration
		IssInResponses bool `json:"authorization_response_iss_parameter_supported"` // RFC 9207, section 3
	}{
		oidc.DiscoveryConfiguration{
			Issuer: s.Issuer(), AuthorizationEndpoint: s.Issuer() + "/authorize",
			TokenEndpoint: s.Issuer() + "/token", RevocationEndpoint: s.Issuer() + "/revoke",
			RegistrationEndpoint: s.Issuer() + "/register", JwksURI: s.Issuer() + "/keys",
			ScopesSupported: scopes, ResponseTypesSupported: []string{"code"},
			ResponseModesSupported:                 []string{"query"},
			GrantTypesSupported:                    grants,
			TokenEndpointAuthMethodsSupported:      methods,
			RevocationEndpointAuthMethodsSupported: methods,
			CodeChallengeMethodsSupported:          []oidc.CodeChallengeMethod{oidc.CodeChallengeMethodS256},
			// OpenID requires these two; there are no ID tokens.
			SubjectTypesSupported:            []string{"public"},
			IDTokenSigningAlgValuesSupported: []string{string(algorithm)},
		}, true,
	})
}

// Bounds of a request.
const (
	maxBody      = 64 << 10
	maxParams    = 30
	maxParam     = 8 << 10
	maxState     = 2 << 10
	maxClientID  = 8 << 10
	maxResources = 1
)

// checkParams returns the fault of the parameters of a request, or nil. A
// parameter must not be repeated (RFC 6749, section 3.1), except resource (RFC
// 8707, section 2).
func checkParams(params url.Values) error {
	if len(params) > maxParams {
		return oidc.ErrInvalidRequest().WithDescription("too many parameters")
	}
	for name, values := range params {
		switch {
		case name == "resource" && len(values) > maxResources:
			return invalidTarget("a token is for one resource")
		case len(values) > 1:
			return oidc.ErrInvalidRequest().WithDescription("a parameter is repeated")
		case len(name) > maxParam || len(values[0]) > maxParam,
			name == "state" && len(values[0]) > maxState:
			return oidc.ErrInvalidRequest().WithDescription("a parameter is too long")
		}
	}
	return nil
}

func invalidTarget(description string) error {
	return oidc.ErrInvalidTarget().WithDescription("%s", description)
}

type callerKey struct{}

// withCaller returns the request with its caller in the context, where the
// methods that the library calls find it.
func (s *Server) withCaller(r *http.Request) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), callerKey{}, s.Caller(r.RemoteAddr)))
}

func callerFrom(ctx context.Context) string {
	caller, _ := ctx.Value(callerKey{}).(string)
	return caller
}

// post serves the endpoints that clients post a form to. Only the body counts:
// secrets do not belong into an address (RFC 6749, section 2.3.1).
func (s *Server) post(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store") // RFC 6749, section 5.1
	r = s.withCaller(r)
	r.URL.RawQuery = ""
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	err := r.ParseForm()
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		err = op.NewStatusError(oidc.ErrInvalidRequest().WithDescription("the body is too large"),
			http.StatusRequestEntityTooLarge)
	case err != nil:
		err = oidc.ErrInvalidRequest().WithDescription("the body is not a form")
	default:
		err = checkParams(r.PostForm)
	}
	if err != nil {
		op.WriteError(w, r, err, nil)
		return
	}
	if r.Form.Get("redirect_uri") == "" {
		r.Form.Set("redirect_uri", unsaid) // the library requires what OAuth 2.1 has removed
	}
	s.protocol().ServeHTTP(&challenging{w, r.Header.Get("Authorization") != ""}, r)
}

// unsaid stands for a redirect_uri that the token request does not have.
const unsaid = "-"

// challenging adds a challenge to a 401 for a client that used the header
// Authorization (RFC 6749, section 5.2).
type challenging struct {
	http.ResponseWriter
	basic bool
}

func (w *challenging) WriteHeader(status int) {
	if status == http.StatusUnauthorized && w.basic {
		w.Header().Set("WWW-Authenticate", `Basic realm="sample authorization server"`)
	}
	w.ResponseWriter.WriteHeader(status)
}

// authorize begins a sign-in. The library answers with a redirect to the page
// of the user, a redirect to the client with an error, or an error.
func (s *Server) authorize(w http.ResponseWriter, r *http.Request) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		err = oidc.ErrInvalidRequest().WithDescription("the query is not encoded as a form")
	} else {
		err = checkParams(query)
	}
	if err != nil {
		s.showError(w, err)
		return
	}
	got := &answer{header: http.Header{}, status: http.StatusOK}
	s.protocol().ServeHTTP(got, s.withCaller(r))
	location := got.header.Get("Location")
	switch {
	case strings.HasPrefix(location, s.Issuer()+"/consent?"), location != "" && s.isNear(location):
		w.Header().Set("Cache-Control", "no-store")
		http.Redirect(w, r, location, http.StatusFound)
	case location != "":
		// Anyone can register any address, so a redirect that no user has
		// agreed to would make this server an open redirector (RFC 9700,
		// section 4.11.2).
		s.show(w, http.StatusBadRequest, content{
			Title: "The request is not valid", Text: describe(location), Back: location,
		})
	default:
		var e oidc.Error
		if json.Unmarshal(got.body, &e) != nil {
			e = *oidc.ErrServerError()
		}
		s.showError(w, &e)
	}
}

// isNear reports whether an address is this program's, or on the machine of the
// user.
func (s *Server) isNear(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (originOf(u) == s.BaseURL || isLoopback(u.Hostname()))
}

// answer keeps what the library answers.
type answer struct {
	header http.Header
	status int
	body   []byte
}

func (a *answer) Header() http.Header    { return a.header }
func (a *answer) WriteHeader(status int) { a.status = status }
func (a *answer) Write(b []byte) (int, error) {
	a.body = append(a.body, b...)
	return len(b), nil
}

// encoder adds the issuer to the errors that the library sends to clients (RFC
// 9207, section 2).
type encoder struct {
	errors interface {
		Encode(src any, dst map[string][]string) error
	}
	issuer string
}

// Encode adds the members of src to dst.
func (e encoder) Encode(src any, dst map[string][]string) error {
	dst["iss"] = []string{e.issuer}
	return e.errors.Encode(src, dst)
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client may be gone
}
