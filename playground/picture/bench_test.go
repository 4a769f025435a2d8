package picture

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

func BenchmarkSVG(b *testing.B) {
	s := devopsDone()
	f := playground.Fold(s.x.Log)
	b.ReportAllocs()
	for b.Loop() {
		Of(s.x, f, Options{Current: 2, Link: rounds}).SVG()
	}
}

func BenchmarkCard(b *testing.B) {
	c := Card{Title: "update_work_item", Line: "3 rounds to Azure DevOps (sample), complete",
		Foot: "a recording", Pictures: []Picture{devopsDone().draw(Options{})}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.PNG(); err != nil {
			b.Fatal(err)
		}
	}
}
