package app

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// StorageStore counts what is stored. What is written with a context that has a
// usage.Payer is charged to it.
type StorageStore interface {
	Storage(ctx context.Context, workspace, session string, p usage.Payer) (usage.Storage, error)
	Below(bytes int64) bool // whether certainly less is stored in all; costs nothing
	Salt(ctx context.Context, day int64) ([]byte, error)
}

// Salts keeps the salt of the day.
type Salts struct {
	mu   sync.Mutex
	day  int64
	salt []byte
}

// Of returns the salt of a day, which it asks the store for once.
func (k *Salts) Of(ctx context.Context, store StorageStore, day int64) ([]byte, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.salt != nil && k.day == day {
		return k.salt, nil
	}
	salt, err := store.Salt(ctx, day)
	if err == nil {
		k.day, k.salt = day, salt
	}
	return salt, err
}

// Payer returns which address is charged for what a visit stores, beside its workspace: none
// if the workspace counts alone.
func (s *App) Payer(v *Visit) (usage.Payer, error) {
	if v.Kind.alone() {
		return usage.Payer{}, nil
	}
	day := usage.Day(s.Now())
	salt, err := s.Salts.Of(v.Context(), s.Store, day)
	if err != nil {
		return usage.Payer{}, err
	}
	address := v.Address
	p := usage.Payer{Day: day, Hash: usage.Hash(salt, address.String())}
	if network := networkOf(address); network != address {
		p.Network = usage.Hash(salt, network.String())
	}
	return p, nil
}

// reserve says which part of the storage in all strangers cannot fill: a tenth.
// It is for what runs already and for the operator.
const reserve = 10

// Space refuses to store more bytes if the whole site has no room for them, and in public
// mode if the workspace, the address or its network has none.
func (s *App) Space(v *Visit, more int64) error { return s.spaceIn(v, "", more) }

// spaceIn is Space for what belongs to a session, which may be full as well, unless its
// id is "".
func (s *App) spaceIn(v *Visit, session string, more int64) error {
	u, err := s.stored(v, session, more)
	if err != nil {
		return err
	}
	if u.Session > int64(s.Limits.Session) {
		return Refuse(Invalid, "session_full",
			"The recording of this session has reached its size limit.",
			"Nothing was sent. You can still read, share and download it. To continue, start a new call.")
	}
	if r := s.Limits.refuseStorage(s.Mode, u, more, s.Now()); r != nil {
		return r
	}
	return nil
}

// stored returns what is stored, as far as a limit needs it: on the user's own machine only
// the whole is limited, and far below the limit it is not counted.
func (s *App) stored(v *Visit, session string, more int64) (u usage.Storage, err error) {
	ctx := v.Context()
	if s.Mode.Shared() || !s.Store.Below(int64(s.Limits.StorageLocal)-more) {
		return s.Store.Storage(ctx, v.Workspace(), session, usage.PayerOf(ctx))
	}
	if session != "" {
		var size int
		size, err = s.Store.SessionSize(ctx, session)
		u.Session = int64(size)
	}
	return u, err
}

// StorageNetwork returns how many bytes a network may store on one day.
func (l Limits) StorageNetwork() int64 { return networkShare * int64(l.StorageAddress) }

// refuseStorage returns nil if there is room for more bytes.
func (l Limits) refuseStorage(m Mode, u usage.Storage, more int64, now time.Time) *Refusal {
	if !m.Shared() {
		return l.refuseLocal(u, more)
	}
	all := int64(l.Storage)
	switch {
	case u.Total+more > all-all/reserve:
		return Refuse(NoSpace, "storage",
			fmt.Sprintf("The storage of this site is full: %s of %s are in use.", size(u.Total), size(all)),
			"Nothing was sent or saved. "+
				"Calls, imports and links wait until recordings are deleted or expire. "+
				"You can still read, download and delete yours.")
	case u.Workspace+more > int64(l.StorageWorkspace):
		return Refuse(NoSpace, "storage_workspace",
			fmt.Sprintf("Your workspace is full: your recordings, links and servers use %s of %s.",
				size(u.Workspace), size(int64(l.StorageWorkspace))),
			"Nothing was sent or saved. "+
				"Delete recordings in the history, or links or servers, to free space. "+
				"You can download them first.")
	case u.Address+more > int64(l.StorageAddress):
		return TooMany(usage.UntilNextDay(now), "storage_address",
			fmt.Sprintf("Your network has stored %s of %s today.",
				size(u.Address), size(int64(l.StorageAddress))),
			"Nothing was sent or saved. "+
				"The limit counts all visitors who share your address, and deleting does not lower it.")
	case u.Network+more > l.StorageNetwork():
		return TooMany(usage.UntilNextDay(now), "storage_network",
			fmt.Sprintf("Your IPv6 network (/48) has stored %s of %s today.",
				size(u.Network), size(l.StorageNetwork())),
			"Nothing was sent or saved. "+
				"The limit counts all visitors in that network, and deleting does not lower it.")
	}
	return nil
}

// refuseLocal returns nil if there is room for more bytes on the user's own machine.
func (l Limits) refuseLocal(u usage.Storage, more int64) *Refusal {
	if u.Total+more <= int64(l.StorageLocal) {
		return nil
	}
	return Refuse(NoSpace, "storage",
		fmt.Sprintf("The storage of this playground is full: %s of %s are in use.",
			size(u.Total), size(int64(l.StorageLocal))),
		"Nothing was sent or saved. Delete recordings in the history, or start the program with a larger "+
			"limit: -limit storage-local=BYTES. You can still read, download and delete what is stored.")
}

// CheckStorage returns an error if the whole site, or in public mode a workspace, its
// address or the network of that stores more than it may, so that a check that runs must
// stop.
func (l Limits) CheckStorage(m Mode, u usage.Storage, now time.Time) error {
	if r := l.refuseStorage(m, u, 0, now); r != nil {
		return r
	}
	return nil
}

func size(bytes int64) string { return text.Size(int(bytes)) }

// Write runs f if there is room for more bytes. In public mode one runs at a
// time, so that a limit holds for parallel requests too.
func (s *App) Write(v *Visit, more int, f func() error) error {
	if s.Mode.Shared() {
		s.storing.Lock()
		defer s.storing.Unlock()
	}
	if err := s.Space(v, int64(more)); err != nil {
		return err
	}
	return f()
}

// SizeOf returns how many bytes a session takes in the store, or a few more.
func SizeOf(n session.Session) int {
	const row, event = 256, 64 // besides texts and bytes, as the store counts
	bytes := row + 3*(len(n.Title)+len(n.Note))
	for _, x := range n.Exchanges {
		bytes += row + len(x.Target.Name) + len(x.Target.URL) + len(x.Target.Capabilities) +
			len(x.Call.Params) + len(x.Call.Tool) + len(session.CallSummary(x.Call)) +
			len(session.ExchangeSearchText(x))
		for _, f := range x.Target.Header {
			bytes += row + len(f.Name) + len(f.Value)
		}
		for _, e := range x.Log {
			bytes += 2*event + len(e.Data) + len(session.SearchText(e)) + 1
			if e.Timing != nil {
				bytes += row
			}
		}
	}
	return bytes
}
