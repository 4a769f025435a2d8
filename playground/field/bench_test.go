package field_test

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/field"
)

func BenchmarkShare(b *testing.B) {
	field.Subjects()
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := field.Share("field-typescript-server"); !ok {
			b.Fatal("no recording")
		}
	}
}
