package sampletools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// loadShedding is the proposal's second use case for requestState (SEP-2322,
// load shedding): an overloaded instance returns its partial work to the
// client, and another instance continues from there.
func loadShedding(c Config) scenario {
	s := primeCounter{wait: c.Wait}
	return scenario{
		Sample: Sample{
			Slug:    "load-shedding",
			Title:   "Load shedding",
			Summary: "A computation moves from one instance to another without a question.",
			Teaches: "An input_required result without inputRequests means: retry at once. " +
				"The requestState carries the work done so far.",
			Try: []string{
				"Watch instance a stop at 60% and instance b finish.",
				"Set shedAfter to 1: ten rounds with the same sum.",
				"Send the first state twice: both retries compute the same result.",
			},
			Replay:    "The same retry computes the same stages again. Nothing is stored.",
			Era:       Both,
			Versions:  []string{"v1"},
			Instances: "a:v1,b:v1",
			Stream:    true,
			Start: Start{
				Label:  "Count primes",
				Method: "tools/call",
				Params: json.RawMessage(`{"name":"count_primes","arguments":{"below":2000000}}`),
				Query:  "instances=a:v1,b:v1",
			},
		},
		tools: []serve.Tool{{
			Name: "count_primes", Title: "Count primes",
			Description: "Counts the primes below a number in ten stages. " +
				"After some of them an instance returns its partial work, and another instance continues.",
			Input: `{"type":"object","properties":{
				"below":{"type":"integer","minimum":100,"maximum":5000000,
					"description":"Count primes below this number"},
				"shedAfter":{"type":"integer","minimum":1,"maximum":10,
					"description":"Stages that one instance computes (default 6)"}},
				"required":["below"]}`,
			Run: s.count,
		}},
	}
}

const stages = 10

// stagePace slows the stages down so that progress is visible; the computation
// itself takes milliseconds.
const stagePace = 150 * time.Millisecond

// primeCounter has the parts that the script needs from the program.
type primeCounter struct {
	wait func(context.Context, time.Duration) error
}

// primesSoFar is the work that the requestState carries.
type primesSoFar struct {
	Stage     int      `json:"stage"` // stages done
	Primes    int      `json:"primes"`
	Instances []string `json:"instances"` // which instance did which stages
}

// count computes the next stages. If some remain after shedAfter stages, it
// sheds the work.
func (s primeCounter) count(ctx context.Context, t *serve.Turn) (serve.Result, error) {
	args, err := primesArguments(t)
	if err != nil {
		return nil, err
	}
	var w primesSoFar
	if _, err := t.LoadWork(&w); err != nil {
		return nil, err
	}
	// A plain state can be changed by the client.
	if w.Stage < 0 || w.Stage > stages || len(w.Instances) > stages {
		return nil, serve.InvalidParams("requestState does not fit this version of the server")
	}
	first := w.Stage + 1
	last := min(w.Stage+args.ShedAfter, stages)
	for w.Stage < last {
		if err := s.wait(ctx, stagePace); err != nil {
			return nil, err
		}
		w.Primes += primesBetween(args.Below*w.Stage/stages, args.Below*(w.Stage+1)/stages)
		w.Stage++
		t.Progress(ctx, float64(w.Stage), stages,
			fmt.Sprintf("instance %s: %d primes so far", t.Instance.Name, w.Primes))
	}
	w.Instances = append(w.Instances, fmt.Sprintf("%s on instance %s", span(first, last),
		t.Instance.Label()))
	if w.Stage < stages {
		return nil, t.Shed(w)
	}
	return serve.Text("%d primes below %d: %s.", w.Primes, args.Below, strings.Join(w.Instances, ", ")), nil
}

// span names a range of stages.
func span(first, last int) string {
	if first == last {
		return fmt.Sprintf("stage %d", first)
	}
	return fmt.Sprintf("stages %d-%d", first, last)
}

type primesArgs struct {
	Below     int `json:"below"`
	ShedAfter int `json:"shedAfter"`
}

func primesArguments(t *serve.Turn) (primesArgs, error) {
	args, err := serve.Arguments[primesArgs](t)
	if err != nil {
		return args, err
	}
	if args.ShedAfter == 0 {
		args.ShedAfter = 6
	}
	if args.Below < 100 || args.Below > 5000000 || args.ShedAfter < 1 || args.ShedAfter > stages {
		return args, serve.ToolErrorf("below must be 100 to 5000000, shedAfter 1 to %d.", stages)
	}
	return args, nil
}

// primesBetween counts the primes p with from <= p < to. It sieves only that
// range, so a stage costs the same on every instance.
func primesBetween(from, to int) int {
	composite := make([]bool, to-from)
	for d := 2; d*d < to; d++ {
		for m := max(d*d, (from+d-1)/d*d); m < to; m += d {
			composite[m-from] = true
		}
	}
	n := 0
	for i, c := range composite {
		if !c && from+i >= 2 {
			n++
		}
	}
	return n
}
