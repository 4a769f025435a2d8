package control

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
)

// Every text inside a part can be sent as an empty string: the box that says so
// is there, and its value is read.
func TestFields_EmptyTextInsideParts(t *testing.T) {
	f, err := form.Arguments(json.RawMessage(`{"type":"object","properties":{
		"group":{"type":"object","properties":{"note":{"type":"string"}}},
		"list":{"type":"array","items":{"type":"string"},"default":["x"]},
		"map":{"type":"object","additionalProperties":{"type":"string"},"default":{"k":"v"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{`"group":{"note":""}`, `"list":[""]`, `"map":{"k":""}`} {
		var b strings.Builder
		if err := Fields("t0", f, nil, EditLink{}).Render(context.Background(), &b); err != nil {
			t.Fatal(err)
		}
		name := form.PartEmpty(form.Name("t0", i) + ".0")
		if !htmltest.Parse(b.String()).Has(`[name="` + name + `"]`) {
			t.Errorf("no box %s", name)
		}
		values := url.Values{}
		for i, rows := range []string{"", "0", "0"} {
			if rows != "" {
				values.Set(form.RowsName(form.Name("t0", i)), rows)
			}
		}
		values.Set(form.KeyPart(form.Name("t0", 2)+".0"), "k")
		values.Set(name, "true")
		got, _ := f.Read(form.ReadEntries(values, "t0"))
		if !strings.Contains(string(got), want) {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}
