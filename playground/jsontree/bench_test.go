package jsontree

import (
	"encoding/json"
	"strings"
	"testing"
)

func BenchmarkParse(b *testing.B) {
	src := []byte("[" + strings.Repeat(`{"name":"update_work_item","n":4522,"list":[true,null,"x"]},`,
		10000) + "0]")
	b.Run("jsontree", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Parse(src, Limits{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding/json", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		b.ReportAllocs()
		for b.Loop() {
			var v any
			if err := json.Unmarshal(src, &v); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkParse_Short parses a document as long as most messages are.
func BenchmarkParse_Short(b *testing.B) {
	src := []byte(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"update_work_item",` +
		`"arguments":{"workItemId":4522,"fields":{"System.State":"Resolved"}},"inputResponses":` +
		`{"resolution":{"action":"accept","content":{"resolution":"Duplicate"}}}}}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(src, Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}
