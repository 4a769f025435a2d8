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
