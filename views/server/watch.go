package server

import (
	"fmt"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/doctor"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// WatchPath returns the address that watches a server.
func WatchPath(id string) string { return "/servers/" + id + "/watch/events" }

// watchWords say how long watching lasts.
const watchWords = "Shows what the server sends by itself, as it comes: changed lists, updated resources. " +
	"It ends when this page closes, and after ten minutes. Nothing of it is recorded."

// Watchable reports whether the server can be watched.
func (t Target) Watchable() bool {
	return t.Status == server.Connected && !(t.Command != nil && t.Report.Era != nil &&
		t.Report.Era.Code == "legacy")
}

// maxShown is how much of a message is shown, in bytes.
const maxShown = 16 << 10

// WatchItem is something that came, or was sent, while a server is watched.
type WatchItem struct {
	Kind  string // sent, message, response, end
	At    string
	Title string
	Note  string
	Bytes string // as they are shown
	Cut   string // how much is not shown; empty for nothing

	Broken bool // the stream broke off
	Ends   bool // it is the response to the request, after which nothing follows
}

// NewWatchItem returns an event of watching as it is shown, and false for one that says nothing
// more.
func NewWatchItem(e playground.Event) (WatchItem, bool) {
	w := WatchItem{Kind: "message", At: e.At.UTC().Format("15:04:05.000")}
	body := e.Data
	switch e.Kind {
	case playground.Sent:
		w.Kind, body = "sent", wire.Split(e.Data).Body
		w.Title = "Sent"
		if len(body) == 0 {
			head, _ := wire.ParseHead(e.Data)
			w.Title = "Sent " + text.Visible(head.Line, 120)
		}
	case playground.Received:
		frame := wire.Split(e.Data)
		head, _ := wire.ParseHead(frame.Head)
		if body = frame.Body; head.IsStream() && head.Status == 200 {
			w.Kind, w.Title = "response", "The stream is open"
		} else if !frame.IsLine() {
			w.Kind, w.Title = "response", text.Visible(head.Line, 120)
		}
	case playground.Message:
		data, _, ok := wire.EventData(e.Data)
		if !ok || len(data) == 0 {
			return w, false // a comment that keeps the stream open
		}
		body = data
	case playground.Failed:
		failure := e.Failure()
		s, detail := doctor.FailureSentence(failure.Class, failure.Detail)
		w.Broken = true
		return w.end(strings.TrimSpace(s.What + " " + text.Visible(detail, 300))), true
	case playground.Cancelled, playground.Interrupted:
		return w, false
	}
	if n, err := jsontree.Parse(body, jsontree.Limits{}); err == nil {
		w.name(n)
	} else if w.Title == "" {
		w.Title = "A message that is no JSON"
	}
	w.Bytes = text.Lines(string(body[:min(len(body), maxShown)]), text.NoLimit)
	if left := len(body) - maxShown; left > 0 {
		w.Cut = text.Size(left)
	}
	return w, true
}

// name sets the title by the method of a message.
func (w *WatchItem) name(n *jsontree.Node) {
	method := text.Visible(n.Get("method").Str(), 120)
	switch {
	case method != "" && w.Kind == "sent":
		w.Title = "Sent " + method
	case method != "":
		w.Title = method
	case n.Has("error"):
		w.Ends = true
		w.Title = "An error: " + text.Visible(n.At("error", "message").Str(), 200)
	default:
		w.Title, w.Ends = "The response, which ends the stream", true
	}
	switch n.Get("method").Str() {
	case "notifications/subscriptions/acknowledged":
		w.Note = agreed(n.At("params", "notifications"))
	case "notifications/tools/list_changed", "notifications/prompts/list_changed",
		"notifications/resources/list_changed":
		w.Note = "The list has changed. Connect again to read it."
	case "notifications/resources/updated":
		w.Note = "A resource has changed: " + text.Visible(n.At("params", "uri").Str(), 300)
	}
}

// agreed says what a server has agreed to send.
func agreed(filter *jsontree.Node) string {
	var names []string
	for _, m := range filter.Entries() {
		switch {
		case m.Value.Kind == jsontree.Array:
			names = append(names, fmt.Sprintf("%s (%d)", text.Visible(m.Key, 60), m.Value.Len()))
		case m.Value.True():
			names = append(names, text.Visible(m.Key, 60))
		}
	}
	if len(names) == 0 {
		return "The server has agreed to send nothing."
	}
	return "The server has agreed to send: " + strings.Join(names[:min(len(names), 10)], ", ") + "."
}

// end makes w the item that says why watching has ended.
func (w WatchItem) end(why string) WatchItem {
	w.Kind, w.Title = "end", why
	return w
}

// WatchEnd returns the last item. broken says that the stream ended without a response.
func WatchEnd(at time.Time, why string, broken bool) WatchItem {
	return WatchItem{At: at.UTC().Format("15:04:05.000"), Broken: broken}.end(why)
}
