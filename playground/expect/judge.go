package expect

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// Judgement is what came of an expectation.
type Judgement struct {
	Lines       []verdict.Line // one for each condition, in the order of the call
	Differences []Difference
	Gap         string // why nothing was judged, in one sentence; empty if something was
}

// Met reports whether every condition passed.
func (j Judgement) Met() bool {
	return !slices.ContainsFunc(j.Lines, func(l verdict.Line) bool { return l.Outcome != verdict.Passed })
}

// Judge judges the recording of a call by the expectation.
func (e Expectation) Judge(f playground.Transcript) Judgement {
	if e.whole != nil {
		return e.judgeWhole(f)
	}
	j := judge{f: f, asking: asking(f)}
	for i, r := range e.Rounds {
		j.round(i, r)
	}
	j.end(e)
	if gap := noAnswer(f); gap != "" {
		for i := range j.Lines {
			j.Lines[i].Outcome, j.Lines[i].Sentence = verdict.NotJudged, gap
		}
		j.Gap, j.Differences = gap, nil
	}
	return j.Judgement
}

// judgeWhole compares everything with the recording: a line for each recorded Round.
func (e Expectation) judgeWhole(f playground.Transcript) Judgement {
	j := Judgement{Differences: differences(e.whole, f.Rounds)}
	for i := range max(len(e.whole), len(f.Rounds)) {
		l := verdict.Line{
			ID: fmt.Sprintf("round-%d", i+1), Title: fmt.Sprintf("Round %d is as it was recorded.", i+1),
			Outcome: verdict.Passed,
		}
		l.Sentence = l.Title
		for _, d := range j.Differences {
			if d.Round == i+1 && l.Outcome == verdict.Passed {
				l.Outcome = verdict.Failed
				l.Sentence = fmt.Sprintf("%s was %s, and is %s.", cmpPath(d.Path), d.Was, d.Is)
			} else if d.Round == i+1 {
				l.Times++
			}
		}
		j.Lines = append(j.Lines, l)
	}
	return j
}

func cmpPath(path string) string {
	if path == "" {
		return "The response"
	}
	return path
}

// noAnswer says why a call shows nothing about the server: nothing came back. It is empty if
// something did.
func noAnswer(f playground.Transcript) string {
	last := f.Last()
	switch {
	case last == nil:
		return "The call was not made."
	case len(asking(f)) > 0:
		return ""
	}
	switch last.Kind {
	case playground.OutcomeTransportError, playground.OutcomePending, playground.OutcomeInterrupted,
		playground.OutcomeCancelled:
		why := strings.TrimSuffix(strings.TrimSpace(last.Detail), ".")
		first, _ := utf8.DecodeRuneInString(why)
		switch {
		case why == "":
			return "The server sent no response."
		case unicode.IsUpper(first): // a sentence of its own
			return "The server sent no response. " + text.Visible(why, 300) + "."
		}
		return "The server sent no response: " + text.Visible(why, 300) + "."
	}
	return ""
}

// judge makes the lines of one Judgement.
type judge struct {
	Judgement
	f      playground.Transcript
	asking []playground.Round
}

// add adds the line of a condition. The sentence is that of a failure; a condition that holds
// says its title.
func (j *judge) add(id, title string, o verdict.Outcome, sentence string) {
	if o == verdict.Passed {
		sentence = title
	}
	j.Lines = append(j.Lines, verdict.Line{
		ID: id, Title: text.Visible(title, 400), Outcome: o, Sentence: text.Visible(sentence, 600),
	})
}

// differs adds a difference.
func (j *judge) differs(round int, path, was, is string) {
	j.Differences = append(j.Differences, Difference{round, path, was, is})
}

// round judges what the server asks in its round at index i.
func (j *judge) round(i int, want Round) {
	id, title := fmt.Sprintf("round-%d", i+1), fmt.Sprintf("Round %d %s.", i+1, asks(want.Asks))
	if i > len(j.asking) {
		j.add(id, title, verdict.NotReached, "the call ended before it")
		j.skip(i, want, "the call ended before it")
		return
	}
	if i == len(j.asking) {
		came := "nothing came"
		if last := j.f.Last(); last != nil {
			came = ended(*last)
		}
		j.differs(i+1, "asks", asks(want.Asks), came)
		j.add(id, title, verdict.Failed, fmt.Sprintf("%s Expected: round %d %s.", j.afterwards(i), i+1,
			asks(want.Asks)))
		j.skip(i, want, "the question did not come")
		return
	}
	is := j.asking[i]
	if left := missing(want, is); len(left) > 0 || len(want.Asks) != len(is.Questions) {
		j.differs(is.N, "asks", asks(want.Asks), asks(asked(is)))
		j.add(id, title, verdict.Failed, fmt.Sprintf("Round %d %s. Expected: it %s.", i+1, asks(asked(is)),
			asks(want.Asks)))
	} else {
		j.add(id, title, verdict.Passed, "")
	}
	for k, a := range want.Asks {
		q := questionOf(is, a, k)
		if q == nil {
			j.skipAsk(i, k, a, "the question did not come")
			continue
		}
		j.ask(i, k, a, is.N, *q)
	}
}

// afterwards says what came after n rounds in place of a question.
func (j *judge) afterwards(n int) string {
	last := j.f.Last()
	switch {
	case last == nil:
		return "The call was not made."
	case n == 0:
		return "The call " + endWords(*last) + " without a question."
	}
	return fmt.Sprintf("The call %s after %s with questions.", endWords(*last), text.Plural(n, "round"))
}

// missing returns the expected questions that a round does not ask.
func missing(want Round, is playground.Round) []Ask {
	var list []Ask
	for k, a := range want.Asks {
		if q := questionOf(is, a, k); q == nil || q.Method != a.Method {
			list = append(list, a)
		}
	}
	return list
}

// questionOf returns the question with the key of a, or the one at index k if it has none.
func questionOf(r playground.Round, a Ask, k int) *playground.Question {
	if a.Key == "" {
		if k < len(r.Questions) {
			return &r.Questions[k]
		}
		return nil
	}
	for i := range r.Questions {
		if r.Questions[i].Key == a.Key {
			return &r.Questions[i]
		}
	}
	return nil
}

// ids returns the ids of the conditions on question k of round i.
func ids(i, k int, a Ask) (message, schema string) {
	name := a.Key
	if name == "" {
		name = fmt.Sprint(k + 1)
	}
	base := fmt.Sprintf("round-%d/%s/", i+1, name)
	return base + "message", base + "schema"
}

// ask judges the message and the schema of a question.
func (j *judge) ask(i, k int, want Ask, round int, q playground.Question) {
	message, schema := ids(i, k, want)
	if want.Message != nil {
		came := q.Params.Get("message").Str()
		title := fmt.Sprintf("Round %d, %s has the message %q.", i+1, want.name(), *want.Message)
		if came == *want.Message {
			j.add(message, title, verdict.Passed, "")
		} else {
			j.differs(round, "asks/"+want.Key+"/message", *want.Message, came)
			j.add(message, title, verdict.Failed, fmt.Sprintf("The message is %q. Expected: %q.", came,
				*want.Message))
		}
	}
	if want.Schema == nil {
		return
	}
	title := fmt.Sprintf("Round %d, %s has the expected form.", i+1, want.name())
	node, err := jsontree.Parse(want.Schema, jsontree.Limits{})
	if err != nil {
		j.add(schema, title, verdict.NotJudged, "the expected schema cannot be read: "+err.Error())
		return
	}
	changes := jsontree.Diff(node, schemaOf(q))
	if len(changes) == 0 {
		j.add(schema, title, verdict.Passed, "")
		return
	}
	for _, c := range changes {
		j.differs(round, "asks/"+want.Key+"/schema"+jsontree.Pointer(c.Path...),
			string(c.Before.Raw()), string(c.After.Raw()))
	}
	j.add(schema, title, verdict.Failed, "The form differs: "+changesWords(changes)+".")
}

// mostChanges is how many changes a sentence names.
const mostChanges = 3

// changesWords names changes of a document in a sentence.
func changesWords(changes []jsontree.Change) string {
	var words []string
	for _, c := range changes[:min(len(changes), mostChanges)] {
		path := jsontree.Pointer(c.Path...)
		if path == "" {
			path = "the whole"
		}
		words = append(words, string(c.Kind)+" "+text.Visible(path, 120))
	}
	if n := len(changes) - mostChanges; n > 0 {
		words = append(words, fmt.Sprintf("%d more", n))
	}
	return strings.Join(words, ", ")
}

// skip adds the conditions on the questions of a round that did not come.
func (j *judge) skip(i int, want Round, why string) {
	for k, a := range want.Asks {
		j.skipAsk(i, k, a, why)
	}
}

func (j *judge) skipAsk(i, k int, a Ask, why string) {
	message, schema := ids(i, k, a)
	if a.Message != nil {
		j.add(message, fmt.Sprintf("Round %d, %s has the expected message.", i+1, a.name()),
			verdict.NotReached, why)
	}
	if a.Schema != nil {
		j.add(schema, fmt.Sprintf("Round %d, %s has the expected form.", i+1, a.name()),
			verdict.NotReached, why)
	}
}

// end judges how the call ended, and its result.
func (j *judge) end(e Expectation) {
	more := len(j.asking) - len(e.Rounds)
	if more > 0 {
		r := j.asking[len(e.Rounds)]
		j.differs(r.N, "asks", "nothing", asks(asked(r)))
	}
	if e.Result == nil {
		if more > 0 {
			j.add("end", "The call asks nothing more.", verdict.Failed,
				"The call goes on: it "+asks(asked(j.asking[len(e.Rounds)]))+".")
		}
		return
	}
	title := "The call " + e.Result.ends() + "."
	last := j.f.Last()
	switch {
	case more > 0:
		j.add("end", title, verdict.Failed, fmt.Sprintf("The call asks more than expected: round %d %s.",
			len(e.Rounds)+1, asks(asked(j.asking[len(e.Rounds)]))))
	case last == nil:
		j.add("end", title, verdict.NotReached, "the call was not made")
	case last.Open():
		j.add("end", title, verdict.NotReached, "the call is still open")
	case !e.Result.fits(*last):
		j.differs(last.N, "outcome", e.Result.words(), ended(*last))
		sentence := fmt.Sprintf("The call %s. Expected: it %s. %s", endWords(*last), e.Result.ends(),
			last.Detail)
		j.add("end", title, verdict.Failed, strings.TrimSpace(sentence))
	default:
		j.add("end", title, verdict.Passed, "")
	}
	reached := last != nil && last.Kind == e.Result.Outcome
	for i, c := range e.Result.Must {
		j.condition(i, c, last, reached)
	}
	if e.Result.Most > 0 {
		j.time(e.Result.Most, reached)
	}
}

// fits reports whether a round ends the call as expected.
func (r Result) fits(is playground.Round) bool {
	switch {
	case is.Kind != r.Outcome:
		return false
	case r.IsError != nil && *r.IsError != is.IsError:
		return false
	case r.Code != nil && (is.Error == nil || is.Error.Code != *r.Code):
		return false
	}
	return true
}

// condition judges one condition on the result.
func (j *judge) condition(i int, c Condition, last *playground.Round, reached bool) {
	id, title := c.words(i)
	if !reached {
		j.add(id, title, verdict.NotReached, "the call did not end as expected")
		return
	}
	result := last.Final
	if result == nil {
		result = last.Result
	}
	if c.Path == nil {
		came := strings.Join(textsOf(result), "\n")
		if strings.Contains(came, c.Contains) {
			j.add(id, title, verdict.Passed, "")
			return
		}
		j.differs(last.N, "text", c.Contains, came)
		j.add(id, title, verdict.Failed, fmt.Sprintf(
			"The text of the result is %q. Expected: it contains %q.",
			text.Visible(came, 250), text.Visible(c.Contains, 250)))
		return
	}
	path, _ := jsontree.ParsePointer(*c.Path)
	value := result
	if len(path) > 0 {
		value = result.At(path...)
	}
	o, sentence := c.judge(value)
	if o == verdict.Failed {
		expected := string(c.Equals)
		switch {
		case c.Contains != "":
			expected = c.Contains
		case c.Schema != nil:
			expected = "a value that conforms to the schema"
		}
		j.differs(last.N, *c.Path, expected, string(value.Raw()))
	}
	j.add(id, title, o, sentence)
}

// words returns the id and the title of condition i.
func (c Condition) words(i int) (id, title string) {
	where := "The text of the result"
	if c.Path != nil {
		where = "The value at " + cmpPath(*c.Path)
		if *c.Path == "" {
			where = "The result"
		}
	}
	id = fmt.Sprintf("result-%d", i+1)
	switch {
	case c.Contains != "":
		return id, fmt.Sprintf("%s contains %q.", where, text.Visible(c.Contains, 200))
	case c.Schema != nil:
		return id, where + " conforms to its schema."
	}
	return id, fmt.Sprintf("%s is %s.", where, text.Visible(string(c.Equals), 200))
}

// judge judges the value at the path of a condition.
func (c Condition) judge(value *jsontree.Node) (verdict.Outcome, string) {
	if value == nil {
		return verdict.Failed, fmt.Sprintf("The result has no value at %s.", *c.Path)
	}
	is := text.Visible(string(value.Raw()), 200)
	switch {
	case c.Contains != "":
		s, isText := value.Text()
		if isText && strings.Contains(s, c.Contains) {
			return verdict.Passed, ""
		}
		return verdict.Failed, "The value is " + is + "."
	case c.Schema != nil:
		conformity, err := form.Conforms(c.Schema, value.Raw())
		switch {
		case errors.Is(err, form.ErrUnchecked):
			return verdict.NotJudged, strings.TrimPrefix(err.Error(), "not checked: ")
		case err != nil:
			return verdict.NotJudged, err.Error()
		case len(conformity.Faults) > 0:
			return verdict.Failed, "The value does not conform: " + strings.Join(conformity.Faults, ", ") +
				"."
		}
		return verdict.Passed, ""
	}
	want, err := jsontree.Parse(c.Equals, jsontree.Limits{})
	switch {
	case err != nil:
		return verdict.NotJudged, "the expected value cannot be read: " + err.Error()
	case jsontree.Equal(want, value):
		return verdict.Passed, ""
	}
	return verdict.Failed, fmt.Sprintf("The value at %s is %s. Expected: %s.", cmpPath(*c.Path), is,
		text.Visible(string(c.Equals), 200))
}

// time judges how long the rounds took together, without the time between them.
func (j *judge) time(most time.Duration, reached bool) {
	title := fmt.Sprintf("The rounds take at most %s together.", text.Duration(most))
	if !reached {
		j.add("time", title, verdict.NotReached, "the call did not end as expected")
		return
	}
	took := Took(j.f)
	if took <= most {
		j.add("time", title, verdict.Passed, "")
		return
	}
	j.differs(j.f.Last().N, "time", text.Duration(most), text.Duration(took))
	j.add("time", title, verdict.Failed, fmt.Sprintf("The rounds took %s together.", text.Duration(took)))
}

// textsOf returns the texts of a result: of a tool, a prompt or a resource.
func textsOf(result *jsontree.Node) []string {
	var list []string
	add := func(n *jsontree.Node) {
		if s, ok := n.Get("text").Text(); ok {
			list = append(list, s)
		}
	}
	for _, n := range result.Get("content").Elements() {
		add(n)
	}
	for _, n := range result.Get("contents").Elements() {
		add(n)
	}
	for _, n := range result.Get("messages").Elements() {
		add(n.Get("content"))
	}
	return list
}
