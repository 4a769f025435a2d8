package demo

import (
	"encoding/json"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// loadShedding moves half-finished work to another instance without a question
// (SEP-2322, load shedding).
func loadShedding() Story {
	return Story{
		Slug: "load-shedding", Sample: "load-shedding", Title: "Load shedding",
		Claim: "A busy server hands off half-finished work.",
		Lead: "When an instance has too much to do, it yields, and another continues where it stopped. " +
			"No question is asked.",
		Cast: Cast{
			You:       "You want to know how many primes are below two million.",
			Client:    "It calls the tool, and calls again when the server yields.",
			State:     "It holds the work done so far. The client carries it.",
			Instances: "One server, running twice behind a load balancer. They share no memory.",
		},
		Verdict:  "Instance {asked} takes over.",
		Versions: []string{"v1"}, Instances: "a:v1,b:v1", First: "a",
		Call: playground.Call{
			Method: playground.ToolsCall,
			Params: json.RawMessage(`{"name":"count_primes","arguments":{"below":2000000}}`),
		},
		Steps: []Step{{
			Button: "Count the primes", Act: Act{Kind: Send},
			Title: "At 60% the instance yields.",
			Text: "Instance {asked} answers input_required without a question: retry now. " +
				"Its work so far is in the violet state.",
			Expect: playground.OutcomeRetry,
		}, {
			Button: "Drain the busy instance", Act: Act{Kind: Alter, Do: server.Stop, To: Asker},
			Title: "It takes no new work.",
			Text: "Instance {asked} is drained: the balancer sends it no more requests. " +
				"You can switch it off at any time, since it holds nothing.",
			Expect: playground.OutcomeRetry,
		}, {
			Button: "Send the call again", Act: Act{Kind: Send},
			Title:  "Another instance continues from 60%.",
			Text:   "“{result}” No stage was computed twice.",
			Expect: playground.OutcomeComplete,
		}, {
			Button: "Look inside the state", Show: State,
			Title: "Half-finished work, inside the state.",
			Text: "Six of ten stages, and the count so far. " +
				"Instance {asked} needed nothing else to continue.",
			Expect: playground.OutcomeComplete,
		}, {
			Button: "The same before MRTR", Act: Act{Kind: Replay}, Show: Legacy,
			Title: "Before MRTR, work stayed put.",
			Text: "The call was one open connection to one instance. " +
				"Busy or drained, that instance had to finish alone, and the other one could not help.",
			Expect: playground.OutcomeComplete,
		}},
		Before: Lane{
			Sample: "load-shedding", Instances: "a:v1,b:v1",
			Acts: []Act{{Kind: Send}, {Kind: Alter, Do: server.Stop, To: Asker}},
			Captions: []string{
				"Instance {asked} holds the open call and cannot hand it over.",
				"Drained or not, instance {asked} must keep the call until it is done.",
			},
			Verdict: "Stuck on instance {asked}.",
		},
	}
}
