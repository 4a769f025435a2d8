package views

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// History lists what was done here, pinned sessions first, then the newest.
type History struct {
	Query   string // as typed
	Status  playground.Status
	Lines   []SessionRow
	Older   string // address of the next page; empty on the last one
	First   bool   // this is the first page
	Problem string // of an imported file

	Saved     string // title of the session that was just changed
	Everybody bool   // one list for all who reach the program
}

// Searches reports whether the list is a part of all.
func (h History) Searches() bool { return h.Query != "" || h.Status != "" }

// SessionRow is one session in the list: its first exchange, and below it the
// ones that branched off.
type SessionRow struct {
	ID, Path, Title, Note string
	Pinned, Imported      bool
	Changed               time.Time
	First                 *session.ExchangeRow
	Branches              []session.ExchangeRow
}

// NewSessionRow shows a line of the list.
func NewSessionRow(l session.Row) SessionRow {
	row := SessionRow{ID: l.ID, Path: "/sessions/" + l.ID, Title: titleOr(l.Title), Note: text.Visible(l.Note, 200), Pinned: l.Pinned, Imported: l.Imported, Changed: l.Changed}
	if len(l.Exchanges) > 0 {
		row.First, row.Branches = &l.Exchanges[0], l.Exchanges[1:]
		row.Path = "/x/" + row.First.ID
	}
	if l.Kind == session.KindCheck && row.First != nil { // its exchanges are the report's to list
		row.Path, row.Branches = CheckPath(row.First.TargetID, l.ID), nil
	}
	if l.Kind == session.KindDemo && row.First != nil { // a stage goes on where it was left; its story has the name of its server
		row.Path, row.Branches = "/demos/"+row.First.TargetID+"/"+l.ID, nil // its other calls are the stage's to show
	}
	return row
}

func titleOr(title string) string {
	if strings.TrimSpace(title) == "" {
		return "Untitled"
	}
	return text.Visible(title, 120)
}

// PlaceText is a place in the list for an address.
func PlaceText(p session.Cursor) string {
	pinned := "0"
	if p.Pinned {
		pinned = "1"
	}
	return pinned + "." + strconv.FormatInt(p.Changed.UnixMicro(), 36) + "." + p.ID
}

// ReadPlace is the opposite of PlaceText; false for any other text.
func ReadPlace(s string) (session.Cursor, bool) {
	parts := strings.SplitN(s, ".", 3)
	if len(parts) != 3 || parts[0] != "0" && parts[0] != "1" || parts[2] == "" {
		return session.Cursor{}, false
	}
	us, err := strconv.ParseInt(parts[1], 36, 64)
	if err != nil {
		return session.Cursor{}, false
	}
	return session.Cursor{ID: parts[2], Pinned: parts[0] == "1", Changed: time.UnixMicro(us).UTC()}, true
}

// HistoryPath is the address of a part of the list.
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

// statusChoices are the statuses that can be looked for.
func statusChoices() []playground.Status {
	return []playground.Status{
		playground.StatusWaiting, playground.StatusRunning, playground.StatusComplete, playground.StatusDeclined, playground.StatusCancelled,
		playground.StatusFailed, playground.StatusInterrupted, playground.StatusCapped,
	}
}

func timeWords(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04 UTC") }

// SessionPageModel is where a session is renamed, noted, pinned and deleted.
type SessionPageModel struct {
	Row    SessionRow
	Title  string // as it is stored
	Note   string
	Shares int // links that show a copy of it
}

// againPath is where the same call can be made anew: its tool's form, filled in.
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

// maxFilledIn is how long arguments may be to be carried by an address.
const maxFilledIn = 2000

// ServerPath is the page of the server that an exchange spoke to. One that is in
// nobody's list, because the exchange came from a file or a link, is filled into
// the form that connects.
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
