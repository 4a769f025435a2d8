package playground

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// SealedParams is what must be known exactly to send again, of a Target or an
// Exchange that holds secrets. It is stored encrypted, see Target.Sealed.
type SealedParams struct {
	URL    string          `json:"url"`
	Header []wire.Field    `json:"header"`
	Params json.RawMessage `json:"params,omitempty"` // of an Exchange's Call
}

// SealedParams returns what of t must be known exactly.
func (t Target) SealedParams() SealedParams { return SealedParams{URL: t.URL, Header: t.Header} }

// Redacted returns the target as it may be stored and shown: with every value
// of its header fields and the credentials in its URL masked.
func (t Target) Redacted() Target {
	t.Header = slices.Clone(t.Header)
	for i, f := range t.Header {
		t.Header[i] = redact.MaskField(f)
	}
	t.URL = redact.MaskURL(t.URL)
	t.Name = string(t.Secrets.Mask([]byte(t.Name)))
	t.Secrets = nil
	return t
}

// Unseal returns the target as it is sent to: with the sealed values in place
// of the masks.
func (t Target) Unseal(p SealedParams, seal func([]byte) []byte) Target {
	t.URL, t.Header = p.URL, p.Header
	t.Secrets = redact.New(t.Header, t.URL, seal)
	return t
}

// WithSecrets returns the target with secrets that include the header fields of a
// second person, so that nothing of either is stored. seal encrypts what must be
// sent again; it may be nil.
func (t Target) WithSecrets(person []wire.Field, seal func([]byte) []byte) Target {
	t.Secrets = redact.New(slices.Concat(t.Header, person), t.URL, seal)
	return t
}

// IsRedacted reports whether something of t is masked, so that it must be
// unsealed before anything is sent.
func (t Target) IsRedacted() bool { return t.Secrets == nil && len(t.Sealed) > 0 }

// Redacted returns the exchange as it may be stored and shown. Its Log is
// redacted event by event when it is appended.
func (x Exchange) Redacted() Exchange {
	x.Call.Params = x.Target.Secrets.Mask(x.Call.Params)
	x.Target = x.Target.Redacted()
	return x
}

// ErrLocked is for an exchange whose credentials only its user's browser can
// open: sending it would send the masks.
var ErrLocked = errors.New("the credentials of this exchange are locked")

// IsLocked reports whether something of x is masked that would have to be sent.
func (x Exchange) IsLocked() bool { return x.Target.Secrets == nil && len(x.Sealed) > 0 }

// Redact returns the event as it may be stored: masked and, where the bytes
// must be sent again as they are, with the original sealed beside. A request is
// built anew when it is sent again, so its original is not kept.
func (e Event) Redact(s *redact.Secrets) Event {
	if s == nil {
		return e
	}
	masked := s.Mask(e.Data)
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
