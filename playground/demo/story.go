package demo

import (
	"embed"
	"encoding/json"
	"slices"
	"sync"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
)

// Story is a demo: the texts, and the real effect of each step. Parse reads it
// from a document.
type Story struct {
	Slug      string // of its page: of a story of the program its name, of a user's its id
	Title     string
	Claim     string // the message in one sentence
	Lead      string
	Cast      Cast
	Sample    string   // slug of the sample that it calls; or
	Flow      string   // token of the flow that it calls; or
	Recorded  []string // ids of the calls that it shows: nothing is sent
	Versions  []string
	Call      playground.Call
	Instances string                     // topology at the start
	First     string                     // instance that gets the first request
	Answers   map[string]json.RawMessage // prepared content of accepted forms, by key
	Responses map[string]json.RawMessage // other prepared entries of inputResponses, by key
	Steps     []Step                     // the first sends the call
	Verdict   string                     // how the call ends, beside Before.Verdict; with placeholders
	Before    Lane                       // zero if the story has none
}

// IsRecorded reports whether the story shows recorded calls and sends nothing.
func (s Story) IsRecorded() bool { return len(s.Recorded) > 0 }

// HasBefore reports whether the story has a lane before MRTR.
func (s Story) HasBefore() bool { return len(s.Before.Acts) > 0 }

// Cast says in a sentence each who takes part.
type Cast struct {
	You, Client, State, Instances string
}

// Step is one step of a Story. Title and Text are shown after the step. In them
// {asked} stands for the instance that served the newest Round, {other} for the
// one before it, {version} for the version of the instance, and {result} for
// the text of the call's result.
type Step struct {
	Button  string // label of the button that leads here
	Act     Act    // what the button does
	Title   string
	Text    string
	Note    string                 // for the presenter alone
	Expect  playground.OutcomeKind // of the newest Round; otherwise the texts would be false
	Fails   bool                   // an error of the tool is expected
	Asks    string                 // expected key, if input_required is expected
	Show    Show
	Before  string // text for the lane before MRTR; empty if the step before says it
	Call    int    // of a Recorded step: which of Story.Recorded, from 1
	Round   int    // of it
	Verdict string // pass, hint or fail; of an experiment
	Line    int    // where the step begins in its document
}

// Show is the panel that a step shows beside the picture.
type Show string

// What a step can show: nothing, the newest state as its server sees it, or the
// lane before MRTR.
const (
	Nothing Show = ""
	State   Show = "state"
	Legacy  Show = "legacy"
)

// Act is the action of a button besides going to its step.
type Act struct {
	Kind Kind
	To   Role // of Send: the receiver; of Alter: the instance to change
	Do   cluster.Operation
	// Version is the version of an upgraded instance.
	Version string
}

// Kind is the kind of an Act.
type Kind string

// The kinds of acts. Look does nothing: the step shows something that exists.
const (
	Look     Kind = ""
	Send     Kind = "send"
	Alter    Kind = "alter"
	Replay   Kind = "replay"   // start the lane before MRTR
	Recorded Kind = "recorded" // show a Round of a recorded call
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
	Acts      []Act    // acts of each step of the Story
	Captions  []string // text of each step; a missing one repeats the last
	Verdict   string   // how the call ends; with placeholders
}

//go:embed stories/*.yaml
var files embed.FS

// order is the order in which the stories of the program are shown.
var order = []string{"azure-devops", "rolling-upgrade", "load-shedding"}

// Stories returns the stories of the program in display order.
func Stories() []Story { return slices.Clone(builtIn()) }

var builtIn = sync.OnceValue(func() []Story {
	list := make([]Story, len(order))
	for i, slug := range order {
		list[i] = mustParse(slug)
	}
	return list
})

// Source returns the text of the story of the program with that slug, or false.
func Source(slug string) (string, bool) {
	source, err := files.ReadFile("stories/" + slug + ".yaml")
	return string(source), err == nil && slices.Contains(order, slug)
}

// mustParse reads a story that is a part of the program.
func mustParse(slug string) Story {
	source, ok := Source(slug)
	if !ok {
		panic("demo: there is no " + slug)
	}
	s, problems := Parse([]byte(source))
	if len(problems) > 0 {
		panic("demo: " + slug + ": " + problems[0].String())
	}
	s.Slug = slug
	return s
}

// Find returns the story of the program with that slug.
func Find(slug string) (Story, bool) {
	i := slices.Index(order, slug)
	if i < 0 {
		return Story{}, false
	}
	return builtIn()[i], true
}

// Opening returns the topology at the start.
func (s Story) Opening() cluster.Topology {
	return cluster.ParseTopology(s.Instances, s.First, s.Versions[0])
}
