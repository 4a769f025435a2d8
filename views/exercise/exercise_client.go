package exercise

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/exercise"
	"github.com/mrtr-playground/mrtr-playground/playground/launch"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	clientview "github.com/mrtr-playground/mrtr-playground/views/client"
)

// ClientExerciseTitle is the title of the second half of the exercise.
const ClientExerciseTitle = "Your turn: a client"

// ClientExercise is its page: what to write, the address for the learner's client,
// and the requirements.
type ClientExercise struct {
	List    Exercise           // met requirements
	Capture *clientview.Client // nil before there is an address
	Live    string             // address of the events of the capture; empty if nothing more can come
	Command string             // that judges a client in a terminal
	Tools   int                // of the server
}

// NewClientExercise returns the page before there is an address. p is the program of the
// learner.
func NewClientExercise(p launch.Program) ClientExercise {
	scenarios := exercise.ClientScenarios()
	e := ClientExercise{
		Tools:   len(scenarios) - 1, // one is about all requests
		List:    Exercise{Praise: "Your client meets every requirement on this list."},
		Command: p.Command("client -only " + strings.Join(scenarios, ",") + " -- COMMAND"),
	}
	e.show(exercise.ClientRequirements(), "", capture.Report{})
	return e
}

// Judge fills in the observations of a capture.
func (e *ClientExercise) Judge(in clientview.Input, checks []rules.Observation) {
	in.Checks = checks
	in.Selection, _ = capture.NewSelection(exercise.ClientScenarios(), nil) // a test knows them all
	c := clientview.New(in)
	e.Capture, e.Live, e.List.Session = &c, c.Live, c.ID
	e.List.Card = &c.Card
	e.List.Next = []Next{
		{"Read the whole report", "/clients/" + c.ID},
		{fmt.Sprintf("Full client test, %d scenarios", len(rules.Scenarios())), "/test#client"},
	}
	e.show(exercise.JudgeClient(checks), "/clients/"+c.ID, in.Report)
}

// show sets the rows. Bytes outside of calls are on the page of the capture.
func (e *ClientExercise) show(list []exercise.ClientRequirement, page string, r capture.Report) {
	e.List.Parts, e.List.All, e.List.Met = nil, len(list), exercise.CountClient(list)
	for _, q := range list {
		row := newExerciseRow(q.Requirement)
		row.Clause = q.Sentence.Link()
		if q.Outcome == verdict.Failed {
			if row.Bytes = clientview.PathOf(q.Shown, r); strings.HasPrefix(row.Bytes, "#") {
				row.Bytes = page + row.Bytes
			}
		}
		e.List.add(row)
	}
}

// next returns the words of the link that leads to the list.
func (e ClientExercise) next() string {
	if e.Capture == nil {
		return "Get an address"
	}
	return e.List.Words()
}

// ClientExerciseAt returns the address of the page with a capture.
func ClientExerciseAt(capture string) string {
	return lesson.ClientExercisePath + "?" + url.Values{"capture": {capture}}.Encode()
}
