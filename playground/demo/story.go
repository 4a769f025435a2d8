package demo

import (
	"encoding/json"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// Story is what an audience is told, and what really happens meanwhile.
type Story struct {
	Slug      string // of its page
	Title     string
	Claim     string // the whole in one large sentence
	Lead      string
	Sample    string // slug of the server it talks to
	Versions  []string
	Call      playground.Call
	Instances string                     // who stands behind the balancer at the start
	First     string                     // instance that gets the first request
	Answers   map[string]json.RawMessage // content that is answered, by key
	Steps     []Step                     // 5 to 7; the first sends the call
	Before    Lane
}

// Step is one thing that happens, with what is said once it has.
// In its words {asked} stands for the instance that served the newest Round, {other}
// for the one before it, {version} for the version that runs there, and {result}
// for what the call gave.
type Step struct {
	Button string // words of the button that leads here
	Act    Act    // what that button does
	Title  string
	Text   string
	Expect playground.Outcome // of the newest Round; else the words would lie
	Asks   string             // key that it asks, when input_required is expected
	Show   Show
}

// Show is what stands beside the picture.
type Show string

// What a step may show beside the picture: nothing, the newest state as its
// server sees it, or how the same story went before MRTR.
const (
	Nothing Show = ""
	State   Show = "state"
	Legacy  Show = "past"
)

// Act is what a button does besides going to its step.
type Act struct {
	Kind Kind
	To   Role // of Send: who gets it; of Change: whom it happens to
	Do   Operation
}

// Kind tells what an Act is.
type Kind string

// Kinds of acts. Look does nothing: the step shows something that is there.
const (
	Look   Kind = ""
	Send   Kind = "send"
	Alter  Kind = "alter"
	Replay Kind = "replay" // make the lane before MRTR
)

// Role is an instance by its part in the story, so that the story still holds when
// somebody has sent it elsewhere.
type Role string

// Parts of instances. AnyInstance leaves it to the balancer.
const (
	AnyInstance Role = ""
	Asker       Role = "asker" // served the newest Round
	Other       Role = "another"
)

// Lane is the same story as it went before MRTR: a server of 2025 that keeps its
// sessions in memory.
type Lane struct {
	Sample    string
	Instances string
	Acts      []Act    // what happens there at each step of the Story
	Captions  []string // what is said of it at each step; empty repeats the last
	Title     string
	Text      string
}

// Stories are all of them, in the order in which they are shown.
func Stories() []Story { return []Story{azureDevOps(), rollingUpgrade(), loadShedding()} }

// Find is the story of that slug.
func Find(slug string) (Story, bool) {
	for _, s := range Stories() {
		if s.Slug == slug {
			return s, true
		}
	}
	return Story{}, false
}

// Opening is who stands behind the balancer when the story begins.
func (s Story) Opening() server.Topology {
	return server.ParseTopology(s.Instances, s.First, s.Versions[0])
}
