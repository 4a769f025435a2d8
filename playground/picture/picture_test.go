package picture

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/static"
)

var update = flag.Bool("update", false, "write the golden files")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s changed (run with -update if it should):\n%s", name, diff)
	}
}

func rounds(n int) string { return fmt.Sprintf("?round=%d", n) }

func TestStoriesLookAsBefore(t *testing.T) {
	for _, name := range []string{"devops", "done", "upgrade", "shedding", "reset", "refused"} {
		s := stories()[name]
		p := s.draw(Options{Current: s.round, Link: rounds})
		golden(t, name+".svg", p.SVG())
		golden(t, name+".mmd", []byte(p.Mermaid()))
		golden(t, name+".txt", []byte(strings.Join(p.Text(), "\n")+"\n"))
	}
	golden(t, "done-timing.svg", stories()["done"].timing(Options{}).SVG())
	golden(t, "landing.svg", Landing().SVG())
	golden(t, "done-file.svg", stories()["done"].draw(Options{}).Standalone())
}

func TestTenRoundsStayUnderTwentyKilobytes(t *testing.T) {
	for _, width := range []int{0, NarrowWidth} {
		p := long(10).draw(Options{Current: 10, Link: rounds, Width: width})
		if size := len(p.SVG()); size > 20_000 {
			t.Errorf("width %d: %d bytes", width, size)
		}
	}
}

func TestEveryArrowHasASentence(t *testing.T) {
	for name, s := range stories() {
		p := s.draw(Options{})
		for i, line := range p.Text() {
			if !strings.HasSuffix(strings.TrimRight(line, "”"), ".") && !strings.HasSuffix(line, "”") {
				t.Errorf("%s, step %d: %q is no sentence", name, i, line)
			}
		}
	}
}

func TestHiddenAnswersAreNotDrawn(t *testing.T) {
	p := devopsDone().draw(Options{HideAnswers: true})
	all := string(p.SVG()) + p.Mermaid() + strings.Join(p.Text(), "\n")
	if strings.Contains(all, "4301") || strings.Contains(all, "Duplicate<") {
		t.Error("an answer shows")
	}
}

func TestChangedStateIsSaid(t *testing.T) {
	s := devops().answer("duplicate_of", `{"duplicateOfId":1}`)
	sent := &s.x.Log[len(s.x.Log)-1]
	sent.Data = []byte(strings.Replace(string(sent.Data), "ssss", "stss", 1))
	steps := s.draw(Options{}).Steps
	if got := steps[len(steps)-2].State; !strings.HasSuffix(got, "changed") ||
		strings.HasSuffix(got, "unchanged") {
		t.Errorf("state %q", got)
	}
}

func TestDescriptionSaysWhereThingsStand(t *testing.T) {
	svg := string(devops().draw(Options{}).SVG())
	if !strings.Contains(svg, "-desc\">9 steps. Now: it is your turn to answer.</desc>") {
		t.Errorf("description: %.400s", svg)
	}
}

func TestAFileCarriesItsStyleAndNoLinks(t *testing.T) {
	file := string(devops().draw(Options{Link: rounds}).Standalone())
	if !strings.Contains(file, "<style>") || strings.Contains(file, "<a ") {
		t.Errorf("file: %.400s", file)
	}
}

func TestStandaloneStyle_HasBothThemesAndNoCustomProperties(t *testing.T) {
	for _, part := range []string{"prefers-color-scheme: dark", static.Light.Value("client"),
		static.Dark.Value("client")} {
		if !strings.Contains(fileStyle, part) {
			t.Errorf("the style of a file has no %s", part)
		}
	}
	if strings.Contains(fileStyle, "var(") {
		t.Error("the style of a file has unresolved custom properties")
	}
}
