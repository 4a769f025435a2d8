package views

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

func resultOf(t *testing.T, text string) *Result {
	t.Helper()
	n, err := jsontree.Parse([]byte(text), jsontree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return NewResult(playground.Round{Result: n, Final: n, Outcome: playground.OutcomeComplete}, playground.StatusComplete)
}

func TestContentIsShownForPeople(t *testing.T) {
	png := "iVBORw0KGgo="
	tests := []struct {
		content string
		want    ContentPart
	}{
		{`{"type":"text","text":"hi <b>"}`, ContentPart{Kind: "text", Text: "hi <b>"}},
		{`{"type":"image","mimeType":"image/png","data":"` + png + `"}`, ContentPart{Kind: "image", Text: "image/png", About: "8 bytes", Data: "data:image/png;base64," + png}},
		{`{"type":"audio","mimeType":"audio/wav","data":"AAAA"}`, ContentPart{Kind: "audio", Text: "audio/wav", About: "3 bytes", Data: "data:audio/wav;base64,AAAA"}},
		{`{"type":"image","mimeType":"image/svg+xml","data":"AAAA"}`, ContentPart{Kind: "other", Text: "image/svg+xml", About: "3 bytes, not shown: this type could carry script"}},
		{`{"type":"image","mimeType":"text/html","data":"AAAA"}`, ContentPart{Kind: "other", Text: "text/html", About: "3 bytes, not shown: this type could carry script"}},
		{`{"type":"image","mimeType":"image/png","data":"%%%"}`, ContentPart{Kind: "other", Text: "image/png", About: "not valid base64"}},
		{`{"type":"resource_link","uri":"file:///a","name":"a","title":"A"}`, ContentPart{Kind: "link", Text: "A", URI: "file:///a"}},
		{`{"type":"resource","resource":{"uri":"x:y","mimeType":"text/html","text":"<script>"}}`, ContentPart{Kind: "file", URI: "x:y", About: "text/html", Text: "<script>"}},
		{`{"type":"resource","resource":{"uri":"x:y","blob":"AAAA"}}`, ContentPart{Kind: "file", URI: "x:y", About: "3 bytes"}},
		{`{"type":"hologram","x":1}`, ContentPart{Kind: "other", Text: `{"type":"hologram","x":1}`, About: "hologram"}},
	}
	for _, test := range tests {
		got := resultOf(t, `{"content":[`+test.content+`]}`).Parts
		if diff := cmp.Diff([]ContentPart{test.want}, got); diff != "" {
			t.Errorf("%s: %s", test.content, diff)
		}
	}
}

func TestMessagesAndContentsAreResultsToo(t *testing.T) {
	prompt := resultOf(t, `{"messages":[{"role":"user","content":{"type":"text","text":"hi"}}]}`)
	if len(prompt.Parts) != 1 || prompt.Parts[0].Role != "user" || prompt.Parts[0].Text != "hi" {
		t.Errorf("prompt: %+v", prompt.Parts)
	}
	resource := resultOf(t, `{"contents":[{"uri":"a:b","text":"t"}]}`)
	if len(resource.Parts) != 1 || resource.Parts[0].Text != "t" {
		t.Errorf("resource: %+v", resource.Parts)
	}
}

func TestStructuredContentIsATableOrJSON(t *testing.T) {
	flat := resultOf(t, `{"content":[],"structuredContent":{"n":1.0,"s":"x"}}`)
	if diff := cmp.Diff([]StructuredLine{{"n", "1.0"}, {"s", "x"}}, flat.Structured); diff != "" {
		t.Error(diff)
	}
	if list := resultOf(t, `{"structuredContent":[1, 2]}`); list.JSON != "[1, 2]" {
		t.Errorf("got %q", list.JSON)
	}
}

// TestEveryServersWordIsText renders a result full of markup.
func TestEveryServersWordIsText(t *testing.T) {
	evil := `<script>x</script><img src=y onerror=z>`
	r := resultOf(t, `{"content":[{"type":"text","text":"`+evil+`"},{"type":"resource_link","uri":"javascript:x","name":"`+evil+`"},{"type":"`+evil+`"}],"structuredContent":{"`+evil+`":"`+evil+`"}}`)
	var b strings.Builder
	if err := ResultView(*r).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script", "<img", `href="javascript`} {
		if strings.Contains(b.String(), bad) {
			t.Errorf("%s in %s", bad, b.String())
		}
	}
}
