package seal

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrTooLong is returned for claims whose token would exceed [MaxToken], the
// longest that Open accepts.
var ErrTooLong = errors.New("state too long")

// Seal encodes claims as a state in the given mode, with the primary key.
func (k *Keys) Seal(mode Mode, c Claims) (string, error) {
	c.Version = claimsVersion
	body, err := json.Marshal(c)
	if err != nil {
		return "", fmt.Errorf("seal state: %w", err)
	}
	return k.SealJSON(mode, body)
}

// SealJSON encodes the JSON of claims as a state. It does not check that Open
// would accept them.
func (k *Keys) SealJSON(mode Mode, body []byte) (text string, err error) {
	switch mode {
	case Plain:
		text = format(Plain, body)
	case Signed:
		text = k.sign(body)
	case Sealed:
		text, err = k.encrypt(body)
	default:
		err = fmt.Errorf("unknown mode %q", mode)
	}
	if err == nil && len(text) > MaxToken {
		err = ErrTooLong
	}
	if err != nil {
		return "", fmt.Errorf("seal state: %w", err)
	}
	return text, nil
}

// Open returns the claims of a state that came with a request. The error is a
// [*Refusal]. Authenticity is checked before any claim is read.
func (k *Keys) Open(text string, mode Mode, r Request, now time.Time) (Claims, error) {
	t, ok := parse(text)
	if !ok {
		return Claims{}, &Refusal{Malformed}
	}
	if t.mode != mode {
		return Claims{}, &Refusal{OtherMode}
	}
	c, reason := k.claims(t, text)
	if reason == "" {
		reason = c.check(r, now)
	}
	if reason != "" {
		return Claims{}, &Refusal{reason}
	}
	return c, nil
}

// claims checks authenticity and decodes the claims, and nothing else.
func (k *Keys) claims(t token, text string) (Claims, Reason) {
	body, reason := k.body(t, text)
	if reason != "" {
		return Claims{}, reason
	}
	c, ok := parseClaims(body)
	if !ok {
		return Claims{}, Malformed
	}
	return c, ""
}

// body returns the claims' JSON once its authenticity is established.
func (k *Keys) body(t token, text string) ([]byte, Reason) {
	switch t.mode {
	case Plain:
		return t.bytes("claims"), ""
	case Signed:
		if !k.knows(Signed, t.bytes("key id")) {
			return nil, UnknownKey
		}
		signed := text[:strings.LastIndexByte(text, '.')]
		return t.bytes("claims"), k.verify(t, signed)
	default:
		if !k.knows(Sealed, t.bytes("key id")) {
			return nil, UnknownKey
		}
		return k.decrypt(t)
	}
}

// expired returns the reason if the claims are not valid at this time, or "".
func (c Claims) expired(now time.Time) Reason {
	switch {
	case time.Unix(c.Issued, 0).After(now.Add(skew)):
		return FromTheFuture
	case !now.Before(time.Unix(c.Expires, 0)):
		return Expired
	}
	return ""
}

// check returns the first reason why the claims do not fit the request, or "".
func (c Claims) check(r Request, now time.Time) Reason {
	if reason := c.expired(now); reason != "" {
		return reason
	}
	switch {
	case c.Request.Principal != r.Principal:
		return OtherPrincipal
	case c.Request.Sample != r.Sample:
		return OtherSample
	case c.Request.Method != r.Method:
		return OtherMethod
	case c.Request.Name != r.Name:
		return OtherName
	case c.Request.Arguments != r.Arguments:
		return OtherArguments
	}
	return ""
}
