package app

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// SecretKeySize is that of AES-256.
const SecretKeySize = 32

// Vault encrypts the user's credentials. Its key is in the cookie of one browser only or, of a
// person who signs in, stored under the keys of cookies: the database alone does not
// disclose them. A vault without a key opens nothing.
type Vault struct {
	aead cipher.AEAD
}

func newVault(key []byte) Vault {
	if len(key) != SecretKeySize {
		return Vault{}
	}
	block, err := aes.NewCipher(key)
	if err != nil { // not with this size
		return Vault{}
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return Vault{}
	}
	return Vault{aead}
}

// SealAs encrypts a value for one row. The row's id is authenticated, so that a
// ciphertext cannot be moved to another row.
func (v Vault) SealAs(id string, plain []byte) []byte {
	return v.aead.Seal(nil, nil, plain, []byte(id))
}

// OpenAs decrypts what SealAs returned for the row. It returns false for everything
// else.
func (v Vault) OpenAs(id string, sealed []byte) ([]byte, bool) {
	if v.aead == nil || len(sealed) == 0 {
		return nil, false
	}
	plain, err := v.aead.Open(nil, nil, sealed, []byte(id))
	return plain, err == nil
}

// Of returns what keeps the secrets of one row. It is nil for a vault without a
// key.
func (v Vault) Of(id string) redact.Keeper {
	if v.aead == nil {
		return nil
	}
	return rowVault{v, id}
}

// rowVault is a vault for one row.
type rowVault struct {
	Vault
	id string
}

func (v rowVault) Seal(plain []byte) []byte { return v.SealAs(v.id, plain) }

func (v rowVault) Open(sealed []byte) ([]byte, bool) { return v.OpenAs(v.id, sealed) }

// Lock seals the secrets of t, if it has any. The returned target can be sent
// to; its Redacted form can be stored.
func (s *App) Lock(v *Visit, t playground.Target) (playground.Target, error) {
	t.Sealed = nil
	if t.Secrets = redact.New(t.Header, t.URL, nil); t.Secrets == nil {
		return t, nil
	}
	vault, err := v.NewVault()
	if err != nil {
		return t, err
	}
	kept, err := json.Marshal(t.SealedParams())
	if err != nil {
		return t, fmt.Errorf("encode secrets: %w", err)
	}
	t.Sealed = vault.SealAs(t.ID, kept)
	t.Secrets = redact.New(t.Header, t.URL, vault.Of(t.ID))
	return t, nil
}

// Unlock returns a target with its secrets, or false if this browser cannot
// open them.
func (s *App) Unlock(v *Visit, t playground.Target) (playground.Target, bool) {
	if !t.IsRedacted() {
		return t, true
	}
	vault := v.Vault()
	plain, ok := vault.OpenAs(t.ID, t.Sealed)
	var kept playground.SealedParams
	if !ok || json.Unmarshal(plain, &kept) != nil {
		return t, false
	}
	return t.Unseal(kept, vault.Of(t.ID)), true
}

// LockExchange seals the target and the params of a new exchange. Its target must
// be unlocked.
func (s *App) LockExchange(v *Visit, x playground.Exchange) (playground.Exchange, error) {
	if x.Target.Secrets == nil {
		return x, nil
	}
	vault, err := v.NewVault()
	if err != nil {
		return x, err
	}
	kept := x.Target.SealedParams()
	kept.Params = x.Call.Params
	plain, err := json.Marshal(kept)
	if err != nil {
		return x, fmt.Errorf("encode secrets: %w", err)
	}
	x.Sealed = vault.SealAs(x.ID, plain)
	x.Target.Secrets = redact.New(x.Target.Header, x.Target.URL, vault.Of(x.ID))
	return x, nil
}

// UnlockExchange returns an exchange with every byte that was masked, so that
// it can continue, and with the token of the user's sign-in.
func (s *App) UnlockExchange(v *Visit, x playground.Exchange) (playground.Exchange, error) {
	x, err := s.OpenExchange(v, x)
	if err != nil {
		return x, err
	}
	return s.WithToken(v, x)
}

// OpenExchange returns an exchange with every byte that was masked. An exchange
// without secrets is returned as it is.
func (s *App) OpenExchange(v *Visit, x playground.Exchange) (playground.Exchange, error) {
	if len(x.Sealed) == 0 {
		if slices.ContainsFunc(x.Target.Header, isMasked) {
			return x, SecretLost(x) // the exchange of a check, whose secrets are not stored
		}
		return x, nil
	}
	vault := v.Vault()
	plain, ok := vault.OpenAs(x.ID, x.Sealed)
	var kept playground.SealedParams
	switch {
	case ok && json.Unmarshal(plain, &kept) == nil:
	case hasMasks(x):
		return x, SecretLost(x)
	default: // it was sealed for a token, which is not in it
		kept = x.Target.SealedParams()
		kept.Params = x.Call.Params
	}
	x.Target, x.Call.Params = x.Target.Unseal(kept, vault.Of(x.ID)), kept.Params
	log := make([]playground.Event, len(x.Log))
	for i, e := range x.Log {
		if len(e.Sealed) > 0 {
			if e.Data, ok = vault.OpenAs(x.ID, e.Sealed); !ok {
				return x, SecretLost(x)
			}
		}
		log[i] = e
	}
	x.Log = log
	return s.unlockOrigin(v, x)
}

// hasMasks reports whether a part of a stored exchange is masked that a request
// would carry. If not, it was sealed for the token of a sign-in alone.
func hasMasks(x playground.Exchange) bool {
	return redact.New(x.Target.Header, x.Target.URL, nil) != nil || text.HasMask(x.Call.Params)
}

// isMasked reports whether the value of a header field is a mask.
func isMasked(f wire.Field) bool { return f.Value != "" && redact.MaskField(f).Value == f.Value }

// unlockOrigin unlocks the exchange that a branch continues, because the branch
// echoes its state.
func (s *App) unlockOrigin(v *Visit, x playground.Exchange) (playground.Exchange, error) {
	if x.Origin == nil || x.Origin.Parent == nil {
		return x, nil
	}
	parent, err := s.OpenExchange(v, *x.Origin.Parent)
	from := *x.Origin
	from.Parent, x.Origin = &parent, &from
	return x, err
}

// SecretLost returns the refusal for an exchange whose secrets this browser
// cannot open.
func SecretLost(x playground.Exchange) *Refusal {
	return Refuse(Conflict, "secret_lost",
		"The token for "+x.Target.Name+" cannot be opened here.",
		"Tokens are encrypted with a key that only the browser, or the person, who entered them has. "+
			"The recording is complete. "+
			"To continue, connect to the server again with its token and start a new call.")
}
