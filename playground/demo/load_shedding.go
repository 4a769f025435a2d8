package demo

import (
	"encoding/json"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// loadShedding: a busy instance hands its half-done work over, and nobody is asked
// (SEP-2322, load shedding).
func loadShedding() Story {
	return Story{
		Slug: "load-shedding", Sample: "load-shedding", Title: "Load shedding",
		Claim:    "A busy server hands over half-done work.",
		Lead:     "Counting the primes below two million takes a while. When an instance has too much to do, it lets go, and another goes on where it stopped. Nobody is asked anything.",
		Versions: []string{"v1"}, Instances: "a:v1,b:v1", First: "a",
		Call: playground.Call{
			Method: playground.ToolsCall,
			Params: json.RawMessage(`{"name":"count_primes","arguments":{"below":2000000}}`),
		},
		Steps: []Step{{
			Button: "Count the primes", Act: Act{Kind: Send},
			Title:  "At 60% the instance lets go.",
			Text:   "Instance {asked} answers that more is needed, and asks no question. The work that it did so far is in the violet state.",
			Expect: playground.OutcomeRetry,
		}, {
			Button: "Drain the busy instance", Act: Act{Kind: Alter, Do: Stop, To: Asker},
			Title:  "It takes no new work.",
			Text:   "Instance {asked} is drained: the balancer sends it nothing more. It can be switched off at any time, for it holds nothing.",
			Expect: playground.OutcomeRetry,
		}, {
			Button: "Send the call again", Act: Act{Kind: Send},
			Title:  "Another instance goes on from 60%.",
			Text:   "“{result}” Not one stage was computed twice.",
			Expect: playground.OutcomeComplete,
		}, {
			Button: "Look inside the state", Show: State,
			Title:  "Half-done work, in an envelope.",
			Text:   "Ten stages, six of them done, and the sum so far: that was all instance {asked} needed to go on.",
			Expect: playground.OutcomeComplete,
		}, {
			Button: "The same before MRTR", Act: Act{Kind: Replay}, Show: Legacy,
			Title:  "Before MRTR, work stayed put.",
			Text:   "The call was one open connection to one instance. It could be drained or busy: it had to finish by itself, and the other instance could only watch.",
			Expect: playground.OutcomeComplete,
		}},
		Before: Lane{
			Sample: "load-shedding", Instances: "a:v1,b:v1",
			Acts: []Act{{Kind: Send}, {Kind: Alter, Do: Stop, To: Asker}},
			Captions: []string{
				"Instance {asked} holds the open call. It cannot hand it over.",
				"Drained or not, instance {asked} must keep the call until it is done.",
			},
		},
	}
}
