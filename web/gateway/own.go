package gateway

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway/trial"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	gatewayview "github.com/mrtr-playground/mrtr-playground/views/gateway"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// ownUpstream reports whether a server of the user's own is behind the upstream, whose call the
// user chooses.
func (s *Pages) ownUpstream(t test) bool { return t.there && t.upstream.Target.Sample == "" }

// own returns the form of the call at an upstream of the user's own, else nil.
func (s *Pages) own(r *web.Request, t test, values url.Values) *gatewayview.Own {
	if !s.ownUpstream(t) {
		return nil
	}
	c := s.App.ConnectionOf(r.Visit, t.upstream.Target.ID)
	o := &gatewayview.Own{
		Tools: web.Offers(c), Tool: values.Get("tool"), Args: values.Get("args"),
		Answers: values.Get("answers"),
	}
	if o.Args == "" {
		o.Args = web.PlaceholderArguments(c, o.Tool)
	}
	return o
}

// ownCalls returns the calls of a test, or the problem of its form; nil for those of the server for
// this test.
func (s *Pages) ownCalls(r *web.Request, t test, values url.Values) (calls []trial.OwnCall, problem string) {
	if !s.ownUpstream(t) {
		return s.sampleCalls(t), ""
	}
	given := values.Get("args")
	arguments, err := jsontree.Parse([]byte(given), jsontree.Limits{})
	if err != nil || arguments.Kind != jsontree.Object {
		return nil, "The arguments must be a JSON object."
	}
	call, known := web.OfferedCall(s.App.ConnectionOf(r.Visit, t.upstream.Target.ID), values.Get("tool"),
		[]byte(given))
	if !known {
		return nil, "Choose a tool, prompt or resource of the server behind the address."
	}
	own := trial.OwnCall{Method: call.Method, Name: call.Name()}
	if call.Method != playground.ResourcesRead {
		own.Arguments = json.RawMessage(given)
	}
	if answers := values.Get("answers"); strings.TrimSpace(answers) != "" &&
		json.Unmarshal([]byte(answers), &own.Answers) != nil {
		return nil, "The answers must be a JSON object with one member per key."
	}
	return []trial.OwnCall{own}, ""
}

// sampleCalls returns the call of a sample behind the upstream; nil for the server for this test.
func (s *Pages) sampleCalls(t test) []trial.OwnCall {
	x, ok := s.App.Samples.Lookup(t.upstream.Target.Sample)
	if !ok || x.Slug == sampletools.ClientTest {
		return nil
	}
	params, err := jsontree.Parse(x.Start.Params, jsontree.Limits{})
	if err != nil {
		return nil
	}
	own := trial.OwnCall{Method: x.Start.Method, Name: playground.Call{
		Method: x.Start.Method, Params: x.Start.Params,
	}.Name()}
	if arguments := params.Get("arguments"); arguments != nil {
		own.Arguments = arguments.Raw()
	}
	if len(x.Start.Answers) > 0 {
		_ = json.Unmarshal(x.Start.Answers, &own.Answers) // it is an object
	}
	return []trial.OwnCall{own}
}
