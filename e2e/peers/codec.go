package peers

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strings"
	"sync"
)

// strict refuses spare bits in the last character, lax ignores them.
var (
	strict = base64.RawURLEncoding.Strict()
	lax    = base64.RawURLEncoding
)

// newKey returns a random key of 256 bits.
func newKey() []byte {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	return key
}

// newGCM returns AES-256-GCM with a random key.
func newGCM() cipher.AEAD {
	block, err := aes.NewCipher(newKey())
	if err != nil {
		panic(err) // the key has the right length
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	return aead
}

func (c claims) json() []byte {
	b, err := json.Marshal(c)
	if err != nil {
		panic(err) // strings and numbers always marshal
	}
	return b
}

func parseClaims(b []byte) (c claims, ok bool) { return c, json.Unmarshal(b, &c) == nil }

// blob is one Base64 string with nonce, ciphertext and tag.
type blob struct {
	aead     cipher.AEAD
	encoding *base64.Encoding
}

func (b blob) seal(c claims) string {
	nonce := newKey()[:b.aead.NonceSize()]
	return b.encoding.EncodeToString(b.aead.Seal(nonce, nonce, c.json(), nil))
}

func (b blob) open(state string) (claims, bool) {
	raw, err := b.encoding.DecodeString(state)
	if err != nil || len(raw) < b.aead.NonceSize() {
		return claims{}, false
	}
	plain, err := b.aead.Open(nil, raw[:b.aead.NonceSize()], raw[b.aead.NonceSize():], nil)
	if err != nil {
		return claims{}, false
	}
	return parseClaims(plain)
}

// signed is a token with a readable part and an HMAC-SHA256 as its last part.
type signed struct {
	key      []byte
	prefix   string // first part; empty for none
	nonce    bool   // the first part is a nonce
	encoding *base64.Encoding
}

func (s signed) seal(c claims) string {
	head := s.encoding.EncodeToString(c.json())
	if s.nonce {
		head = s.encoding.EncodeToString(newKey()[:12]) + "." + head
	}
	if s.prefix != "" {
		head = s.prefix + "." + head
	}
	return head + "." + s.encoding.EncodeToString(s.tag(head))
}

func (s signed) tag(head string) []byte {
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte(head))
	return mac.Sum(nil)
}

func (s signed) open(state string) (claims, bool) {
	head, tail, ok := cutTail(state)
	tag, err := s.encoding.DecodeString(tail)
	if !ok || err != nil || !hmac.Equal(tag, s.tag(head)) {
		return claims{}, false
	}
	parts := strings.Split(head, ".")
	raw, err := s.encoding.DecodeString(parts[len(parts)-1])
	if err != nil || s.prefix != "" && parts[0] != s.prefix {
		return claims{}, false
	}
	return parseClaims(raw)
}

// jwe looks like a compact JWE with direct encryption: header, an empty key,
// nonce, ciphertext and tag.
type jwe struct{ aead cipher.AEAD }

var jweHeader = strict.EncodeToString([]byte(`{"alg":"dir","enc":"A256GCM"}`))

func (j jwe) seal(c claims) string {
	nonce := newKey()[:j.aead.NonceSize()]
	sealed := j.aead.Seal(nil, nonce, c.json(), []byte(jweHeader))
	cut := len(sealed) - j.aead.Overhead()
	return strings.Join([]string{jweHeader, "", strict.EncodeToString(nonce),
		strict.EncodeToString(sealed[:cut]), strict.EncodeToString(sealed[cut:])}, ".")
}

func (j jwe) open(state string) (claims, bool) {
	parts := strings.Split(state, ".")
	if len(parts) != 5 || parts[0] != jweHeader || parts[1] != "" {
		return claims{}, false
	}
	var raw [3][]byte
	for i := range raw {
		var err error
		if raw[i], err = strict.DecodeString(parts[i+2]); err != nil {
			return claims{}, false
		}
	}
	if len(raw[0]) != j.aead.NonceSize() {
		return claims{}, false
	}
	plain, err := j.aead.Open(nil, raw[0], append(raw[1], raw[2]...), []byte(jweHeader))
	if err != nil {
		return claims{}, false
	}
	return parseClaims(plain)
}

// maxHandles bounds the states in memory.
const maxHandles = 10000

// handles keeps the claims in memory; the state is a random handle.
type handles struct {
	mu     sync.Mutex
	claims map[string]claims
}

func (h *handles) seal(c claims) string {
	handle := hex.EncodeToString(newKey()[:16])
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.claims) >= maxHandles {
		clear(h.claims)
	}
	h.claims[handle] = c
	return handle
}

func (h *handles) open(state string) (claims, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c, ok := h.claims[state]
	return c, ok
}
