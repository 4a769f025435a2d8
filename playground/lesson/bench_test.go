package lesson_test

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
)

// BenchmarkNew is what the lessons add to the start of the program.
func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		if _, err := lesson.New(); err != nil {
			b.Fatal(err)
		}
	}
}
