package views_test

import (
	"fmt"
	"time"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	adminview "github.com/mrtr-playground/mrtr-playground/views/admin"
	boardview "github.com/mrtr-playground/mrtr-playground/views/board"
	historyview "github.com/mrtr-playground/mrtr-playground/views/history"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
)

// sessionStories are the history and the actions on a session in it.
func sessionStories(b *fixtures) []story {
	history := func(name string, h historyview.History) story {
		h.Now = noon.Add(10 * time.Minute)
		return story{group: "history", name: name,
			page: func(p layout.Page) templ.Component { return historyview.Page(p, h) }}
	}
	page := func(name string, m historyview.SessionPageModel) story {
		return story{group: "session", name: name,
			page: func(p layout.Page) templ.Component { return historyview.SessionPage(p, m) }}
	}
	compare := func(name string, x, y playground.Exchange) story {
		return story{group: "compare", name: name, page: func(p layout.Page) templ.Component {
			return historyview.ComparePage(p, historyview.CompareMain(historyview.NewComparison(x, y)))
		}}
	}
	many := rows()
	azure, plain := b.recorded("azure-devops"), b.recording("flip-plain")
	other := deletion("s-2", confirm).answer("confirm", accepted(`{"ok":true}`)).
		result(complete(textContent("4 records deleted."), "")).x
	again := deletion("s-1", confirm).answer("confirm", `{"action":"decline"}`).
		result(complete(textContent("Nothing was deleted."), "")).x
	claim := story{group: "session", name: "claim", page: func(p layout.Page) templ.Component {
		return adminview.ClaimPage(p, "/claim/TOKEN")
	}}
	return []story{
		claim.of("main > *", ""),
		history("empty", historyview.History{First: true, Everybody: true}).of(".empty-history", ""),
		whole("history", history("", historyview.History{First: true, Everybody: true, Lines: many,
			Older: historyview.History{}.Path(rowOf(9).Cursor().String())}).page),
		history("filtered", historyview.History{First: true, Query: "delete", Status: playground.StatusFailed,
			Lines: many[4:5]}).
			of("#list, [selected], .everybody", ".bulk"),
		history("nothing-found", historyview.History{First: true, Query: "nothing like it"}),
		history("search-stopped", historyview.History{First: true, Query: "%%", Cut: true, Lines: many[:2],
			Older: historyview.History{Query: "%%"}.Path(rowOf(9).Cursor().String())}),
		history("search-stopped-without-a-hit", historyview.History{First: true, Query: "%%", Cut: true,
			Older: historyview.History{Query: "%%"}.Path(rowOf(9).Cursor().String())}),
		history("last-page", historyview.History{Lines: many[7:]}).of("#list > nav", ""),
		history("saved", historyview.History{First: true, Saved: "A bug is resolved", Lines: many[:1]}).
			of(".note[role=status]", ""),
		history("import-refused", historyview.History{First: true, Lines: many[:1],
			Problem: "This file is not a recording of MRTR Playground."}).of("#import", ""),
		history("one-tool", historyview.History{First: true, Lines: ofOneTool()}).
			of("#list li", ".pick, .row-tools, .more, .status, .count"),
		history("saved-and-links", historyview.History{First: true, Lines: savedAndLinks()}).
			of("#list li", ".confirm"),
		page("one-exchange", historyview.SessionPageModel{Row: many[1], Title: "update_work_item",
			Tree: boardview.NewTree(rowOf(1).Exchanges, nil, "")}).
			of("main > :not(.crumb)", "form"),
		page("run-all", historyview.SessionPageModel{Row: many[0], Tree: boardview.NewTree(ranAll())}).
			of(".lines, .baseline", ".outcome"),
		whole("session", page("", historyview.SessionPageModel{Row: many[0], Title: "A bug is resolved",
			Note: "Look at round 2.", Shares: 2, Tree: boardview.NewTree(rowOf(0).Exchanges,
				map[string]boardview.Showed{"X0a": {Verdict: verdict.Advisory, Got: "completed"}},
				"")}).page),
		compare("different", again, other).of("main > :not(h1)", "h2, tr[data-same]"),
		compare("the-same", again, again).of("main > :not(h1)", "h2, .pairs"),
		whole("compare", compare("", plain.Exchanges[0], plain.Exchanges[1]).page),
		compare("one-is-longer", upTo(azure, 1), upTo(azure, 2)).
			of("main > :not(h1)", "h2, tr:nth-child(n+4)"),
	}
}

// rows are a list with a session of every kind and status.
func rows() []historyview.SessionRow {
	list := make([]session.Row, 10)
	for i := range list {
		list[i] = rowOf(i)
	}
	return historyview.NewSessionRows(list)
}

// ofOneTool are calls of one tool that differ in an argument, in the answers, or in
// nothing but the time.
func ofOneTool() []historyview.SessionRow {
	call := func(id, arguments, answers string) session.Row {
		return session.Row{ID: id, Title: "update_work_item", Changed: noon,
			Exchanges: []session.ExchangeRow{{
				ID: "x" + id, Target: "mcp.example.com", Status: playground.StatusComplete, Rounds: 2,
				Summary: arguments + `, fields: {"System.State":"Resolved"}`, Answers: answers,
				Result: "Resolved.",
			}}}
	}
	return historyview.NewSessionRows([]session.Row{
		call("1", "workItemId: 4522", "Duplicate, 4301"), call("2", "workItemId: 4522", "Fixed"),
		call("3", "workItemId: 4523", "Fixed"), call("4", "workItemId: 4522", "Fixed"),
		call("5", "workItemId: 4522", "Fixed"), call("6", "workItemId: 4522", ""),
		call("7", "workItemId: 4522", ""),
	})
}

// savedAndLinks are the rows that are no sessions.
func savedAndLinks() []historyview.SessionRow {
	saved := func(c session.SavedCall) session.Row {
		return session.Row{ID: c.ID, Kind: session.KindSaved, Title: c.Title, Changed: noon, Saved: &c}
	}
	return historyview.NewSessionRows([]session.Row{
		saved(savedCall()), saved(omitting(savedCall())),
		{ID: "d1", Kind: session.KindLink, Title: "Look at round 2", Changed: noon,
			Link: &session.Link{Token: "TOKEN1", Session: "S1", Expires: noon.Add(24 * time.Hour), Views: 2}},
	})
}

// ranAll is a call whose experiments were all run.
func ranAll() (rows []session.ExchangeRow, showed map[string]boardview.Showed, shown string) {
	child := func(id, experiment string, s playground.Status) session.ExchangeRow {
		return session.ExchangeRow{ID: id, Parent: "control", Experiment: experiment, Status: s, Rounds: 2}
	}
	return []session.ExchangeRow{
			{ID: "x", Status: playground.StatusComplete, Result: "Resolved."},
			{ID: "answer", Parent: "x", From: 1, Status: playground.StatusWaiting},
			{ID: "control", Parent: "x", Status: playground.StatusComplete, Result: "Resolved."},
			child("repeat", "", playground.StatusWaiting),
			child("skip", "skip-answer", playground.StatusWaiting),
			child("flip1", "flip-state", playground.StatusFailed),
			child("flip2", "flip-state", playground.StatusComplete),
			child("name", "no-name-header", playground.StatusComplete),
		}, map[string]boardview.Showed{
			"skip":  {Verdict: verdict.Passed, Got: "asked again for resolution"},
			"flip1": {Verdict: verdict.Passed, Got: "400 -32602"},
			"flip2": {Verdict: verdict.Failed, Got: `completed "Resolved."`},
			"name":  {Verdict: verdict.Advisory, Got: "completed"},
		}, ""
}

func rowOf(i int) session.Row {
	statuses := []playground.Status{
		playground.StatusComplete, playground.StatusWaiting, playground.StatusRunning,
		playground.StatusDeclined, playground.StatusFailed,
		playground.StatusInterrupted, playground.StatusCapped, playground.StatusCancelled,
		playground.StatusComplete, playground.StatusComplete,
	}
	row := session.Row{
		ID: fmt.Sprintf("S%d", i), Title: fmt.Sprintf("Call %d", i),
		Changed: noon.Add(time.Duration(-7*i) * time.Hour),
		Exchanges: []session.ExchangeRow{{
			ID: fmt.Sprintf("X%d", i), Target: "mcp.example.com", TargetID: "T1",
			Method: playground.ToolsCall, Status: statuses[i],
			Rounds: i%3 + 1, Summary: fmt.Sprintf("table: orders, before: 202%d-01-01", i),
			Answers: []string{"Duplicate, 4301", "", "true"}[i%3],
			Result:  []string{"Bug #4522 resolved as Duplicate of Bug #4301.", "", "4 records deleted."}[i%3],
		}},
	}
	switch i {
	case 0:
		row.Title, row.Pinned, row.Note = "A bug is resolved", true, "Look at round 2."
		row.Exchanges = append(row.Exchanges,
			session.ExchangeRow{ID: "X0a", Method: playground.ToolsCall, Status: playground.StatusFailed,
				Rounds: 3, Experiment: "flip-state"},
			session.ExchangeRow{ID: "X0b", Method: playground.ToolsCall, Status: playground.StatusComplete,
				Rounds: 2})
	case 1:
		row.Imported = true
	case 3:
		row.Title, row.Exchanges = "", nil
	case 7:
		row.Exchanges[0].ToolError, row.Exchanges[0].Status = true, playground.StatusComplete
	case 8:
		row.Kind, row.Title = session.KindCheck, "Check of delete_records"
	case 9:
		row.Kind, row.Title, row.Story = session.KindDemo, "Azure DevOps (demo)",
			"azure-devops"
	}
	return row
}
