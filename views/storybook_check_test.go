package views_test

import (
	"net/url"
	"time"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	checkview "github.com/mrtr-playground/mrtr-playground/views/check"
	exchangeview "github.com/mrtr-playground/mrtr-playground/views/exchange"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
)

// checkStories are the form and the report of a check.
func checkStories(b *fixtures) []story {
	f := checkview.Form{
		Asks: true, ID: "T1", Name: "mcp.example.com", Ready: true, Experiments: lab.Experiments(),
		Tool: "delete_records", Args: `{"table":"orders"}`,
		Tools: []checkview.Tool{{Name: "delete_records", Label: "Delete records"},
			{Name: "odd", Label: "odd"}},
	}
	sample := f
	sample.ID, sample.Name, sample.Sample, sample.State, sample.Answers = "confirm", "Confirm (sample)",
		true, "signed", `{"confirm":{"ok":true}}`
	sample.Asks = false
	refused := f
	refused.Experiments, refused.Problem, refused.Args = nil, "The arguments are not a JSON object.", "{"
	legacy := f
	legacy.Legacy, legacy.Experiments = true, nil
	form := func(name string, f checkview.Form) story {
		return story{group: "check", name: name,
			page: func(p layout.Page) templ.Component { return checkview.Page(p, f) }}
	}
	good, bad := b.recording("check-good"), b.recording("check-bad")
	formPage := form("form", f)
	formPage.group, formPage.name = wholePages, "check"
	return []story{
		formPage, form("form-sample", sample).of("[data-form=check]", ""),
		form("form-refused", refused).of(".problem, #check-args", ""),
		form("form-legacy", legacy).of("main > .section:last-child", ""),
		b.report("running", first(good, 9), true, ""),
		whole("check-report", b.reportPage(good, false, "")).
			of("main", ".about, .board-outcome li:nth-child(n+6)"),
		b.compared(good).of("[data-compared]", ""),
		b.report("probe", good, false, "flip-state").of("#flip-state", ".json, .round > summary"),
		b.report("done-bad", bad, false, "").
			of(".judged, .board-row[data-verdict=fail] > span, "+
				".rule-row[data-verdict=fail]", ".judged-tools"),
		b.report("stopped", first(good, 9), false, ""),
		b.report("failed", one("", call("delete_records", `{}`).rpcError(-32602, "table is missing").x),
			false, ""),
		b.report("failed-by-a-violation", one("", call("delete_records", `{}`).
			result(`{"resultType":"input_required"}`).x), false, "flip-state").
			of(".judged, .rule-row[data-verdict=fail]", ".judged-tools"),
		b.report("asks-nothing", one("",
			call("weather", `{}`).result(complete(textContent("Sunny."), "")).x), false, ""),
	}
}

// first returns a session with the first n exchanges alone.
func first(s session.Session, n int) session.Session {
	s.Exchanges = s.Exchanges[:n]
	return s
}

func (b *fixtures) report(name string, s session.Session, running bool, probe string) story {
	return story{group: "check", name: "report-" + name, page: b.reportPage(s, running, probe)}
}

func (b *fixtures) reportPage(
	s session.Session, running bool, probe string,
) func(layout.Page) templ.Component {
	model := checkview.NewReport(s.Exchanges[0].Target.ID, "C1",
		lab.NewReport(s.Exchanges, server.Connection{}, running), probe)
	model.Again = "/servers/" + model.ID + "/check?tool=" + url.QueryEscape(model.Tool)
	return func(p layout.Page) templ.Component { return checkview.ReportPage(p, model) }
}

// compared is the page of a check that differs from the last one.
func (b *fixtures) compared(s session.Session) story {
	line := func(id, title, sentence string) verdict.Line {
		return verdict.Line{ID: id, Title: title, Sentence: sentence, Expected: "rejects it"}
	}
	model := checkview.NewReport(s.Exchanges[0].Target.ID, "C1",
		lab.NewReport(s.Exchanges, server.Connection{}, false), "")
	model.Since = checkview.NewSince("/servers/h/check/C0", noon, verdict.Comparison{
		New:       []verdict.Line{line("flip-state", "Flip one byte of the state", "The call continued.")},
		Gone:      []verdict.Line{line("drop-state", "Drop the state", "It asks again.")},
		Unchanged: []verdict.Line{line("skip-answer", "Skip an answer", "The call completed.")},
		Lost:      []verdict.Line{line("replay", "Send the same retry twice", "It was not reached.")},
	}, "#")
	return story{group: "check", name: "report-compared", page: func(p layout.Page) templ.Component {
		return checkview.ReportPage(p, model)
	}}
}

// boardStories are the Lab of a call in the states of its board.
func boardStories(b *fixtures) []story {
	board := func(name, recording string, n int, edit edit) story {
		x, made := inLab(b.recording(recording).Exchanges, n)
		s := b.panel("board", name, selection.PanelLab, x, func(in *exchangeview.Input) {
			in.Lab.Session = append([]playground.Exchange{x}, made...)
			in.Lab.Rows = session.RowOf(session.Session{Exchanges: in.Lab.Session}).Exchanges
			if edit != nil {
				edit(in)
			}
		})
		return s.of("", "")
	}
	foreign := board("not-run-foreign", "check-good", 0, func(in *exchangeview.Input) {
		in.Exchange.Target.Sample, in.Lab.Mine = "", false
	})
	failed := call("delete_records", `{}`).rpcError(-32602, "table is missing").x
	page := board("good", "check-good", 1000, nil).of("main", "")
	page.group, page.name = wholePages, "board"
	return []story{
		page, board("not-run", "check-good", 0, nil).of(".judged, #skip-answer", ".judged-tools"),
		foreign.of(".lab", ".judged, .board-group"),
		board("running", "check-good", 12,
			func(in *exchangeview.Input) { in.Lab.Running = true }).of(".board", ".board-group"),
		board("bad", "check-bad", 1000, nil).
			of(".judged, .board-row > .name, #malformed-answer details", ".about, .judged-tools"),
		board("stopped", "check-good", 12, nil),
		board("control-failed", "check-good", 0, func(in *exchangeview.Input) {
			failed.ID, failed.Origin = "again", &playground.Origin{Exchange: in.Exchange.ID}
			failed.Created = in.Exchange.Created.Add(time.Minute)
			in.Lab.Session = append(in.Lab.Session, failed)
		}),
	}
}

// inLab returns the call of a check as one that the user made, and the first n
// exchanges of the check as those of Run all.
func inLab(list []playground.Exchange, n int) (x playground.Exchange, made []playground.Exchange) {
	x = list[0]
	x.ID = "original"
	for i, run := range list[:min(n, len(list))] {
		run.Origin = &playground.Origin{Exchange: list[0].ID}
		if i == 0 {
			run.Origin.Exchange = x.ID
		}
		made = append(made, run)
	}
	return x, made
}
