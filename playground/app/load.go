package app

import (
	"context"
	"errors"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// IsOutdated reports whether a decision came too late: another one was faster,
// the server withdrew its question, or the call has ended.
func IsOutdated(err error) bool {
	return IsStale(err) || errors.Is(err, playground.ErrAnswers) || errors.Is(err, playground.ErrCapped)
}

// Topology returns the instances of the sample that x talks to; none for other
// servers.
func (s *App) Topology(x playground.Exchange) cluster.Topology {
	return cluster.ParseTopology(s.InstancesOf(x), "", "")
}

// InstancesOf returns the topology of an exchange's sample as it is written, or "" for
// other servers.
func (s *App) InstancesOf(x playground.Exchange) string {
	sample, ok := s.Samples.Lookup(x.Target.Sample)
	if !ok {
		return ""
	}
	return cluster.InstancesOf(x.Target.URL, sample.Instances)
}

// Open stores a new exchange and sends its first request, to an instance of a
// sample if one is named. It returns the id.
func (s *App) Open(v *Visit, t playground.Target, call playground.Call,
	instance string) (string, error) {
	ctx := v.Context()
	workspace, err := v.Writing()
	if err != nil {
		return "", err
	}
	if t, err = s.TargetWithToken(v, t); err != nil {
		return "", err
	}
	x := playground.Exchange{ID: s.NewID(), Target: t, Call: call, Created: s.Now()}
	if err := s.Admit(v, x); err != nil { // without a session, because a new one has room
		return "", err
	}
	x.Session = s.NewID()
	if x, err = s.LockExchange(v, x); err != nil {
		return "", err
	}
	hidden, err := x.RedactWithin(ctx)
	if err != nil {
		return "", err
	}
	if err := s.Store.AddExchange(ctx, workspace, Title(hidden.Call), hidden); err != nil {
		return "", err
	}
	start := playground.Decision{Action: playground.ActionStart, Round: 1, Instance: instance}
	if _, err := s.Driver(v).Open(ctx, x, start); err != nil {
		return "", err
	}
	return x.ID, nil
}

// Title names a session until the user does.
func Title(call playground.Call) string {
	params, err := jsontree.Parse(call.Params, jsontree.Limits{})
	if err != nil {
		return call.Method
	}
	if name := params.Get("name").Str(); name != "" {
		return name
	}
	return params.Get("uri").Str()
}

// Await gives a quick answer the time to be on the page it leads to.
func (s *App) Await(ctx context.Context, id string) {
	ctx, stop := context.WithTimeout(ctx, s.Settle)
	defer stop()
	s.Runner.Answered(ctx, id)
	ctx, stop = context.WithTimeout(ctx, s.Settle/4) // what went on as a task may be done soon
	defer stop()
	s.Runner.Wait(ctx, id)
}

// Load reads an exchange of the browser's workspace. A large one is read in a turn: that of
// a GET ends with its response, any other before the request goes on.
func (s *App) Load(v *Visit, id string) (playground.Exchange, error) {
	x, err := s.Store.Exchange(v.Context(), v.Workspace(), id)
	x.Target = x.Target.At(s.BaseURL)
	if err == nil {
		x.ReadOnce()
		s.Look(v, x)
	}
	if err != nil {
		return x, err
	}
	n := session.Session{Exchanges: x.Lineage()}
	if v.Looks {
		return x, s.TakeTurn(v, n)
	}
	return x, s.InTurn(v, recorded(n), func() error {
		x.Fold() // is kept
		return nil
	})
}

// Look notes that the owner of exchanges looks at them: their tasks are polled
// on. Only a GET is a look.
func (s *App) Look(v *Visit, list ...playground.Exchange) {
	if !v.Looks {
		return
	}
	for _, x := range list {
		s.Runner.Look(v.Context(), x.ID)
	}
}

// IsStale reports whether another decision was faster.
func IsStale(err error) bool { return errors.Is(err, playground.ErrNotOpen) }

// CloseHeld ends what a process holds of a call, a running request or the open call of
// a legacy server, in a copy of its log: the connection is not there.
func CloseHeld(x *playground.Exchange) {
	if x.Fold().Held() && len(x.Log) > 0 {
		x.Log = append(x.Log, interrupted(x.Log))
	}
}

// interrupted returns the event that ends a copied log where it was copied. A task is
// polled only if its new owner asks for it.
func interrupted(log []playground.Event) playground.Event {
	last := log[len(log)-1]
	if playground.Fold(log).Task() != nil {
		e := playground.Stop{Reason: playground.StoppedImported}.Event(last.At, last.Conn)
		e.Seq = last.Seq + 1
		return e
	}
	return playground.Event{Seq: last.Seq + 1, At: last.At, Conn: last.Conn, Kind: playground.Interrupted}
}
