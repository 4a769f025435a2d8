// Package usage measures what visitors use of this program: bytes stored by
// workspace, by address and day, and in all, and places in shared pools. It
// knows no address in clear: an address is a hash whose salt is deleted after
// the day. It decides nothing; its users compare what it says with limits.
package usage

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// hashBytes is the length of a hash in bytes: two addresses of one day have the
// same hash with a probability of 2^-64.
const hashBytes = 16

// Hash returns an address, as limits count it, as a hash of 32 hexadecimal
// digits.
func Hash(salt []byte, address string) string {
	mac := hmac.New(sha256.New, salt)
	mac.Write([]byte(address))
	return hex.EncodeToString(mac.Sum(nil)[:hashBytes])
}

// Day returns the day of a time in UTC, as the number of days since 1970.
func Day(t time.Time) int64 { return t.Unix() / (24 * 60 * 60) }

// UntilNextDay returns how long the day of a time still lasts.
func UntilNextDay(t time.Time) time.Duration {
	return time.Unix((Day(t)+1)*24*60*60, 0).Sub(t)
}

// Payer is the address that stored bytes are charged to, on one day. The zero
// value is for what no address is charged for, such as everything outside
// public mode.
type Payer struct {
	Day  int64  // as Day returns it
	Hash string // as Hash returns it, with the salt of that day
}

// payerKey is the key of a Payer in a context.
type payerKey struct{}

// WithPayer returns a context whose writes are charged to p.
func WithPayer(ctx context.Context, p Payer) context.Context {
	return context.WithValue(ctx, payerKey{}, p)
}

// PayerOf returns the Payer of a context, or the zero value if there is none.
func PayerOf(ctx context.Context) Payer {
	p, _ := ctx.Value(payerKey{}).(Payer)
	return p
}

// Storage says how many bytes are stored.
type Storage struct {
	Workspace int64 // by one workspace
	Address   int64 // by one address on one day; deleting does not lower it
	Total     int64 // in all: the pages of the database that are in use
}

// Row is one workspace or address of a list.
type Row struct {
	ID       string    // of the workspace, or the hash of the address
	Bytes    int64     // that it stores, or has stored that day
	Sessions int       // of a workspace
	Seen     time.Time // last visit of a workspace, to the day
	Blocked  bool
}

// Running is a log that a request, a task or an open call belongs to.
type Running struct {
	Log, Workspace, Name string
	Bytes                int64
}

// Report is what the database says about its use.
type Report struct {
	Total      int64     // bytes in use
	Free       int64     // bytes of the file that are not in use
	Workspaces []Row     // those that store most, largest first
	Addresses  []Row     // those that stored most on the day, largest first
	Count      int       // of all workspaces
	Running    []Running // at most as many as there are rows
}

// Kinds of blocked visitors.
const (
	Workspace = "workspace"
	Address   = "address"
)

// Block is a visitor whose requests are refused.
type Block struct {
	Kind string    // Workspace or Address
	ID   string    // of the workspace, or the hash of the address
	Salt []byte    // that the hash was made with; nil for a workspace
	At   time.Time // when it was made
}

// Holder is a visitor who holds places of a pool.
type Holder struct {
	Name string // a workspace, a hash of an address, or another key of the pool
	Held int
}

// Pool is something that all visitors share, such as the places for calls.
type Pool struct {
	Name    string
	Held    int
	Limit   int      // 0 for none
	Holders []Holder // those that hold most, largest first; nil if the pool does not tell
}
