package lesson

import (
	"regexp"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// A formatted message is the same JSON, and only a line with one long string
// exceeds the page's width.
func TestMessage_FormattingKeepsTheJSON(t *testing.T) {
	for _, text := range []string{
		`{}`, `[]`, `{"id": 1}`, `{"a": [1, 2, {"b": null}], "c": "…"}`,
		`{"id": 2, "method": "tools/call", "params": {"name": "update_work_item", "arguments": ` +
			`{"workItemId": 4310, "fields": {"System.State": "Closed"}}, "inputResponses": ` +
			`{"completed_work": {"action": "accept", "content": {"hours": 3}}}}}`,
	} {
		node, err := jsontree.Parse([]byte(text), jsontree.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		layout(&b, node, 0, 0)
		got, err := jsontree.Parse([]byte(b.String()), jsontree.Limits{})
		if err != nil || !jsontree.Equal(got, node) {
			t.Errorf("%s becomes %s: %v", text, b.String(), err)
		}
		for line := range strings.Lines(b.String()) {
			if len([]rune(strings.TrimRight(line, "}]\n"))) > lineWidth+2 {
				t.Errorf("long line %q", line)
			}
		}
	}
}

func TestNew_RejectsFaultyLessons(t *testing.T) {
	whole := "---\nslug: a\ntitle: A\nsummary: S\nclause: x | X\nsample: s\nstart: " +
		"Go\n---\nText.\n\n> [!TRY]\n> Do it.\n\n```question\nWhy?\n+ Yes\n  Because.\n- No\n  " +
		"Not so.\n```\n"
	m := newMarkdown()
	if _, err := m.parseLesson(whole); err != nil {
		t.Fatalf("a whole lesson: %v", err)
	}
	for _, tt := range []struct{ name, from, to string }{
		{"no front matter", "---\nslug", "slug"},
		{"unknown key", "title:", "titel:"},
		{"no sample", "sample: s\n", ""},
		{"no clause", "x | X", "x"},
		{"no question", "```question", "```questions"},
		{"no explanation", "  Because.\n", ""},
		{"no right answer", "+ Yes", "- Yes"},
		{"two right answers", "- No", "+ No"},
		{"nothing to try", "[!TRY]", "[!NOTE]"},
		{"too many words", "Text.", strings.Repeat("word ", MaxWords)},
		{"a block that does not end", "  Not so.\n```\n", "  Not so.\n"},
		{"an unknown verb", "Text.", "```expect\nhope for the best\n```"},
		{"a broken example", "Text.", "```json sent\n{\"id\":\n```"},
		{"a call that is no JSON", "start: Go", "start: Go\ncall: tools/call {"},
	} {
		if _, err := m.parseLesson(strings.Replace(whole, tt.from, tt.to, 1)); err == nil {
			t.Errorf("%s is taken", tt.name)
		}
	}
}

// TestMessage_EscapesMarkup: text that is not Markdown is not markup.
func TestMessage_EscapesMarkup(t *testing.T) {
	out, err := newMarkdown().html("<script>x</script> <b onclick=y>z</b>\n\n[l](javascript:alert(1))\n")
	if err != nil || regexp.MustCompile(`<script|onclick|javascript:`).MatchString(out) {
		t.Errorf("%s, %v", out, err)
	}
}
