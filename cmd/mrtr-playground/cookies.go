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
	"sync"
	"time"
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
	path string // empty if the keys never change

	mu     sync.Mutex
	keys   [][]byte
	seen   time.Time // modification time of what was read last
	looked time.Time
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
		keys, err := parseCookieKeys(getenv(env), env)
		return &cookieKeys{keys: keys}, err
	}
	k := &cookieKeys{path: path}
	err := k.read()
	if getenv(envCookieKeysFile) == "" && errors.Is(err, fs.ErrNotExist) {
		k.keys = [][]byte{newCookieKey()}
		if err := k.write(os.Link); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		err = k.read() // another process may have been first
	}
	return k, err
}

func newCookieKey() []byte {
	key := make([]byte, cookieKeySize)
	_, _ = rand.Read(key) // never fails
	return key
}

func parseCookieKeys(text, source string) ([][]byte, error) {
	var keys [][]byte
	for word := range strings.FieldsSeq(text) {
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

// read reads the file.
func (k *cookieKeys) read() error {
	info, err := os.Stat(k.path)
	if err != nil {
		return fmt.Errorf("read cookie keys: %w", err)
	}
	text, err := os.ReadFile(k.path)
	if err != nil {
		return fmt.Errorf("read cookie keys: %w", err)
	}
	keys, err := parseCookieKeys(string(text), k.path)
	if err != nil {
		return err
	}
	k.keys, k.seen, k.looked = keys, info.ModTime(), time.Now()
	return nil
}

// lookEvery is how often the file is looked at while cookies are used.
const lookEvery = 2 * time.Second

// current returns the keys, the one that signs first. Unless now, it looks at
// the file only every lookEvery. A file that cannot be read changes nothing: the
// keys in memory still work.
func (k *cookieKeys) current(now bool) [][]byte {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.path != "" && (now || time.Since(k.looked) >= lookEvery) {
		k.looked = time.Now()
		if info, err := os.Stat(k.path); err == nil && !info.ModTime().Equal(k.seen) {
			_ = k.read()
		}
	}
	return k.keys
}

// rotate makes a new key the first.
func (k *cookieKeys) rotate() { k.keys = slices.Insert(k.keys, 0, newCookieKey()) }

// retire keeps the first key alone.
func (k *cookieKeys) retire() { k.keys = k.keys[:1] }

// write writes the keys to a temporary file, which place then moves to the path.
func (k *cookieKeys) write(place func(from, to string) error) error {
	f, err := os.CreateTemp(filepath.Dir(k.path), cookieKeysName+".*") // mode 0600
	if err != nil {
		return fmt.Errorf("write cookie keys: %w", err)
	}
	defer os.Remove(f.Name())
	var text strings.Builder
	for _, key := range k.keys {
		text.WriteString(base64.StdEncoding.EncodeToString(key) + "\n")
	}
	_, err = f.WriteString(text.String())
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("write cookie keys: %w", err)
	}
	if err := place(f.Name(), k.path); err != nil {
		return fmt.Errorf("write cookie keys: %w", err)
	}
	return nil
}
