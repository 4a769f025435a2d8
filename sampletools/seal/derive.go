package seal

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/mac"
)

// DerivedKey is a secret that follows from one of the signing keys.
type DerivedKey struct {
	ID     string // of the signing key, as states show it
	Secret []byte // 32 bytes
}

// Derive returns a secret for every signing key, that of the primary key first.
// The same label results in the same secrets in every process with these keys.
// A secret tells nothing about the keys or about secrets of other labels.
func (k *Keys) Derive(label string) ([]DerivedKey, error) {
	h := k.current(true).signing // another process may have rotated the keys
	var list []DerivedKey
	for i := range h.Len() {
		e, err := h.Entry(i)
		if err != nil {
			return nil, fmt.Errorf("derive key: %w", err)
		}
		if e.KeyStatus() != keyset.Enabled {
			continue
		}
		secret, err := derive(h, e.KeyID(), label)
		if err != nil {
			return nil, fmt.Errorf("derive key: %w", err)
		}
		d := DerivedKey{hex.EncodeToString(binary.BigEndian.AppendUint32(nil, e.KeyID())), secret}
		if e.IsPrimary() {
			list = slices.Insert(list, 0, d)
		} else {
			list = append(list, d)
		}
	}
	return list, nil
}

// derive returns the MAC of the label under one key. No signed state has this
// text: states begin with the prefix.
func derive(h *keyset.Handle, id uint32, label string) ([]byte, error) {
	m := keyset.NewManagerFromHandle(h)
	if err := m.SetPrimary(id); err != nil {
		return nil, err
	}
	one, err := m.Handle()
	if err != nil {
		return nil, err
	}
	p, err := mac.New(one)
	if err != nil {
		return nil, err
	}
	out, err := p.ComputeMAC([]byte("derived key: " + label))
	if err != nil {
		return nil, err
	}
	return out[1+keyIDSize:], nil
}
