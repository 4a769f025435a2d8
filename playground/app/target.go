package app

import (
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
)

// CanTrust reports whether connecting failed only because no known authority
// signed the certificate.
func CanTrust(c server.Connection) bool {
	return c.Status == server.ConnectFailed && c.Class == wire.TLSUntrusted && len(c.Certificate) > 0
}

// Address is where a server is: the URL, and how the server is named until it names
// itself.
type Address struct{ URL, Name string }

// ReadAddress returns the address that was entered for a server: a URL, or a command that
// the program was started with. If it cannot be used, ReadAddress returns the failure and
// suggestions instead.
func (s *App) ReadAddress(typed string) (Address, *wire.Failure, []server.Suggestion) {
	typed = strings.TrimSpace(typed)
	for _, command := range s.Commands.All() {
		if typed == command.URL || typed == command.Name {
			return Address{command.URL, command.Name}, nil, nil
		}
	}
	if wire.IsCommand(typed) {
		return Address{}, &wire.Failure{Class: wire.NoCommand}, nil
	}
	u, failure, guesses := server.Address(typed, s.Reach, s.Program)
	if failure != nil {
		return Address{}, failure, guesses
	}
	return Address{u.String(), u.Host}, nil, nil
}

// SavedTarget returns the id of the user's server that a form is for: the one
// that it names, or the one with the same URL, so that a URL is listed once. It
// is "" for a new server.
func (s *App) SavedTarget(v *Visit, workspace, id string, t playground.Target) (string, error) {
	if id != "" {
		return id, nil
	}
	id, err := s.Store.TargetAt(v.Context(), workspace, t.Redacted().URL)
	if errors.Is(err, playground.ErrNotFound) {
		return "", nil
	}
	return id, err
}

// Declared returns the client capabilities that are declared by default.
func Declared() json.RawMessage {
	return playground.Declare(playground.Declarable())
}

// KnownServer is a server as pages show it, with its connection report.
type KnownServer struct {
	Target     playground.Target
	Connection server.Connection
	Sample     *sampletools.Sample
	Start      sampletools.Start // of the sample at its URL, if there is one
	Events     int               // of connecting, so far
	Away       int               // attempts that failed since it went away: see server.Away

	log []playground.Event // of connecting; nil for a sample
}

// Changes returns what the server says and offers differently since it was connected to
// before, and when that was. It returns false if it was not, or is not connected now.
func (k KnownServer) Changes() (list []server.Change, since time.Time, ok bool) {
	if k.Connection.Status != server.Connected {
		return nil, since, false
	}
	earlier, since, ok := server.Earlier(k.log)
	if !ok {
		return nil, since, false
	}
	return server.Changes(earlier, k.Connection), since, true
}

// Find returns the server with an id: the slug of a sample or a flow, or the id of one
// of the user's servers.
func (s *App) Find(v *Visit, id string) (KnownServer, error) {
	if x, ok := s.Samples.Lookup(id); ok {
		t := s.Samples.Target(x, "")
		connection, err := s.sampleConnection(v, x, t)
		return KnownServer{Target: t, Connection: connection, Sample: &x, Start: x.Start}, err
	}
	if strings.HasPrefix(id, sampletools.FlowSlug("")) {
		return KnownServer{}, Refuse(Missing, "flow_ended", "No flow runs at this address.",
			"The address has ended, or the flow was deleted. Its maker can give it another address.")
	}
	t, log, err := s.Store.Target(v.Context(), v.Workspace(), id)
	if err != nil {
		return KnownServer{}, err
	}
	connection := server.FoldConnection(log)
	if connection.Status == server.Connecting {
		if connection, err = s.leftConnecting(v, id, connection); err != nil {
			return KnownServer{}, err
		}
	}
	t.Era = connection.Era
	if connection.Name != "" { // the name is the server's own claim, so the address stays beside it
		t.Name = text.Visible(connection.Name, 80) + " at " + t.Name
	}
	k := KnownServer{Target: t, Connection: connection, Start: s.SampleAt(t.URL).Start,
		Events: len(log), log: log}
	if connection.Status == server.ConnectFailed && !t.IsCommand() {
		k.Away = server.Away(log)
	}
	return k, nil
}

// ConnectionOf returns the connection to a server. That of one that was removed is empty.
func (s *App) ConnectionOf(v *Visit, id string) server.Connection {
	k, err := s.Find(v, id)
	if err != nil {
		return server.Connection{}
	}
	return k.Connection
}

// leftConnecting returns a connection as it is if something still connects. Else an earlier
// version of the program had ended connecting where this one would go on.
func (s *App) leftConnecting(v *Visit, id string, c server.Connection) (server.Connection, error) {
	connecting, err := s.Store.IsConnecting(v.Context(), v.Workspace(), id)
	if err != nil || connecting {
		return c, err
	}
	_, log, err := s.Store.Target(v.Context(), v.Workspace(), id) // it may have ended just now
	if c = server.FoldConnection(log); c.Status == server.Connecting {
		c.Status, c.Class = server.ConnectFailed, "interrupted"
		c.Detail = "An earlier version of this program stopped connecting here. Connect again."
	}
	return c, err
}

// sampleConnection returns what a sample offers. A protected one offers it to
// those who have signed in.
func (s *App) sampleConnection(
	v *Visit, x sampletools.Sample, t playground.Target,
) (server.Connection, error) {
	conn := s.Samples.Connection(v.Context(), x, t)
	if _, refused := ConnectChallenge(conn); !refused {
		return conn, nil
	}
	token, err := s.TokenOf(v, t)
	if token != nil {
		conn = s.Samples.Connection(v.Context(), x, t.WithToken(token.Field(), nil))
	}
	return conn, err
}

// SampleAt returns the sample or flow of this program that a URL leads to, or a zero
// Sample.
func (s *App) SampleAt(address string) sampletools.Sample {
	path, _ := s.OwnPath(address)
	x, _ := s.Samples.Lookup(sampletools.SlugAt(path))
	return x
}

// OwnPath returns the path of a URL that leads to this program, by one of its
// names.
func (s *App) OwnPath(address string) (path string, own bool) {
	u, err := url.Parse(address)
	base, baseErr := url.Parse(s.BaseURL)
	if err != nil || baseErr != nil || u.Scheme != base.Scheme {
		return "", false
	}
	host := strings.TrimSuffix(u.Hostname(), ".")
	named := func(name string) bool { return strings.EqualFold(name, host) }
	local := s.Mode != Public && (IsLoopbackHost(u.Host) || slices.ContainsFunc(s.Hosts, named))
	if portOf(u) != portOf(base) || !local && !named(base.Hostname()) {
		return "", false
	}
	return u.Path, true
}

// portOf returns the port of a URL, which may be that of its scheme.
func portOf(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

// IsOwnPage reports whether a URL that failed with a class of failure leads to
// this program and not to one of its samples.
func (s *App) IsOwnPage(address string, class playground.Class) bool {
	switch class {
	case playground.HTTP403, playground.HTTP404, playground.HTTP405, playground.HTTP4xx,
		playground.ContentType, playground.NotJSON, playground.HTTPStatus, playground.Redirect:
	default:
		return false
	}
	_, own := s.OwnPath(address)
	return own && s.SampleAt(address).Slug == ""
}
