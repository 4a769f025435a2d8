package main

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/sampletools/keyfile"
)

// Sources of the keys that sign cookies, in this order. The text is one or more
// keys in Base64 with space between them; the first signs new cookies.
const (
	envCookieKeys     = "MRTR_COOKIE_KEY"
	envCookieKeysFile = "MRTR_COOKIE_KEY_FILE"
	cookieKeysName    = "cookie-key" // in the data directory; created if missing
)

// cookieKeySize is the least size of a key in bytes.
const cookieKeySize = 32

// cookieKeys holds the keys that sign cookies. Those of a file follow it, so
// that a process that runs while they are rotated needs no restart.
type cookieKeys struct {
	keys [][]byte                // that never change
	file *keyfile.File[[][]byte] // that the keys follow, or nil
}

// cookieKeysSource returns where the keys come from: the name of an environment
// variable that holds them, or the path of a file.
func cookieKeysSource(getenv func(string) string, dir string) (env, path string) {
	if getenv(envCookieKeys) != "" {
		return envCookieKeys, ""
	}
	if path := getenv(envCookieKeysFile); path != "" {
		return "", path
	}
	return "", filepath.Join(dir, cookieKeysName)
}

func loadCookieKeys(getenv func(string) string, dir string) (*cookieKeys, error) {
	env, path := cookieKeysSource(getenv, dir)
	if env != "" {
		keys, err := parseCookieKeys([]byte(getenv(env)), env)
		return &cookieKeys{keys: keys}, err
	}
	f, err := openCookieKeys(path)
	if getenv(envCookieKeysFile) == "" && errors.Is(err, fs.ErrNotExist) {
		err = writeCookieKeys(path, [][]byte{newCookieKey()}, os.Link)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		f, err = openCookieKeys(path) // another process may have been first
	}
	return &cookieKeys{file: f}, err
}

// existingCookieKeys is loadCookieKeys for keys that a program has already.
func existingCookieKeys(getenv func(string) string, dir string) (*cookieKeys, error) {
	if _, path := cookieKeysSource(getenv, dir); path != "" {
		f, err := openCookieKeys(path)
		return &cookieKeys{file: f}, err
	}
	return loadCookieKeys(getenv, dir)
}

func openCookieKeys(path string) (*keyfile.File[[][]byte], error) {
	return keyfile.Open("cookie keys", path, parseCookieKeys)
}

func newCookieKey() []byte {
	key := make([]byte, cookieKeySize)
	_, _ = rand.Read(key) // never fails
	return key
}

func parseCookieKeys(text []byte, source string) ([][]byte, error) {
	var keys [][]byte
	for word := range strings.FieldsSeq(string(text)) {
		key, err := base64.StdEncoding.DecodeString(word)
		if err != nil || len(key) < cookieKeySize {
			return nil, fmt.Errorf("cookie key in %s: want at least %d bytes as base64", source,
				cookieKeySize)
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("cookie key in %s: there is none", source)
	}
	return keys, nil
}

// current returns the keys, the one that signs first. Unless now, a change of
// the file may be seen a little later.
func (k *cookieKeys) current(now bool) [][]byte {
	if k.file == nil {
		return k.keys
	}
	return k.file.Keys(now)
}

// rotated returns the keys after a new one.
func (k *cookieKeys) rotated() [][]byte {
	return slices.Concat([][]byte{newCookieKey()}, k.current(true))
}

// retired returns the first key alone.
func (k *cookieKeys) retired() [][]byte { return k.current(true)[:1] }

// writeCookieKeys writes keys to a temporary file, which place then moves to the
// path.
func writeCookieKeys(path string, keys [][]byte, place func(from, to string) error) error {
	var text []byte
	for _, key := range keys {
		text = append(base64.StdEncoding.AppendEncode(text, key), '\n')
	}
	if err := keyfile.Write(path, text, place); err != nil {
		return fmt.Errorf("write cookie keys: %w", err)
	}
	return nil
}
