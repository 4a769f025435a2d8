package demo

import (
	"encoding/json"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// Story is a demo: what is shown, and what really happens at each step.
type Story struct {
	Slug      string // of its page
	Title     string
	Claim     string // the message in one sentence
	Lead      string
	Cast      Cast
	Sample    string // slug of the sample that it calls
	Versions  []string
	Call      playground.Call
	Instances string                     // topology at the start
	First     string                     // instance that gets the first request
	Answers   map[string]json.RawMessage // prepared content, by key
	Steps     []Step                     // 5 to 7; the first sends the call
	Verdict   string                     // how the call ends, beside Before.Verdict; with placeholders
	Before    Lane
}

// Cast says in a sentence each who takes part.
type Cast struct {
	You, Client, State, Instances string
}

// Step is one step of a Story. Title and Text are shown after the step. In them
// {asked} stands for the instance that served the newest Round, {other} for the
// one before it, {version} for the version of the instance, and {result} for
// the text of the call's result.
type Step struct {
	Button string // label of the button that leads here
	Act    Act    // what the button does
	Title  string
	Text   string
	Expect playground.OutcomeKind // of the newest Round; otherwise the texts would be false
	Asks   string                 // expected key, if input_required is expected
	Show   Show
}

// Show is what a step shows beside the picture.
type Show string

// What a step can show: nothing, the newest state as its server sees it, or the
// lane before MRTR.
const (
	Nothing Show = ""
	State   Show = "state"
	Legacy  Show = "legacy"
)

// Act is what a button does besides going to its step.
type Act struct {
	Kind Kind
	To   Role // of Send: the receiver; of Alter: the instance to change
	Do   server.Operation
}

// Kind is the kind of an Act.
type Kind string

// The kinds of acts. Look does nothing: the step shows something that exists.
const (
	Look   Kind = ""
	Send   Kind = "send"
	Alter  Kind = "alter"
	Replay Kind = "replay" // start the lane before MRTR
)

// Role identifies an instance by its part in the story, so that the story holds
// even if the user sent a request to another instance.
type Role string

// The roles of instances. AnyInstance leaves the choice to the load balancer.
const (
	AnyInstance Role = ""
	Asker       Role = "asker" // served the newest Round
	Other       Role = "another"
)

// Lane is the same story before MRTR: a server of 2025 that keeps its sessions
// in memory.
type Lane struct {
	Sample    string
	Instances string
	Acts      []Act    // what happens at each step of the Story
	Captions  []string // text of each step; a missing one repeats the last
	Verdict   string   // how the call ends; with placeholders
}

// Stories returns all stories in display order.
func Stories() []Story { return []Story{azureDevOps(), rollingUpgrade(), loadShedding()} }

// Find returns the story with that slug.
func Find(slug string) (Story, bool) {
	for _, s := range Stories() {
		if s.Slug == slug {
			return s, true
		}
	}
	return Story{}, false
}

// Opening returns the topology at the start.
func (s Story) Opening() server.Topology {
	return server.ParseTopology(s.Instances, s.First, s.Versions[0])
}
