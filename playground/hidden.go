package playground

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Kept is what must be known exactly to send again, of a Target or an Exchange
// that holds secrets. It is stored encrypted, see Target.Sealed.
type Kept struct {
	URL    string          `json:"url"`
	Header []wire.Field    `json:"header"`
	Params json.RawMessage `json:"params,omitempty"` // of an Exchange's Call
}

// Kept is what of t must be known exactly.
func (t Target) Kept() Kept { return Kept{URL: t.URL, Header: t.Header} }

// Hidden is the target as it may be stored and shown: every value of its
// header fields and the credentials in its URL masked.
func (t Target) Hidden() Target {
	t.Header = slices.Clone(t.Header)
	for i, f := range t.Header {
		t.Header[i] = maskField(f)
	}
	t.URL = maskURL(t.URL)
	t.Name = string(t.Secrets.Mask([]byte(t.Name)))
	t.Secrets = nil
	return t
}

func maskURL(raw string) string {
	path, query, found := strings.Cut(raw, "?")
	if !found {
		return raw
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		if namesCredential(name) && value != "" {
			pairs[i] = name + "=" + strings.Repeat("*", len(value))
		}
	}
	return path + "?" + strings.Join(pairs, "&")
}

// Open is the target as it is sent to: with what was kept, instead of masks.
func (t Target) Open(k Kept, seal func([]byte) []byte) Target {
	t.URL, t.Header = k.URL, k.Header
	t.Secrets = NewSecrets(t, seal)
	return t
}

// IsHidden reports whether something of t is masked, so that it cannot be sent
// to before it was opened.
func (t Target) IsHidden() bool { return t.Secrets == nil && len(t.Sealed) > 0 }

// Hidden is the exchange as it may be stored and shown; its Log is hidden event
// by event when it is appended.
func (x Exchange) Hidden() Exchange {
	x.Call.Params = x.Target.Secrets.Mask(x.Call.Params)
	x.Target = x.Target.Hidden()
	return x
}

// ErrLocked is for an exchange whose credentials only its user's browser can
// open: sending it would send the masks.
var ErrLocked = errors.New("the credentials of this exchange are locked")

// IsLocked reports whether something of x is masked that would have to be sent.
func (x Exchange) IsLocked() bool { return x.Target.Secrets == nil && len(x.Sealed) > 0 }
