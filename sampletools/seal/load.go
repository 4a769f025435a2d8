package seal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"
)

// Sources of [Load], in this order.
const (
	EnvKeys     = "MRTR_STATE_KEYS"      // the keys themselves, as [Keys.MarshalJSON] writes them
	EnvKeysFile = "MRTR_STATE_KEYS_FILE" // a file that holds them
	FileName    = "state-keys.json"      // in the data directory; created if missing
)

// Load returns the keys of this installation. Processes that must open each
// other's states share the keys by environment or file. A single process keeps
// its own in dataDir, readable only by its user.
func Load(getenv func(string) string, dataDir string) (*Keys, error) {
	if text := getenv(EnvKeys); text != "" {
		return parseKeys([]byte(text), EnvKeys)
	}
	if path := getenv(EnvKeysFile); path != "" {
		return readKeys(path)
	}
	path := filepath.Join(dataDir, FileName)
	k, err := readKeys(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return k, err
	}
	return createKeys(path)
}

func readKeys(path string) (*Keys, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read state keys: %w", err)
	}
	return parseKeys(b, path)
}

// createKeys writes new keys to a temporary file and links it to path. If two
// processes start at once, the first link wins and both read the same complete
// file.
func createKeys(path string) (*Keys, error) {
	k, err := Generate()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(k)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err != nil {
		return nil, fmt.Errorf("write state keys: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), FileName+".*") // CreateTemp uses mode 0600
	if err != nil {
		return nil, fmt.Errorf("write state keys: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(append(text, '\n'))
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return nil, fmt.Errorf("write state keys: %w", err)
	}
	if err := os.Link(f.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("write state keys: %w", err)
	}
	return readKeys(path)
}

// keysJSON is the file format: two Tink keysets.
type keysJSON struct {
	Sealing json.RawMessage `json:"sealing"`
	Signing json.RawMessage `json:"signing"`
}

// MarshalJSON returns the keys in cleartext; treat the result as a password.
func (k *Keys) MarshalJSON() ([]byte, error) {
	sealing, err := cleartext(k.sealing)
	if err != nil {
		return nil, err
	}
	signing, err := cleartext(k.signing)
	if err != nil {
		return nil, err
	}
	return json.Marshal(keysJSON{sealing, signing})
}

func cleartext(h *keyset.Handle) (json.RawMessage, error) {
	var b bytes.Buffer
	err := insecurecleartextkeyset.Write(h, keyset.NewJSONWriter(&b))
	return b.Bytes(), err
}

func parseKeys(b []byte, source string) (*Keys, error) {
	var in keysJSON
	if err := json.Unmarshal(b, &in); err != nil {
		return nil, fmt.Errorf("parse state keys of %s: not the JSON of two keysets",
			source) // the cause would quote key material
	}
	sealing, err := insecurecleartextkeyset.Read(keyset.NewJSONReader(bytes.NewReader(in.Sealing)))
	if err != nil {
		return nil, fmt.Errorf("parse sealing keys of %s: %w", source, err)
	}
	signing, err := insecurecleartextkeyset.Read(keyset.NewJSONReader(bytes.NewReader(in.Signing)))
	if err != nil {
		return nil, fmt.Errorf("parse signing keys of %s: %w", source, err)
	}
	return newKeys(sealing, signing)
}
