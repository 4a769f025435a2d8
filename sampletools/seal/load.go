package seal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mrtr-playground/mrtr-playground/sampletools/keyfile"
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
	env, path := Source(getenv, dataDir)
	if env != "" {
		sets, err := parseKeys([]byte(getenv(env)), env)
		if err != nil {
			return nil, err
		}
		return &Keys{sets: sets}, nil
	}
	k, err := readKeys(path)
	if getenv(EnvKeysFile) == "" && errors.Is(err, fs.ErrNotExist) {
		return createKeys(path)
	}
	return k, err
}

// readKeys returns the keys of a file, which they then follow.
func readKeys(path string) (*Keys, error) {
	f, err := keyfile.Open("state keys", path, parseKeys)
	if err != nil {
		return nil, err
	}
	return &Keys{file: f}, nil
}

// createKeys writes new keys. If two processes start at once, the first one wins
// and both read the same complete file.
func createKeys(path string) (*Keys, error) {
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = Generate().write(path, os.Link)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("write state keys: %w", err)
	}
	return readKeys(path)
}

// Write replaces the content of a key file. Processes that follow it notice.
func (k *Keys) Write(path string) error {
	if err := k.write(path, os.Rename); err != nil {
		return fmt.Errorf("write state keys: %w", err)
	}
	return nil
}

// write writes the keys to a temporary file beside path, which place then moves
// there.
func (k *Keys) write(path string, place func(from, to string) error) error {
	text, err := json.Marshal(k)
	if err != nil {
		return err
	}
	return keyfile.Write(path, append(text, '\n'), place)
}

// Source returns where Load takes the keys from: the name of an environment
// variable that holds them, or the path of a file.
func Source(getenv func(string) string, dataDir string) (env, path string) {
	if getenv(EnvKeys) != "" {
		return EnvKeys, ""
	}
	if path := getenv(EnvKeysFile); path != "" {
		return "", path
	}
	return "", filepath.Join(dataDir, FileName)
}
