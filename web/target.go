package web

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// known is a server as the user can reach it, and what it said of itself.
type known struct {
	target     playground.Target
	connection playground.Connection
	sample     *sampletools.Sample
}

// find looks a server up by its id: a sample's slug or one of the user's own.
func (s *server) find(ctx context.Context, workspace, id string) (known, error) {
	if x, ok := s.samples.lookup(id); ok {
		return known{s.samples.target(x, ""), s.samples.connection(ctx, x), &x}, nil
	}
	t, log, err := s.Store.Target(ctx, workspace, id)
	if err != nil {
		return known{}, err
	}
	return known{t, playground.FoldConnection(log), nil}, nil
}

// target shows a server; ?tool= and ?args= open a tool with its arguments
// filled in, and nothing is called.
func (s *server) target(c echo.Context) error {
	k, err := s.find(c.Request().Context(), s.owners.reading(c), c.Param("id"))
	if err != nil {
		return err
	}
	tools := toolForms(k)
	q := c.QueryParams()
	for i := range tools {
		if tools[i].Name == q.Get("tool") {
			tools[i].Open = true
			fillArguments(&tools[i], q.Get("args"))
		}
	}
	return s.showTarget(c, http.StatusOK, k, tools)
}

func fillArguments(t *views.ToolForm, args string) {
	node, err := jsontree.Parse([]byte(args), jsontree.Limits{})
	if err != nil || node.Kind != jsontree.Object {
		return
	}
	t.Form, t.JSON = t.Form.Fill(json.RawMessage(args)), args
}

func (s *server) showTarget(c echo.Context, status int, k known, tools []views.ToolForm) error {
	model := targetModel(k, tools)
	if wantsFragment(c) {
		return s.render(c, status, views.TargetMain(model))
	}
	page := s.page(c, model.Name, "/servers")
	page.Here = "/servers/" + k.target.ID
	page.Refresh = model.Status == playground.Connecting
	return s.render(c, status, views.TargetPage(page, model))
}

func targetModel(k known, tools []views.ToolForm) views.Target {
	t, conn := k.target, k.connection
	model := views.Target{ID: t.ID, Name: t.Name, URL: t.URL, Status: conn.Status, Tools: tools, Cut: len(conn.Cut) > 0, Facts: facts(conn)}
	if conn.Status == playground.ConnectFailed {
		model.Failed = &views.Failed{Sentence: views.SentenceOf(conn.Class), Detail: conn.Detail}
	}
	if x := k.sample; x != nil {
		start := startLine(*x)
		model.Sample, model.Name, model.Summary, model.Teaches, model.Try = true, x.Title, x.Summary, x.Teaches, x.Try
		model.Options = optionLines(*x)
		if start.Label != "" {
			model.Start = &start
		}
		return model
	}
	for _, trip := range conn.Trips {
		model.Trips = append(model.Trips, views.NewWireRound(trip, false, ""))
	}
	return model
}

// facts are what a server said of itself, in its words.
func facts(c playground.Connection) []views.Fact {
	var list []views.Fact
	add := func(name, value string) {
		if value != "" {
			list = append(list, views.Fact{Name: name, Value: views.Visible(value, 2000)})
		}
	}
	add("Name", strings.TrimSpace(c.Name+" "+c.Version))
	add("Versions", strings.Join(c.Versions, ", "))
	var offers []string
	if c.Capabilities != nil {
		for _, m := range c.Capabilities.Members {
			offers = append(offers, m.Key)
		}
	}
	add("Offers", strings.Join(offers, ", "))
	add("Instructions", c.Instructions)
	return list
}

func toolForms(k known) []views.ToolForm {
	list := make([]views.ToolForm, len(k.connection.Tools))
	for i, t := range k.connection.Tools {
		list[i] = views.ToolForm{Name: t.Name, Label: t.Label(), Description: t.Description, Target: k.target.ID, JSON: "{}"}
		list[i].Form, list[i].FormErr = form.Arguments(t.InputSchema)
		if len(k.connection.Tools) == 1 {
			list[i].Open = true
		}
	}
	if k.sample != nil {
		exampleArguments(list, k.sample.Start.Params)
	}
	return list
}

// exampleArguments fills in the arguments that a sample's own start would send.
func exampleArguments(list []views.ToolForm, params json.RawMessage) {
	node, err := jsontree.Parse(params, jsontree.Limits{})
	if err != nil {
		return
	}
	for i := range list {
		if list[i].Name == node.Get("name").Str() && node.Has("arguments") {
			fillArguments(&list[i], string(node.Get("arguments").Raw()))
		}
	}
}

// startTool calls a tool with the arguments of its form, or with raw JSON.
func (s *server) startTool(c echo.Context, values url.Values) error {
	k, err := s.find(c.Request().Context(), s.owners.reading(c), values.Get("target"))
	if err != nil {
		return err
	}
	tools := toolForms(k)
	for i := range tools {
		if tools[i].Name != values.Get("tool") {
			continue
		}
		arguments, ok := readArguments(&tools[i], values)
		if !ok {
			return s.showTarget(c, http.StatusUnprocessableEntity, k, tools)
		}
		params, err := jsontree.Set(nil,
			jsontree.Pair{Key: "name", Value: jsontree.Quote(tools[i].Name)}, jsontree.Pair{Key: "arguments", Value: arguments})
		if err != nil {
			return err
		}
		return s.begin(c, k.target, playground.Call{Method: playground.ToolsCall, Params: params})
	}
	return notFound()
}

// readArguments takes the fields or, if the user chose so, the raw JSON; what
// was typed stays in the form.
func readArguments(t *views.ToolForm, values url.Values) (json.RawMessage, bool) {
	prefix := values.Get("prefix")
	t.Open, t.JSON, t.UseJSON = true, values.Get("json"), values.Get("raw") == "true"
	t.Form = t.Form.With(values, prefix)
	if !t.UseJSON && t.FormErr == nil {
		arguments, problems := t.Form.Read(prefix, values)
		t.Problems = problems
		return arguments, len(problems) == 0
	}
	node, err := jsontree.Parse([]byte(t.JSON), jsontree.Limits{})
	if err != nil || node.Kind != jsontree.Object {
		t.Problems = []form.Problem{{Index: -1, Text: "The arguments must be a JSON object."}}
		return nil, false
	}
	return json.RawMessage(t.JSON), true
}
