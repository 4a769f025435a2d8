package playground

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Refusals of Next.
var (
	ErrNotOpen = errors.New("this round is not open for an answer")
	ErrCapped  = fmt.Errorf("an exchange stops at %d rounds", MaxRounds)
	ErrAnswers = errors.New("the answers do not belong to the open questions")
)

// Client names us in every request's _meta.
type Client struct {
	Name, Version string
}

// Next builds the request that follows from a decision: for Start the Call
// itself, else the same Call with the answers to the last result's keys and its
// requestState, echoed as the exact text it came in, iff one was given
// (basic/patterns/mrtr, client requirements 1 to 3). Id and progressToken are
// those of the Round, so no two Rounds share them.
func Next(x Exchange, f Folded, d Decision, c Client) (wire.Request, error) {
	params := x.Call.Params
	last := f.Last()
	if err := allowed(f, last, d); err != nil {
		return wire.Request{}, err
	}
	if from := d.source(f, last); from != nil {
		extra, err := retryParams(from.round, from.answers)
		if err != nil {
			return wire.Request{}, err
		}
		if params, err = jsontree.Set(params, extra...); err != nil {
			return wire.Request{}, fmt.Errorf("params of the call: %w", err)
		}
	}
	params, err := jsontree.Set(params, jsontree.Pair{Key: "_meta", Value: meta(x, d.Round, c)})
	if err != nil {
		return wire.Request{}, fmt.Errorf("params of the call: %w", err)
	}
	return wire.Request{
		URL: x.Target.urlTo(d.Copy), Method: x.Call.Method, ID: strconv.AppendInt(nil, int64(d.Round), 10),
		Params: params, Header: x.Target.Header,
	}, nil
}

// allowed reports why the decision cannot follow the log.
func allowed(f Folded, last *Round, d Decision) error {
	if last == nil {
		if d.Action == Start && d.Round == 1 {
			return nil
		}
		return ErrNotOpen
	}
	if d.Round != last.N+1 {
		return ErrNotOpen
	}
	if last.N >= MaxRounds {
		return ErrCapped
	}
	switch {
	case f.Status == StatusDeclined && !last.Resendable():
		return ErrNotOpen
	case d.Action == Answer && last.Outcome == OutcomeInputRequired,
		d.Action == Retry && last.Outcome == OutcomeRetry,
		d.Action == Resend && last.Resendable():
		return nil
	}
	return ErrNotOpen
}

// origin is the Round whose result a retry answers, and with what.
type origin struct {
	round   *Round
	answers []Response
}

// source finds the result that the request answers: the last one, or, when a
// Round is sent again, the one that Round had answered.
func (d Decision) source(f Folded, last *Round) *origin {
	if last == nil {
		return nil
	}
	if d.Action != Resend {
		return &origin{last, d.Answers}
	}
	for n := last.N; n > 1; n-- {
		r := f.Round(n)
		if r == nil {
			return nil
		}
		if r.Decision.Action != Resend {
			return &origin{f.Round(n - 1), r.Decision.Answers}
		}
	}
	return nil
}

// retryParams are the members that make a call a retry. Keys and state keep
// the exact text in which they came.
func retryParams(r *Round, answers []Response) ([]jsontree.Pair, error) {
	if r == nil {
		return nil, nil
	}
	var pairs []jsontree.Pair
	if len(r.Questions) > 0 {
		responses, err := inputResponses(r.Questions, answers)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, jsontree.Pair{Key: "inputResponses", Value: responses})
	}
	if r.State != nil {
		pairs = append(pairs, jsontree.Pair{Key: "requestState", Value: r.State})
	}
	return pairs, nil
}

// inputResponses is the object of answers in the order of the questions.
func inputResponses(asked []Question, answers []Response) (json.RawMessage, error) {
	byKey := make(map[string]json.RawMessage, len(answers))
	for _, a := range answers {
		byKey[a.Key] = a.Value
	}
	out := []byte{'{'}
	for _, q := range asked {
		value, ok := byKey[q.Key]
		if !ok {
			return nil, fmt.Errorf("%w: %q has none", ErrAnswers, q.Key)
		}
		delete(byKey, q.Key)
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, q.RawKey...), ':'), value...)
	}
	if len(byKey) > 0 {
		return nil, ErrAnswers
	}
	return append(out, '}'), nil
}

// meta is the request metadata (basic/index, "_meta"): the user's own members,
// if the params have some, and ours.
func meta(x Exchange, round int, c Client) json.RawMessage {
	info := fmt.Appendf(nil, `{"name":%s,"version":%s}`, jsontree.Quote(c.Name), jsontree.Quote(c.Version))
	capabilities := x.Target.Capabilities
	if len(capabilities) == 0 {
		capabilities = json.RawMessage("{}")
	}
	own, _ := jsontree.Parse(x.Call.Params, jsontree.Limits{})
	merged, err := jsontree.Set(own.Get("_meta").Raw(),
		jsontree.Pair{Key: "io.modelcontextprotocol/protocolVersion", Value: jsontree.Quote(wire.ProtocolVersion)},
		jsontree.Pair{Key: "io.modelcontextprotocol/clientInfo", Value: info},
		jsontree.Pair{Key: "io.modelcontextprotocol/clientCapabilities", Value: capabilities},
		jsontree.Pair{Key: "progressToken", Value: jsontree.Quote("round-" + strconv.Itoa(round))},
	)
	if err != nil { // _meta was no object: the user meant to send that
		return own.Get("_meta").Raw()
	}
	return merged
}
