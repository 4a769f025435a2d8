package views_test

import (
	"slices"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/doctor"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/launch"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	expectview "github.com/mrtr-playground/mrtr-playground/views/expect"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	labview "github.com/mrtr-playground/mrtr-playground/views/lab"
)

// editStories are the editor of a request.
func editStories(b *fixtures) []story {
	x := b.recorded("azure-devops")
	rounds := x.Fold().Rounds
	const claims = `{
  "version": 1
}`
	body := string(rounds[2].Request.Body)
	page := func(name string, in labview.EditInput) story {
		in.Exchange, in.Body, in.Headers = x, body, "Content-Type: application/json\nMcp-Method: tools/call\n"
		return story{group: "edit", name: name, page: func(p layout.Page) templ.Component {
			return labview.EditPage(p, labview.NewEditor(in))
		}}
	}
	right := lab.Edit{Body: []byte(body), Header: []wire.Field{{Name: "Mcp-Name", Value: "update_work_item"}}}
	changes := slices.Concat(lab.Changes(right, lab.Edit{Body: []byte(`{"id":3,"jsonrpc":"2.0"}`)}),
		lab.ClaimChanges([]byte(claims), []byte(`{"version":2}`)))
	foreign := b.recorded("azure-devops")
	foreign.Target.Sample, foreign.Target.Name = "", "mcp.example.com"
	off := page("not-confirmed", labview.EditInput{})
	off.page = func(p layout.Page) templ.Component {
		return labview.EditPage(p, labview.NewEditor(labview.EditInput{
			Exchange: foreign, Method: "tools/call", Body: "{}", Masked: true,
		}))
	}
	problem := doctor.SentenceOf("bad_header")
	return []story{
		page("first-request", labview.EditInput{Method: "tools/call"}).of("main > p.muted", ""),
		whole("edit", page("", labview.EditInput{From: rounds[1], Method: "tools/call", Claims: claims,
			HasClaims: true, State: "sealed"}).page),
		page("changed", labview.EditInput{From: rounds[1], Method: "tools/call", Claims: claims,
			HasClaims: true, State: "plain", Changes: changes, Expired: true}),
		page("refused", labview.EditInput{From: rounds[1], Method: "tools/call", Problem: &problem,
			Again: true}),
		off,
		b.expectation("expectation", x).of("main > form", "legend"),
		b.expectation("expectation-open", call("book", `{}`).x).of("main > .note", ""),
		b.expectation("expectation-masked", call("book", `{"key":"********"}`).result(
			`{"resultType":"complete","content":[{"type":"text","text":"********"},`+
				`{"type":"text","text":"At 9:30"}],"structuredContent":{"seat":"a","by":["b"]}}`).x).of(
			"main > form", "legend"),
	}
}

// expectation is the page that saves a call as an expectation.
func (b *fixtures) expectation(name string, x playground.Exchange) story {
	model := expectview.New(x.ID, x, launch.Program{})
	model.Took, model.Milliseconds = "2 ms", 1000
	return story{group: "edit", name: name, page: func(p layout.Page) templ.Component {
		return expectview.Page(p, model)
	}}
}
