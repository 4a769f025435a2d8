package views_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/preview"
	"github.com/mrtr-playground/mrtr-playground/static"
	flowview "github.com/mrtr-playground/mrtr-playground/views/flow"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
)

// Whatever the text of a flow is, its page can be made, and the text adds neither
// an element nor an attribute to it (fault 123).
func FuzzFlowPage(f *testing.F) {
	for _, x := range flow.Examples() {
		f.Add(x.Source, "<b data-evil onclick=x>")
	}
	f.Add("flow: 1\nname: MARK\nresult: MARK", "</textarea><b data-evil>")
	f.Add(`{"flow":1,"name":"a","title":"MARK","result":"MARK {{version}}"}`,
		"\u202e\u0000</title><b data-evil>")
	assets, err := static.New()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, source, mark string) {
		quoted, err := json.Marshal(mark + "<b data-evil>")
		if err != nil {
			return
		}
		source = strings.ReplaceAll(source, "MARK", strings.Trim(string(quoted), `"`))
		saved := flow.Saved{ID: "F", Token: "T", Title: mark + "<b data-evil>", Text: source, Number: 1}
		e := flowview.NewEditor(saved, preview.Input{
			Target: playground.Target{Name: mark, URL: "http://127.0.0.1:2322/mcp/flow/T"},
		}, "v1")
		var page bytes.Buffer
		if err := flowview.Page(layout.Page{Assets: assets}, e).Render(t.Context(), &page); err != nil {
			t.Fatal(err)
		}
		if html := htmltest.Parse(page.String()); html.Has("[data-evil]") || html.Has("[onclick]") {
			t.Error("the text has become markup")
		}
	})
}

// TestFlowPage_NamesFieldsVisibly: the name of a field has its unseen characters as numbers
// where it names a group of controls.
func TestFlowPage_NamesFieldsVisibly(t *testing.T) {
	assets, err := static.New()
	if err != nil {
		t.Fatal(err)
	}
	const source = "flow: 1\nname: a\narguments:\n  \"b\u202e\": text\nresult: done\n"
	e := flowview.NewEditor(flow.Saved{ID: "F", Token: "T", Title: "a", Text: source, Number: 1},
		preview.Input{Target: playground.Target{Name: "a", URL: "http://127.0.0.1:2322/mcp/flow/T"}}, "v1")
	var page bytes.Buffer
	if err := flowview.Page(layout.Page{Assets: assets}, e).Render(t.Context(), &page); err != nil {
		t.Fatal(err)
	}
	const name = "b⟨U+202E⟩"
	html := htmltest.Parse(page.String())
	if !html.Has(`[aria-label="argument `+name+`"]`) || !html.Has(`[data-flow-field="`+name+`"]`) {
		t.Error("the name is not visible")
	}
}
