package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// Checker runs checks in the background. Start returns check.ErrBusy if too
// many are running.
type Checker interface {
	Start(p check.Plan, first playground.Exchange) error
	Watch(ctx context.Context, session string) (changed <-chan struct{}, running bool)
	IsRunning(session string) bool // in this process
	Wait(ctx context.Context, session string)
	Stop(session string) bool
	Running() (sessions []string, limit int)
}

// checkStore keeps checks: sessions whose exchanges a Checker adds.
type checkStore interface {
	AddCheck(ctx context.Context, workspace, title string, x playground.Exchange) error
}

// checkWait is how long a check waits for one answer.
const checkWait = 20 * time.Second

// checkForm shows what a check would send; ?tool= and ?args= fill it in.
func (s *app) checkForm(c echo.Context) error {
	k, err := s.find(c, c.Param("id"))
	if err != nil {
		return err
	}
	return s.showCheckForm(c, http.StatusOK, newCheckForm(k, c.QueryParams()))
}

func (s *app) showCheckForm(c echo.Context, status int, f views.CheckForm) error {
	page := s.page(c, "Check "+f.Name, "/servers")
	page.Here = f.Path()
	return s.render(c, status, views.CheckPage(page, f))
}

// newCheckForm returns the form with the values, or else with a sample's own
// call.
func newCheckForm(k knownServer, values url.Values) views.CheckForm {
	f := views.CheckForm{
		ID: k.target.ID, Name: k.target.Name, Sample: k.sample != nil, Experiments: lab.Experiments(),
		Tool: values.Get("tool"), Args: values.Get("args"), Answers: values.Get("answers"),
		State: values.Get("state"), Mine: values.Get("mine") == "yes", Wait: values.Get("wait"),
		Legacy: k.connection.Era == playground.Legacy, Tools: checkOffers(k.connection),
	}
	switch {
	case k.connection.Status != server.Connected:
		f.Why = "The server is not connected. Connect to it first."
	case len(f.Tools) == 0:
		f.Why = "The server has nothing that a check could call."
	}
	f.Ready = f.Why == ""
	if k.sample != nil && f.Args == "" && (f.Tool == "" || f.Tool == nameOf(k.sample.Start.Params)) {
		f.Tool, f.Args = exampleCall(k.sample.Start.Params)
	}
	if k.sample != nil && !values.Has("answers") && f.Tool == nameOf(k.sample.Start.Params) {
		f.Answers = string(k.sample.Start.Answers)
	}
	if f.Args == "" {
		f.Args = placeholderArguments(k, f)
	}
	return f
}

// checkOffers returns what a check can call: tools by their name, prompts and
// resources by method and name.
func checkOffers(c server.Connection) []views.CheckTool {
	var list []views.CheckTool
	for _, t := range c.Tools {
		if t.Excluded == "" {
			list = append(list, views.CheckTool{Name: t.Name, Label: t.Label()})
		}
	}
	for _, p := range c.Prompts {
		list = append(list, views.CheckTool{
			Name: playground.PromptsGet + " " + p.Name, Label: "Prompt: " + p.Label(),
		})
	}
	for _, r := range c.Resources {
		list = append(list, views.CheckTool{
			Name: playground.ResourcesRead + " " + r.URI, Label: "Resource: " + r.Label(),
		})
	}
	return list
}

// checkedCall returns the call of what was chosen, and false if the server does
// not offer it.
func checkedCall(c server.Connection, chosen string, arguments []byte) (playground.Call, bool) {
	if tool, ok := c.Tool(chosen); ok {
		return server.ToolCall(tool, arguments), true
	}
	if !slices.ContainsFunc(checkOffers(c), func(t views.CheckTool) bool { return t.Name == chosen }) {
		return playground.Call{}, false
	}
	method, name, _ := strings.Cut(chosen, " ")
	params := []jsontree.Pair{
		{Key: "name", Value: jsontree.Quote(name)}, {Key: "arguments", Value: arguments},
	}
	if method == playground.ResourcesRead {
		params = []jsontree.Pair{{Key: "uri", Value: jsontree.Quote(name)}}
	}
	return playground.Call{Method: method, Params: jsontree.ObjectOf(params...)}, true
}

// placeholderArguments returns arguments for the selected tool, or for the
// first.
func placeholderArguments(k knownServer, f views.CheckForm) string {
	name := f.Tool
	if name == "" && len(f.Tools) > 0 {
		name = f.Tools[0].Name
	}
	tool, _ := k.connection.Tool(name)
	return string(question.PlaceholderArguments(tool.InputSchema))
}

func nameOf(params json.RawMessage) string {
	name, _ := exampleCall(params)
	return name
}

// exampleCall returns the tool and the arguments of a sample's own call.
func exampleCall(params json.RawMessage) (name, arguments string) {
	node, err := jsontree.Parse(params, jsontree.Limits{})
	if err != nil {
		return "", ""
	}
	return node.Get("name").Str(), string(node.Get("arguments").Raw())
}

// startCheck stores a check and runs it in the background.
func (s *app) startCheck(c echo.Context) error {
	values, err := s.formValues(c)
	if err != nil {
		return err
	}
	k, err := s.find(c, c.Param("id"))
	if err != nil {
		return err
	}
	f := newCheckForm(k, values)
	plan, problem := planOf(k, f)
	if problem != "" {
		f.Problem = problem
		return s.showCheckForm(c, http.StatusUnprocessableEntity, f)
	}
	open, ok := s.unlock(c, k.target)
	if !ok {
		return secretLost(playground.Exchange{Target: k.target})
	}
	plan.Target = open
	if f.Legacy {
		plan.Target.Era = playground.Legacy
	}
	if k.sample != nil {
		era := plan.Target.Era
		plan.Target = s.samples.target(*k.sample, k.sample.Start.Query)
		plan.Target.Era = era
		if slices.Contains([]string{"plain", "signed", "sealed"}, f.State) {
			plan.Target.URL = playground.SetQuery(plan.Target.URL, "state", f.State)
		}
	}
	plan.Person, plan.ShortLived = person(first(values["person"])), s.shortLived(k.target)
	plan.Narrow = s.narrowToken(c, plan.Target) // before the token, which it may renew
	plan.Target = s.targetWithToken(c, plan.Target)
	session, err := s.beginCheck(c, plan)
	if err != nil {
		return err
	}
	return seeOther(c, views.CheckPath(k.target.ID, session))
}

// planOf returns the plan of a form, or what is wrong with the form.
func planOf(k knownServer, f views.CheckForm) (p check.Plan, problem string) {
	arguments, err := jsontree.Parse([]byte(f.Args), jsontree.Limits{})
	call, known := checkedCall(k.connection, f.Tool, []byte(f.Args))
	late, ok := lateOf(f.Wait)
	switch {
	case !f.Ready:
		return p, f.Why
	case !f.Sample && !f.Mine:
		return p, "Confirm that the server is yours: a check sends it invalid requests."
	case k.connection.Excluded(f.Tool) != "":
		return p, fmt.Sprintf("Clients must exclude the tool %q: %s.", text.Visible(f.Tool, 80),
			text.Visible(k.connection.Excluded(f.Tool), 200))
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
		p.Other = server.SecondTool(k.connection, f.Tool, f.Sample)
	}
	p.MaxWait = max(maxExpiryWait, late)
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

// person returns the credentials of a second person, if the token can be sent.
func person(token string) []wire.Field {
	field := wire.Field{Name: "Authorization", Value: "Bearer " + strings.TrimSpace(token)}
	if strings.TrimSpace(token) == "" || wire.CheckField(field) != nil {
		return nil
	}
	return []wire.Field{field}
}

// beginCheck runs a check and returns its Session. It holds a place of the pool
// until it ends.
func (s *app) beginCheck(c echo.Context, p check.Plan) (session string, err error) {
	ctx := c.Request().Context()
	release, err := s.checks.acquire(ctx, s.visitor(c).address)
	if errors.Is(err, errPoolFull) {
		return "", s.tooManyChecks()
	}
	if err != nil {
		return "", err
	}
	p.Session = s.NewID()
	if err := s.openCheck(c, p); err != nil {
		release()
		return "", err
	}
	go func() {
		defer release()
		s.Checker.Wait(context.Background(), p.Session) // until it ends or is stopped
	}()
	settled, stop := context.WithTimeout(ctx, s.Settle)
	defer stop()
	s.Checker.Wait(settled, p.Session)
	return p.Session, nil
}

// openCheck stores a check and starts it.
func (s *app) openCheck(c echo.Context, p check.Plan) error {
	ctx := c.Request().Context()
	workspace, err := s.owners.writing(c)
	if err != nil {
		return err
	}
	if err := s.admit(c, playground.Exchange{ID: p.Session, Target: p.Target}); err != nil {
		return err
	}
	p.Target = p.Target.WithSecrets(slices.Concat(p.Person, p.Narrow), nil)
	p.Call.Wait, p.Peer = checkWait, wire.PeerOf(ctx)
	x := playground.Exchange{
		ID: s.NewID(), Session: p.Session, Target: p.Target, Call: p.Call, Created: s.Now(),
	}
	hidden := x.Redacted()
	if err := s.Store.AddCheck(ctx, workspace, "Check of "+title(hidden.Call), hidden); err != nil {
		return err
	}
	err = s.Checker.Start(p, x)
	if err == nil {
		return nil
	}
	if failed := s.Store.DeleteSession(ctx, workspace, p.Session); failed != nil {
		s.Logger.Warn("delete a check that did not start", "session", p.Session, "err", failed)
	}
	if errors.Is(err, check.ErrBusy) {
		return s.tooManyChecks()
	}
	return err
}

// checkRetry is when to try again if too many checks are running.
const checkRetry = 30 * time.Second

func (s *app) tooManyChecks() *refusal {
	if s.Mode != Public {
		return tooMany(checkRetry, "too_many_checks", "Too many checks are in progress.", "Nothing was sent.")
	}
	return tooMany(checkRetry, "too_many_checks", "Too many checks are in progress.",
		"Nothing was sent. Visitors who share an address can run "+
			text.Plural(eighth(s.Limits.Checks), "check")+" at once.")
}
