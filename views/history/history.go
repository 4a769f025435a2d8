// Package history shows the stored things of a user: sessions, saved calls and links in one
// list, the palette that finds them, and two exchanges beside each other.
package history

import (
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	boardview "github.com/mrtr-playground/mrtr-playground/views/board"
	"github.com/mrtr-playground/mrtr-playground/views/kit/confirm"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
	serverview "github.com/mrtr-playground/mrtr-playground/views/server"
)

// History is the list: pinned rows first, then the newest.
type History struct {
	Query   string // as typed
	Status  playground.Status
	Kind    session.Kind // that the list is filtered by; empty for all
	Lines   []SessionRow
	Older   string // address of the next page; empty on the last one
	First   bool   // this is the first page
	Cut     bool   // the search stopped; older pages were not searched
	Problem string // of an imported file

	Saved     string // title of the session that was just saved
	Everybody bool   // all browsers share one list

	Now  time.Time
	Zone *time.Location // of the reader; nil if unknown
}

// Day is a part of the list: pinned rows, or those that changed on one day.
type Day struct {
	Title string
	Lines []Line
}

// Line is a row and when it changed, in short words: "12 min ago", "14:03" or, without a day
// above it, "20 Nov, 14:03". Of a row that says the same as the one above it is the second.
type Line struct {
	SessionRow
	When string
}

// revoke returns what is asked before a link is revoked, in the form around the list.
func revoke(token, title string) confirm.Question {
	q := layout.ShareLine{Token: token, Title: title}.Revoke()
	q.Class, q.Within, q.Name, q.Value = "as-link", true, "from", "history"
	return q
}

// Days returns the list by day.
func (h History) Days() []Day {
	var days []Day
	for _, row := range h.Lines {
		title := dayWords(h.local(row.Changed), h.local(h.Now))
		if row.Pinned {
			title = "Pinned"
		}
		if len(days) == 0 || days[len(days)-1].Title != title {
			days = append(days, Day{Title: title})
		}
		day := &days[len(days)-1]
		line := Line{row, h.when(row)}
		if row.Same && !row.Pinned {
			line.When = h.local(row.Changed).Format("15:04:05")
		}
		day.Lines = append(day.Lines, line)
	}
	return days
}

// local returns a time in the reader's zone, or in UTC if that is unknown.
func (h History) local(t time.Time) time.Time {
	if h.Zone == nil {
		return t.UTC()
	}
	return t.In(h.Zone)
}

// when returns when a session changed, in short words.
func (h History) when(row SessionRow) string {
	age, at := h.Now.Sub(row.Changed), h.local(row.Changed)
	switch {
	case age >= 0 && age < time.Minute:
		return "just now"
	case age >= 0 && age < time.Hour:
		return fmt.Sprintf("%d min ago", int(age.Minutes()))
	case row.Pinned && at.Year() != h.local(h.Now).Year():
		return at.Format("2 Jan 2006")
	case row.Pinned:
		return at.Format("2 Jan, 15:04")
	}
	return at.Format("15:04")
}

// Moment returns when a session changed, with the day if that is not today.
func (h History) Moment(row SessionRow) string {
	at := h.local(row.Changed)
	if row.Pinned || at.Format(time.DateOnly) == h.local(h.Now).Format(time.DateOnly) {
		return h.when(row)
	}
	return at.Format("2 Jan, 15:04")
}

// fullTime returns a time with its date and zone, for the pointer.
func (h History) fullTime(t time.Time) string { return h.local(t).Format("2 Jan 2006, 15:04:05 MST") }

// dayWords returns the name of the day of at, for a reader for whom it is now.
func dayWords(at, now time.Time) string {
	day := func(t time.Time) string { return t.Format(time.DateOnly) }
	switch day(at) {
	case day(now):
		return "Today"
	case day(now.AddDate(0, 0, -1)):
		return "Yesterday"
	}
	return at.Format("Monday, 2 January 2006")
}

// Searches reports whether the list is filtered.
func (h History) Searches() bool { return h.Query != "" || h.Status != "" || h.Kind != "" }

// SessionRow is one row of the list: a session with its first exchange and its branches, a saved
// call, or a link.
type SessionRow struct {
	ID, Path, Title, Note string
	Pinned, Imported      bool
	Changed               time.Time
	First                 *session.ExchangeRow
	Branches              int
	What                  string // it is, if it is no call: Check, Flow, Client, Saved call or Link
	Differs               string // arguments that not all calls of the tool on the page have
	Repeated              bool   // the line above is a call of the same tool
	Same                  bool   // with the same arguments, answers and result
	Saved                 *serverview.SavedLine
	Link                  *session.Link
}

// NewSessionRow returns the view of a row.
func NewSessionRow(l session.Row) SessionRow {
	row := SessionRow{
		ID: l.ID, Path: "/sessions/" + l.ID, Title: prose.TitleOr(l.Title), Note: text.Visible(l.Note, 200),
		Pinned: l.Pinned, Imported: l.Imported, Changed: l.Changed,
	}
	if len(l.Exchanges) > 0 {
		b := session.BranchesOf(l.Exchanges)
		row.First, row.Branches = &b.Original, len(b.Tried)
		row.Path, row.Differs = "/x/"+row.First.ID, row.First.Summary
	}
	if l.Kind == session.KindCheck && row.First != nil { // the report lists its exchanges
		row.Path, row.Branches, row.What = paths.Check(row.First.TargetID, l.ID), 0, "Check"
	}
	switch l.Kind {
	case session.KindSaved:
		saved := serverview.NewSavedLine(*l.Saved)
		row.Path, row.What, row.Saved = saved.Path, "Saved call", &saved
	case session.KindLink:
		row.Path, row.What, row.Link = "/s/"+l.Link.Token, "Link", l.Link
	case session.KindCapture:
		row.Path, row.Branches, row.What = "/clients/"+l.ID, 0, "Client"
	case session.KindFlow:
		row.Path, row.What = paths.Flow(l.ID), "Flow"
	case session.KindRecording:
		row.Path, row.What = paths.Recording(l.ID), "Served"
	case session.KindGateway:
		row.Path, row.Branches, row.What = paths.Gateway(l.ID), 0, "Gateway"
	}
	if l.Kind == session.KindDemo && row.First != nil {
		row.Path, row.Branches = "/demos/"+l.Story+"/"+l.ID, 0
	}
	return row
}

// NewSessionRows returns the views of the rows of a list.
func NewSessionRows(list []session.Row) []SessionRow {
	type tool struct{ title, target string }
	rows := make([]SessionRow, len(list))
	places, summaries := map[tool][]int{}, map[tool][]string{}
	var above tool
	for i, l := range list {
		rows[i] = NewSessionRow(l)
		if rows[i].First == nil {
			above = tool{}
			continue
		}
		of := tool{l.Title, rows[i].First.Target}
		rows[i].Repeated = i > 0 && of == above
		places[of] = append(places[of], i)
		summaries[of] = append(summaries[of], rows[i].First.Summary)
		above = of
	}
	for of, at := range places {
		for k, differs := range session.Differing(summaries[of]) {
			rows[at[k]].Differs = differs
		}
	}
	for i := range rows {
		rows[i].Same = rows[i].Repeated && rows[i].saysSame(rows[i-1])
	}
	return rows
}

// saysSame reports whether the list would say the same of two calls of a tool.
func (r SessionRow) saysSame(other SessionRow) bool {
	a, b := r.First, other.First
	return r.Differs == other.Differs && a.Answers == b.Answers && a.Result == b.Result &&
		standing.OfRow(*a) == standing.OfRow(*b)
}

// sameWords returns what a call shares with the one above it.
func sameWords(answers, result string) string {
	switch {
	case answers != "" && result != "":
		return "same answers and result as above"
	case answers != "":
		return "same answers as above"
	}
	return "same result as above"
}

// linkWords returns how often a link was opened, and until when it works.
func (h History) linkWords(l session.Link) string {
	return prose.ViewsWords(l.Views) + " · expires " + h.local(l.Expires).Format("2 Jan 2006, 15:04")
}

// Path returns the address of the part of the filtered list that begins behind a cursor; "" is its
// beginning.
func (h History) Path(after string) string {
	q := url.Values{}
	for name, value := range map[string]string{
		"q": h.Query, "status": string(h.Status), "kind": string(h.Kind), "after": after,
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if len(q) == 0 {
		return "/history"
	}
	return "/history?" + q.Encode()
}

// statusChoices returns the statuses that the list can be filtered by.
func statusChoices() []playground.Status {
	return []playground.Status{
		playground.StatusWaiting, playground.StatusRunning, playground.StatusComplete,
		playground.StatusDeclined, playground.StatusCancelled,
		playground.StatusFailed, playground.StatusInterrupted, playground.StatusCapped,
	}
}

// kindChoices returns the kinds that the list can be filtered by, in words.
func kindChoices() []struct {
	Kind  session.Kind
	Words string
} {
	return []struct {
		Kind  session.Kind
		Words string
	}{
		{session.KindExchange, "calls"}, {session.KindSaved, "saved calls"}, {session.KindCheck, "checks"},
		{session.KindCapture, "clients"}, {session.KindGateway, "gateways"}, {session.KindFlow, "flows"},
		{session.KindRecording, "served recordings"}, {session.KindDemo, "demos"},
		{session.KindLink, "links"},
	}
}

// Outcome returns the answers and their result: "Duplicate, 4301 → Bug #4522
// resolved."
func (r SessionRow) Outcome() (answers, result string) {
	if r.First == nil || r.What != "" { // a check has another result than its right call
		return "", ""
	}
	return text.Visible(r.First.Answers, 120), text.Visible(r.First.Result, 200)
}

// SessionPageModel is the page of one session.
type SessionPageModel struct {
	Row    SessionRow
	Tree   boardview.Tree
	Title  string // as it is stored
	Note   string
	Shares int // links that show a snapshot of it
	Tools  []CalledTool
}

// CalledTool is a tool of which a session has more than one call.
type CalledTool struct {
	Name     string
	Calls    int
	Exchange string // id of the first
}

// CalledTools returns the tools, prompts and resources of which there is more than one call,
// in the order of their first calls.
func CalledTools(list []playground.Exchange) []CalledTool {
	var tools []CalledTool
	for _, x := range list {
		name := x.Call.Name()
		i := slices.IndexFunc(tools, func(t CalledTool) bool { return t.Name == name })
		if i < 0 {
			i, tools = len(tools), append(tools, CalledTool{Name: name, Exchange: x.ID})
		}
		tools[i].Calls++
	}
	return slices.DeleteFunc(tools, func(t CalledTool) bool { return t.Calls < 2 })
}

// deleteWords asks whether to delete a session that n links show.
func deleteWords(n int) string {
	switch n {
	case 0:
		return "Delete the record of this call? You can't undo this."
	case 1:
		return "Delete the record of this call, and revoke its link? You can't undo this."
	}
	return fmt.Sprintf("Delete the record of this call, and revoke its %d links? You can't undo this.", n)
}
