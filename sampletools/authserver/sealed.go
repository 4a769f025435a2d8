package authserver

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// kind is the kind of thing that a sealed text stands for. A text of one kind
// is none of another.
type kind string

// The kinds of sealed texts.
const (
	clientKind  kind = "client"
	requestKind kind = "request"
	codeKind    kind = "code"
	refreshKind kind = "refresh"
)

// How long what the server gives out is valid.
const (
	clientLife  = 10 * 365 * 24 * time.Hour // nothing is stored for it
	requestLife = 10 * time.Minute          // until the user has decided
	codeLife    = time.Minute
	accessLife  = 10 * time.Minute
	shortLife   = time.Minute
	refreshLife = 24 * time.Hour
)

// skew is how much longer the memory keeps a name than the text is valid, so
// that clocks of other instances may differ.
const skew = time.Minute

// seal returns v as a text that only processes with the same keys can read.
func (s *Server) seal(k kind, life time.Duration, v any) (string, error) {
	work, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("seal %s: %w", k, err)
	}
	id, err := s.newID()
	if err != nil {
		return "", err
	}
	now := s.Now()
	return s.Keys.Seal(seal.Sealed, seal.Claims{
		Issued: now.Unix(), Expires: now.Add(life).Unix(), ID: id, Request: s.about(k), Work: work,
	})
}

// open reads a sealed text into v and returns its id.
func (s *Server) open(k kind, text string, v any) (id string, err error) {
	c, err := s.Keys.Open(text, seal.Sealed, s.about(k), s.Now())
	if err != nil {
		return "", err
	}
	if err := json.Unmarshal(c.Work, v); err != nil {
		return "", fmt.Errorf("open %s: %w", k, err)
	}
	return c.ID, nil
}

func (s *Server) about(k kind) seal.Request {
	return seal.Request{Sample: "authorization", Method: string(k), Name: s.Issuer()}
}

// newID returns 128 random bits as text.
func (s *Server) newID() (string, error) {
	b := make([]byte, 16)
	if _, err := io.ReadFull(s.Rand, b); err != nil {
		return "", fmt.Errorf("draw id: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(b), nil
}
