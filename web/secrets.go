package web

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// secretKeySize is that of AES-256.
const secretKeySize = 32

// vault encrypts the user's credentials. Its key is only in the cookie of one
// browser: the database alone does not disclose them. A vault without a key
// opens nothing.
type vault struct {
	aead cipher.AEAD
}

func newVault(key []byte) vault {
	if len(key) != secretKeySize {
		return vault{}
	}
	block, err := aes.NewCipher(key)
	if err != nil { // not with this size
		return vault{}
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return vault{}
	}
	return vault{aead}
}

// seal encrypts a value for one row. The row's id is authenticated, so that a
// ciphertext cannot be moved to another row.
func (v vault) seal(id string, plain []byte) []byte {
	return v.aead.Seal(nil, nil, plain, []byte(id))
}

// open decrypts what seal returned for the row. It returns false for everything
// else.
func (v vault) open(id string, sealed []byte) ([]byte, bool) {
	if v.aead == nil || len(sealed) == 0 {
		return nil, false
	}
	plain, err := v.aead.Open(nil, nil, sealed, []byte(id))
	return plain, err == nil
}

// of returns what keeps the secrets of one row. It is nil for a vault without a
// key.
func (v vault) of(id string) redact.Keeper {
	if v.aead == nil {
		return nil
	}
	return rowVault{v, id}
}

// rowVault is a vault for one row.
type rowVault struct {
	vault
	id string
}

func (v rowVault) Seal(plain []byte) []byte { return v.seal(v.id, plain) }

func (v rowVault) Open(sealed []byte) ([]byte, bool) { return v.open(v.id, sealed) }

// vault returns the vault of the request's browser.
func (o owners) vault(c echo.Context) vault {
	key, _ := o.session(c).Values["key"].([]byte)
	return newVault(key)
}

// newVault is vault, with a new key if the browser has none yet. It sets the
// cookie again, which extends its life.
func (o owners) newVault(c echo.Context) (vault, error) {
	session := o.session(c)
	key, _ := session.Values["key"].([]byte)
	if len(key) != secretKeySize {
		key = make([]byte, secretKeySize)
		_, _ = rand.Read(key) // never fails
		session.Values["key"] = key
	}
	if err := session.Save(c.Request(), c.Response()); err != nil {
		return vault{}, fmt.Errorf("set secret cookie: %w", err)
	}
	return newVault(key), nil
}

// lock seals the secrets of t, if it has any. The returned target can be sent
// to; its Redacted form can be stored.
func (s *app) lock(c echo.Context, t playground.Target) (playground.Target, error) {
	t.Sealed = nil
	if t.Secrets = redact.New(t.Header, t.URL, nil); t.Secrets == nil {
		return t, nil
	}
	v, err := s.owners.newVault(c)
	if err != nil {
		return t, err
	}
	kept, err := json.Marshal(t.SealedParams())
	if err != nil {
		return t, fmt.Errorf("encode secrets: %w", err)
	}
	t.Sealed = v.seal(t.ID, kept)
	t.Secrets = redact.New(t.Header, t.URL, v.of(t.ID))
	return t, nil
}

// unlock returns a target with its secrets, or false if this browser cannot
// open them.
func (s *app) unlock(c echo.Context, t playground.Target) (playground.Target, bool) {
	if !t.IsRedacted() {
		return t, true
	}
	v := s.owners.vault(c)
	plain, ok := v.open(t.ID, t.Sealed)
	var kept playground.SealedParams
	if !ok || json.Unmarshal(plain, &kept) != nil {
		return t, false
	}
	return t.Unseal(kept, v.of(t.ID)), true
}

// lockExchange seals the target and the params of a new exchange. t must be
// unlocked.
func (s *app) lockExchange(c echo.Context, x playground.Exchange) (playground.Exchange, error) {
	if x.Target.Secrets == nil {
		return x, nil
	}
	v, err := s.owners.newVault(c)
	if err != nil {
		return x, err
	}
	kept := x.Target.SealedParams()
	kept.Params = x.Call.Params
	plain, err := json.Marshal(kept)
	if err != nil {
		return x, fmt.Errorf("encode secrets: %w", err)
	}
	x.Sealed = v.seal(x.ID, plain)
	x.Target.Secrets = redact.New(x.Target.Header, x.Target.URL, v.of(x.ID))
	return x, nil
}

// unlockExchange returns an exchange with every byte that was masked, so that
// it can continue, and with the token of the user's sign-in.
func (s *app) unlockExchange(c echo.Context, x playground.Exchange) (playground.Exchange, error) {
	x, err := s.openExchange(c, x)
	if err != nil {
		return x, err
	}
	return s.withToken(c, x), nil
}

// openExchange returns an exchange with every byte that was masked. An exchange
// without secrets is returned as it is.
func (s *app) openExchange(c echo.Context, x playground.Exchange) (playground.Exchange, error) {
	if len(x.Sealed) == 0 {
		if slices.ContainsFunc(x.Target.Header, isMasked) {
			return x, secretLost(x) // the exchange of a check, whose secrets are not stored
		}
		return x, nil
	}
	v := s.owners.vault(c)
	plain, ok := v.open(x.ID, x.Sealed)
	var kept playground.SealedParams
	switch {
	case ok && json.Unmarshal(plain, &kept) == nil:
	case hasMasks(x):
		return x, secretLost(x)
	default: // it was sealed for a token, which is not in it
		kept = x.Target.SealedParams()
		kept.Params = x.Call.Params
	}
	x.Target, x.Call.Params = x.Target.Unseal(kept, v.of(x.ID)), kept.Params
	log := make([]playground.Event, len(x.Log))
	for i, e := range x.Log {
		if len(e.Sealed) > 0 {
			if e.Data, ok = v.open(x.ID, e.Sealed); !ok {
				return x, secretLost(x)
			}
		}
		log[i] = e
	}
	x.Log = log
	return s.unlockOrigin(c, x)
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
func (s *app) unlockOrigin(c echo.Context, x playground.Exchange) (playground.Exchange, error) {
	if x.Origin == nil || x.Origin.Parent == nil {
		return x, nil
	}
	parent, err := s.openExchange(c, *x.Origin.Parent)
	from := *x.Origin
	from.Parent, x.Origin = &parent, &from
	return x, err
}

// secretLost returns the refusal for an exchange whose secrets this browser
// cannot open.
func secretLost(x playground.Exchange) *refusal {
	return refuse(http.StatusConflict, "secret_lost",
		"The token for "+x.Target.Name+" is not available in this browser.",
		"Tokens are encrypted with a key in a cookie of the browser where they were entered. "+
			"The recording is complete. "+
			"To continue, connect to the server again with its token and start a new call.")
}
