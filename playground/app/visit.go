package app

import (
	"context"
	"errors"
	"net/netip"

	"github.com/mrtr-playground/mrtr-playground/playground/people"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Owner is whom a Visit acts for. Who a request belongs to is found out once, where it
// arrives: by the cookie of a browser, or by the token of an agent.
type Owner interface {
	// Workspace returns the workspace, or "" if there is none yet.
	Workspace() string
	// NewWorkspace returns the workspace, and makes one if there is none.
	NewWorkspace() (string, error)
	// Key returns the key of the secrets, or nil. It is nowhere but with the owner.
	Key() []byte
	// NewKey returns the key, and makes one of SecretKeySize bytes if there is none.
	NewKey() ([]byte, error)
}

// Visit is one request of an owner to this program, whatever it came by: a page, a tool of
// an agent, a file. It carries what may be done for it: whose workspace it reads and
// writes, which secrets it opens, from which address it came, by which its limits are
// counted, and its turn. A Visit is used by one goroutine at a time.
//
// Its context is that of the request, with its turn and with who is charged for what is
// stored. What a Visit asks for ends with it; work that goes on has a context of its own.
type Visit struct {
	owner   Owner
	Address netip.Prefix  // see AddressOf; invalid if it is not known
	Origin  string        // URL of this program as the visitor knows it, without a slash at its end
	Looks   bool          // it only reads: nothing is sent for it, and no token is renewed
	Kind    OwnerKind     // by what the owner is known
	Person  people.Person // who has signed in; the zero value for no one
	Unknown error         // why the owner is not known, such as a wrong token; else nil

	ctx     context.Context
	turn    *turn
	taken   int      // size of the work for which the visit has had its turn; 0 for none
	endTurn []func() // of each turn that it has had
}

// Request is what a Visit is made of.
type Request struct {
	Owner   Owner
	Address netip.Prefix
	Origin  string
	Looks   bool
	Kind    OwnerKind
	Person  people.Person
	Unknown error
}

// Visit returns the visit of a request that lasts as long as ctx. Secrets are masked in
// its turn, and the samples see the address as their client's, where what they limit has a
// part for each. EndTurn must be called at its end.
func (s *App) Visit(ctx context.Context, r Request) *Visit {
	v := &Visit{
		owner: r.Owner, Address: r.Address, Origin: r.Origin, Looks: r.Looks, Kind: r.Kind,
		Person: r.Person, Unknown: r.Unknown,
	}
	near := Account{Address: r.Address}.Holder()
	v.turn = &turn{who: near, near: near}
	if r.Kind.alone() {
		v.turn.who = v.Account().Holder()
	}
	if !r.Address.IsValid() {
		v.turn.near = v.turn.who
	}
	v.ctx = s.withTurn(ctx, v.turn)
	if s.Mode.Shared() && r.Address.IsValid() {
		v.ctx = wire.WithPeer(v.ctx, r.Address.Addr().String())
	}
	return v
}

// Context returns the context of a visit.
func (v *Visit) Context() context.Context { return v.ctx }

// ToTheEnd returns the context of a visit, without its end. What an authorization server
// has given or revoked is stored even if the browser has left.
func (v *Visit) ToTheEnd() context.Context { return context.WithoutCancel(v.ctx) }

// HasLeft reports whether an error only says that the client has closed the connection.
func (v *Visit) HasLeft(err error) bool {
	return v.ctx.Err() != nil && errors.Is(err, context.Canceled)
}

// Charge makes p be charged for what is stored from now on.
func (v *Visit) Charge(p usage.Payer) { v.ctx = usage.WithPayer(v.ctx, p) }

// Workspace returns the workspace of a visit, or "" if its owner has none yet.
func (v *Visit) Workspace() string { return v.owner.Workspace() }

// Writing returns the workspace of a visit that creates something. It makes one if the
// owner has none.
func (v *Visit) Writing() (string, error) { return v.owner.NewWorkspace() }

// Vault returns the vault of the owner's secrets, which opens nothing if there is no key.
func (v *Visit) Vault() Vault { return newVault(v.owner.Key()) }

// NewVault is Vault, with a new key if the owner has none yet.
func (v *Visit) NewVault() (Vault, error) {
	key, err := v.owner.NewKey()
	return newVault(key), err
}

// Account returns by whom limits count a visit.
func (v *Visit) Account() Account {
	if v.Kind.alone() {
		return AccountOf(v.Workspace())
	}
	return Account{v.Workspace(), v.Address}
}

// Agent is the owner of a call that came without a browser: a workspace, and no secrets.
type Agent string

// Workspace returns the workspace.
func (a Agent) Workspace() string { return string(a) }

// NewWorkspace returns the workspace.
func (a Agent) NewWorkspace() (string, error) { return string(a), nil }

// Key returns nil: the key of secrets is in the cookie of a browser.
func (Agent) Key() []byte { return nil }

// NewKey returns an error.
func (Agent) NewKey() ([]byte, error) { return nil, errNoKey }

var errNoKey = errors.New("there is no key of secrets for this owner")
