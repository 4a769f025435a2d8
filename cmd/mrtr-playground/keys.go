package main

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
)

// newID returns an id of 130 random bits.
func newID() string { return rand.Text() }

// loadKey returns the key that signs cookies: env, which is base64, or the
// content of the file, which is created if it is missing.
func loadKey(path, env string) ([]byte, error) {
	if env != "" {
		return decodeKey(env, "MRTR_COOKIE_KEY")
	}
	text, err := os.ReadFile(path)
	if err == nil {
		return decodeKey(string(text), path)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read cookie key: %w", err)
	}
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	if err := os.WriteFile(path, []byte(base64.StdEncoding.EncodeToString(key)), 0o600); err != nil {
		return nil, fmt.Errorf("write cookie key: %w", err)
	}
	return key, nil
}

func decodeKey(text, where string) ([]byte, error) {
	key, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(key) < 32 {
		return nil, fmt.Errorf("cookie key in %s: want at least 32 bytes as base64", where)
	}
	return key, nil
}

// hostPort returns the host and port of a URL.
func hostPort(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	if u.Port() != "" {
		return u.Host
	}
	if u.Scheme == "https" {
		return u.Host + ":443"
	}
	return u.Host + ":80"
}
