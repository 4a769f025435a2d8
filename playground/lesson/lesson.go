package lesson

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// maxWords is the limit for the length of a lesson, so that it can be read in
// one sitting.
const maxWords = 300

// Lesson is one guided page.
type Lesson struct {
	N        int // from 1
	Slug     string
	Title    string
	Summary  string // one line
	HTML     string
	Plain    string // the text alone, for search
	Markdown string // the text as it was written, for programs
	Clause   Link   // of the specification
	Live     Live
	Question Question
	Listings []Listing // complete programs
	Lines    []Listing // the lines that carry the idea, one entry per language
	Script   Script
	Drawing  string   // the name of a drawing below the text; empty for none
	Rules    []string // ids of the rules that a marked sentence treats
	Actions  int      // clicks and fields of its actions
	Time     time.Duration
	Prev     *Neighbor // nil at the ends
	Next     *Neighbor
}

// SignInDrawing is the drawing of a whole sign-in.
const SignInDrawing = "sign-in"

// Neighbor is the previous or next lesson.
type Neighbor struct{ Path, Title string }

// Path returns the URL path of the lesson.
func (l Lesson) Path() string { return "/learn/" + l.Slug }

// Link is a link with its text.
type Link struct{ Href, Words string }

// specification is the URL of the revision that the lessons explain.
const specification = "https://modelcontextprotocol.io/specification/2026-07-28/"

// clause parses "PATH | TEXT"; a path is relative to the specification.
func clause(value string) Link {
	path, words := pair(value)
	if !strings.HasPrefix(path, "https://") {
		path = specification + path
	}
	return Link{path, words}
}

// Live is the exchange of a lesson: a sample, the parameters of its URL, and
// the call.
type Live struct {
	Sample   string
	Label    string          // of the button
	Query    string          // parameters of the sample's URL; empty: the sample's own
	Declare  json.RawMessage // client capabilities; nil: all that this client has
	Instance string          // gets the first request; empty: the load balancer chooses
	Choice   Choice          // of one parameter of the sample's URL; zero for none
	Edit     bool            // the lesson offers to edit the next request
	Call     playground.Call // zero: the sample's own start
}

// Choice is a parameter of a sample's URL that the learner chooses.
type Choice struct {
	Name   string
	Values []string
}

// Has reports whether a value can be chosen.
func (c Choice) Has(value string) bool { return slices.Contains(c.Values, value) }

// parseLive parses the front matter of a live exchange. A call is written as
// "METHOD PARAMS".
func parseLive(f frontMatter) (Live, error) {
	live := Live{Sample: f.value("sample"), Label: f.value("start"), Query: f.value("query"),
		Instance: f.value("first")}
	if live.Sample == "" || live.Label == "" {
		return live, fmt.Errorf("no live exchange: sample or start is missing")
	}
	if text := f.value("declare"); text != "" {
		if !json.Valid([]byte(text)) {
			return live, fmt.Errorf("declare: not JSON")
		}
		live.Declare = json.RawMessage(text)
	}
	if words := strings.Fields(f.value("choice")); len(words) > 0 {
		if len(words) < 3 {
			return live, fmt.Errorf("choice: want a parameter and at least two values")
		}
		live.Choice = Choice{words[0], words[1:]}
	}
	switch f.value("edit") {
	case "":
	case "yes":
		live.Edit = true
	default:
		return live, fmt.Errorf("edit: want yes or nothing")
	}
	if text := f.value("call"); text != "" {
		method, params, _ := strings.Cut(text, " ")
		if !json.Valid([]byte(params)) {
			return live, fmt.Errorf("call: params are not JSON")
		}
		live.Call = playground.Call{Method: method, Params: json.RawMessage(params)}
	}
	return live, nil
}

// lessonKeys are the keys of a lesson's front matter.
var lessonKeys = []string{"slug", "title", "summary", "clause", "sample", "start", "query", "first",
	"call", "declare", "listing", "choice", "edit", "actions", "drawing"}

func (m markdown) parseLesson(text string) (Lesson, error) {
	f, body, err := splitFrontMatter(text, lessonKeys...)
	if err != nil {
		return Lesson{}, err
	}
	l := Lesson{Slug: f.value("slug"), Title: f.value("title"), Summary: f.value("summary"),
		Clause: clause(f.value("clause")), Drawing: f.value("drawing")}
	if l.Slug == "" || l.Title == "" || l.Summary == "" || l.Clause.Words == "" {
		return l, fmt.Errorf("slug, title, summary or clause is missing")
	}
	if l.Drawing != "" && l.Drawing != SignInDrawing {
		return l, fmt.Errorf("drawing: unknown name %q", l.Drawing)
	}
	if l.Live, err = parseLive(f); err != nil {
		return l, err
	}
	if l.Listings, err = readListings(f["listing"]); err != nil {
		return l, err
	}
	if err = m.fill(&l, body); err != nil {
		return l, err
	}
	return l, l.measure(f.value("actions"))
}

// fill parses the body: prose, one question, and the claims.
func (m markdown) fill(l *Lesson, body string) error {
	prose, blocks, err := cutBlocks(body, "expect", "question")
	if err != nil {
		return err
	}
	at := rounds{sample: l.Live.Sample}
	var messages []string
	for i, b := range blocks {
		from := len(l.Script)
		if err := m.addBlock(l, i+1, b); err != nil {
			return err
		}
		for _, s := range l.Script[from:] {
			at.step(s)
		}
		if b.kind == "json" || b.kind == "http" {
			messages = append(messages, at.message(b.info))
		}
	}
	if l.Question.Text == "" {
		return fmt.Errorf("no question")
	}
	if !strings.Contains(prose, "> [!TRY]") {
		return fmt.Errorf("nothing to try")
	}
	l.Markdown = strings.TrimSpace(withoutMarks(prose))
	l.Plain = m.plain(l.Markdown)
	if n := len(strings.Fields(l.Plain)); n >= maxWords {
		return fmt.Errorf("%d words; a lesson has fewer than %d", n, maxWords)
	}
	if l.HTML, err = m.html(prose); err != nil {
		return err
	}
	l.HTML, l.Rules, err = markTaught(l.HTML)
	l.HTML = pointAtInstances(pointAtMessages(l.HTML, messages))
	return err
}

// addBlock adds the question or the claims of a block. n is the number of the
// block.
func (m markdown) addBlock(l *Lesson, n int, b block) error {
	if b.kind != "question" {
		steps, err := parseSteps(n, b)
		l.Script = append(l.Script, steps...)
		return err
	}
	if l.Question.Text != "" {
		return fmt.Errorf("two questions")
	}
	q, err := m.parseQuestion(b.text)
	l.Question = q
	return err
}
