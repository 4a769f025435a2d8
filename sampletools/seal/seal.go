// Package seal protects the requestState of the samples.
//
// A state passes through the client, so a server "MUST treat requestState as an
// attacker-controlled input" (2026-07-28, basic/patterns/mrtr, server
// requirements 4 and 5). The package has three modes, so that a learner can
// compare them:
//
//	plain    mrtr1.plain.<claims>: readable and changeable
//	signed   mrtr1.signed.<key id>.<claims>.<mac>: readable; a change is
//	         detected (HMAC-SHA256)
//	sealed   mrtr1.sealed.<key id>.<nonce>.<text>.<tag>: encrypted; a change is
//	         detected (AES-256-GCM)
//
// The key id is eight hex digits and everything after it unpadded base64url.
// Decoding is strict: a state has exactly one spelling. The package does not
// ensure single use, which needs memory on the server.
//
// A state must be opened with the mode and the request that it was sealed for.
// Open checks, where the mode allows that, that it is authentic before it reads
// a claim, and then that it belongs to the same call and the same principal:
// without that, a user could continue the call of another one with a state that
// they have seen. The methods of Keys may be called from several goroutines.
package seal

import (
	"encoding/json"
	"fmt"
	"time"
)

// Mode says how a state is protected.
type Mode string

// The modes, weakest first.
const (
	Plain  Mode = "plain"
	Signed Mode = "signed"
	Sealed Mode = "sealed"
)

// MaxToken is the length of the longest state that Open accepts.
const MaxToken = 64 << 10

// ParseMode parses the mode in a sample's URL; empty means [Sealed].
func ParseMode(s string) (Mode, error) {
	switch m := Mode(s); m {
	case "":
		return Sealed, nil
	case Plain, Signed, Sealed:
		return m, nil
	}
	return "", fmt.Errorf("state protection %q: want plain, signed or sealed", s)
}

// Claims is the content of a state: the request it belongs to, its lifetime,
// and the answers and work so far.
type Claims struct {
	Version int                        `json:"version"`
	Issued  int64                      `json:"issued"`  // Unix seconds
	Expires int64                      `json:"expires"` // Unix seconds
	ID      string                     `json:"id"`
	Request Request                    `json:"request"`
	Answers map[string]json.RawMessage `json:"answers,omitempty"` // from earlier rounds
	Work    json.RawMessage            `json:"work,omitempty"`    // other work of the sample
}

// Request identifies the call and the principal that a state belongs to
// (basic/patterns/mrtr, server requirement 5).
type Request struct {
	Sample    string `json:"sample"`
	Method    string `json:"method"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // from [Digest]
	Principal string `json:"principal"`
}

// claimsVersion is raised when the meaning of the claims changes. States with
// another version are refused.
const claimsVersion = 1

// skew is how far the clocks of two instances may differ.
const skew = 30 * time.Second
