package views_test

import (
	"time"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/preview"
	flowview "github.com/mrtr-playground/mrtr-playground/views/flow"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
)

// flowStories are the pages of flows.
func flowStories() []story {
	refund, _ := flow.FindExample("refund")
	saved := flow.Saved{
		ID: "F1", Token: "TOKEN", Title: "Refund an order", Text: refund.Source, Number: 2,
		Created: noon, Changed: noon,
		Used: noon,
	}
	editor := func(f flow.Saved) func(layout.Page) templ.Component {
		e := flowview.NewEditor(f, preview.Input{
			Target: playground.Target{
				Name: "Refund",
				URL:  "http://127.0.0.1:2322/mcp/flow/TOKEN",
			}, At: noon,
		}, "")
		e.Address, e.Open, e.Expires = "http://127.0.0.1:2322/mcp/flow/TOKEN", true, true
		e.Editions = []flow.Edition{{Number: 2, At: noon}, {Number: 1, At: noon.Add(-time.Hour)}}
		return func(p layout.Page) templ.Component { return flowview.Page(p, e) }
	}
	wrong := saved
	wrong.Draft = "flow: 1\nname: refund\nsteps:\n  - {form: a, message: '{{args.amount}}'}\nresult: done\n"
	problems := story{group: "flow", name: "with-problems", page: editor(wrong)}
	return []story{
		whole(
			"flow",
			editor(saved),
		).of("main", ".flow-preview"),
		problems.of("#flow-verdict, #flow-problems, #flow-state, .flow-preview", ""),
	}
}
