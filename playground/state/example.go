package state

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"time"
)

// Example is a format that servers without an SDK of MCP often choose for their
// states. Name is for people.
type Example struct{ ID, Name string }

// Examples lists the formats of NewExample.
func Examples() []Example {
	return []Example{
		{JWT, "JWT"}, {Fernet, "Fernet"}, {Opaque, "encrypted bytes"},
		{Base64JSON, "Base64 of JSON"}, {Handle, "a handle"},
	}
}

// NewExample returns a state in a format of Examples, made at a time that it
// holds where the format does, with a key that is thrown away. It returns false for
// any other format.
func NewExample(format string, now time.Time) (token string, ok bool) {
	claims, _ := json.Marshal(map[string]any{ // strings and numbers
		"tool": "book_table", "step": 2, "party": 4, "iat": now.Unix(), "exp": now.Add(time.Hour).Unix(),
	})
	key := random(32)
	switch format {
	case JWT:
		token = url64([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + url64(claims)
		return token + "." + url64(mac(key, token)), true
	case Fernet:
		return newFernet(key, claims, now), true
	case Opaque:
		block, _ := aes.NewCipher(key)    // the key has 32 bytes
		aead, _ := cipher.NewGCM(block)   // the block has 16
		nonce := random(aead.NonceSize()) // once for each key
		return url64(aead.Seal(nonce, nonce, claims, nil)), true
	case Base64JSON:
		return url64(claims), true
	case Handle:
		return hex.EncodeToString(random(16)), true
	}
	return "", false
}

// newFernet follows github.com/fernet/spec: half of the key signs, the other half
// encrypts.
func newFernet(key, claims []byte, now time.Time) string {
	pad := aes.BlockSize - len(claims)%aes.BlockSize
	padded := append(claims, bytes.Repeat([]byte{byte(pad)}, pad)...)
	iv := random(aes.BlockSize)
	block, _ := aes.NewCipher(key[16:]) // it has 16 bytes
	cipher.NewCBCEncrypter(block, iv).CryptBlocks(padded, padded)
	token := binary.BigEndian.AppendUint64([]byte{0x80}, uint64(now.Unix()))
	token = append(append(token, iv...), padded...)
	return base64.URLEncoding.EncodeToString(append(token, mac(key[:16], string(token))...))
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return b
}

func url64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }
