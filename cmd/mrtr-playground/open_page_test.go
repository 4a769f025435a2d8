package main

import (
	"os"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/web"
)

// TestOpenRoutes_PageIsTheTable: the document for operators lists what is open without a
// sign-in. With -update, its table is written.
func TestOpenRoutes_PageIsTheTable(t *testing.T) {
	const page, head = "../../../.deploy/README.md", "| what | routes |\n|---|---|\n"
	text, err := os.ReadFile("testdata/" + page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), head)
	_, after, ends := strings.Cut("\n"+rest, "\n\n")
	if !found || !ends {
		t.Fatalf("%s has no table of routes", page)
	}
	var b strings.Builder
	for _, open := range web.OpenRoutes() {
		what := open.What
		if open.Links {
			what += "; not with `-links people`"
		}
		b.WriteString("| " + what + " | `" + strings.Join(open.Routes, "`, `") + "` |\n")
	}
	golden(t, page, before+head+b.String()+"\n"+after)
}
