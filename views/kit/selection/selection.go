// Package selection has the selection on the page of a call: a Round, a panel
// and a message of it. It is read from the address of a page, and each link of
// the page is made from it.
package selection

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/picture"
)

// Panel names a panel of an exchange's page. One is open at a time; only that
// one is rendered.
type Panel string

// Panels, in the order of their tabs. The picture is a panel where the page is
// too narrow to show it beside the question.
const (
	PanelPicture Panel = "picture"
	PanelWire    Panel = "wire"
	PanelState   Panel = "state"
	PanelRules   Panel = "rules"
	PanelTiming  Panel = "timing"
	PanelLab     Panel = "lab"
)

// Message names one of the two messages of a Round, as its picture does.
type Message = picture.Side

// Messages of a Round.
const (
	MessageRequest  = picture.Request
	MessageResponse = picture.Response
)

// Selection is the selected part of an exchange on its page. The address of the
// page holds it.
type Selection struct {
	Round   int     // 0 means the newest
	Panel   Panel   // empty means PanelWire
	Message Message // marked in the picture and in Wire; empty for none
	Exact   bool    // Wire shows the exact bytes
	All     bool    // Wire lists the messages of all Rounds
	Stage   bool    // the picture and the question are open, whatever else is selected
	Find    string  // text that Wire looks for in the bytes of all Rounds; empty for none
}

// Address returns the address of an exchange's page with a selection.
type Address func(Selection) string

// Read reads the query of an address. It returns false if the query
// names a round, a panel, a message or a view that cannot exist.
func Read(q url.Values) (Selection, bool) {
	s := Selection{
		Panel: Panel(q.Get("panel")), Message: Message(q.Get("message")), Exact: q.Get("view") == "exact",
		All: q.Get("messages") == "all", Stage: q.Get("stage") == "open",
	}
	if find := q.Get("find"); len(find) <= playground.MaxFind && utf8.ValidString(find) {
		s.Find = find
	}
	if text := q.Get("round"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return s, false
		}
		s.Round = n
	}
	panels := []Panel{"", PanelPicture, PanelWire, PanelState, PanelRules, PanelTiming, PanelLab}
	messages := []Message{"", MessageRequest, MessageResponse}
	views, lists, stages := []string{"", "exact"}, []string{"", "all"}, []string{"", "open"}
	return s, slices.Contains(panels, s.Panel) && slices.Contains(messages, s.Message) &&
		slices.Contains(views, q.Get("view")) && slices.Contains(lists, q.Get("messages")) &&
		slices.Contains(stages, q.Get("stage"))
}

// At returns the address of a page with a selection. Values in query are kept.
func (s Selection) At(path string, query url.Values) string {
	q := make([]string, 0, 8)
	add := func(name, value string) { q = append(q, name+"="+url.QueryEscape(value)) }
	if s.Round > 0 {
		add("round", strconv.Itoa(s.Round))
	}
	if s.Panel != "" && s.Panel != PanelWire {
		add("panel", string(s.Panel))
	}
	if s.Message != "" {
		add("message", string(s.Message))
	}
	if s.Exact {
		add("view", "exact")
	}
	if s.All {
		add("messages", "all")
	}
	if s.Stage {
		add("stage", "open")
	}
	if s.Find != "" {
		add("find", s.Find)
	}
	for name, values := range query {
		for _, value := range values {
			add(url.QueryEscape(name), value)
		}
	}
	if len(q) == 0 {
		return path
	}
	slices.Sort(q) // one address for a selection
	return path + "?" + strings.Join(q, "&")
}

// Open returns the open panel.
func (s Selection) Open() Panel {
	if s.Panel == "" {
		return PanelWire
	}
	return s.Panel
}

// Tabs are the tabs of the panels.
type Tabs struct {
	Selection Selection // of the page
	Address   Address
}

// List returns the tabs of an exchange's page, the Lab only if asked for.
func (t Tabs) List(lab bool) []Tab {
	list := slices.Clone(tabs)
	if !lab {
		list = list[:len(list)-1]
	}
	for i := range list {
		list[i].Path = t.Address(Selection{Round: t.Selection.Round, Panel: list[i].Panel})
		list[i].Open = list[i].Panel == t.Selection.Open()
	}
	return list
}

// OpenWords returns the words of the open panel.
func (t Tabs) OpenWords() string {
	for _, tab := range tabs {
		if tab.Panel == t.Selection.Open() {
			return tab.Words
		}
	}
	return ""
}

// Tab is the link that opens a panel.
type Tab struct {
	Panel       Panel
	Words, Path string
	Open        bool
}

// tabs are the tabs of an exchange's page in their order, the Lab last.
var tabs = []Tab{
	{Panel: PanelPicture, Words: "Picture"}, {Panel: PanelWire, Words: "Wire"},
	{Panel: PanelState, Words: "State"}, {Panel: PanelRules, Words: "Rules"},
	{Panel: PanelTiming, Words: "Timing"}, {Panel: PanelLab, Words: "Check"},
}
