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

// FromSecret returns keys that follow from a label and secrets, the same ones
// each time. The first secret protects new states, and those of the others open,
// too. The keys are for states that no server accepts: throwaway keys.
func FromSecret(label string, secrets ...[]byte) (*Keys, error) {
	sealing, signing := keyset.NewManager(), keyset.NewManager()
	for i, secret := range secrets {
		if len(secret) < minSecret {
			return nil, errors.New("derive state keys: secret too short")
		}
		material, err := hkdf.Key(sha256.New, secret, nil, "mrtr state keys: "+label, 2*32+2*keyIDSize)
		if err != nil {
			return nil, fmt.Errorf("derive state keys: %w", err)
		}
		k, err := sealingKey(material[:32], keyIDOf(material[64:68]))
		if err == nil {
			err = addKey(sealing, k, i == 0)
		}
		if err != nil {
			return nil, fmt.Errorf("derive sealing key: %w", err)
		}
		m, err := signingKey(material[32:64], keyIDOf(material[68:72]))
		if err == nil {
			err = addKey(signing, m, i == 0)
		}
		if err != nil {
			return nil, fmt.Errorf("derive signing key: %w", err)
		}
	}
	sealingSet, err := sealing.Handle()
	if err != nil {
		return nil, fmt.Errorf("derive sealing keys: %w", err)
	}
	signingSet, err := signing.Handle()
	if err != nil {
		return nil, fmt.Errorf("derive signing keys: %w", err)
	}
	return newKeys(sealingSet, signingSet)
}

// keyIDOf returns an id from random bytes. Tink allows any but 0.
func keyIDOf(b []byte) uint32 { return max(1, binary.BigEndian.Uint32(b)) }

func sealingKey(b []byte, id uint32) (key.Key, error) {
	p, err := aesgcm.NewParameters(aesgcm.ParametersOpts{
		KeySizeInBytes: 32, IVSizeInBytes: nonceSize, TagSizeInBytes: tagSize, Variant: aesgcm.VariantTink,
	})
	if err != nil {
		return nil, err
	}
	return aesgcm.NewKey(secretdata.NewBytesFromData(b, insecuresecretdataaccess.Token{}), id, p)
}

func signingKey(b []byte, id uint32) (key.Key, error) {
	p, err := hmac.NewParameters(hmac.ParametersOpts{
		KeySizeInBytes: 32, TagSizeInBytes: macSize, HashType: hmac.SHA256, Variant: hmac.VariantTink,
	})
	if err != nil {
		return nil, err
	}
	return hmac.NewKey(secretdata.NewBytesFromData(b, insecuresecretdataaccess.Token{}), p, id)
}

func addKey(m *keyset.Manager, k key.Key, primary bool) error {
	id, err := m.AddKey(k)
	if err != nil || !primary {
		return err
	}
	return m.SetPrimary(id)
}
