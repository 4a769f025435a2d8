package lesson

import (
	"fmt"
	"slices"
	"strings"
)

// Script is what the tests execute for a lesson: calls of samples, and what
// must come back. It is the lesson's expect blocks and its marked examples
// (json sent, json received, json claims) in the order of the page, so a reader
// sees what was checked. It is data here.
//
//	call SAMPLE[?QUERY] [METHOD PARAMS]  a new exchange; without METHOD the sample's own start
//	declare JSON                         client capabilities of the calls that follow
//	as alice|bob|nobody                  who sends from here on
//	to COPY                              the instance that gets the next request
//	answer KEY JSON|decline|cancel       an answer for the next send
//	send [partial|extra|while OUTCOME]   the retry; partial and extra send what was answered, whatever was asked
//	tamper state                         flip a byte of the state in the next retry
//	replace state OLD NEW                change a readable state
//	drop state                           leave it out
//	arguments JSON                       send other arguments with it
//	resend                               the last request once more, with a new id
//	wait DURATION                        the servers' clock moves on
//	poll STATUS                          ask for the task until it has the status
//	request METHOD PARAMS                a request of its own; $task is the task's id
//	post PATH JSON                       plain HTTP; $state and $number are of the last answer
//	older SAMPLE[?QUERY] KEY=JSON ...    the call by a client of 2025-11-25, with its answers
//	discover SAMPLE                      connect as the pages do
//	expect ...                           the cases stand in the tests
type Script []Step

// Example is the verb of a message that the page shows. Readers copy its shape,
// so it must be whole: what it leaves out is marked by a member "…".
const Example = "example"

// Step is one line of a Script.
type Step struct {
	Where string // for messages: "block 2, line 3"
	Verb  string
	Rest  string // after the verb
}

func verbs() []string {
	return []string{
		"call", "declare", "as", "to", "answer", "send", "tamper", "replace", "drop", "arguments",
		"resend", "wait", "poll", "request", "post", "older", "discover", "expect",
	}
}

// parseSteps reads one block: lines of an expect block, or an example.
func parseSteps(n int, b block) (Script, error) {
	if b.kind == "json" {
		return Script{{fmt.Sprintf("example %d", n), Example, b.info + " " + b.text}}, nil
	}
	var s Script
	at := 0
	for line := range strings.Lines(b.text) {
		at++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		where := fmt.Sprintf("block %d, line %d", n, at)
		verb, rest, _ := strings.Cut(line, " ")
		if !slices.Contains(verbs(), verb) {
			return nil, fmt.Errorf("%s: unknown verb %q", where, verb)
		}
		s = append(s, Step{where, verb, strings.TrimSpace(rest)})
	}
	return s, nil
}

// Claims counts what is expected.
func (s Script) Claims() int {
	n := 0
	for _, step := range s {
		if step.Verb == "expect" || step.Verb == Example {
			n++
		}
	}
	return n
}
