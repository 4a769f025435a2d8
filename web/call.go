package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// maxWait bounds how long a user may let a call wait for an answer.
const maxWait = 120 * time.Second

// callForms returns a form for everything that a server offers.
func callForms(k knownServer) []views.CallForm {
	c := k.connection
	completes := c.Completable() && c.Era != playground.Legacy
	var list []views.CallForm
	add := func(f views.CallForm, i int, made form.Form, err error) {
		f.Target, f.Prefix, f.JSON = k.target.ID, views.Prefix(f.Kind, i), "{}"
		if f.Form, f.FormErr = made, err; err == nil && f.Kind != "resource" {
			content, _ := made.Content(made.Entries())
			f.JSON = views.Indented(content)
		}
		list = append(list, f)
	}
	for i, t := range c.Tools {
		made, err := form.Arguments(t.InputSchema)
		add(views.CallForm{
			Kind: "tool", Name: t.Name, Label: t.Label(), Description: t.Description, Excluded: t.Excluded,
		}, i, made, err)
	}
	for i, p := range c.Prompts {
		made, err := p.Form()
		add(views.CallForm{
			Kind: "prompt", Name: p.Name, Label: p.Label(), Description: p.Description, Completes: completes,
		}, i, made, err)
	}
	for i, r := range c.Resources {
		add(views.CallForm{
			Kind: "resource", Name: r.URI, Label: r.Label(), Description: r.Description, About: r.MIMEType,
		}, i, form.Form{}, nil)
	}
	for i, r := range c.Templates {
		made, err := r.TemplateForm()
		add(views.CallForm{
			Kind: "template", Name: r.URI, Label: r.Label(), Description: r.Description, About: r.MIMEType,
			Completes: completes,
		}, i, made, err)
	}
	if len(list) == 1 {
		list[0].Open = true
	}
	if k.sample != nil {
		exampleArguments(list, k.sample.Start.Params)
		describeFaults(list, k)
	}
	return list
}

// exampleArguments fills in the arguments of a sample's start button.
func exampleArguments(list []views.CallForm, params json.RawMessage) {
	node, err := jsontree.Parse(params, jsontree.Limits{})
	if err != nil {
		return
	}
	for i := range list {
		if list[i].Kind != "resource" && list[i].Name == node.Get("name").Str() && node.Has("arguments") {
			fillArguments(&list[i], string(node.Get("arguments").Raw()))
		}
	}
}

// submittedForm returns the form that was submitted, filled in, or nil if there
// is none. It is found by kind and name, and by prefix if two have the same
// name.
func submittedForm(calls []views.CallForm, values url.Values) *views.CallForm {
	kind := values.Get("kind")
	if kind == "" {
		kind = "tool"
	}
	i := slices.IndexFunc(calls, func(f views.CallForm) bool {
		return f.Kind == kind && f.Name == values.Get("tool") && f.Excluded == "" &&
			(values.Get("prefix") == "" || f.Prefix == values.Get("prefix"))
	})
	if i < 0 {
		return nil
	}
	f := &calls[i]
	f.Open, f.UseJSON = true, values.Get("raw") == "true"
	f.Level, f.Wait = values.Get("level"), values.Get("wait")
	f.Trace = strings.TrimSpace(values.Get("traceparent"))
	if values.Has("json") {
		f.JSON = values.Get("json")
	}
	f.Form = f.Form.With(form.ReadEntries(values, f.Prefix))
	return f
}

// startCall makes the call of a form on a server's page.
func (s *app) startCall(c echo.Context, values url.Values) error {
	k, err := s.find(c.Request().Context(), s.owners.reading(c), values.Get("target"))
	if err != nil {
		return err
	}
	calls := callForms(k)
	f := submittedForm(calls, values)
	if f == nil {
		return notFound()
	}
	arguments, ok := readArguments(f, values)
	if !ok {
		return s.showTarget(c, http.StatusUnprocessableEntity, k, calls)
	}
	call, err := k.call(*f, arguments)
	if err != nil {
		f.Problems = []form.Problem{{Index: -1, Text: sentenceCase(err.Error()) + "."}}
		return s.showTarget(c, http.StatusUnprocessableEntity, k, calls)
	}
	open, ok := s.unlock(c, k.target)
	if !ok {
		return secretLost(playground.Exchange{Target: k.target})
	}
	return s.begin(c, k.declaring(open, f.Name), call)
}

// call returns the call of a form that was filled in.
func (k knownServer) call(f views.CallForm, arguments json.RawMessage) (playground.Call, error) {
	call := playground.Call{Method: playground.ToolsCall, Wait: waitOf(f.Wait)}
	name := jsontree.Pair{Key: "name", Value: jsontree.Quote(f.Name)}
	pairs := []jsontree.Pair{name, {Key: "arguments", Value: arguments}}
	switch f.Kind {
	case "tool":
		if t, ok := k.connection.Tool(f.Name); ok {
			call.Tool = t.Definition
		}
	case "prompt":
		call.Method = playground.PromptsGet
	case "resource", "template":
		uri, err := uriOf(f, arguments)
		if err != nil {
			return call, err
		}
		call.Method = playground.ResourcesRead
		pairs = []jsontree.Pair{{Key: "uri", Value: jsontree.Quote(uri)}}
	}
	meta, err := ownMeta(f)
	if err != nil {
		return call, err
	}
	if len(meta) > 0 {
		pairs = append(pairs, jsontree.Pair{Key: "_meta", Value: jsontree.ObjectOf(meta...)})
	}
	if call.Params, err = jsontree.Set(nil, pairs...); err != nil {
		return call, err
	}
	return call, call.CheckHeaderArguments()
}

// traceparent is the form of a W3C trace context (basic/index, "OpenTelemetry
// Trace Context").
var traceparent = regexp.MustCompile(`^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$`)

// ownMeta returns the members of _meta that the user asks for.
func ownMeta(f views.CallForm) ([]jsontree.Pair, error) {
	var pairs []jsontree.Pair
	if slices.Contains(server.LogLevels(), f.Level) {
		pairs = append(pairs,
			jsontree.Pair{Key: "io.modelcontextprotocol/logLevel", Value: jsontree.Quote(f.Level)})
	}
	if f.Trace != "" {
		if !traceparent.MatchString(f.Trace) {
			return nil, errors.New("a traceparent looks like 00-" + strings.Repeat("a", 32) + "-" +
				strings.Repeat("b", 16) + "-01")
		}
		pairs = append(pairs, jsontree.Pair{Key: "traceparent", Value: jsontree.Quote(f.Trace)})
	}
	return pairs, nil
}

func uriOf(f views.CallForm, values json.RawMessage) (string, error) {
	if f.Kind == "resource" {
		return f.Name, nil
	}
	return server.Resource{URI: f.Name}.Expand(values)
}

// waitOf returns how long to wait for an answer; 0 means the default.
func waitOf(seconds string) time.Duration {
	n, err := strconv.Atoi(seconds)
	if err != nil || n <= 0 {
		return 0
	}
	return min(time.Duration(n)*time.Second, maxWait)
}
