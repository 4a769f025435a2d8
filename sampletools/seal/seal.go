// Package seal protects a sample's requestState on its way through the client.
//
// A state travels through somebody else's hands, so a server "MUST treat requestState as an
// attacker-controlled input" (2026-07-28, basic/patterns/mrtr, server requirements 4 and 5).
// The package offers three ways to hand it out, so that the difference can be felt:
//
//	mrtr1.plain.<claims>                          readable, and anybody can change it
//	mrtr1.signed.<key id>.<claims>.<mac>          readable, a change is noticed (HMAC-SHA256)
//	mrtr1.sealed.<key id>.<nonce>.<text>.<tag>    neither readable nor changeable (AES-256-GCM)
//
// The key id is eight hex digits, everything after it unpadded base64url, and decoding is strict:
// one state has exactly one spelling. Single use is not promised here; only a server's memory can.
package seal

import (
	"encoding/json"
	"fmt"
	"time"
)

// A Mode says how a state is protected.
type Mode string

// The three modes, weakest first.
const (
	Plain  Mode = "plain"
	Signed Mode = "signed"
	Sealed Mode = "sealed"
)

// MaxToken is the longest state that is looked at.
const MaxToken = 64 << 10

// ParseMode reads a mode as it stands in a sample's URL; empty means [Sealed].
func ParseMode(s string) (Mode, error) {
	switch m := Mode(s); m {
	case "":
		return Sealed, nil
	case Plain, Signed, Sealed:
		return m, nil
	}
	return "", fmt.Errorf("state protection %q: want plain, signed or sealed", s)
}

// Claims is what a state says: the request it belongs to, for how long, and what was gathered so far.
type Claims struct {
	Version int                        `json:"version"`
	Issued  int64                      `json:"issued"`  // Unix seconds
	Expires int64                      `json:"expires"` // Unix seconds
	ID      string                     `json:"id"`
	Request Request                    `json:"request"`
	Answers map[string]json.RawMessage `json:"answers,omitempty"` // answers given in earlier rounds
	Work    json.RawMessage            `json:"work,omitempty"`    // whatever else the sample has done so far
}

// A Request identifies what a state may be used for: this call, by this person, and nothing else
// (basic/patterns/mrtr, server requirement 5).
type Request struct {
	Sample    string `json:"sample"`
	Method    string `json:"method"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // from [Digest]
	Principal string `json:"principal"`
}

// claimsVersion is raised when the meaning of the claims changes; older states are then refused.
const claimsVersion = 1

// skew is how far the clocks of two instances may differ.
const skew = 30 * time.Second
