package trial

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
)

// OwnCall is a call at an upstream that is not the server for this test.
type OwnCall struct {
	Method    string // tools/call, prompts/get or resources/read
	Name      string // of the tool or prompt, or the URI, as the upstream names it
	Arguments json.RawMessage
	Answers   map[string]json.RawMessage // by key, see question.Form.FromJSON; others get placeholders
}

// ownTimes is how often each call is made: what a gateway keeps shows in the second one.
const ownTimes = 2

// own makes a call at an upstream of the user, without a mark, because a tool may refuse
// arguments that it does not know.
func (t *trial) own(ctx context.Context, o OwnCall) gateway.Call {
	e := t.find(o.Method, o.Name)
	params := []jsontree.Pair{{Key: "name", Value: jsontree.Quote(e.name)}}
	if o.Method == playground.ResourcesRead {
		params = []jsontree.Pair{{Key: "uri", Value: jsontree.Quote(e.name)}}
	} else if o.Arguments != nil || o.Method == playground.ToolsCall {
		arguments := json.RawMessage(cmp.Or(string(o.Arguments), "{}"))
		params = append(params, jsontree.Pair{Key: "arguments", Value: arguments})
	}
	x, c := t.record(o.Method, o.Name, e, jsontree.ObjectOf(params...))
	return t.drive(ctx, drive.Driver{Runner: t.Runner, Decide: o.replier()}, x, c)
}

// replier returns what answers the questions of one call. No page of a question in URL mode is
// opened: it is accepted once, and declined if the server still waits for it in a later Round, so
// that the call ends.
func (o OwnCall) replier() drive.Decider {
	accepted := map[string]int{} // page -> Round in which it was accepted first
	return func(last playground.Round) (playground.Decision, error) {
		return question.Reply(last, func(f question.Form) (playground.Answer, error) {
			if value, ok := f.Given(o.Answers); ok {
				return f.FromJSON(value)
			}
			if f.Kind != question.KindURL {
				return f.Placeholder()
			}
			address, _, _ := strings.Cut(f.Params.Get("url").Str(), "?")
			page := f.Message() + "\n" + address
			if round, ok := accepted[page]; ok && round < last.N {
				return f.FromJSON(json.RawMessage(`{"action":"decline"}`))
			}
			accepted[page] = last.N
			return f.Placeholder()
		})
	}
}
