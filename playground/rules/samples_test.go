package rules_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// everything declares all capabilities.
const everything = `{
	"elicitation":{"form":{},"url":{}}, "sampling":{"tools":{}}, "roots":{},
	"extensions":{"io.modelcontextprotocol/tasks":{}}
}`

// TestGoodSamplesBreakNoRule drives a call of every sample of this revision to
// its end.
func TestGoodSamplesBreakNoRule(t *testing.T) {
	keys, err := seal.Generate()
	if err != nil {
		t.Fatal(err)
	}
	catalog, err := sampletools.New(sampletools.Config{
		Keys: keys, Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer catalog.Close()
	server := httptest.NewServer(catalog)
	defer server.Close()
	for _, sample := range catalog.Samples() {
		t.Run(sample.Slug, func(t *testing.T) {
			if sample.Era == sampletools.Legacy || sample.Slug == "naughty" {
				t.Skip("a legacy revision, or violates rules on purpose")
			}
			x := playground.Exchange{
				Target: playground.Target{
					URL:          server.URL + "/mcp/" + sample.Slug + "?" + sample.Start.Query,
					Sample:       sample.Slug,
					Capabilities: json.RawMessage(everything),
				},
				Call: playground.Call{Method: sample.Start.Method, Params: sample.Start.Params},
			}
			requireNoFailure(t, drive(t, x, 10))
		})
	}
}

func requireNoFailure(t *testing.T, x playground.Exchange) {
	t.Helper()
	folded := playground.Fold(x.Log)
	t.Logf("%s after %d rounds", folded.Status, len(folded.Rounds))
	for _, f := range rules.Judge(x) {
		switch f.Verdict {
		case rules.Fail:
			t.Errorf("round %d: %s: %s", f.Round, f.Rule, f.Text)
		case rules.Hint:
			t.Logf("round %d: %s: %s", f.Round, f.Rule, f.Text)
		}
	}
}

// drive answers all questions until the call ends, or for that many rounds.
func drive(t *testing.T, x playground.Exchange, rounds int) playground.Exchange {
	t.Helper()
	sender := wire.New(wire.Config{})
	d := playground.Decision{Action: playground.ActionStart, Round: 1}
	for d.Round <= rounds {
		client := playground.Client{Name: "rules", Version: "1"}
		request, err := playground.Next(x, playground.Fold(x.Log), d, client)
		if errors.Is(err, playground.ErrNotOpen) {
			return x
		}
		if err != nil {
			t.Fatal(err)
		}
		frame, err := wire.Encode(request)
		if err != nil {
			t.Fatal(err)
		}
		add := func(e playground.Event) { e.Seq = len(x.Log) + 1; x.Log = append(x.Log, e) }
		add(d.Event(time.Now()))
		add(playground.Event{At: time.Now(), Conn: d.Round, Kind: playground.Sent, Data: join(frame)})
		sender.Send(t.Context(), request.URL, frame, func(p wire.Part) error {
			add(playground.PartEvent(p, d.Round))
			return nil
		})
		if last := *playground.Fold(x.Log).Last(); last.N < rounds {
			d = next(t, last)
		} else {
			d.Round = last.N + 1
		}
	}
	return x
}

func next(t *testing.T, r playground.Round) playground.Decision {
	t.Helper()
	d := playground.Decision{Action: playground.ActionAnswer, Round: r.N + 1}
	if r.Kind == playground.OutcomeRetry {
		d.Action = playground.ActionRetry
	}
	for _, p := range question.Forms(r) {
		in := form.Input{Action: "accept", Text: p.Text, Fields: form.Entries{}}
		if p.Kind == question.KindSampling {
			in.Text = "Paris"
		}
		for k, f := range p.Fields.Fields {
			in.Fields[k] = form.Entry{Values: entered(f)}
		}
		read, response := p.Read(in)
		if len(read.Problems) > 0 {
			t.Fatalf("%s: %v", p.Key, read.Problems)
		}
		d.Answers = append(d.Answers, response)
	}
	return d
}

// entered returns a value for a field.
func entered(f form.Field) []string {
	switch {
	case len(f.Value) > 0:
		return f.Value
	case f.Control == form.Choice, f.Control == form.Choices:
		return []string{f.Options[len(f.Options)-1].Value}
	case f.Control == form.Number:
		return []string{"4301"}
	case f.Control == form.Checkbox, f.Control == form.Toggle:
		return []string{"true"}
	case f.Input == "email":
		return []string{"octocat@example.org"}
	case f.Input == "date":
		return []string{"2026-11-20"}
	case f.Input == "datetime-local":
		return []string{"2026-11-20T10:30"}
	case f.Input == "url":
		return []string{"https://example.org/"}
	}
	return []string{"octocat"}
}
