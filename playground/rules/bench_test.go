package rules_test

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"golang.org/x/tools/txtar"
)

func BenchmarkJudge(b *testing.B) {
	archive, err := txtar.ParseFile("testdata/state-moves.pass.txtar")
	if err != nil {
		b.Fatal(err)
	}
	x, _, err := play(archive)
	if err != nil {
		b.Fatal(err)
	}
	transcript := playground.Fold(x.Log)
	b.ReportAllocs()
	for b.Loop() {
		rules.JudgeFolded(x, transcript)
	}
}

func TestByID(t *testing.T) {
	for _, want := range rules.All() {
		if got, ok := rules.ByID(want.ID); !ok || got != want {
			t.Errorf("%s: %v, %v", want.ID, got, ok)
		}
	}
	if _, ok := rules.ByID("none"); ok {
		t.Error("found a rule that does not exist")
	}
	if n := testing.AllocsPerRun(100, func() { rules.ByID("x-mcp-header") }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
