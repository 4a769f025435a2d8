package playground

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// SealedParams are the parts of a Target or an Exchange that may hold secrets
// and that a later request needs exactly. They are stored encrypted: see
// Target.Sealed.
type SealedParams struct {
	URL    string          `json:"url"`
	Header []wire.Field    `json:"header"`
	Params json.RawMessage `json:"params,omitempty"` // of an Exchange's Call
}

// SealedParams returns the URL and the header fields of t, without the Token: it
// is replaced and revoked apart from the calls that it was sent with.
func (t Target) SealedParams() SealedParams { return SealedParams{URL: t.URL, Header: t.entered()} }

// entered returns the header fields that the user entered.
func (t Target) entered() []wire.Field {
	if t.Token == (wire.Field{}) {
		return t.Header
	}
	return slices.DeleteFunc(slices.Clone(t.Header), func(f wire.Field) bool { return f == t.Token })
}

// WithToken returns the target with the token of a sign-in in its header, in
// place of a field with the same name that the user entered. Values that it
// masked before are still masked. k keeps values that must be sent again; it
// may be nil.
func (t Target) WithToken(token wire.Field, k redact.Keeper) Target {
	before := t.Header
	t.Header = slices.DeleteFunc(slices.Clone(t.Header), func(f wire.Field) bool {
		return strings.EqualFold(f.Name, token.Name)
	})
	t.Header, t.Token = append(t.Header, token), token
	return t.WithSecrets(before, k)
}

// WithoutToken returns the target with nothing but the user's input, as it is
// stored.
func (t Target) WithoutToken() Target {
	t.Header, t.Token = t.entered(), wire.Field{}
	return t
}

// Redacted returns the target as it may be stored and shown: with every value
// of its header fields and the credentials in its URL masked, and without the
// Token.
func (t Target) Redacted() Target {
	t = t.WithoutToken()
	t.Header = slices.Clone(t.Header)
	for i, f := range t.Header {
		t.Header[i] = redact.MaskField(f)
	}
	t.URL = redact.MaskURL(t.URL)
	t.Name = string(t.Secrets.Mask([]byte(t.Name)))
	t.Secrets = nil
	return t
}

// Unseal returns the target with the sealed values in place of the masks, ready
// for requests.
func (t Target) Unseal(p SealedParams, k redact.Keeper) Target {
	t.URL, t.Header = p.URL, p.Header
	t.Secrets = redact.New(t.Header, t.URL, k)
	return t
}

// WithSecrets returns the target with its own secrets and those in the header
// fields of a second person, so that neither are stored. k keeps values that
// must be sent again; it may be nil.
func (t Target) WithSecrets(person []wire.Field, k redact.Keeper) Target {
	t.Secrets = redact.New(slices.Concat(t.Header, person), t.URL, k)
	return t
}

// IsRedacted reports whether a part of t is masked. Such a target must be
// unsealed before a request is sent.
func (t Target) IsRedacted() bool { return t.Secrets == nil && len(t.Sealed) > 0 }

// Redacted returns the exchange as it may be stored and shown. Its Log is
// redacted event by event when it is appended.
func (x Exchange) Redacted() Exchange {
	x.Call.Params = x.Target.Secrets.Mask(x.Call.Params)
	x.Target.Capabilities = x.Target.Secrets.Mask(x.Target.Capabilities)
	x.Target = x.Target.Redacted()
	return x
}

// ErrLocked reports that the credentials of an exchange can be opened only with
// the key in its user's browser. Without them a request would carry the masks.
var ErrLocked = errors.New("the credentials of this exchange are locked")

// IsLocked reports whether a part of x is masked that a request would carry.
func (x Exchange) IsLocked() bool { return x.Target.Secrets == nil && len(x.Sealed) > 0 }

// UsesSignIn reports whether x was sent with the token of a sign-in, which is
// not stored with it, so that it goes on only with a token. f is the Transcript
// of x. A request that an experiment changed says nothing of the others.
func (x Exchange) UsesSignIn(f Transcript) bool {
	if len(x.Sealed) == 0 {
		return false // no token was sent with it
	}
	if redact.New(x.Target.entered(), x.Target.URL, nil) == nil {
		return true // the user entered nothing that is secret
	}
	for i := len(f.Rounds) - 1; i >= f.Inherited; i-- {
		r := f.Rounds[i]
		if r.Decision.Changed || r.Sent == nil {
			continue
		}
		head, _ := wire.ParseHead(r.Request.Head)
		return head.Get(tokenField) != "" && !slices.ContainsFunc(x.Target.entered(),
			func(e wire.Field) bool {
				return strings.EqualFold(e.Name, tokenField)
			})
	}
	return false
}

// tokenField is the header field of the token of a sign-in.
const tokenField = "Authorization"

// RedactWithin returns the exchange as Redacted does, masked in a turn of ctx and no
// longer than it lasts.
func (x Exchange) RedactWithin(ctx context.Context) (hidden Exchange, err error) {
	secrets := x.Target.Secrets.Within(ctx)
	err = redact.InTurn(ctx, len(x.Call.Params), func() {
		x.Target.Secrets = secrets
		hidden = x.Redacted()
	})
	if err == nil {
		err = secrets.Err()
	}
	return hidden, err
}

// Reveal returns the event as it was before Redact, or ErrLocked if it is masked
// and s cannot open it.
func (e Event) Reveal(s *redact.Secrets) (Event, error) {
	if len(e.Sealed) == 0 {
		return e, nil
	}
	plain, ok := s.Open(e.Sealed)
	if !ok {
		return e, ErrLocked
	}
	e.Data, e.Sealed = plain, nil
	return e, nil
}

// Redact returns the event as it may be stored: masked and, if its exact bytes
// may be needed for a later request, with the original in Sealed. The original
// of a request is not kept, because a resend builds it again.
func (e Event) Redact(s *redact.Secrets) Event {
	switch {
	case s == nil:
		return e
	case e.Kind == Repeated || e.Kind == Interrupted:
		return e // its numbers and words are the recorder's own
	}
	masked := s.Mask(e.Data)
	if e.Kind == Received {
		masked = wire.ChangeDecoded(masked, s.Mask)
	}
	if e.Kind == Sent {
		masked = s.MaskRequest(e.Data)
	}
	if bytes.Equal(masked, e.Data) {
		return e
	}
	if e.Kind != Sent {
		e.Sealed = s.Seal(e.Data)
	}
	e.Data = masked
	return e
}
