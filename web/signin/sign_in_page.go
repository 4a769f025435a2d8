package signin

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/auth"
	"github.com/mrtr-playground/mrtr-playground/playground/doctor"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	signinview "github.com/mrtr-playground/mrtr-playground/views/signin"
	wireview "github.com/mrtr-playground/mrtr-playground/views/wire"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// SignInPage shows a sign-in to a server: that of ?id=, or the newest.
func (s *Pages) SignInPage(r *web.Request) error {
	k, err := s.App.Find(r.Visit, r.Param("id"))
	if err != nil {
		return err
	}
	page := s.App.Page(r, "Sign in to "+text.Visible(k.Target.Name, 120), layout.TestPath)
	row, err := s.signInRow(r)
	if errors.Is(err, playground.ErrNotFound) && r.QueryParam("id") == "" {
		offer, err := s.ConnectOffer(r, k)
		if err != nil {
			return err
		}
		return s.App.Render(r, http.StatusOK, signinview.Page(page, signinview.SignIn{
			Server: k.Target.Name, Stage: signinview.None, Back: "/servers/" + k.Target.ID, Offer: offer,
		}))
	}
	if err != nil {
		return err
	}
	model, err := s.signInModel(r, k, row)
	if err != nil {
		return err
	}
	page.Here = Path(row)
	return s.App.Render(r, http.StatusOK, signinview.Page(page, model))
}

// signInRow returns the sign-in that an address names.
func (s *Pages) signInRow(r *web.Request) (server.SignIn, error) {
	ctx, workspace, target := r.Context(), r.Visit.Workspace(), r.Param("id")
	id := r.QueryParam("id")
	if id == "" {
		return s.Store.LastSignIn(ctx, workspace, target)
	}
	row, err := s.Store.SignIn(ctx, workspace, id)
	if err == nil && row.Target != target {
		err = app.NotFound()
	}
	return row, err
}

// SignInFrame is frame for the messages of a sign-in.
func (s *Pages) SignInFrame(r *web.Request) error {
	row, err := s.signInRow(r)
	if err != nil {
		return err
	}
	in, err := app.ReadSignIn(row)
	if err != nil {
		return err
	}
	return s.App.SendFrame(r, in.Log, "sign-in")
}

func (s *Pages) signInModel(r *web.Request, k app.KnownServer, row server.SignIn) (signinview.SignIn, error) {
	v := r.Visit
	in, err := app.ReadSignIn(row)
	if err != nil {
		return signinview.SignIn{}, err
	}
	w, ok := app.OpenSignIn(v.Vault(), row)
	path := "/servers/" + row.Target + "/sign-in"
	model := signinview.SignIn{
		ID: row.ID, Server: k.Target.Name, Sample: k.Target.Sample != "", Path: path,
		Stage:     signinview.Stage(row.Stage),
		Authorize: in.Authorize, Issuer: in.Issuer, Client: in.Client.ID, Scopes: in.Scopes,
		Redirect:       s.App.AuthClient(v, row.ID).RedirectOf(in.Issuer),
		SharedRedirect: v.Origin + app.CallbackPath,
		Exchange:       row.Exchange, Back: "/servers/" + row.Target,
	}
	if row.Exchange != "" {
		model.Back = cmp.Or(w.Back, "/x/"+row.Exchange)
	}
	if row.Exchange != "" && row.Stage == string(auth.Ready) {
		if model.Next, err = s.afterSignIn(r, row.Exchange, w); err != nil {
			return model, err
		}
	}
	token, err := s.App.TokenOf(r.Visit, k.Target)
	if err != nil {
		return model, err
	}
	switch waits := row.Stage == string(auth.Ready) || row.Stage == string(auth.NeedsClient); {
	case waits && (!ok || s.App.IsLate(row)):
		model.Stage = signinview.Expired
	case row.Stage == string(auth.Exchanging) || row.Stage == string(auth.Discovering):
		model.Stage = signinview.Cut
	case row.Stage == string(auth.Done) && token == nil:
		model.Stage = signinview.Out
	}
	if row.Stage == string(auth.Refused) {
		model.Tried = app.Examined(in, model.SharedRedirect).List()
		model.Anyway = s.App.CanDeviate(row, in)
	}
	model.Steps = signInSteps(in, wireview.FramesAt(path, "?id="+row.ID))
	model.Draw()
	return model, nil
}

// signInSteps returns the steps of a sign-in with their messages.
func signInSteps(in *auth.SignIn, whole wireview.FramePath) []signinview.Step {
	trips := map[int]playground.Round{}
	for _, trip := range playground.Trips(in.Log) {
		trips[trip.Decision.Round] = trip
	}
	var steps []signinview.Step
	for i, step := range in.Steps {
		var faults []signinview.Fault
		for _, f := range step.Faults {
			faults = append(faults, signinview.NewFault(f.Says, f.Clause, f.Fatal, f.Waived))
		}
		var trip *playground.Round
		if r, found := trips[step.Conn]; found && step.Conn > 0 {
			trip = &r
		}
		view := signinview.NewStep(i+1, string(step.Purpose), step.URL, step.Found, faults, trip, whole)
		if step.Anyway != "" {
			view.Deliberate, view.Found = true, doctor.WordsOf(step.Anyway).Did
		}
		if step.Purpose == auth.Challenged {
			view.Parameters = challengeParts(in.Challenge)
		}
		steps = append(steps, view)
	}
	return steps
}

// challengeParts returns the parts of the server's answer when it refused the
// request. Its bytes are with the request, in the call or the report of the
// connection.
func challengeParts(c auth.Challenge) []signinview.Parameter {
	list := []signinview.Parameter{{Name: "status", Value: strconv.Itoa(c.Status)}}
	add := func(name, value, meaning string) {
		if value != "" {
			list = append(list, signinview.Parameter{Name: name, Value: text.Visible(value, 200),
				Meaning: meaning})
		}
	}
	add("resource_metadata", c.Metadata, "where the metadata of the server is")
	add("scope", strings.Join(c.Scopes, " "), "the scopes that the request needs")
	add("error", c.Error, "what is wrong with the token")
	add("error_description", c.Description, "")
	return list
}

// ConnectOffer returns the button that signs in to a server which refused to be
// connected to, or nil.
func (s *Pages) ConnectOffer(r *web.Request, k app.KnownServer) (*signinview.Offer, error) {
	challenge, refused := app.ConnectChallenge(k.Connection)
	if !refused {
		return nil, nil
	}
	return s.offer(r, k.Target, challenge, "")
}

// CallOffer returns the button that signs in for the newest request of a call,
// or nil.
func (s *Pages) CallOffer(
	r *web.Request, x playground.Exchange, f playground.Transcript,
) (*signinview.Offer, error) {
	challenge, refused := app.CallChallenge(f)
	if !refused || x.Imported || f.Last().N >= playground.MaxRounds {
		return nil, nil
	}
	k, err := s.App.Find(r.Visit, x.Target.ID)
	if err != nil {
		if errors.Is(err, playground.ErrNotFound) { // the server is not in the user's list any more
			err = nil
		}
		return nil, err
	}
	return s.offer(r, k.Target, challenge, x.ID)
}

func (s *Pages) offer(
	r *web.Request, t playground.Target, challenge auth.Challenge, exchange string,
) (*signinview.Offer, error) {
	token, err := s.App.TokenOf(r.Visit, t)
	return &signinview.Offer{
		Path: "/servers/" + t.ID + "/sign-in", Exchange: exchange, Scopes: challenge.Scopes,
		StepUp: challenge.StepUp(), Again: challenge.Error != "" && token != nil,
	}, err
}

// SignedInAs returns the part of the page of a server about the token for it,
// or nil.
func (s *Pages) SignedInAs(r *web.Request, t playground.Target) (*signinview.SignedIn, error) {
	token, err := s.App.TokenOf(r.Visit, t)
	if token == nil {
		return nil, err
	}
	return &signinview.SignedIn{
		Path: "/servers/" + t.ID + "/sign-in", Action: "/servers/" + t.ID + "/sign-in",
		Issuer: token.Issuer, Scopes: token.Scopes, Expires: token.Expires,
		Expired: token.Expired(s.App.Now()), Renews: token.Refresh != "", Deviations: token.Deviations,
	}, nil
}
