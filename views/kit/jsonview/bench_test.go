package jsonview

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// BenchmarkMessage lays out and renders a message of 20 KB, alone and beside the one before it.
func BenchmarkMessage(b *testing.B) {
	message := func(id int, state string) *jsontree.Node {
		var items []string
		for i := range 70 {
			items = append(items, fmt.Sprintf(`{"id":%d,"title":"Crash on start, item %d","fields":{`+
				`"System.State":"Active","System.Tags":["crash","it's \"urgent\"",null,true],`+
				`"System.Description":"The program stops, with a message that is `+
				`<too long> for one line, %d"},`+
				`"revision":%d.0,"assigned":{"name":"Älice","mail":"alice@example.com"}}`, i, i, i, i%7+id/2))
		}
		n, err := jsontree.Parse(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result":{"items":[%s],`+
			`"requestState":"%s","resultType":"input_required","_meta":{"progressToken":"r-%d"}}}`,
			id, strings.Join(items, ","), state, id), jsontree.Limits{})
		if err != nil {
			b.Fatal(err)
		}
		return n
	}
	before, after := message(1, strings.Repeat("s", 300)), message(2, strings.Repeat("s", 299)+"t")
	layout := Layout{ID: "response-1-state", StatePath: "/x/1?panel=state"}
	for _, c := range []struct {
		name   string
		before *jsontree.Node
	}{{"alone", nil}, {"compared", before}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(after.Raw())))
			for b.Loop() {
				page := Lines(layout.LayOut(c.before, after))
				if err := page.Render(b.Context(), io.Discard); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
