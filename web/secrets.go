package web

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
)

// secretKeySize is that of AES-256.
const secretKeySize = 32

// vault encrypts what the user gave as credentials. Its key is in the cookie of
// one browser and nowhere else: whoever has the database alone has nothing. A
// vault without a key opens nothing.
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

// seal encrypts for one row, whose id is authenticated: no ciphertext can be
// moved to another.
func (v vault) seal(id string, plain []byte) []byte {
	return v.aead.Seal(nil, nil, plain, []byte(id))
}

// open is the opposite; false for everything that was not sealed by this
// browser for this row.
func (v vault) open(id string, sealed []byte) ([]byte, bool) {
	if v.aead == nil || len(sealed) == 0 {
		return nil, false
	}
	plain, err := v.aead.Open(nil, nil, sealed, []byte(id))
	return plain, err == nil
}

// sealer seals for one row.
func (v vault) sealer(id string) func([]byte) []byte {
	return func(plain []byte) []byte { return v.seal(id, plain) }
}

// vault is the one of the request's browser.
func (o owners) vault(c echo.Context) vault {
	session, _ := o.store.Get(c.Request(), o.name) // a cookie that does not open is no cookie
	key, _ := session.Values["key"].([]byte)
	return newVault(key)
}

// newVault is the same, with a new key when the browser has none yet. Setting
// the cookie again lets it live on as long as it is used.
func (o owners) newVault(c echo.Context) (vault, error) {
	session, _ := o.store.Get(c.Request(), o.name)
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

// lock seals what of t is secret, if anything is. The target that comes back
// can be sent to; its Redacted form can be stored.
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
	t.Secrets = redact.New(t.Header, t.URL, v.sealer(t.ID))
	return t, nil
}

// unlock is the target as it is sent to; false when this browser cannot open
// what was given for it.
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
	return t.Unseal(kept, v.sealer(t.ID)), true
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
	x.Target.Secrets = redact.New(x.Target.Header, x.Target.URL, v.sealer(x.ID))
	return x, nil
}

// unlockExchange is the exchange as it can be sent on, with every byte that
// was masked; an exchange without secrets is just itself.
func (s *app) unlockExchange(c echo.Context, x playground.Exchange) (playground.Exchange, error) {
	if len(x.Sealed) == 0 {
		return x, nil
	}
	v := s.owners.vault(c)
	plain, ok := v.open(x.ID, x.Sealed)
	var kept playground.SealedParams
	if !ok || json.Unmarshal(plain, &kept) != nil {
		return x, secretLost(x)
	}
	x.Target, x.Call.Params = x.Target.Unseal(kept, v.sealer(x.ID)), kept.Params
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

// unlockOrigin opens what a branch goes on from, too: its request echoes a
// state from there.
func (s *app) unlockOrigin(c echo.Context, x playground.Exchange) (playground.Exchange, error) {
	if x.Origin == nil || x.Origin.Parent == nil {
		return x, nil
	}
	parent, err := s.unlockExchange(c, *x.Origin.Parent)
	from := *x.Origin
	from.Parent, x.Origin = &parent, &from
	return x, err
}

// secretLost says what becomes of a record whose secrets nobody can open.
func secretLost(x playground.Exchange) *refusal {
	return refuse(http.StatusConflict, "secret_lost", "The token for "+x.Target.Name+" is not available in this browser.",
		"Tokens are encrypted with a key in a cookie of the browser where they were entered. "+
			"The recording is complete. To continue, connect to the server again with its token and start a new call.")
}
