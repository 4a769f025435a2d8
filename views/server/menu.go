package server

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/search"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
	resultview "github.com/mrtr-playground/mrtr-playground/views/result"
)

// Menu lists what a server offers, as far as it matches a filter.
type Menu struct {
	Target string // id of the server
	Filter string // as typed
	Groups []MenuGroup
	Total  int  // entries without the filter
	Cut    bool // more entries match than are listed
}

// MenuGroup is the list of the tools, prompts, resources or templates. Count is
// how many match, which may be more than are listed.
type MenuGroup struct {
	Title, ID string
	Count     int
	Short     bool // the server's own list was not read to its end
	Entries   []MenuEntry
}

// MenuEntry is one of them. Path leads to its form.
type MenuEntry struct {
	Kind, Name, Label, Path string
	Current                 bool // its form is shown
	Best                    bool // the best match: the Enter key leads to it
	Excluded                bool // clients must not offer it
}

// countWords says how many entries match.
func (m Menu) countWords() string {
	n := 0
	for _, g := range m.Groups {
		n += g.Count
	}
	if m.Filter == "" {
		return ""
	}
	return text.Plural(n, "match") + " of " + fmt.Sprint(m.Total)
}

// listed returns how many entries are listed.
func (m Menu) listed() int {
	n := 0
	for _, g := range m.Groups {
		n += len(g.Entries)
	}
	return n
}

// LastCall is the newest call of the tool, prompt or resource of the form,
// beside the form.
type LastCall struct {
	Path      string
	Standing  standing.Standing
	When      string
	Rounds    int
	Arguments string // in one line
	Answers   string // in one line
	Result    *resultview.Result
	Words     string // end without a result
	AgainPath string // the form filled in with its arguments
}

// NewLastCall returns a call that began before now.
func NewLastCall(x playground.Exchange, now time.Time) *LastCall {
	f := x.Fold()
	row := session.RowOf(session.Session{Exchanges: []playground.Exchange{x}}).Exchanges[0]
	last := &LastCall{
		Path: "/x/" + x.ID, Standing: standing.Of(f), When: prose.Ago(now.Sub(x.Created)),
		Rounds: len(f.Rounds), Arguments: text.Visible(row.Summary, 300),
		Answers: text.Visible(row.Answers, 200), AgainPath: paths.Again(x),
	}
	r := f.Last()
	switch {
	case r == nil:
	case r.Kind == playground.OutcomeComplete:
		last.Result = resultview.New(x.Call, *r, f.Status)
	default:
		last.Words = text.Visible(row.Result, 300)
	}
	return last
}

// SavedLine is a saved call in a list.
type SavedLine struct {
	ID, Title string
	Server    string // its name; "" where the server is clear
	Name      string // of the tool or prompt; a URI
	Summary   string // of the arguments
	Path      string // the form, filled in
	Complete  bool   // it can be made at once
	Omitted   string // names of the arguments that were not saved
}

// NewSavedLine returns the line of a saved call.
func NewSavedLine(c session.SavedCall) SavedLine {
	return SavedLine{
		ID: c.ID, Title: prose.TitleOr(c.Title), Server: text.Visible(c.Server, 80),
		Name: text.Visible(c.Name, 120), Summary: text.Visible(c.Summary(), 160),
		Path: SavedPath(c), Complete: c.Complete(),
		Omitted: text.Visible(strings.Join(c.Omitted, ", "), 200),
	}
}

// SavedPath returns the form of a saved call, filled in.
func SavedPath(c session.SavedCall) string {
	return "/servers/" + url.PathEscape(c.Target) + "?" + url.Values{"saved": {c.ID}}.Encode()
}

// NewSaved is a call of the history that can be saved.
type NewSaved struct {
	Exchange string // its id
	Title    string // suggested
	Server   string
	Summary  string
}

// Freshness says how old the lists of a server are.
type Freshness struct {
	Words string       // of all lists in one line
	Stale bool         // a list is older than the server keeps it fresh
	Lists []prose.Fact // of each list
}

// NewFreshness returns the age of the lists at a time, or nil without lists.
func NewFreshness(c server.Connection, now time.Time) *Freshness {
	listings := c.Listings()
	if len(listings) == 0 {
		return nil
	}
	f := &Freshness{}
	first := listings[0]
	for _, l := range listings {
		f.Stale = f.Stale || l.HasTTL && l.TTL > 0 && !l.Fresh(now)
		f.Lists = append(f.Lists, prose.Fact{Name: l.Method, Value: freshWords(l) + scopeWords(l.Scope)})
		if l.HasTTL && (!first.HasTTL || l.At.Add(l.TTL).Before(first.At.Add(first.TTL))) {
			first = l
		}
	}
	f.Words = "Listed " + prose.Ago(now.Sub(listings[0].At)) + "."
	switch {
	case !first.HasTTL:
	case first.TTL == 0:
		f.Words += " The server asks clients not to cache the list (ttlMs: 0)."
	case f.Stale:
		f.Words += " The list was fresh for " + prose.Span(first.TTL) + " (ttlMs) and is now out of date."
	default:
		f.Words += " The list stays fresh for " + prose.Span(first.TTL) + " (ttlMs)."
	}
	return f
}

// freshWords says how long a list stays fresh.
func freshWords(l server.Listing) string {
	switch {
	case !l.HasTTL:
		return "no ttlMs"
	case l.TTL == 0:
		return "do not cache (ttlMs: 0)"
	}
	return "fresh for " + prose.Span(l.TTL)
}

// scopeWords says who may use a cached list (server/utilities/caching).
func scopeWords(scope string) string {
	switch scope {
	case "":
		return ""
	case "private":
		return ", for this user only (cacheScope: private)"
	case "public":
		return ", the same for every user (cacheScope: public)"
	}
	return ", cacheScope: " + text.Visible(scope, 40)
}

// Entry returns the entry of a saved call in the search and the palette: its
// form.
func (l SavedLine) Entry() search.Entry {
	words := []string{l.Server, l.Name, l.Summary}
	return search.Entry{
		Kind: "Saved call", Title: l.Title, Path: l.Path,
		Text: strings.Join(strings.Fields(strings.Join(words, " ")), " "),
	}
}
