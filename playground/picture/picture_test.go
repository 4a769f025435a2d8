package picture

import (
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/playground"
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

// check walks an SVG and fails on anything that a page of a stranger's words
// must not hold.
func checkSVG(t *testing.T, name string, svg []byte) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(string(svg)))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%s: not well-formed: %v\n%s", name, err, svg)
		}
		if e, ok := token.(xml.StartElement); ok {
			checkElement(t, name, e)
		}
		if c, ok := token.(xml.CharData); ok {
			checkVisible(t, name, string(c))
		}
	}
}

func checkElement(t *testing.T, name string, e xml.StartElement) {
	t.Helper()
	if !strings.Contains(" svg title desc g a rect path circle text ", " "+e.Name.Local+" ") {
		t.Errorf("%s: element %s", name, e.Name.Local)
	}
	for _, a := range e.Attr {
		if a.Name.Local == "style" || strings.HasPrefix(a.Name.Local, "on") || strings.Contains(a.Value, "url(") {
			t.Errorf("%s: attribute %s=%q", name, a.Name.Local, a.Value)
		}
		if a.Name.Local == "href" && !strings.HasPrefix(a.Value, "?round=") {
			t.Errorf("%s: link to %q", name, a.Value)
		}
	}
}

func checkVisible(t *testing.T, name, text string) {
	t.Helper()
	for _, r := range strings.Trim(text, "\n") {
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			t.Errorf("%s: invisible %U in %q", name, r, text)
		}
	}
}

// whispered is an exchange in which every word is the same stranger's.
func whispered(word string) *story {
	s := newStory("any", "http://x/mcp?copies=a:v1")
	s.x.Target.Name = word
	s.start().result("a/"+strings.Map(inHeader, word), inputRequired(word+".", asks(word, word), asks(word+"2", word)))
	s.wait(5 * time.Second)
	last := playground.Fold(s.x.Log).Last()
	d := playground.Decision{Action: playground.Answer}
	for _, q := range last.Questions {
		d.Answers = append(d.Answers, playground.Response{Key: q.Key, Value: []byte(`{"action":"accept","content":{"x":` + string(q.RawKey) + `}}`)})
	}
	return s.send(d).result("a/v1", inputRequired("", asks(word, word)))
}

func inHeader(r rune) rune {
	if r < ' ' || r == 0x7f {
		return '.'
	}
	return r
}

func TestWordsOfStrangersStayWords(t *testing.T) {
	for i, word := range hostile() {
		s := whispered(word)
		for _, width := range []int{0, NarrowWidth} {
			name := fmt.Sprintf("word %d at %d", i, width)
			p := s.draw(Options{Current: 2, Link: rounds, Width: width})
			checkSVG(t, name, p.SVG())
			checkSVG(t, name, s.timing(Options{Current: 2, Link: rounds, Width: width}).SVG())
			checkLayout(t, name, p)
			if size := len(p.SVG()); size > 20_000 {
				t.Errorf("%s: %d bytes", name, size)
			}
			for _, line := range p.Text() {
				checkVisible(t, name, line)
			}
		}
	}
}

func TestMermaidHoldsOneStatementPerLine(t *testing.T) {
	for _, word := range hostile() {
		for line := range strings.Lines(whispered(word).draw(Options{}).Mermaid()) {
			_, text, _ := strings.Cut(line, ": ")
			if strings.ContainsAny(strings.TrimSuffix(text, "\n"), "\n%<>\"{}") || strings.Contains(line, "%%") {
				t.Errorf("%.30q: %q", word, line)
			}
			if strings.Contains(" "+strings.TrimSuffix(text, "\n")+" ", " end ") {
				t.Errorf("%q closes a block", line)
			}
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
	if got := steps[len(steps)-2].State; !strings.HasSuffix(got, "changed") || strings.HasSuffix(got, "unchanged") {
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

func TestStyleSheetOfThePageIsTheSame(t *testing.T) {
	page, err := os.ReadFile("../../static/css/picture.css")
	if err != nil {
		t.Fatal(err)
	}
	if string(page) != style {
		t.Error("static/css/picture.css and picture.css differ")
	}
	for _, theme := range []string{"prefers-color-scheme: dark", "#1b5bb5", "#7eb0ff"} {
		if !strings.Contains(fileStyle(), theme) {
			t.Errorf("the file's style has no %s", theme)
		}
	}
	if strings.Contains(fileStyle(), "var(") {
		t.Error("the file's style needs the page's")
	}
}

func FuzzOf(f *testing.F) {
	for _, word := range hostile() {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, word string) {
		if len(word) > 4096 {
			return
		}
		p := whispered(word).draw(Options{Current: 1, Link: rounds})
		checkSVG(t, "fuzz", p.SVG())
		checkLayout(t, "fuzz", p)
	})
}
