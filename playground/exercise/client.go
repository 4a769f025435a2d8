package exercise

import (
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// ClientRequirement is one thing that the learner's client must do. The first of
// its checks that fails decides.
type ClientRequirement struct {
	Requirement
	Sentence spec.Sentence
	Shown    []rules.Recorded // the requests of Failed

	checks []observed
}

// observed is a check of a scenario of the client test: of a tool to call, or of
// "requests", every request.
type observed struct{ scenario, check string }

// The parts of the client's list.
const (
	partRequests  = "Every request"
	partRetry     = "The retry"
	partQuestions = "The questions"
	partResults   = "Other results"
)

// clientRequirement returns a row of the list. Each of its checks is written as
// SCENARIO/CHECK.
func clientRequirement(id, part, lesson string, checks []string, text string) ClientRequirement {
	r := ClientRequirement{
		Requirement: Requirement{ID: id, Part: part, Text: text, Lesson: lesson, Outcome: verdict.NotReached},
	}
	for _, c := range checks {
		scenario, check, _ := strings.Cut(c, "/")
		r.checks = append(r.checks, observed{scenario, check})
	}
	return r
}

var clientRequirements = []ClientRequirement{
	clientRequirement("headers", partRequests, "http",
		[]string{"requests/header-version", "requests/header-method", "requests/header-name"},
		"Every request has the headers `MCP-Protocol-Version` and `Mcp-Method`, and a call `Mcp-Name`."),
	clientRequirement("meta", partRequests, "one-round",
		[]string{"requests/meta-version", "requests/meta-capabilities"},
		"Every request has the version and the capabilities of the client in its `_meta`."),
	clientRequirement("echo", partRetry, "rounds", []string{"echo_quotes/echo", "echo_space/echo"},
		"The retry has the `requestState` of the result, character for character."),
	clientRequirement("no-state", partRetry, "rounds",
		[]string{"no_state/no-state", "vanishing_state/no-state"},
		"If the result has no `requestState`, the retry has none, also if an earlier result had one."),
	clientRequirement("new-id", partRetry, "rounds", []string{"new_ids/new-id"},
		"The retry has a new JSON-RPC `id`."),
	clientRequirement("same-call", partRetry, "rounds", []string{"same_arguments/same-request"},
		"The retry has the name and the arguments of the first request."),
	clientRequirement("all-answers", partQuestions, "questions",
		[]string{"two_questions/all-answers", "two_questions/shape"},
		"The retry answers every question of the result."),
	clientRequirement("only-asked", partQuestions, "questions", []string{"last_answers/only-asked"},
		"The retry has answers to the questions of the last result, and to none before it."),
	clientRequirement("actions", partQuestions, "saying-no", []string{"decline/decline"},
		"The user can decline a form: the answer to the tool `decline` has the `action` `decline`."),
	clientRequirement("link", partQuestions, "url-mode", []string{"link_decline/not-visited"},
		"The client does not visit the link of a question that the user declines."),
	clientRequirement("state-only", partResults, "nothing-to-ask", []string{"state_only/echo"},
		"A result that asks nothing is retried with its `requestState`."),
	clientRequirement("unknown-type", partResults, "one-round",
		[]string{"unknown_result_type/not-retried"},
		"A result of a type that the client does not know ends the call: it is not retried."),
}

// ClientRequirements returns the list before anything is known.
func ClientRequirements() []ClientRequirement {
	list := slices.Clone(clientRequirements)
	for i, r := range list {
		scenario, _ := rules.ScenarioByID(r.checks[0].scenario)
		at := slices.IndexFunc(scenario.Checks, func(c rules.Check) bool {
			return c.ID == r.checks[0].check
		})
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
		for _, c := range r.checks {
			if !slices.Contains(list, c.scenario) {
				list = append(list, c.scenario)
			}
		}
	}
	return list
}

// ClientQuery returns the parameters of the client test with the tools of the
// list alone.
func ClientQuery() string { return "only=" + strings.Join(ClientScenarios(), ",") }

// JudgeClient returns the list for the observations of the client test.
func JudgeClient(observations []rules.Observation) []ClientRequirement {
	list := ClientRequirements()
	for i, r := range list {
		passed := 0
		for _, o := range observations {
			if !slices.Contains(r.checks, observed{o.Scope, o.ID}) {
				continue
			}
			switch {
			case o.Outcome == verdict.Passed:
				passed++
			case list[i].Outcome == verdict.Failed:
			case o.Outcome.Wrong():
				list[i].Outcome, list[i].Why, list[i].Shown = verdict.Failed, o.Sentence, o.Shown
			case o.Outcome.Compare(list[i].Outcome) < 0:
				list[i].Outcome, list[i].Why = o.Outcome, o.Sentence
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
