package exercise

import (
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// ClientRequirement is one thing that the learner's client must do. The first of
// its checks that fails decides.
type ClientRequirement struct {
	Requirement
	Scenario string // of the client test: the tool to call, or "requests"
	Sentence spec.Sentence
	Evidence capture.Evidence // of Failed

	checks []string // of the scenario
}

// The parts of the client's list.
const (
	partRequests  = "Every request"
	partRetry     = "The retry"
	partQuestions = "The questions"
	partResults   = "Other results"
)

// clientRequirement returns a row of the list.
func clientRequirement(id, part, lesson, scenario string, checks []string, text string) ClientRequirement {
	return ClientRequirement{
		Requirement: Requirement{ID: id, Part: part, Text: text, Lesson: lesson, Outcome: verdict.NotReached},
		Scenario:    scenario, checks: checks,
	}
}

var clientRequirements = []ClientRequirement{
	clientRequirement("headers", partRequests, "http", "requests",
		[]string{"header-version", "header-method", "header-name"},
		"Every request has the headers `MCP-Protocol-Version` and `Mcp-Method`, and a call `Mcp-Name`."),
	clientRequirement("meta", partRequests, "one-round", "requests",
		[]string{"meta-version", "meta-capabilities"},
		"Every request has the version and the capabilities of the client in its `_meta`."),
	clientRequirement("echo", partRetry, "rounds", "echo_quotes", []string{"echo"},
		"The retry has the `requestState` of the result, character for character."),
	clientRequirement("no-state", partRetry, "rounds", "no_state", []string{"no-state"},
		"If the result has no `requestState`, the retry has none."),
	clientRequirement("new-id", partRetry, "rounds", "new_ids", []string{"new-id"},
		"The retry has a new JSON-RPC `id`."),
	clientRequirement("same-call", partRetry, "rounds", "same_arguments", []string{"same-request"},
		"The retry has the name and the arguments of the first request."),
	clientRequirement("all-answers", partQuestions, "questions", "two_questions",
		[]string{"all-answers", "shape"},
		"The retry answers every question of the result."),
	clientRequirement("only-asked", partQuestions, "questions", "last_answers", []string{"only-asked"},
		"The retry has answers to the questions of the last result, and to none before it."),
	clientRequirement("actions", partQuestions, "saying-no", "decline", []string{"decline"},
		"The user can decline a form: the answer to the tool `decline` has the `action` `decline`."),
	clientRequirement("link", partQuestions, "url-mode", "link_decline", []string{"not-visited"},
		"The client does not visit the link of a question that the user declines."),
	clientRequirement("state-only", partResults, "nothing-to-ask", "state_only", []string{"echo"},
		"A result that asks nothing is retried with its `requestState`."),
	clientRequirement("unknown-type", partResults, "one-round", "unknown_result_type",
		[]string{"not-retried"},
		"A result of a type that the client does not know ends the call with an error."),
}

// ClientRequirements returns the list before anything is known.
func ClientRequirements() []ClientRequirement {
	list := slices.Clone(clientRequirements)
	for i, r := range list {
		scenario, _ := capture.ByID(r.Scenario)
		at := slices.IndexFunc(scenario.Checks, func(c capture.Check) bool { return c.ID == r.checks[0] })
		if at >= 0 {
			list[i].Sentence, _ = spec.ByID(scenario.Checks[at].Requirements[0])
		}
	}
	return list
}

// ClientScenarios returns the ids of the scenarios that the list needs.
func ClientScenarios() []string {
	var list []string
	for _, r := range clientRequirements {
		if !slices.Contains(list, r.Scenario) {
			list = append(list, r.Scenario)
		}
	}
	return list
}

// ClientQuery returns the parameters of the client test with the tools of the
// list alone.
func ClientQuery() string { return "only=" + strings.Join(ClientScenarios(), ",") }

// JudgeClient returns the list for what the client test observed.
func JudgeClient(ticks []capture.Tick) []ClientRequirement {
	list := ClientRequirements()
	for i, r := range list {
		passed := 0
		for _, t := range ticks {
			if t.Scenario != r.Scenario || !slices.Contains(r.checks, t.Check) {
				continue
			}
			switch {
			case t.Verdict == verdict.Passed:
				passed++
			case list[i].Outcome == verdict.Failed:
			case t.Verdict.Wrong():
				list[i].Outcome, list[i].Why, list[i].Evidence = verdict.Failed, t.Text, t.Evidence
			case t.Verdict.Compare(list[i].Outcome) < 0:
				list[i].Outcome, list[i].Why = t.Verdict, t.Text
			}
		}
		if list[i].Outcome != verdict.Failed && passed == len(r.checks) {
			list[i].Outcome, list[i].Why = verdict.Passed, ""
		}
	}
	return list
}

// CountClient returns how many requirements of the client are met.
func CountClient(list []ClientRequirement) (met int) {
	for _, r := range list {
		if r.Outcome == verdict.Passed {
			met++
		}
	}
	return met
}
