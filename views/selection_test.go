package views_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
)

func TestSelection_IsInTheAddress(t *testing.T) {
	for query, want := range map[string]selection.Selection{
		"":                                      {},
		"round=2":                               {Round: 2},
		"message=request&round=2":               {Round: 2, Message: selection.MessageRequest},
		"panel=rules&round=3":                   {Round: 3, Panel: selection.PanelRules},
		"panel=lab":                             {Panel: selection.PanelLab},
		"panel=state&round=1&stage=open":        {Round: 1, Panel: selection.PanelState, Stage: true},
		"message=response&view=exact":           {Message: selection.MessageResponse, Exact: true},
		"find=Bug+%234522&messages=all&round=2": {Round: 2, All: true, Find: "Bug #4522"},
	} {
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := selection.Read(q)
		if !ok || got != want {
			t.Errorf("Read(%q) = %+v, %v, want %+v", query, got, ok, want)
		}
		path := "/x/ID"
		if query != "" {
			path += "?" + query
		}
		if at := want.At("/x/ID", nil); at != path {
			t.Errorf("At of %+v = %q, want %q", want, at, path)
		}
	}
	if at := (selection.Selection{Round: 2}).At("/s/T", url.Values{"x": {"3"}}); at != "/s/T?round=2&x=3" {
		t.Errorf("At with a query = %q", at)
	}
	if at := (selection.Selection{Panel: selection.PanelWire}).At("/x/ID", nil); at != "/x/ID" {
		t.Errorf("At of the open panel of a new page = %q", at)
	}
}

// TestSelection_FindIsBounded: what cannot be found is not looked for.
func TestSelection_FindIsBounded(t *testing.T) {
	for _, find := range []string{strings.Repeat("x", 201), "\xff"} {
		got, ok := selection.Read(url.Values{"find": {find}})
		if !ok || got != (selection.Selection{}) {
			t.Errorf("%.20q: %+v, %v", find, got, ok)
		}
	}
}

func TestSelection_RefusesWhatCannotExist(t *testing.T) {
	for _, query := range []string{"round=0", "round=-1", "round=x", "round=99999999999999999999",
		"panel=nope", "panel=Wire", "message=both", "view=raw", "messages=some", "stage=folded"} {
		q, _ := url.ParseQuery(query)
		if got, ok := selection.Read(q); ok {
			t.Errorf("Read(%q) = %+v, want none", query, got)
		}
	}
}
