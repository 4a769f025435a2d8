package check

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Replicas are the processes that share the storage, of which this is one. One of
// them runs a check; it holds the lease LeaseOf(session).
type Replicas interface {
	// Claim takes a lease. The error is playground.ErrElsewhere if another
	// process holds it.
	Claim(ctx context.Context, id string) error
	// Release gives a lease back; heir is empty.
	Release(ctx context.Context, id, heir string) error
	// Elsewhere reports whether another process holds a lease.
	Elsewhere(ctx context.Context, id string) (bool, error)
	// Lost returns which of the leases this process does not hold.
	Lost(ctx context.Context, ids []string) ([]string, error)
	// Ask passes a message to the holder of a lease, whose Jobs.Handle makes the
	// reply.
	Ask(ctx context.Context, id string, message []byte) (reply []byte, err error)
	// Changed notifies the other processes that a check has made progress.
	Changed(id string)
	// Changes returns a channel that is closed at the next Changed of another
	// process, and a function that ends the waiting for it.
	Changes(id string) (changed <-chan struct{}, stop func())
}

const leasePrefix = "check:"

// LeaseOf returns the name of the lease for the check in a session.
func LeaseOf(session string) string { return leasePrefix + session }

// SessionOf returns the session that a lease of LeaseOf is for.
func SessionOf(lease string) string { return strings.TrimPrefix(lease, leasePrefix) }

// IsLease reports whether a lease is that of a check.
func IsLease(id string) bool { return strings.HasPrefix(id, leasePrefix) }

const (
	leaseTime = 5 * time.Second // that taking a lease, or a question to its holder, may take
	slowPoll  = 2 * time.Second // between looks at a check of another process
)

func (j *Jobs) claim(session string) error {
	if j.cfg.Replicas == nil {
		return nil
	}
	ctx, stop := context.WithTimeout(j.ctx, leaseTime)
	defer stop()
	err := j.cfg.Replicas.Claim(ctx, LeaseOf(session))
	if errors.Is(err, playground.ErrElsewhere) {
		return ErrRunning
	}
	return err
}

// release gives the lease back also when the program ends.
func (j *Jobs) release(session string) {
	if j.cfg.Replicas == nil {
		return
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(j.ctx), leaseTime)
	defer stop()
	if err := j.cfg.Replicas.Release(ctx, LeaseOf(session), ""); err != nil {
		j.logger.Warn("release check", "session", session, "err", err)
	}
}

func (j *Jobs) tell(session string) {
	if j.cfg.Replicas != nil {
		j.cfg.Replicas.Changed(LeaseOf(session))
	}
}

// watchElsewhere is Watch for a check that another process may run.
func (j *Jobs) watchElsewhere(ctx context.Context, session string) (<-chan struct{}, bool) {
	if j.cfg.Replicas == nil {
		return nil, false
	}
	heard, stop := j.cfg.Replicas.Changes(LeaseOf(session))
	if elsewhere, err := j.cfg.Replicas.Elsewhere(ctx, LeaseOf(session)); err != nil || !elsewhere {
		stop()
		return nil, false
	}
	changed := make(chan struct{})
	go func() {
		defer close(changed)
		defer stop()
		select {
		case <-heard:
		case <-time.After(slowPoll): // its holder may be gone
		case <-ctx.Done():
		}
	}()
	return changed, true
}

// stopElsewhere is Stop for a check that another process may run.
func (j *Jobs) stopElsewhere(session string) bool {
	if j.cfg.Replicas == nil {
		return false
	}
	ctx, stop := context.WithTimeout(j.ctx, leaseTime)
	defer stop()
	reply, err := j.cfg.Replicas.Ask(ctx, LeaseOf(session), []byte("stop"))
	return err == nil && string(reply) == stopped
}

// stopped is the reply to the one thing that another process asks of a check: to
// stop.
const stopped = "stopped"

// Handle stops the check that a lease is for, because another process asks for it,
// and returns the reply.
func (j *Jobs) Handle(_ context.Context, id string, _ []byte) []byte {
	if j.cancel(SessionOf(id), ErrStopped) {
		return []byte(stopped)
	}
	return []byte("not running")
}

// Recheck stops the checks whose leases other processes hold. It is for a process
// that was frozen, or cut off from the storage.
func (j *Jobs) Recheck(ctx context.Context) error {
	var ids []string
	sessions, _ := j.Running()
	for _, s := range sessions {
		ids = append(ids, LeaseOf(s))
	}
	lost, err := j.cfg.Replicas.Lost(ctx, ids)
	for _, id := range lost {
		j.cancel(SessionOf(id), errTaken)
	}
	return err
}
