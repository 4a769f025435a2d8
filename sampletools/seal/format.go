package seal

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// keysJSON is the file format: two cleartext keysets as Tink writes them in JSON,
// which its tools read too.
type keysJSON struct {
	Sealing keysetJSON `json:"sealing"`
	Signing keysetJSON `json:"signing"`
}

type keysetJSON struct {
	Primary uint32    `json:"primaryKeyId"`
	Keys    []keyJSON `json:"key"`
}

type keyJSON struct {
	Data   keyData `json:"keyData"`
	Status string  `json:"status"`
	ID     uint32  `json:"keyId"`
	Prefix string  `json:"outputPrefixType"`
}

type keyData struct {
	TypeURL string `json:"typeUrl"`
	Value   []byte `json:"value"`
	Kind    string `json:"keyMaterialType"`
}

// keyType is one of Tink's types of keys, with fixed parameters. The value of a
// key is a message of Protocol Buffers; with these parameters it is the head
// and then the 32 bytes of the secret.
type keyType struct{ url, head string }

var (
	aesGCM     = keyType{"type.googleapis.com/google.crypto.tink.AesGcmKey", "\x1a\x20"}
	hmacSHA256 = keyType{
		"type.googleapis.com/google.crypto.tink.HmacKey",
		"\x12\x04\x08\x03\x10\x20\x1a\x20", // SHA-256, a tag of 32 bytes
	}
)

// What Tink says of a key in use, whose id the output shows.
const enabled, withID, symmetric = "ENABLED", "TINK", "SYMMETRIC"

// MarshalJSON returns the keys in cleartext; treat the result as a password.
func (k *Keys) MarshalJSON() ([]byte, error) {
	sets := k.current(false)
	return json.Marshal(keysJSON{aesGCM.write(sets.sealing), hmacSHA256.write(sets.signing)})
}

func (t keyType) write(s keyset) keysetJSON {
	out := keysetJSON{Primary: s[0].number()}
	for _, k := range s {
		data := keyData{t.url, []byte(t.head + k.secret), symmetric}
		out.Keys = append(out.Keys, keyJSON{data, enabled, k.number(), withID})
	}
	return out
}

func (k key) number() uint32 { return binary.BigEndian.Uint32([]byte(k.id)) }

func parseKeys(b []byte, source string) (*keysets, error) {
	var in keysJSON
	if err := json.Unmarshal(b, &in); err != nil {
		return nil, fmt.Errorf("parse state keys of %s: not the JSON of two keysets",
			source) // the cause would quote key material
	}
	sealing, err := aesGCM.read(in.Sealing)
	if err != nil {
		return nil, fmt.Errorf("parse sealing keys of %s: %w", source, err)
	}
	signing, err := hmacSHA256.read(in.Signing)
	if err != nil {
		return nil, fmt.Errorf("parse signing keys of %s: %w", source, err)
	}
	return &keysets{sealing, signing}, nil
}

// read returns the enabled keys, the primary one first.
func (t keyType) read(in keysetJSON) (keyset, error) {
	var s keyset
	for i, k := range in.Keys {
		if k.Status != enabled {
			continue
		}
		secret, ok := bytes.CutPrefix(k.Data.Value, []byte(t.head))
		id := binary.BigEndian.AppendUint32(nil, k.ID)
		switch {
		case k.Data.TypeURL != t.url || k.Prefix != withID:
			return nil, fmt.Errorf("key %d has another type than %s with an id in the output", i+1, t.url)
		case !ok || len(secret) != secretSize:
			return nil, fmt.Errorf("key %d has other parameters or no secret of %d bytes", i+1, secretSize)
		case s.find(id) != nil:
			return nil, fmt.Errorf("the id of key %d is there twice", i+1)
		}
		one := key{string(id), string(secret)}
		if k.ID == in.Primary {
			s = slices.Insert(s, 0, one)
		} else {
			s = append(s, one)
		}
	}
	if s == nil || s[0].number() != in.Primary {
		return nil, errors.New("there is no enabled key with the primary id")
	}
	return s, nil
}
