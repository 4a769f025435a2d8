package views_test

import (
	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground/mock"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	recordingview "github.com/mrtr-playground/mrtr-playground/views/recording"
)

// recordingStories are the pages of recordings that are served.
func recordingStories() []story {
	saved := mock.Saved{ID: "R1", Title: "update_work_item", Ignored: mock.Usual(), Created: noon, Used: noon}
	served := recordingview.Recording{
		Saved: saved, Address: "http://127.0.0.1:2322/mcp/recording/TOKEN", Open: true, Expires: true,
		Made: []string{"server/discover"},
		Rows: []mock.Row{
			{N: 1, Method: "tools/list", Answers: 1, Status: 200},
			{N: 2, Method: "tools/call", Name: "update_work_item", Answers: 1, Status: 200},
			{
				N:       3,
				Method:  "tools/call",
				Name:    "update_work_item",
				Answers: 1,
				Status:  200,
				Retry:   true,
				Masked:  true,
			},
			{N: 4, Method: "tasks/get", Answers: 12, Status: 200, Messages: 3},
			{N: 5, Method: "tools/call", Name: "<b>page</b>", Answers: 1, Status: 502, Withheld: "text/html"},
			{N: 6, Method: "tools/call", Name: "slow", Answers: 1, Failure: "sent nothing", End: mock.Open},
			{N: 7, Method: "tools/call", Name: "cut", Answers: 1, Status: 200, Failure: "reset",
				End: mock.Cut},
		},
	}
	ended := served
	ended.Open = false
	page := func(r recordingview.Recording) func(layout.Page) templ.Component {
		return func(p layout.Page) templ.Component { return recordingview.Page(p, r) }
	}
	return []story{
		whole("recording", page(served)),
		story{group: "recording", name: "ended", page: page(ended)}.of(".client-address", ""),
	}
}
