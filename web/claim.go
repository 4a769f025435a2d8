package web

import (
	"fmt"
	"time"

	"github.com/gorilla/securecookie"
)

// ClaimPath is where the links of NewClaim begin.
const ClaimPath = "/claim/"

// claimLife is how long a link of NewClaim can be opened.
const claimLife = time.Hour

// claim is the name under which the keys of cookies sign the tokens of claims: a cookie
// is none.
const claim = "claim"

// NewClaim returns a token, signed with the first of the keys of cookies. The browser
// that uses it gets the workspace of local mode. It can be used once: it is older than
// the visit that it begins.
func NewClaim(keys [][]byte, now time.Time) (string, error) {
	token, err := securecookie.EncodeMulti(claim, now.UnixMicro(), claimCodecs(keys)...)
	if err != nil {
		return "", fmt.Errorf("sign claim: %w", err)
	}
	return token, nil
}

// ReadClaim returns when a token of NewClaim was made, and whether it is valid now.
func (s *App) ReadClaim(token string) (made time.Time, valid bool) {
	var micros int64
	err := securecookie.DecodeMulti(claim, token, &micros, claimCodecs(s.CookieKeys(true))...)
	if err != nil {
		return time.Time{}, false
	}
	made = time.UnixMicro(micros)
	return made, s.Now().Sub(made) < claimLife
}

func claimCodecs(keys [][]byte) []securecookie.Codec {
	var pairs [][]byte
	for _, key := range keys {
		pairs = append(pairs, key, nil) // signed, not encrypted
	}
	return securecookie.CodecsFromPairs(pairs...)
}
