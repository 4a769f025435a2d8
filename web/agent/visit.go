package agent

import (
	"context"
	"errors"
	"net/netip"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/doctor"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// visit is the visit of a call of a tool: with the limits of any, and without secrets.
type visit struct {
	*app.Visit
	guest bool // without a token, beyond local mode: the result becomes a link
}

// GuestPrefix begins the names of workspaces that exist for one result.
const GuestPrefix = "guest-"

// GuestIdle is how long after its last round a call of a guest can go on. After that its
// workspace is of no use, unless a link leads to it.
const GuestIdle = stateLife

// workspaceOf returns where the result of a turn goes to: in local mode to its one
// workspace, else to that of its token, or to one of its own.
func (s *Pages) workspaceOf(t *serve.Turn) string {
	switch {
	case !s.App.Mode.Shared():
		return usage.LocalWorkspace
	case t.Principal == serve.Anonymous:
		return GuestPrefix + s.App.NewID()
	}
	return t.Principal
}

// visit returns the visit of a workspace from the address that a turn came from. It
// lasts as long as ctx, also beyond the request of the turn.
func (s *Pages) visit(ctx context.Context, t *serve.Turn, workspace string) (visit, error) {
	v := visit{guest: strings.HasPrefix(workspace, GuestPrefix)}
	r := app.Request{
		Owner: app.Agent(workspace), Address: addressOfCaller(t), Origin: s.App.BaseURL, Kind: app.ByToken,
	}
	if v.guest {
		r.Kind = app.AsGuest
	}
	v.Visit = s.App.Visit(ctx, r)
	if !s.App.Mode.Shared() {
		return v, nil
	}
	p, err := s.App.Payer(v.Visit)
	if err != nil {
		return v, err
	}
	v.Charge(p)
	return v, nil
}

// waitTurn waits until a tool that reads no recording may work for the caller of a turn, one
// call of an address at a time, and returns a function that must be called at its end.
func (s *Pages) waitTurn(ctx context.Context, t *serve.Turn) (end func(), err error) {
	v := s.App.Visit(ctx, app.Request{
		Owner: app.Agent(t.Principal), Address: addressOfCaller(t), Kind: app.AsGuest,
	})
	return v.EndTurn, s.inWords(s.App.WaitOwnTurn(v))
}

// addressOfCaller returns the address that a turn came from.
func addressOfCaller(t *serve.Turn) netip.Prefix {
	address, _, _ := strings.Cut(t.Caller, "/") // an IPv6 network begins with an address
	return app.AddressOf(address)
}

// inWords returns an error for the client of a tool: a refusal, or a fault of the storage,
// in its words, which a model can act on.
func (s *Pages) inWords(err error) error {
	var refused *app.Refusal
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refused):
	case errors.Is(err, playground.ErrFull), errors.Is(err, playground.ErrStorage):
		s.App.Logger.Error("run tool", "err", err)
		refused = app.RefusalOf(err)
	default:
		return err
	}
	return serve.ToolErrorf("%s", sentences(refused.What, refused.Try))
}

// target returns the server at a URL, or a command that the program was started with.
// It has no credentials: a tool gets none from an agent, and opens none that the
// workspace has stored.
func (s *Pages) target(v visit, address string) (playground.Target, error) {
	if x := s.App.SampleAt(address); x.Slug != "" {
		_, query, _ := strings.Cut(address, "?")
		return s.App.Samples.Target(x, query), nil
	}
	at, failure, guesses := s.App.ReadAddress(address)
	if failure != nil {
		return playground.Target{}, serve.ToolErrorf("%s", failureWords(failure.Class, failure.Detail,
			orElse(guesses)))
	}
	t := playground.Target{ID: s.App.NewID(), Name: at.Name, URL: at.URL, Capabilities: app.Declared()}
	if path, own := s.App.OwnPath(t.URL); own && path == web.AgentPath {
		return t, s.ownPage()
	}
	if hidden := t.Redacted(); hidden.URL != t.URL {
		return t, serve.ToolErrorf("The URL contains a credential. Tools for agents take none and store " +
			"none. Give the server another way in for tests, or open its page in the playground.")
	}
	id, err := s.Store.TargetAt(v.Context(), v.Workspace(), t.URL)
	switch {
	case err == nil:
		t.ID = id
	case !errors.Is(err, playground.ErrNotFound):
		return t, err
	}
	return t, nil
}

// orElse returns suggestions for a URL in words, or "".
func orElse(guesses []server.Suggestion) string {
	if len(guesses) == 0 || guesses[0].URL == "" {
		return ""
	}
	return "Did you mean " + guesses[0].URL + "?"
}

// connect asks a server what it is and offers.
func (s *Pages) connect(v visit, t playground.Target) (server.Connection, error) {
	if x, ok := s.App.Samples.Lookup(t.Sample); ok {
		return s.App.Samples.Connection(v.Context(), x, t), nil
	}
	if err := s.App.Admit(v.Visit, playground.Exchange{ID: t.ID, Target: t}); err != nil {
		return server.Connection{}, err
	}
	return s.App.Discover(v.Context(), t), nil
}

// ownPage is the error for an address of this program that it does not call.
func (s *Pages) ownPage() error {
	return serve.ToolErrorf("%s Give the URL of your own server, or to try the tool that of a sample, "+
		"such as %s.", doctor.SentenceOf("own_page").What, s.App.BaseURL+s.App.Samples.List[0].Path())
}

// find connects to a server and returns its tool with a name. A command is started again:
// the agent may have changed its program.
func (s *Pages) find(v visit, t playground.Target, name string) (server.Connection, server.Tool, error) {
	s.App.Commands.Renew(v.Context(), t.URL)
	c, err := s.connect(v, t)
	if err != nil {
		return c, server.Tool{}, err
	}
	if t.Sample == "" && c.Status == server.ConnectFailed && s.App.IsOwnPage(t.URL, c.Class) {
		return c, server.Tool{}, s.ownPage()
	}
	tool, err := toolOf(c, name)
	return c, tool, err
}

// toolOf returns the tool of a server by its name.
func toolOf(c server.Connection, name string) (server.Tool, error) {
	tool, ok := c.Tool(name)
	switch why := c.Excluded(name); {
	case c.Status != server.Connected:
		return tool, serve.ToolErrorf("%s", connectWords(c))
	case why != "":
		return tool, serve.ToolErrorf("Clients must exclude the tool %q: %s.", text.Visible(name, 80),
			text.Visible(why, 200))
	case !ok:
		return tool, serve.ToolErrorf("%s", c.NoTool(name))
	}
	return tool, nil
}
