package auth

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	jose "github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// assertionLife is how long an assertion is good for.
const assertionLife = time.Minute

// assertion returns the parameters with which the client proves itself by a
// signed assertion (RFC 7523, section 2.2). It returns nil for every other way
// of authentication.
func (f *flow) assertion() url.Values {
	s := f.s
	if s.Client.Method != methodJWT || s.Private.key == nil {
		return nil
	}
	now := f.c.Now()
	signer, err := Signer(s.Private.key)
	if err != nil { // a key of a kind that LoadKey refuses
		return nil
	}
	signed, err := jwt.Signed(signer).Claims(jwt.Claims{
		Issuer: s.Client.ID, Subject: s.Client.ID, Audience: jwt.Audience{s.Metadata.Issuer},
		Expiry: jwt.NewNumericDate(now.Add(assertionLife)), IssuedAt: jwt.NewNumericDate(now),
		ID: rand.Text(),
	}).Serialize()
	if err != nil {
		return nil
	}
	f.hide(signed)
	return url.Values{
		"client_assertion_type": {"urn:ietf:params:oauth:client-assertion-type:jwt-bearer"},
		"client_assertion":      {signed},
	}
}

// Signer returns what signs tokens with a private key of LoadKey.
func Signer(key crypto.Signer) (jose.Signer, error) {
	return jose.NewSigner(jose.SigningKey{Algorithm: signing(key.Public()), Key: key},
		new(jose.SignerOptions).WithType("JWT"))
}

// signing returns the algorithm for a key.
func signing(public any) jose.SignatureAlgorithm {
	switch k := public.(type) {
	case *rsa.PublicKey:
		return jose.RS256
	case ed25519.PublicKey:
		return jose.EdDSA
	case *ecdsa.PublicKey:
		switch k.Curve.Params().BitSize {
		case 384:
			return jose.ES384
		case 521:
			return jose.ES512
		}
	}
	return jose.ES256
}

// withForm sets the body of a request to a form.
func withForm(r *http.Request, form url.Values) *http.Request {
	body := form.Encode()
	r.Body = io.NopCloser(strings.NewReader(body))
	r.ContentLength = int64(len(body))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return r
}
