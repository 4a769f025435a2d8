package auth

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// flow is a SignIn that is being worked on.
type flow struct {
	c     Client
	s     *SignIn
	wire  *transport
	known func(issuer string) (Registration, bool)
	// machine is for a client that acts for itself (client_credentials): there
	// is no browser, so neither an authorization endpoint nor PKCE.
	machine bool
	anyway  []playground.Deviation // that the user chose beforehand
	now     *request               // the newest step
	hidden  []string               // values that the record does not show
}

// request is a step with the response that it got.
type request struct {
	*exchange
	flow *flow
	at   int // index of the Step
}

func (c Client) flow(ctx context.Context, s *SignIn) *flow {
	f := &flow{
		c: c, s: s, wire: &transport{sender: c.Sender, now: c.Now, log: &s.Log, ctx: ctx},
		known: func(string) (Registration, bool) { return Registration{}, false },
	}
	f.hide()
	return f
}

// credentialFields are the header fields of a request that hold a credential.
var credentialFields = []wire.Field{{Name: "Authorization"}, {Name: "DPoP"}}

// hide keeps values out of everything that is recorded, before and from now on.
func (f *flow) hide(values ...string) {
	f.hidden = append(f.hidden, values...)
	f.wire.secrets = redact.New(credentialFields, "", nil, f.hidden...)
	size := 0
	for _, e := range f.s.Log {
		size += len(e.Data)
	}
	err := redact.InTurn(context.WithoutCancel(f.wire.ctx), size, func() {
		for i, e := range f.s.Log {
			f.s.Log[i].Data = f.wire.secrets.Mask(e.Data)
		}
	})
	for i, e := range f.s.Log {
		if err != nil { // there was no turn in which to find what may be shown
			f.s.Log[i].Data = bytes.Repeat([]byte("*"), len(e.Data))
		}
	}
	for i := range f.s.Steps {
		step := &f.s.Steps[i]
		step.URL, step.Found = f.mask(step.URL), f.mask(step.Found)
		for j := range step.Faults {
			step.Faults[j].Says = f.mask(step.Faults[j].Says)
		}
	}
}

// hideToken hides what of a token is secret.
func (f *flow) hideToken(t Token) {
	f.hide(append([]string{t.Access, t.Refresh, t.Client.Secret}, t.Replaced...)...)
}

// mask returns a text with its secrets masked.
func (f *flow) mask(s string) string { return f.wire.secrets.MaskText(s) }

// visible returns a text of a server as part of a sentence. It is masked before
// it is cut: the beginning of a secret looks like other text.
func (f *flow) visible(s string, limit int) string { return text.Visible(f.mask(s), limit) }

// step adds a step without a message of its own.
func (f *flow) step(p Purpose, url string) *request {
	f.s.Steps = append(f.s.Steps, Step{Purpose: p, At: f.c.Now(), URL: f.mask(redact.MaskURL(url))})
	f.now = &request{exchange: &exchange{}, flow: f, at: len(f.s.Steps) - 1}
	return f.now
}

// last returns the newest step.
func (f *flow) last() *request {
	if f.now == nil {
		return f.step(Challenged, f.s.Server)
	}
	return f.now
}

// get requests a metadata document.
func (f *flow) get(p Purpose, url string) *request {
	r, err := http.NewRequestWithContext(f.wire.ctx, http.MethodGet, url, http.NoBody)
	return f.do(p, url, r, err)
}

// post sends a body.
func (f *flow) post(p Purpose, url, kind string, body []byte) *request {
	r, err := http.NewRequestWithContext(f.wire.ctx, http.MethodPost, url, strings.NewReader(string(body)))
	if err == nil {
		r.Header.Set("Content-Type", kind)
	}
	return f.do(p, url, r, err)
}

// do sends a request and records it as a step.
func (f *flow) do(p Purpose, url string, r *http.Request, err error) *request {
	step := f.step(p, url)
	if err == nil {
		r.Header.Set("Accept", "application/json")
		var response *http.Response
		if response, err = f.wire.client().Do(r); err == nil {
			response.Body.Close()
		}
	}
	step.sent(f.wire)
	if err != nil && step.failure == nil {
		step.failure = &wire.Failure{Class: wire.BadURL, Detail: f.visible(err.Error(), 200)}
	}
	return step
}

// sent sets the response of the step to the newest of the transport.
func (r *request) sent(t *transport) {
	if t.last != nil {
		r.exchange = t.last
		r.flow.s.Steps[r.at].Conn = t.last.conn
		t.last = nil
	}
}

// found sets the finding of the step, a sentence.
func (r *request) found(format string, args ...any) {
	r.flow.s.Steps[r.at].Found = r.flow.mask(fmt.Sprintf(format, args...))
}

// nothing says that there is no metadata at an address, and whether there is another one.
func (r *request) nothing(more bool) {
	if more {
		r.found("No metadata here: HTTP status %d. The next address is tried.", r.head.Status)
		return
	}
	r.found("No metadata here: HTTP status %d.", r.head.Status)
}

// warn adds a fault that the sign-in goes on with.
func (r *request) warn(id, clause, format string, args ...any) {
	r.add(warning(id, clause, format, args...))
}

// fault adds a fault. A fatal one ends the sign-in.
func (r *request) fault(x Fault) {
	r.add(x)
	if x.Ends() {
		r.flow.s.Stage = Refused
	}
}

func (r *request) add(x Fault) {
	x.Says = r.flow.mask(x.Says)
	step := &r.flow.s.Steps[r.at]
	step.Faults = append(step.Faults, x)
}

// checkType warns of a document that does not say that it is JSON.
func (r *request) checkType(clause string) {
	if !r.isJSON() {
		r.warn("not-json-type", clause,
			"The document is JSON, but its Content-Type is %q instead of application/json.",
			r.flow.visible(r.head.Get("Content-Type"), 80))
	}
}

// connectionFault returns the fault of a request without a response that can be
// read.
func connectionFault(raw string, x *wire.Failure) Fault {
	if x.Class == wire.TooLarge {
		return fatal("too-large", "", "The response of %s was not used: %s", raw, reason(x))
	}
	return fatal("unreachable", "", "%s cannot be reached: %s", raw, reason(x))
}

// reason returns why a request has no response, as the end of a sentence.
func reason(x *wire.Failure) string { return strings.TrimSuffix(x.Detail, ".") + "." }

// oauthError returns the error of an error response of OAuth (RFC 6749, section
// 5.2), or "".
func (r *request) oauthError() string {
	var body struct {
		Error string `json:"error"`
	}
	_ = json.Unmarshal(r.response.Body, &body)
	return body.Error
}

// refusedBy returns the fault for an error response of OAuth (RFC 6749, section
// 5.2), with the server's reason.
func refusedBy(r *request, id, clause, sentence string) Fault {
	var body struct {
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}
	_ = json.Unmarshal(r.response.Body, &body)
	why := fmt.Sprintf("HTTP status %d", r.head.Status)
	if body.Error != "" {
		why += ", " + r.flow.visible(body.Error, 80)
	}
	if body.Description != "" {
		why += ": " + strings.TrimRight(r.flow.visible(body.Description, 300), ".")
	}
	return fatal(id, clause, "%s (%s).", sentence, why)
}

// mustParse parses a URL that was checked before.
func mustParse(raw string) *url.URL {
	u, err := url.Parse(raw)
	if err != nil {
		return &url.URL{}
	}
	return u
}
