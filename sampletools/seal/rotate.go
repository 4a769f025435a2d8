package seal

import (
	"fmt"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/mac"
	tinkpb "github.com/tink-crypto/tink-go/v2/proto/tink_go_proto"
)

// Rotate returns keys with a new primary. States of the old keys still open.
func (k *Keys) Rotate() (*Keys, error) {
	sets := k.current(false)
	sealing, err := rotate(sets.sealing, aead.AES256GCMKeyTemplate())
	if err != nil {
		return nil, fmt.Errorf("rotate sealing keys: %w", err)
	}
	signing, err := rotate(sets.signing, mac.HMACSHA256Tag256KeyTemplate())
	if err != nil {
		return nil, fmt.Errorf("rotate signing keys: %w", err)
	}
	return newKeys(sealing, signing)
}

// Retire returns keys with the primary alone. States of the other keys are
// refused.
func (k *Keys) Retire() (*Keys, error) {
	sets := k.current(false)
	sealing, err := retire(sets.sealing)
	if err != nil {
		return nil, fmt.Errorf("retire sealing keys: %w", err)
	}
	signing, err := retire(sets.signing)
	if err != nil {
		return nil, fmt.Errorf("retire signing keys: %w", err)
	}
	return newKeys(sealing, signing)
}

// rotate adds a new primary key.
func rotate(h *keyset.Handle, template *tinkpb.KeyTemplate) (*keyset.Handle, error) {
	m := keyset.NewManagerFromHandle(h)
	id, err := m.Add(template)
	if err != nil {
		return nil, err
	}
	if err := m.SetPrimary(id); err != nil {
		return nil, err
	}
	return m.Handle()
}

// retire deletes every key but the primary.
func retire(h *keyset.Handle) (*keyset.Handle, error) {
	m := keyset.NewManagerFromHandle(h)
	for i := range h.Len() {
		e, err := h.Entry(i)
		if err != nil {
			return nil, err
		}
		if e.IsPrimary() {
			continue
		}
		if err := m.Delete(e.KeyID()); err != nil {
			return nil, err
		}
	}
	return m.Handle()
}
