package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/sampletools/keyfile"
)

// Keys holds keys for sealing and keys for signing. In each, the primary key
// protects new states and the others open older ones. Keys of a file follow
// it: a process that runs while the keys are rotated needs no restart. Keys is
// safe for concurrent use.
type Keys struct {
	sets *keysets                // of keys that never change
	file *keyfile.File[*keysets] // that the keys follow, or nil
}

// current returns the keys as they are. Unless now, a change of the file may
// be seen a little later.
func (k *Keys) current(now bool) *keysets {
	if k.file == nil {
		return k.sets
	}
	return k.file.Keys(now)
}

// keysets is immutable. In each, the first key is the primary one.
type keysets struct{ sealing, signing keyset }

// keyset is a list of keys with different ids, never empty.
type keyset []key

// key is a secret with its id, which states show.
type key struct {
	id     string // four bytes
	secret string // 32 bytes
}

// secretSize is the length of a secret in bytes: AES-256 and HMAC-SHA256.
const secretSize = 32

// Generate returns new random keys.
func Generate() *Keys {
	return &Keys{sets: &keysets{sealing: newKeyset(nil), signing: newKeyset(nil)}}
}

// newKeyset returns the keys after a new random one, whose id none of them has.
func newKeyset(older keyset) keyset {
	b := make([]byte, keyIDSize+secretSize)
	for {
		_, _ = rand.Read(b) // never fails
		k := key{id: string(b[:keyIDSize]), secret: string(b[keyIDSize:])}
		if older.find([]byte(k.id)) == nil {
			return append(keyset{k}, older...)
		}
	}
}

// find returns the key with an id, or nil.
func (s keyset) find(id []byte) *key {
	if i := slices.IndexFunc(s, func(k key) bool { return k.id == string(id) }); i >= 0 {
		return &s[i]
	}
	return nil
}

// aead returns the cipher of a sealing key.
func (k key) aead() (cipher.AEAD, error) {
	block, err := aes.NewCipher([]byte(k.secret))
	if err != nil {
		return nil, fmt.Errorf("use sealing key: %w", err)
	}
	return cipher.NewGCM(block)
}

// mac returns the MAC of a text under a signing key.
func (k key) mac(text string) []byte {
	h := hmac.New(sha256.New, []byte(k.secret))
	h.Write([]byte(text))
	return h.Sum(nil)
}

// encrypt seals the body with a random nonce (RFC 5116, section 3.1).
func (k *Keys) encrypt(body []byte) (string, error) {
	primary := k.current(false).sealing[0]
	a, err := primary.aead()
	if err != nil {
		return "", err
	}
	nonce := make([]byte, nonceSize)
	_, _ = rand.Read(nonce) // never fails
	out := a.Seal(nil, nonce, body, sealedContext())
	text, tag := out[:len(out)-tagSize], out[len(out)-tagSize:]
	return format(Sealed, []byte(primary.id), nonce, text, tag), nil
}

// decrypt opens the parts of the token.
func (k *Keys) decrypt(t token) ([]byte, Reason) {
	one := k.current(false).sealing.find(t.bytes("key id"))
	if one == nil || len(t.bytes("nonce")) != nonceSize {
		return nil, NotOurs
	}
	a, err := one.aead()
	if err != nil {
		return nil, NotOurs
	}
	body, err := a.Open(nil, t.bytes("nonce"), slices.Concat(t.bytes("ciphertext"), t.bytes("tag")),
		sealedContext())
	if err != nil {
		return nil, NotOurs
	}
	return body, ""
}

// sealedContext returns the associated data, which binds the ciphertext to this
// use of the key.
func sealedContext() []byte { return []byte(prefix + Sealed) }

// sign covers the text up to the last dot, including prefix, mode and key id.
func (k *Keys) sign(body []byte) string {
	primary := k.current(false).signing[0]
	signed := format(Signed, []byte(primary.id), body)
	return signed + "." + encode("mac", primary.mac(signed))
}

func (k *Keys) verify(t token, signed string) Reason {
	one := k.current(false).signing.find(t.bytes("key id"))
	if one == nil || !hmac.Equal(one.mac(signed), t.bytes("mac")) {
		return NotOurs
	}
	return ""
}

// knows reports whether a key has this id. It reads the file again before it
// says no: another process may have rotated the keys.
func (k *Keys) knows(mode Mode, id []byte) bool {
	return k.current(false).knows(mode, id) || k.current(true).knows(mode, id)
}

func (k *keysets) knows(mode Mode, id []byte) bool {
	if mode == Signed {
		return k.signing.find(id) != nil
	}
	return k.sealing.find(id) != nil
}

// idText returns an id as states show it.
func (k key) idText() string { return hex.EncodeToString([]byte(k.id)) }
