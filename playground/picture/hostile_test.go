package picture

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// checkSVG walks an SVG and fails on anything that a page of a stranger's words
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
		if a.Name.Local == "style" || strings.HasPrefix(a.Name.Local, "on") ||
			strings.Contains(a.Value, "url(") {
			t.Errorf("%s: attribute %s=%q", name, a.Name.Local, a.Value)
		}
		if a.Name.Local == "href" && !strings.HasPrefix(a.Value, "?round=") {
			t.Errorf("%s: link to %q", name, a.Value)
		}
	}
}

func checkVisible(t *testing.T, name, words string) {
	t.Helper()
	words = strings.Trim(words, "\n")
	if hidden := text.Hidden(words); len(hidden) > 0 || strings.ContainsAny(words, "\n\t") {
		t.Errorf("%s: invisible %U in %q", name, hidden, words)
	}
}

// whispered is an exchange in which every word is the same stranger's.
func whispered(word string) *story {
	s := newStory("any", "http://x/mcp?instances=a:v1")
	s.x.Target.Name = word
	s.start().result("a/"+strings.Map(inHeader, word),
		inputRequired(word+".", asks(word, word), asks(word+"2", word)))
	s.wait(5 * time.Second)
	last := playground.Fold(s.x.Log).Last()
	d := playground.Decision{Action: playground.ActionAnswer}
	for _, q := range last.Questions {
		d.Answers = append(d.Answers,
			playground.Answer{Key: q.Key,
				Value: []byte(`{"action":"accept","content":{"x":` + string(q.RawKey) + `}}`)})
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
			if strings.ContainsAny(strings.TrimSuffix(text, "\n"), "\n%<>\"{}") ||
				strings.Contains(line, "%%") {
				t.Errorf("%.30q: %q", word, line)
			}
			if strings.Contains(" "+strings.TrimSuffix(text, "\n")+" ", " end ") {
				t.Errorf("%q closes a block", line)
			}
		}
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
