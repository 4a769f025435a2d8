package views

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// History is the list of sessions: pinned ones first, then the newest.
type History struct {
	Query   string // as typed
	Status  playground.Status
	Lines   []SessionRow
	Older   string // address of the next page; empty on the last one
	First   bool   // this is the first page
	Problem string // of an imported file

	Saved     string // title of the session that was just saved
	Everybody bool   // all browsers share one list
}

// Searches reports whether the list is filtered.
func (h History) Searches() bool { return h.Query != "" || h.Status != "" }

// SessionRow is one session in the list: its first exchange, and its branches.
type SessionRow struct {
	ID, Path, Title, Note string
	Pinned, Imported      bool
	Changed               time.Time
	First                 *session.ExchangeRow
	Branches              []session.ExchangeRow
}

// NewSessionRow returns the view of a row.
func NewSessionRow(l session.Row) SessionRow {
	row := SessionRow{
		ID: l.ID, Path: "/sessions/" + l.ID, Title: titleOr(l.Title), Note: text.Visible(l.Note, 200),
		Pinned: l.Pinned, Imported: l.Imported, Changed: l.Changed,
	}
	if len(l.Exchanges) > 0 {
		row.First, row.Branches = &l.Exchanges[0], l.Exchanges[1:]
		row.Path = "/x/" + row.First.ID
	}
	if l.Kind == session.KindCheck && row.First != nil { // the report lists its exchanges
		row.Path, row.Branches = CheckPath(row.First.TargetID, l.ID), nil
	}
	if l.Kind == session.KindDemo && row.First != nil { // a demo's target has the story's slug as its id
		row.Path, row.Branches = "/demos/"+row.First.TargetID+"/"+l.ID, nil
	}
	return row
}

func titleOr(title string) string {
	if strings.TrimSpace(title) == "" {
		return "Untitled"
	}
	return text.Visible(title, 120)
}

// HistoryPath returns the address of a part of the list.
func HistoryPath(query string, status playground.Status, after string) string {
	q := url.Values{}
	for name, value := range map[string]string{"q": query, "status": string(status), "after": after} {
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

func timeWords(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04 UTC") }

// SessionPageModel is the page of one session.
type SessionPageModel struct {
	Row    SessionRow
	Title  string // as it is stored
	Note   string
	Shares int // links that show a snapshot of it
}

// againPath returns the address of the tool's form, filled in with the call.
func againPath(x playground.Exchange) string {
	path := ServerPath(x.Target)
	params, err := jsontree.Parse(x.Call.Params, jsontree.Limits{})
	arguments := params.Get("arguments").Raw()
	if err != nil || x.Call.Method != playground.ToolsCall || len(arguments) > maxFilledIn {
		return path
	}
	query := url.Values{"tool": {params.Get("name").Str()}, "args": {string(arguments)}}.Encode()
	if x.Target.ID == "" {
		return path + "&" + query
	}
	return path + "?" + query
}

// maxFilledIn is the longest arguments that an address carries.
const maxFilledIn = 2000

// ServerPath returns the page of the server of an exchange. If the server is in
// no list, because the exchange came from a file or a link, it is the form that
// connects, with the URL filled in.
func ServerPath(t playground.Target) string {
	if t.ID == "" {
		return "/servers?" + url.Values{"url": {t.URL}}.Encode()
	}
	return "/servers/" + t.ID
}

// deleteWords says what is lost with a session that n links show.
func deleteWords(n int) string {
	switch n {
	case 0:
		return "This deletes the record. You can't undo this."
	case 1:
		return "This deletes the record and revokes its link. You can't undo this."
	}
	return fmt.Sprintf("This deletes the record and revokes its %d links. You can't undo this.", n)
}
