package lesson

import (
	"strings"
	"testing"
)

func TestExcerpts(t *testing.T) {
	got, err := excerpts("x\n\t// [one]\n\ta\n\n\t\tb\n\t// [/one]\ny\n# [one]\nc\n# [/one]\n")
	if err != nil || got["one"].source != "a\n\n\tb\n\nc\n" || len(got) != 1 {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"// [a]\n", "// [/a]\n", "// [a]\n// [/b]\n",
		"// [a]\n// [b]\n// [/b]\n// [/a]\n"} {
		if got, err := excerpts(bad); err == nil {
			t.Errorf("%q gives %v", bad, got)
		}
	}
}

// Every language shows the same lessons, also those that are still to come.
func TestExcerpts_AreTheSameInEveryLanguage(t *testing.T) {
	seen := map[string]int{}
	for _, p := range programs {
		for _, file := range p.files {
			data, err := files.ReadFile("listings/" + file)
			if err != nil {
				t.Fatal(err)
			}
			shown, err := excerpts(string(data))
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			for slug, x := range shown {
				seen[slug]++
				if n := strings.Count(x.source, "\n"); n > maxLines {
					t.Errorf("%s, %s: %d lines", file, slug, n)
				}
			}
		}
	}
	for slug, n := range seen {
		if n != 4 {
			t.Errorf("%s is shown in %d languages", slug, n)
		}
	}
}
