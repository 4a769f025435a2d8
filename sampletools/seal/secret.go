package seal

import (
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/tink-crypto/tink-go/v2/aead/aesgcm"
	"github.com/tink-crypto/tink-go/v2/insecuresecretdataaccess"
	"github.com/tink-crypto/tink-go/v2/key"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/mac/hmac"
	"github.com/tink-crypto/tink-go/v2/secretdata"
)

// minSecret is the length of the shortest secret for [FromSecret], in bytes.
const minSecret = 16

// FromSecret returns keys that follow from a secret and a label, the same ones
// each time. They are for states that no server accepts: a visitor's throwaway
// keys.
func FromSecret(secret []byte, label string) (*Keys, error) {
	if len(secret) < minSecret {
		return nil, errors.New("derive state keys: secret too short")
	}
	material, err := hkdf.Key(sha256.New, secret, nil, "mrtr state keys: "+label, 2*32+2*keyIDSize)
	if err != nil {
		return nil, fmt.Errorf("derive state keys: %w", err)
	}
	sealing, err := sealingKeyset(material[:32], keyIDOf(material[64:68]))
	if err != nil {
		return nil, fmt.Errorf("derive sealing key: %w", err)
	}
	signing, err := signingKeyset(material[32:64], keyIDOf(material[68:72]))
	if err != nil {
		return nil, fmt.Errorf("derive signing key: %w", err)
	}
	return newKeys(sealing, signing)
}

// keyIDOf returns an id from random bytes. Tink allows any but 0.
func keyIDOf(b []byte) uint32 { return max(1, binary.BigEndian.Uint32(b)) }

func sealingKeyset(b []byte, id uint32) (*keyset.Handle, error) {
	p, err := aesgcm.NewParameters(aesgcm.ParametersOpts{
		KeySizeInBytes: 32, IVSizeInBytes: nonceSize, TagSizeInBytes: tagSize, Variant: aesgcm.VariantTink,
	})
	if err != nil {
		return nil, err
	}
	k, err := aesgcm.NewKey(secretdata.NewBytesFromData(b, insecuresecretdataaccess.Token{}), id, p)
	if err != nil {
		return nil, err
	}
	return keysetOf(k)
}

func signingKeyset(b []byte, id uint32) (*keyset.Handle, error) {
	p, err := hmac.NewParameters(hmac.ParametersOpts{
		KeySizeInBytes: 32, TagSizeInBytes: macSize, HashType: hmac.SHA256, Variant: hmac.VariantTink,
	})
	if err != nil {
		return nil, err
	}
	k, err := hmac.NewKey(secretdata.NewBytesFromData(b, insecuresecretdataaccess.Token{}), p, id)
	if err != nil {
		return nil, err
	}
	return keysetOf(k)
}

// keysetOf returns a keyset of one key.
func keysetOf(k key.Key) (*keyset.Handle, error) {
	m := keyset.NewManager()
	id, err := m.AddKey(k)
	if err != nil {
		return nil, err
	}
	if err := m.SetPrimary(id); err != nil {
		return nil, err
	}
	return m.Handle()
}
