package agent

import (
	"context"
	"regexp"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
)

// rightAnswer is how a sample answers what an experiment sends.
type rightAnswer struct {
	Experiment string `json:"experiment"`
	Sends      string `json:"sends"`
	Server     string `json:"server"`
	Request    string `json:"request"`
	Response   string `json:"response"`
}

const rightOutput = `{"type":"object","description":"How a right server, a sample, answers",
		"properties":{
			"experiment":{"type":"string","description":"Id of the experiment that was made"},
			"sends":{"type":"string"},
			"server":{"type":"string"},
			"request":{"type":"string",
				"description":"Head and body as they were sent; a long requestState is cut"},
			"response":{"type":"string","description":"Head and body as they came, cut likewise"}},
		"required":["experiment","sends","server","request","response"]}`

// rightAnswers are those that were made, by what they are for: a rule or an experiment.
// Each is made when it is first asked for.
type rightAnswers struct {
	making singleflight.Group
	mu     sync.Mutex
	made   map[string]*rightAnswer
}

// showTime is how long making one may take.
const showTime = 5 * time.Second

// get returns the answer with a name, or makes it. One that takes time holds up only
// those who ask for the same.
func (r *rightAnswers) get(ctx context.Context, name string,
	show func(context.Context) *rightAnswer) *rightAnswer {
	made, _, _ := r.making.Do(name, func() (any, error) {
		if a, ok := r.known(name); ok {
			return a, nil
		}
		ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), showTime) // it is for others, too
		defer stop()
		a := show(ctx)
		if a != nil || ctx.Err() == nil { // else there was no time to look; the next request may have it
			r.keep(name, a)
		}
		return a, nil
	})
	return made.(*rightAnswer)
}

func (r *rightAnswers) known(name string) (*rightAnswer, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a, ok := r.made[name]
	return a, ok
}

func (r *rightAnswers) keep(name string, a *rightAnswer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.made == nil {
		r.made = map[string]*rightAnswer{}
	}
	r.made[name] = a
}

// rightForRule returns a message that a rule is content with, or nil.
func (s *Pages) rightForRule(ctx context.Context, r rules.Rule) *rightAnswer {
	return s.right.get(ctx, "rule "+r.ID, func(ctx context.Context) *rightAnswer {
		for _, e := range experimentsOf(r.ID) {
			for _, x := range s.rightSamples() {
				_, wrong, err := s.show(ctx, x, e)
				if err != nil {
					continue
				}
				for _, f := range rules.Judge(wrong) {
					round := wrong.Fold().Round(f.Round)
					if f.Rule == r.ID && f.Verdict == verdict.Passed && round != nil &&
						round.Decision.Changed {
						return answerOf(e, wrong, *round)
					}
				}
			}
		}
		return nil
	})
}

// rightForExperiment returns how a sample passes an experiment, or nil.
func (s *Pages) rightForExperiment(ctx context.Context, e lab.Experiment) *rightAnswer {
	return s.right.get(ctx, "experiment "+e.ID, func(ctx context.Context) *rightAnswer {
		for _, x := range s.rightSamples() {
			right, wrong, err := s.show(ctx, x, e)
			if err != nil {
				continue
			}
			report := lab.NewReport([]playground.Exchange{right, wrong}, server.Connection{}, false)
			i := slices.IndexFunc(report.Results, func(p lab.Result) bool { return p.ID == e.ID })
			if i >= 0 && report.Results[i].Verdict == verdict.Passed {
				return answerOf(e, wrong, report.Results[i].Round)
			}
		}
		return nil
	})
}

func answerOf(e lab.Experiment, x playground.Exchange, r playground.Round) *rightAnswer {
	return &rightAnswer{
		e.ID, e.Sends, x.Target.URL, shortStates(frameText(r.Request, maxFrame)),
		shortStates(frameText(r.Response, maxFrame)),
	}
}

// longState matches a requestState that is longer than what is shown of it.
var longState = regexp.MustCompile(`("requestState":")([^"]{40})[^"]+"`)

// shortStates cuts the states in a message: an example needs no more than their place.
func shortStates(message string) string { return longState.ReplaceAllString(message, `$1$2…"`) }

// show makes an experiment on the call of a sample.
func (s *Pages) show(ctx context.Context, x sampletools.Sample, e lab.Experiment) (
	right, wrong playground.Exchange, err error) {
	call := playground.Call{Method: x.Start.Method, Params: x.Start.Params}
	return s.App.Show(ctx, s.App.Samples.Target(x, x.Start.Query), call, app.Leads(x.Start.Answers), e)
}

// maxSamples is how many samples are tried: the last ones take time.
const maxSamples = 10

// rightSamples returns the samples that show how it is done: they break no rule, and have
// a call of a tool that is quick.
func (s *Pages) rightSamples() []sampletools.Sample {
	list := slices.DeleteFunc(slices.Clone(s.App.Samples.List), func(x sampletools.Sample) bool {
		return len(x.Faults) > 0 || x.Stream || x.Era == sampletools.Legacy ||
			x.Start.Method != playground.ToolsCall
	})
	return list[:min(len(list), maxSamples)]
}

// experimentsOf returns the experiments about a rule: those that it judges, and those
// that probe a requirement which it judges.
func experimentsOf(rule string) []lab.Experiment {
	var judged, probing []lab.Experiment
	for _, e := range lab.Experiments() {
		probes := func(x spec.Sentence) bool {
			return slices.Contains(x.Rules, rule) && slices.Contains(x.Experiments, e.ID)
		}
		switch {
		case e.Rule == rule:
			judged = append(judged, e)
		case slices.ContainsFunc(spec.Sentences(), probes):
			probing = append(probing, e)
		}
	}
	return append(judged, probing...)
}
