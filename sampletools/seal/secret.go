package seal

import (
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"fmt"
)

// minSecret is the length of the shortest secret for [FromSecret], in bytes.
const minSecret = 16

// FromSecret returns keys that follow from a label and secrets, the same ones
// each time. The first secret protects new states, and those of the others open,
// too. The keys are for states that no server accepts: throwaway keys.
func FromSecret(label string, secrets ...[]byte) (*Keys, error) {
	sets := &keysets{}
	for _, secret := range secrets {
		if len(secret) < minSecret {
			return nil, errors.New("derive state keys: secret too short")
		}
		info := "mrtr state keys: " + label
		material, err := hkdf.Key(sha256.New, secret, nil, info, 2*(secretSize+keyIDSize))
		if err != nil {
			return nil, fmt.Errorf("derive state keys: %w", err)
		}
		secrets, ids := string(material[:2*secretSize]), string(material[2*secretSize:])
		sets.sealing = append(sets.sealing, key{ids[:keyIDSize], secrets[:secretSize]})
		sets.signing = append(sets.signing, key{ids[keyIDSize:], secrets[secretSize:]})
	}
	if len(secrets) == 0 {
		return nil, errors.New("derive state keys: no secret")
	}
	return &Keys{sets: sets}, nil
}
