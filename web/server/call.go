package server

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	callview "github.com/mrtr-playground/mrtr-playground/views/call"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// maxWait bounds how long a user may let a call wait for an answer.
const maxWait = 120 * time.Second

// submittedForm returns the form that was submitted, filled in, or nil if there
// is none. It is found by kind and name, and by prefix if two have the same
// name.
func submittedForm(k app.KnownServer, values url.Values) *callview.Form {
	o := offerOf(k, offersOf(k.Connection), cmp.Or(values.Get("kind"), "tool"), values.Get("tool"),
		values.Get("prefix"))
	if o == nil || o.excluded {
		return nil
	}
	f := formOf(k, *o)
	f.UseJSON = values.Get("raw") == "true"
	f.Level, f.Wait = values.Get("level"), values.Get("wait")
	f.Trace, f.NewTrace = strings.TrimSpace(values.Get("traceparent")), values.Get("trace") == "new"
	if values.Has("json") {
		f.JSON = values.Get("json")
	}
	f.Form = f.Form.With(form.ReadEntries(values, f.Prefix))
	return f
}

// startCall makes the call of a form on a server's page.
func (s *Pages) startCall(r *web.Request, values url.Values) error {
	k, err := s.App.Find(r.Visit, values.Get("target"))
	if err != nil {
		return err
	}
	f := submittedForm(k, values)
	if f == nil {
		return app.NotFound()
	}
	arguments, ok := readArguments(f, values)
	if !ok {
		return s.showTarget(r, http.StatusUnprocessableEntity, k, f)
	}
	return s.makeCall(r, k, f, arguments)
}

// makeCall makes the call of a form with these arguments.
func (s *Pages) makeCall(
	r *web.Request,
	k app.KnownServer,
	f *callview.Form,
	arguments json.RawMessage,
) error {
	call, err := wholeCall(k, *f, arguments)
	if err != nil {
		f.Problems = []form.Problem{{Index: -1, Text: web.SentenceCase(err.Error()) + "."}}
		return s.showTarget(r, http.StatusUnprocessableEntity, k, f)
	}
	open, ok := s.App.Unlock(r.Visit, k.Target)
	if !ok {
		return app.SecretLost(playground.Exchange{Target: k.Target})
	}
	return s.App.Begin(r, declaring(k, open, f.Name), call)
}

// wholeCall returns the call of a form that was filled in.
func wholeCall(k app.KnownServer, f callview.Form, arguments json.RawMessage) (playground.Call, error) {
	call := playground.Call{Method: playground.ToolsCall, Wait: waitOf(f.Wait)}
	name := jsontree.Pair{Key: "name", Value: jsontree.Quote(f.Name)}
	pairs := []jsontree.Pair{name, {Key: "arguments", Value: arguments}}
	switch f.Kind {
	case "tool":
		if t, ok := k.Connection.Tool(f.Name); ok {
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

// ownMeta returns the members of _meta that the user asks for. A trace to
// continue outranks a new one.
func ownMeta(f callview.Form) ([]jsontree.Pair, error) {
	var pairs []jsontree.Pair
	if slices.Contains(server.LogLevels(), f.Level) {
		pairs = append(pairs,
			jsontree.Pair{Key: "io.modelcontextprotocol/logLevel", Value: jsontree.Quote(f.Level)})
	}
	trace := f.Trace
	switch _, ok := playground.ParseTrace(trace); {
	case trace == "" && f.NewTrace:
		trace = newTrace()
	case trace == "":
		return pairs, nil
	case !ok:
		return nil, errors.New("a traceparent looks like 00-" + strings.Repeat("a", 32) + "-" +
			strings.Repeat("b", 16) + "-01, and neither id is all zero")
	}
	return append(pairs, jsontree.Pair{Key: "traceparent", Value: jsontree.Quote(trace)}), nil
}

// newTrace returns the traceparent of a new trace.
func newTrace() string {
	var random [24]byte
	_, _ = rand.Read(random[:]) // never fails
	return playground.NewTrace(random).String()
}

func uriOf(f callview.Form, values json.RawMessage) (string, error) {
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
