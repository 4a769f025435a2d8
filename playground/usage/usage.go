// Package usage has the types by which the storage of visitors is measured and
// charged: bytes by workspace, by address or network and day, and in all. It
// knows no address in clear: an address is a hash whose salt is deleted after
// the day. With the salt, an address can be found again from its hash by trying
// them all, so a salt must not be kept longer. The package decides nothing; its
// users compare the numbers with limits.
//
// A write is charged to the Payer of its context. One without a Payer is
// charged to no address.
package usage

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// LocalWorkspace is the one workspace of local mode. It is never idle. Versions in which
// the visitors of a trusted network shared a workspace used it for that, too.
const LocalWorkspace = "local"

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

// Payer is the address that stored bytes are charged to, on one day, and the
// network that they are charged to as well. The zero value is for writes that
// no address is charged for, such as everything outside public mode.
type Payer struct {
	Day     int64  // as Day returns it
	Hash    string // of the address, as Hash returns it, with the salt of that day
	Network string // hash of the network that it is part of; empty if it is charged alone
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
	Workspace int64 `json:"workspace"` // by one workspace
	Session   int64 `json:"-"`         // in one of its sessions; 0 if none was asked for
	Address   int64 `json:"address"`   // by one address on one day; deleting does not lower it
	Network   int64 `json:"network"`   // by all addresses of one network on one day; 0 without a network
	Total     int64 `json:"total"`     // in all: the pages of the database that are in use
}

// Row is one workspace, address or network of a list.
type Row struct {
	ID       string     `json:"id"`                 // of the workspace, or the hash of the other
	Bytes    int64      `json:"bytes"`              // that it stores, or has stored that day
	Sessions int        `json:"sessions,omitempty"` // of a workspace
	Seen     *time.Time `json:"seen,omitempty"`     // last visit of a workspace, to the day
	Blocked  bool       `json:"blocked"`
}

// Running is a log that a request, a task or an open call belongs to.
type Running struct {
	Log       string `json:"log"`
	Workspace string `json:"workspace"`
	Server    string `json:"server"`
	Bytes     int64  `json:"bytes"`
}

// Report is the report of the database about its use.
type Report struct {
	Total      int64     `json:"total"`           // bytes in use
	Free       int64     `json:"free"`            // bytes of the file that are not in use
	Count      int       `json:"workspace_count"` // of all workspaces
	Day        int64     `json:"day"`             // that the addresses are of, as Day returns it
	Workspaces []Row     `json:"workspaces"`      // those that store most, largest first
	Addresses  []Row     `json:"addresses"`       // those that stored most on the day, largest first
	Networks   []Row     `json:"networks"`        // the networks of addresses that stored most on the day
	Running    []Running `json:"running"`         // at most as many as there are rows
}

// Kinds of blocked visitors.
const (
	Workspace = "workspace"
	Address   = "address"
)

// Block is a visitor whose requests are refused.
type Block struct {
	Kind string    `json:"kind"` // Workspace or Address
	ID   string    `json:"id"`   // of the workspace, or the hash of the address
	Salt []byte    `json:"-"`    // that the hash was made with; nil for a workspace
	At   time.Time `json:"at"`   // when it was made
}

// Holder is a visitor who holds places of a pool.
type Holder struct {
	Name string `json:"name"` // a workspace, a hash of an address, or another key of the pool
	Held int    `json:"held"`
}

// Pool is something that all visitors share, such as the places for calls.
type Pool struct {
	Name    string   `json:"name"`
	Held    int      `json:"held"`
	Limit   int      `json:"limit,omitempty"` // 0 for none
	Holders []Holder `json:"holders"`         // those that hold most, largest first, if the pool knows them
}

// Places says how full a pool is.
type Places struct {
	Pool        string // lower case, with underscores
	Used, Limit int
	Waiting     int // requests in its queue
	Queue       int // places in its queue; 0 without one
}

// Share returns how many of the places of a pool one address may have: an eighth, at
// least one.
func Share(places int) int { return max(1, places/8) }

// Rate is a limit of how often visitors may do something.
type Rate struct {
	Name    string `json:"name"`
	Each    string `json:"each"`    // such as 60/1m,30
	By      string `json:"by"`      // Workspace or Address
	Known   int    `json:"known"`   // visitors who did it a short time ago
	Waiting int    `json:"waiting"` // those of them who have to wait now
}

// Refusal counts the refused requests with one code since the program started.
type Refusal struct {
	Code  string `json:"code"`
	Count int64  `json:"count"`
}

// Person is someone who has signed in.
type Person struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`   // to show
	Issuer    string    `json:"issuer"` // that vouches for the person, or proxy
	Subject   string    `json:"subject"`
	Workspace string    `json:"workspace"`
	Seen      time.Time `json:"seen"`
	Removed   bool      `json:"removed"` // the operator has removed the person
}

// State is the state that the operator sees.
type State struct {
	At       time.Time `json:"at"`
	Limits   Storage   `json:"limits"` // of the bytes stored; zero where there is none
	Storage  Report    `json:"storage"`
	Pools    []Pool    `json:"pools"`
	Rates    []Rate    `json:"rates"`
	Refusals []Refusal `json:"refusals"`         // by code
	Blocks   []Block   `json:"blocks"`           // newest first
	People   []Person  `json:"people,omitempty"` // the last seen first; where people sign in
}
