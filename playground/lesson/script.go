package lesson

import (
	"fmt"
	"slices"
	"strings"
)

// Script has the calls of samples that the tests execute for a lesson, and the
// expected responses. It holds the lesson's expect blocks and its marked
// examples (json sent, json received, json claims, http sent, http received) in
// the order of the page, so that a reader can see the checked examples. This
// package does not execute it. The verbs are:
//
//	call SAMPLE[?QUERY] [METHOD PARAMS]
//	    start an exchange, by default with the sample's own call
//	declare JSON
//	    client capabilities of the calls that follow
//	as alice|bob|anonymous [SCOPE ...]
//	    the user of the requests that follow, and what the access token is good for
//	to INSTANCE
//	    the instance that gets the next request
//	answer KEY JSON|accept|decline|cancel
//	    an answer for the next send; accept is one without content
//	send [partial|extra|while OUTCOME]
//	    the retry; partial and extra send the answers unchecked
//	tamper state
//	    flip a byte of the state in the next retry
//	replace state OLD NEW
//	    change a readable state
//	drop state
//	    omit the state
//	drop header NAME
//	    omit a header of the next request
//	drop meta
//	    omit _meta of the next request
//	header NAME: VALUE
//	    replace or add a header of the next request
//	arguments JSON
//	    send other arguments with the retry
//	resend
//	    the last request again, with a new id
//	wait DURATION
//	    advance the servers' clock
//	poll STATUS
//	    poll the task until it has the status
//	request METHOD PARAMS
//	    another request; $task is the task's id
//	post PATH JSON
//	    plain HTTP; $state and $number are from the last response
//	get PATH
//	    read a document over plain HTTP
//	visit FORM
//	    fill in the page of the question in URL mode, and send it
//	legacy SAMPLE[?QUERY] KEY=JSON ...
//	    the call of a 2025-11-25 client, with its answers
//	discover SAMPLE
//	    connect as the pages do
//	expect ...
//	    a claim; its forms are in the tests
type Script []Step

// Example is the verb of a message that the page shows. Readers copy it, so it
// must be complete or mark omissions with a member "…".
const Example = "example"

// Step is one line of a Script.
type Step struct {
	Where string // position for error messages: "block 2, line 3"
	Verb  string
	Rest  string // the line after the verb
}

var verbs = []string{
	"call", "declare", "as", "to", "answer", "send", "tamper", "replace", "drop", "header",
	"arguments", "resend", "wait", "poll", "request", "post", "get", "visit", "legacy", "discover", "expect",
}

// parseSteps parses one block: the lines of an expect block, or an example.
func parseSteps(n int, b block) (Script, error) {
	if b.kind == "json" || b.kind == "http" {
		kind := b.info
		if b.kind == "http" {
			kind = "http-" + kind
		}
		return Script{{fmt.Sprintf("example %d", n), Example, kind + " " + b.text}}, nil
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
		if !slices.Contains(verbs, verb) {
			return nil, fmt.Errorf("%s: unknown verb %q", where, verb)
		}
		s = append(s, Step{where, verb, strings.TrimSpace(rest)})
	}
	return s, nil
}

// Claims returns the number of claims.
func (s Script) Claims() int {
	n := 0
	for _, step := range s {
		if step.Verb == "expect" || step.Verb == Example {
			n++
		}
	}
	return n
}
