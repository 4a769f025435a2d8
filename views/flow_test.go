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
	"github.com/mrtr-playground/mrtr-playground/views"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
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
		e := views.NewFlowEditor(saved, preview.Input{
			Target: playground.Target{Name: mark, URL: "http://127.0.0.1:2322/mcp/flow/T"},
		}, "v1")
		var page bytes.Buffer
		if err := views.FlowPage(views.Page{Assets: assets}, e).Render(t.Context(), &page); err != nil {
			t.Fatal(err)
		}
		if html := htmltest.Parse(page.String()); html.Has("[data-evil]") || html.Has("[onclick]") {
			t.Error("the text has become markup")
		}
	})
}
