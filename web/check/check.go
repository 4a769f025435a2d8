package check

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	checkview "github.com/mrtr-playground/mrtr-playground/views/check"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// CheckForm shows the call that a check would make; ?tool= and ?args= fill it
// in.
func (s *Pages) CheckForm(r *web.Request) error {
	k, err := s.App.Find(r.Visit, r.Param("id"))
	if err != nil {
		return err
	}
	return s.showCheckForm(r, http.StatusOK, newCheckForm(k, r.QueryParams()))
}

func (s *Pages) showCheckForm(r *web.Request, status int, f checkview.Form) error {
	page := s.App.Page(r, "Check "+f.Name, layout.TestPath)
	page.Here = f.Path()
	return s.App.Render(r, status, checkview.Page(page, f))
}

// madeWith returns the experiments that a check of a server makes.
func madeWith(t playground.Target) []lab.Experiment {
	excluded := func(e lab.Experiment) bool { return e.Excluded(t) != "" }
	return slices.DeleteFunc(slices.Clone(lab.ExperimentsWith(t)), excluded)
}

// newCheckForm returns the form with the values, or else with a sample's own
// call.
func newCheckForm(k app.KnownServer, values url.Values) checkview.Form {
	f := checkview.Form{
		ID: k.Target.ID, Name: k.Target.Name, Sample: k.Sample != nil,
		Asks: !app.IsTestable(k.Target), Experiments: madeWith(k.Target),
		Tool: values.Get("tool"), Args: values.Get("args"), Answers: values.Get("answers"),
		State: values.Get("state"), Mine: values.Get("mine") == "yes", Wait: values.Get("wait"),
		Legacy: k.Connection.Era == playground.Legacy, Tools: web.Offers(k.Connection),
	}
	switch {
	case k.Connection.Status != server.Connected:
		f.Why = "The server is not connected. Connect to it first."
	case len(f.Tools) == 0:
		f.Why = "The server has nothing that a check could call."
	}
	f.Ready = f.Why == ""
	if k.Sample != nil && f.Args == "" && (f.Tool == "" || f.Tool == app.NameOf(k.Sample.Start.Params)) {
		f.Tool, f.Args = app.ExampleCall(k.Sample.Start.Params)
	}
	if k.Sample != nil && !values.Has("answers") && f.Tool == app.NameOf(k.Sample.Start.Params) {
		f.Answers = string(k.Sample.Start.Answers)
	}
	if f.Args == "" {
		f.Args = web.PlaceholderArguments(k.Connection, f.Tool)
	}
	return f
}

// StartCheck stores a check and runs it in the background.
func (s *Pages) StartCheck(r *web.Request) error {
	v := r.Visit
	values, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	k, err := s.App.Find(v, r.Param("id"))
	if err != nil {
		return err
	}
	f := newCheckForm(k, values)
	plan, problem := planOf(k, f)
	if problem != "" {
		f.Problem = problem
		return s.showCheckForm(r, http.StatusUnprocessableEntity, f)
	}
	open, ok := s.App.Unlock(v, k.Target)
	if !ok {
		return app.SecretLost(playground.Exchange{Target: k.Target})
	}
	plan.Target = open
	if f.Legacy {
		plan.Target.Era = playground.Legacy
	}
	if k.Sample != nil {
		era := plan.Target.Era
		plan.Target = s.App.Samples.Target(*k.Sample, k.Sample.Start.Query)
		plan.Target.Era = era
		if slices.Contains([]string{"plain", "signed", "sealed"}, f.State) {
			plan.Target.URL = playground.SetQuery(plan.Target.URL, "state", f.State)
		}
	}
	plan.Person, plan.ShortLived = app.PersonOf(web.First(values["person"])), s.App.ShortLived(k.Target)
	plan.Narrow = s.App.NarrowToken(v, plan.Target) // before the token, which it may renew
	if plan.Target, err = s.App.TargetWithToken(v, plan.Target); err != nil {
		return err
	}
	session, err := s.App.BeginCheck(v, plan)
	if err != nil {
		return err
	}
	return web.SeeOther(r, paths.Check(k.Target.ID, session))
}

// planOf returns the plan of a form, or the problem of the form.
func planOf(k app.KnownServer, f checkview.Form) (p check.Plan, problem string) {
	arguments, err := jsontree.Parse([]byte(f.Args), jsontree.Limits{})
	call, known := web.OfferedCall(k.Connection, f.Tool, []byte(f.Args))
	late, ok := lateOf(f.Wait)
	switch {
	case !f.Ready:
		return p, f.Why
	case f.Asks && !f.Mine:
		return p, "Confirm that the server is yours: a check sends it invalid requests."
	case k.Connection.Excluded(f.Tool) != "":
		return p, fmt.Sprintf("Clients must exclude the tool %q: %s.", text.Visible(f.Tool, 80),
			text.Visible(k.Connection.Excluded(f.Tool), 200))
	case !known:
		return p, "Choose a tool, prompt or resource of the server."
	case !ok:
		return p, fmt.Sprintf("The wait must be a number of seconds, at most %d.", maxLateWait)
	case err != nil || arguments.Kind != jsontree.Object:
		return p, "The arguments must be a JSON object."
	case strings.TrimSpace(f.Answers) != "" && json.Unmarshal([]byte(f.Answers), &p.Answers) != nil:
		return p, "The answers must be a JSON object with one member per key."
	}
	p.Call, p.Late = call, late
	if call.Method == playground.ToolsCall {
		p.Other = server.SecondTool(k.Connection, f.Tool, f.Sample)
	}
	p.MaxWait = max(app.MaxExpiryWait, late)
	return p, ""
}

// maxLateWait is the longest wait for a state to expire that a user can choose,
// in seconds.
const maxLateWait = 60

// lateOf reads a number of seconds; nothing is 0.
func lateOf(text string) (time.Duration, bool) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, true
	}
	n, err := strconv.Atoi(text)
	return time.Duration(n) * time.Second, err == nil && n >= 0 && n <= maxLateWait
}
