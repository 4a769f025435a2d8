package views_test

import (
	"encoding/json"
	"strings"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground/state"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	stateview "github.com/mrtr-playground/mrtr-playground/views/state"
)

// stateStories are the requestState workbench.
func stateStories() []story {
	const claims = `{
  "version": 1
}`
	call := seal.Request{Sample: "checkout", Method: "tools/call", Name: "check_out", Principal: "alice"}
	keys, err := seal.FromSecret("stories", []byte("0123456789abcdef"))
	if err != nil {
		panic(err) // the secret is long enough
	}
	made := seal.Claims{
		Issued: noon.Unix(), Expires: noon.Unix() + 3600, ID: "1", Request: call,
		Answers: map[string]json.RawMessage{"pay": json.RawMessage(`{"action":"accept"}`)},
	}
	signed, err := keys.Seal(seal.Signed, made)
	if err != nil {
		panic(err) // the claims are valid
	}
	flipped, _ := state.Flip(signed)
	own := func(token string, retry stateview.Retry) []seal.Check {
		against, now := retry.Of(call, noon)
		return seal.Verify(token, keys, seal.Signed, against, now)
	}
	page := func(name string, in stateview.Input) story {
		if in.Claims == "" {
			in.Claims = claims
		}
		return story{group: "state-workbench", name: name, page: func(p layout.Page) templ.Component {
			return stateview.Workbench(p, stateview.NewBench(in))
		}}
	}
	taken := stateview.Input{
		Token: flipped, Original: signed, Mode: seal.Signed, Key: stateview.NoKey, Retry: stateview.SameRetry,
		Exchange: "x1", Round: 2, Heading: "check_out", Server: "Check out", Sample: true,
		Own: own(flipped, stateview.SameRetry), Theirs: own(flipped, stateview.SameRetry),
		Send: &stateview.Send{
			Path: "/x/x1/edit", Round: 2, Body: "{}", Headers: "Mcp-Method: tools/call\n",
			Claims: claims, Mine: true,
		},
		Calls: []stateview.Call{{Path: "/state?x=x1", Words: "check_out, Check out"}}, Kept: true,
	}
	untested := taken
	untested.Send, untested.SendWhy = nil, "No request that echoes this state can be edited."
	untested.Theirs, untested.Sample, untested.Token = nil, false, signed
	confirm := taken
	confirm.Send = &stateview.Send{Path: "/x/x1/edit", Round: 2, Body: "{}"}
	problem := prose.SentenceCode("bad_claims", "The claims are not JSON.", "Correct them.")
	const mac = "aP8lR8jHQKwXWlgYF-qBpUCjugsopbLH7saaVxYkCdw"
	paste := func(name, token string) story {
		return page(name, stateview.Input{
			Token: token, Mode: seal.Sealed, Key: stateview.OwnKey, Retry: stateview.SameRetry,
			Own: own(token, stateview.SameRetry),
		}).of("#state-token, .token-marks, .token-parts, .bench-verdicts, [data-format]", "dt")
	}
	return []story{
		page("empty", stateview.Input{Mode: seal.Sealed, Key: stateview.OwnKey, Retry: stateview.SameRetry}).
			of(".bench-token, .bench-verdicts", ""),
		page("accepted", stateview.Input{
			Token: signed, Mode: seal.Signed, Key: stateview.OwnKey, Retry: stateview.SameRetry, Kept: true,
			Source: stateview.OfToken,
			Own:    own(signed, stateview.SameRetry),
		}).of(".bench-verdicts, .bench-checks", ".bench-checks .outcome"),
		page("late", stateview.Input{
			Token: signed, Mode: seal.Signed, Key: stateview.OwnKey, Retry: stateview.LateRetry,
			Own: own(signed, stateview.LateRetry),
		}).of(".bench-verdicts, [data-result=failed], #state-retry", ""),
		whole("state", page("", taken).page),
		page("not-editable", untested).of(".bench-verdicts, [data-from], [data-unsent]", ""),
		page("not-confirmed", confirm).of("[data-form=send-state]", ""),
		page("problem", stateview.Input{Mode: seal.Plain, Claims: "{", Problem: &problem}).
			of(".problem, #state-claims, #state-mode [selected]", ""),
		paste("jwt", "eyJhbGciOiJIUzI1NiJ9.eyJzdGVwIjoyfQ."+mac),
		paste("random", "qL8zW3kP0vN5xT7yB2mC9dF4gH6jK1sA"),
		paste("markup", `<script>alert("état")</script>`),
		paste("hidden", "step\u202e2"+strings.Repeat("\x00", 2)).of("#state-token, [data-warning]", ""),
		paste("long", "v1."+strings.Repeat("YWJj", 2000)),
	}
}
