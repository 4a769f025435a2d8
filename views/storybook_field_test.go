package views_test

import (
	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground/field"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	fieldview "github.com/mrtr-playground/mrtr-playground/views/field"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
)

// fieldStories are the pages of facts about real software.
func fieldStories() []story {
	data := fieldData()
	page := func(name string, d field.Data, f field.Filter) story {
		return whole(name, func(p layout.Page) templ.Component {
			return fieldview.View(p, fieldview.New(d, f, 1))
		})
	}
	return []story{
		page("field", data, field.Filter{}),
		page("field-kind", data, field.Filter{Kind: field.Gateway}).of("#requirements, #failed", ".by"),
		page("field-requirement", data, field.Filter{Requirement: "mrtr.echo"}).of("#facts", ""),
		page("field-subject", data, field.Filter{Subject: "some-sdk"}).of("#facts", ".by"),
		page(
			"field-nothing",
			data,
			field.Filter{Subject: "some-sdk", Outcome: verdict.Stopped},
		).of("#facts", ""),
	}
}

// fieldData is a client that fails, a server, and a gateway of which little was seen.
func fieldData() field.Data {
	return field.Data{
		Subjects: []field.Subject{{
			Slug: "some-server", Kind: field.Server, Name: "Some SDK", Version: "v1.0.0",
			Condition: "examples/ask", How: "make field FIELD=some-server", Day: "2026-11-27",
			Revisions: []string{"2026-07-28", "2025-11-25"},
			Facts: []field.Fact{{
				Check: "flip-state", Requirement: "mrtr.state-untrusted",
				Title: "Flip one byte of the state", Level: "MUST", Outcome: verdict.Passed,
				Condition: "Flip one byte of the state, tool ask",
				Sentence:  "The server answered with HTTP status 200 and error -32602.", Exchange: 3,
				Round: 2,
			}},
		}, {
			Slug: "some-sdk", Kind: field.Client, Name: "Some SDK", Version: "v1.0.0",
			Condition: "mode: 'auto'",
			How:       "make field FIELD=some-sdk", Day: "2026-11-26", Revisions: []string{"2026-07-28"},
			Facts: []field.Fact{{
				Check: "echo_empty/echo", Requirement: "mrtr.echo", Title: "State that is empty",
				Level:   "MUST",
				Outcome: verdict.Failed, Condition: "State that is empty",
				Sentence: "The retry leaves out the requestState of round 1.", Exchange: 1, Round: 2,
			}, {
				Check: "echo_quotes/echo", Requirement: "mrtr.echo", Title: "State with quotes",
				Level:   "MUST",
				Outcome: verdict.Passed, Condition: "State with quotes",
				Sentence: "The retry has the requestState of round 1.", Exchange: 2, Round: 2,
			}, {
				Check: "roots/roots-file", Requirement: "roots.file", Title: "Roots", Level: "MUST",
				Outcome: verdict.NotReached, Condition: "Roots", Sentence: "Nothing called it.",
			}},
		}, {
			Slug: "gateway-some", Kind: field.Gateway, Name: "some <proxy>", Version: "2.0",
			Condition: "proxy_pass",
			How:       "make field FIELD=gateway-some", Day: "2026-11-27", Revisions: []string{"2026-07-28"},
			Facts: []field.Fact{{
				Check: "state", Requirement: "mrtr.echo",
				Title: "The upstream gets its own requestState back exactly",
				Level: "MUST", Outcome: verdict.NotReached,
				Sentence: "The upstream saw no case of it: a retry with a state.",
			}, {
				Check: "numbers", Title: "Numbers keep their value", Outcome: verdict.Failed,
				Condition: "Tool numbers",
				Sentence:  "params.arguments.n was 9007199254740993 and became 9007199254740992.",
				Exchange:  1, Round: 1,
			}},
		}},
		Corrections: []field.Correction{{
			Subject: "some-sdk", Fact: "mrtr.echo", Day: "2026-11-28", By: "a maintainer",
			Words: "Mended in v1.0.1.", Link: "https://example.com/1",
		}},
	}
}
