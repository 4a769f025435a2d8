package seal

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/mac"
	"github.com/tink-crypto/tink-go/v2/tink"

	"github.com/mrtr-playground/mrtr-playground/sampletools/keyfile"
)

// Keys holds one keyset for sealing and one for signing. In each, the primary
// key protects new states and the others open older ones. Keys of a file follow
// it: a process that runs while the keys are rotated needs no restart. Keys is
// safe for concurrent use.
type Keys struct {
	sets *keysets                // of keys that never change
	file *keyfile.File[*keysets] // that the keys follow, or nil
}

// current returns the keysets as they are. Unless now, a change of the file may
// be seen a little later.
func (k *Keys) current(now bool) *keysets {
	if k.file == nil {
		return k.sets
	}
	return k.file.Keys(now)
}

// keysets is immutable.
type keysets struct {
	sealing, signing *keyset.Handle
	aead             tink.AEAD
	mac              tink.MAC
}

// Generate returns new random keys.
func Generate() (*Keys, error) {
	sealing, err := keyset.NewHandle(aead.AES256GCMKeyTemplate())
	if err != nil {
		return nil, fmt.Errorf("generate state keys: %w", err)
	}
	signing, err := keyset.NewHandle(mac.HMACSHA256Tag256KeyTemplate())
	if err != nil {
		return nil, fmt.Errorf("generate state keys: %w", err)
	}
	return newKeys(sealing, signing)
}

func newKeys(sealing, signing *keyset.Handle) (*Keys, error) {
	sets, err := newKeysets(sealing, signing)
	if err != nil {
		return nil, err
	}
	return &Keys{sets: sets}, nil
}

func newKeysets(sealing, signing *keyset.Handle) (*keysets, error) {
	a, err := aead.New(sealing)
	if err != nil {
		return nil, fmt.Errorf("use sealing keys: %w", err)
	}
	m, err := mac.New(signing)
	if err != nil {
		return nil, fmt.Errorf("use signing keys: %w", err)
	}
	return &keysets{sealing, signing, a, m}, nil
}

// tinkPrefix is the first byte of Tink's output for a key with an id. It is
// constant, so tokens omit it.
const tinkPrefix = 0x01

// encrypt seals the body. It splits Tink's output into the parts of the token.
func (k *Keys) encrypt(body []byte) (string, error) {
	out, err := k.current(false).aead.Encrypt(body, sealedContext())
	if err != nil {
		return "", err
	}
	id, rest := out[1:1+keyIDSize], out[1+keyIDSize:]
	nonce, rest := rest[:nonceSize], rest[nonceSize:]
	text, tag := rest[:len(rest)-tagSize], rest[len(rest)-tagSize:]
	return format(Sealed, id, nonce, text, tag), nil
}

// decrypt joins the parts of the token to Tink's input and opens it.
func (k *Keys) decrypt(t token) ([]byte, Reason) {
	in := slices.Concat([]byte{tinkPrefix}, t.bytes("key id"), t.bytes("nonce"), t.bytes("ciphertext"),
		t.bytes("tag"))
	body, err := k.current(false).aead.Decrypt(in, sealedContext())
	if err != nil {
		return nil, NotOurs
	}
	return body, ""
}

// sealedContext returns the associated data, which binds the ciphertext to this
// use of the key.
func sealedContext() []byte { return []byte(prefix + Sealed) }

// sign covers the text up to the last dot, including prefix, mode and key id.
func (k *Keys) sign(body []byte) (string, error) {
	sets := k.current(false)
	primary, err := sets.signing.Primary()
	if err != nil {
		return "", err
	}
	id := binary.BigEndian.AppendUint32(nil, primary.KeyID())
	signed := format(Signed, id, body)
	out, err := sets.mac.ComputeMAC([]byte(signed))
	if err != nil {
		return "", err
	}
	return signed + "." + encode("mac", out[1+keyIDSize:]), nil
}

func (k *Keys) verify(t token, signed string) Reason {
	tag := slices.Concat([]byte{tinkPrefix}, t.bytes("key id"), t.bytes("mac"))
	if k.current(false).mac.VerifyMAC(tag, []byte(signed)) != nil {
		return NotOurs
	}
	return ""
}

// knows reports whether an enabled key has this id. It reads the file again
// before it says no: another process may have rotated the keys.
func (k *Keys) knows(mode Mode, id []byte) bool {
	return k.current(false).knows(mode, id) || k.current(true).knows(mode, id)
}

func (k *keysets) knows(mode Mode, id []byte) bool {
	h := k.sealing
	if mode == Signed {
		h = k.signing
	}
	for i := range h.Len() {
		e, err := h.Entry(i)
		if err == nil && e.KeyStatus() == keyset.Enabled &&
			bytes.Equal(binary.BigEndian.AppendUint32(nil, e.KeyID()), id) {
			return true
		}
	}
	return false
}
