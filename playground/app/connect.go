package app

import (
	"encoding/json"
	"net/url"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Settings holds the credentials for a server and the declared capabilities.
type Settings struct {
	Header       []wire.Field
	Capabilities json.RawMessage
	Declares     bool // the form had the choice of capabilities
}

// AddServer stores the server at an address, or changes the user's server with the
// id or the same URL. It returns the server with its secrets, and the log of
// connecting to it before.
func (s *App) AddServer(
	v *Visit, id string, at Address, set Settings, era playground.Era,
) (playground.Target, []playground.Event, error) {
	workspace, err := v.Writing()
	if err != nil {
		return playground.Target{}, nil, err
	}
	t := playground.Target{
		ID: s.NewID(), Name: at.Name, URL: at.URL, Capabilities: set.Capabilities, Header: set.Header,
		Era: era,
	}
	if t.IsCommand() {
		t.Header = nil // lines have none
	}
	id, err = s.SavedTarget(v, workspace, id, t)
	if err != nil {
		return t, nil, err
	}
	if id != "" {
		return s.changeServer(v, workspace, id, t, set)
	}
	if err := s.Admit(v, playground.Exchange{ID: t.ID, Target: t}); err != nil {
		return t, nil, err
	}
	if t, err = s.Lock(v, t); err != nil {
		return t, nil, err
	}
	return t, nil, s.Store.AddTarget(v.Context(), workspace, t.Redacted(), s.Now())
}

// changeServer changes one of the user's servers. It keeps the stored
// credentials unless new ones are entered or the URL names another server.
func (s *App) changeServer(
	v *Visit, workspace, id string, t playground.Target, set Settings,
) (playground.Target, []playground.Event, error) {
	ctx := v.Context()
	old, log, err := s.Store.Target(ctx, workspace, id)
	if err != nil {
		return t, nil, err
	}
	t.ID = id
	if t.URL != old.URL && (t.IsCommand() || old.IsCommand()) {
		return t, nil, Refuse(Invalid, "command_url",
			"A server on standard input has no other URL.", "Nothing was changed.")
	}
	if t.Trust = old.Trust; !t.Trust.IsZero() && t.Trust.Origin != wire.Origin(t.URL) {
		t.Trust = wire.Trust{} // it is another server now
		if err := s.Store.DistrustCertificate(ctx, workspace, id); err != nil {
			return t, nil, err
		}
	}
	if !set.Declares {
		t.Capabilities, t.Era = old.Capabilities, playground.ChosenEra(log)
	}
	if before, open := s.Unlock(v, old); open {
		if t.URL == old.URL { // as shown, possibly with masks
			t.URL = before.URL
		}
		if len(t.Header) == 0 && sameServer(before.URL, t.URL) {
			t.Header = before.Header
		}
	}
	if err := s.Admit(v, playground.Exchange{ID: t.ID, Target: t}); err != nil {
		return t, nil, err
	}
	if t, err = s.Lock(v, t); err != nil {
		return t, nil, err
	}
	if err := s.Store.SetTarget(ctx, workspace, t.Redacted()); err != nil {
		return t, nil, err
	}
	return t, log, nil
}

// ConnectAgain connects to one of the user's servers again.
func (s *App) ConnectAgain(v *Visit, workspace, id string, t playground.Target) error {
	t, log, err := s.changeServer(v, workspace, id, t, Settings{})
	if err != nil {
		return err
	}
	return s.Connect(v, t, log)
}

// Connect asks a server what it is. log is that of connecting to it before.
func (s *App) Connect(v *Visit, t playground.Target, log []playground.Event) error {
	t, err := s.TargetWithToken(v, t)
	if err == nil {
		err = s.Runner.Connect(v.Context(), t, log)
	}
	if err != nil {
		return err
	}
	s.Await(v.Context(), t.ID)
	return nil
}

// CancelConnecting stops connecting to one of the visitor's servers. It does nothing if that has
// ended.
func (s *App) CancelConnecting(v *Visit, id string) error {
	if _, _, err := s.Store.Target(v.Context(), v.Workspace(), id); err != nil {
		return err
	}
	if s.Runner.Cancel(id) {
		s.Await(v.Context(), id)
	}
	return nil
}

// sameServer reports whether credentials for the URL a may be sent to b: the
// host and port are the same, and the scheme does not go from https to http.
func sameServer(a, b string) bool {
	from, err := url.Parse(a)
	if err != nil {
		return false
	}
	to, err := url.Parse(b)
	if err != nil || from.Hostname() != to.Hostname() {
		return false
	}
	if from.Scheme == to.Scheme {
		return from.Port() == to.Port()
	}
	return to.Scheme == "https" && from.Port() == "" && to.Port() == ""
}
