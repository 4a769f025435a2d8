package app

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/auth"
	"github.com/mrtr-playground/mrtr-playground/playground/doctor"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// Examined returns a sign-in as the doctor reads it. redirect is the redirect URI of a client
// that is registered by hand.
func Examined(in *auth.SignIn, redirect string) doctor.SignIn {
	trips := map[int]playground.Round{}
	for _, trip := range playground.Connections(in.Log) {
		trips[trip.Conn] = trip
	}
	d := doctor.SignIn{
		NeedsClient: in.Stage == auth.NeedsClient, Anyway: in.Anyway(),
		Server: in.Server, Resource: in.Resource, Issuer: in.Issuer, ItsIssuer: in.Metadata.Issuer,
		Client: in.Client.ID, Registered: in.Client.Kind == auth.Dynamic, Redirect: redirect,
		Scopes: in.Scopes,
	}
	switch {
	case len(in.Challenge.Scopes) > 0:
		d.ScopesFrom = doctor.FromChallenge
	case len(in.Supported) > 0:
		d.ScopesFrom = doctor.FromMetadata
	}
	for _, step := range in.Steps {
		a := doctor.Attempt{Purpose: string(step.Purpose), URL: step.URL, Found: step.Found,
			Anyway: step.Anyway}
		for _, f := range step.Faults {
			a.Faults = append(a.Faults, doctor.Fault{
				ID: f.ID, Says: f.Says, Clause: f.Clause, Ends: f.Ends(), Waived: f.Waived,
			})
		}
		if trip, found := trips[step.Conn]; found && step.Conn > 0 {
			a.Trip = &trip
		}
		d.Attempts = append(d.Attempts, a)
	}
	return d
}

// CanDeviate returns the deviation with which the user may go on after a sign-in was refused,
// or "". Only the one person of local mode may: with others, the program answers for what it
// does in their name.
func (s *App) CanDeviate(row server.SignIn, in *auth.SignIn) playground.Deviation {
	if s.Mode.Shared() || row.Stage != string(auth.Refused) || s.IsLate(row) {
		return ""
	}
	return in.Anyway()
}

// GoOnAnyway goes on with the sign-in with an id in spite of the fault that ended it. The
// deviation has to be the one that this fault calls for, so that the user has read what is
// given up: the next fault asks again.
func (s *App) GoOnAnyway(v *Visit, k KnownServer, id string, d playground.Deviation) (server.SignIn, error) {
	if s.Mode.Shared() {
		return server.SignIn{}, Refuse(Forbidden, "no_deviation",
			"This site does not go on after a fault of a sign-in.",
			"Nothing was sent. Run the playground on your own machine to do that.")
	}
	row, err := s.Store.SignIn(v.Context(), v.Workspace(), id)
	if err != nil {
		return row, err
	}
	in, err := ReadSignIn(row)
	if err != nil {
		return row, err
	}
	if row.Target != k.Target.ID || d == "" || s.CanDeviate(row, in) != d {
		return row, Refuse(Conflict, "no_deviation_now", "This sign-in does not wait for that decision now.",
			"Nothing was sent. Go back and reload the page.")
	}
	if err := s.Admit(v, playground.Exchange{ID: row.ID, Target: k.Target}); err != nil {
		return row, err
	}
	vault, err := v.NewVault()
	if err != nil {
		return row, err
	}
	ctx, stop := signInContext(v.Context(), k.Target)
	defer stop()
	s.AuthClient(v, row.ID).GoOn(ctx, in, d, auth.Known{Registered: s.registered(v, vault)})
	from, before := row.Stage, len(row.Record)
	if row, err = sealSignIn(vault, row, Waiting{SignIn: in}); err != nil {
		return row, err
	}
	return row, s.Write(v, len(row.Record)+len(row.Sealed)-before, func() error {
		return s.Store.SetSignIn(v.ToTheEnd(), v.Workspace(), row, from)
	})
}
