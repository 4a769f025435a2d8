package demo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// small is a story with nothing but the required members, and a place for more.
const small = `story: 1
title: T
claim: C
server: {sample: confirm}
call: {method: tools/call, params: {name: a}}
steps:
  - button: Go
    send: any
    title: Done.
    expect: complete
`

func TestParse_Defaults(t *testing.T) {
	s, problems := Parse([]byte(small))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if s.Instances != "a:v1,b:v1" || s.First != "a" || s.HasBefore() || s.IsRecorded() ||
		string(s.Call.Params) != `{"name":"a"}` {
		t.Errorf("%+v", s)
	}
	asJSON := `{"story":1,"title":"T","claim":"C","server":{"sample":"confirm"},` +
		`"call":{"method":"tools/call","params":{"name":"a"}},` +
		`"steps":[{"button":"Go","send":"any","title":"Done.","expect":"complete"}]}`
	if _, problems := Parse([]byte(asJSON)); len(problems) > 0 {
		t.Errorf("as JSON: %v", problems)
	}
}

// A step that sends nothing expects what the step before it expected, and what
// happens at a step happens before MRTR too.
func TestParse_DerivesWhatFollows(t *testing.T) {
	s, problems := Parse([]byte(small + `    before: It works.
  - {button: Drain, drain: asker, title: Drained.}
  - {button: Past, show: before, title: Past.}
before: {verdict: Stuck.}
`))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if s.Steps[2].Expect != "complete" || len(s.Before.Acts) != 1 || s.Before.Sample != "confirm" ||
		s.Before.Instances != s.Instances {
		t.Errorf("%+v", s)
	}
}

func TestParse_EveryMistakeAtItsLineAndField(t *testing.T) {
	step := func(more string) string { return small + "  - {button: B, title: T, " + more + "}\n" }
	replaced := func(old, with string) string { return strings.Replace(small, old, with, 1) }
	for _, c := range []struct{ source, want string }{
		{"", "line 1: The text is empty."},
		{"[]", "line 1: A demo begins with its fields"},
		{replaced("story: 1", "story: 2"), "line 1, story: A demo file begins with story: 1"},
		{replaced("title: T\n", ""), "line 1: The field “title” is missing."},
		{replaced("claim: C", "claim: "+strings.Repeat("x", 121)), "line 3, claim: This text is too long"},
		{replaced("claim: C", "claim: a\u202eb"), "line 3, claim: This text has the hidden character"},
		{replaced("claim: C", `claim: "a\nb"`), "line 3, claim: This text must be one line."},
		{replaced("claim: C", "clam: C"), "line 3, clam: The field “clam” is not known. Did you"},
		{replaced("{sample: confirm}", "{}"), "line 4, server: Write one of sample, flow and recorded."},
		{replaced("{sample: confirm}", "{sample: a/b}"), "line 4, server.sample: Only letters"},
		{replaced("tools/call", "tools/list"), "line 5, call.method: “tools/list” is not known here."},
		{replaced(", params: {name: a}", ""), "line 5, call.params: The field “params” is missing"},
		{small + "versions: [v1]\ninstances: a:v2\n", "line 12, instances: The version v2 is not in"},
		{small + "instances: a:v1,a:v1\n", "line 11, instances: The instance a is defined twice."},
		{small + "instances: a\n", "line 11, instances: Write instances as a:v1,b:v1."},
		{small + "first: c\n", "line 11, first: “c” is none of the instances."},
		{small + "answers: {k: 1}\n", "line 11, answers.k: This must be a set of fields, not a number."},
		{replaced("send: any", "kill: asker"), "line 7, steps[1]: The first step sends the call"},
		{replaced("    send: any\n", ""), "line 7, steps[1]: Each step has one of these fields: send, show"},
		{replaced("    expect: complete\n", ""), "line 7, steps[1]: The field “expect” is missing"},
		{replaced("expect: complete", "expect: done"), "line 10, steps[1].expect: “done” is not known here."},
		{replaced("Done.", `"{reslt}"`), "line 9, steps[1].title: “{reslt}” is not known in a text."},
		{step("kill: any"), "line 11, steps[2].kill: “any” is not known here. Use one of: asker, another."},
		{step("kill: asker, drain: asker"), "line 11, steps[2]: Each step has one of these fields"},
		{step("upgrade: asker"), "line 11, steps[2].upgrade: There is no version to upgrade to."},
		{step("show: before"), "line 11, steps[2].show: The demo has no field “before”"},
		{step("show: past"), "line 11, steps[2].show: “past” is not known here."},
		{step("round: 1"), "line 11, steps[2].round: Only a recorded demo shows a round"},
		{step("show: state, asks: k"), "line 11, steps[2].asks: The field “asks” needs the field “expect”."},
		{step("show: state, before: x"), "line 1, steps[2]: The step has a text for the call before MRTR"},
		{step("show: state, verdict: good"), "line 11, steps[2].verdict: “good” is not known here."},
		{small + "before: {verdict: V}\n", "line 11, before: No step says what happens before MRTR."},
		{replaced("sample: confirm", "recorded: [x]"), "line 8, steps[1].send: A recorded demo sends"},
		{replaced("steps:", "steps: []\nx:"), "line 6, steps: A demo needs at least one step."},
		{small + strings.Repeat("  - {}\n", MaxSteps), "line 7, steps: This list is too long"},
	} {
		_, problems := Parse([]byte(c.source))
		var all []string
		found := false
		for _, p := range problems {
			all = append(all, p.String())
			found = found || strings.HasPrefix(p.String(), c.want)
		}
		if !found {
			t.Errorf("%q is not among\n%s", c.want, strings.Join(all, "\n"))
		}
	}
}

// What a stranger writes is refused in words or is a story that can be played.
func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("stories/*.yaml")
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(small))
	f.Fuzz(func(_ *testing.T, source []byte) {
		s, problems := Parse(source)
		if len(problems) > 0 {
			return
		}
		l := lane{}.round("a/v1", asks("k"))
		for n := range s.Steps {
			s.Plan(n+1, s.Opening(), playground.Fold(l))
			s.Caption(n+1, playground.Fold(l))
			s.LegacyPlan(n+1, playground.Fold(l))
			s.LegacyCaption(n+1, playground.Fold(l))
		}
		s.OwnVerdict(playground.Fold(l))
		s.LegacyVerdict(playground.Fold(l), playground.Fold(l))
	})
}

// The reference of the format has a demo that is right, and names what a step can do
// and what its texts can say.
func TestReference(t *testing.T) {
	page, err := os.ReadFile("../lesson/content/reference/8-demos.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```yaml\n")
	source, rest, found := strings.Cut(rest, "```")
	if s, problems := Parse([]byte(source)); !found || len(problems) > 0 || len(s.Steps) != 3 {
		t.Errorf("%d steps, %v", len(s.Steps), problems)
	}
	for _, word := range kindWords() {
		if !strings.Contains(rest, "`"+word+"`") && !strings.Contains(rest, "`"+word+": ") {
			t.Errorf("the page does not name the step %s", word)
		}
	}
	for _, name := range placeholderNames {
		if !strings.Contains(rest, "`{"+name+"}`") {
			t.Errorf("the page does not name {%s}", name)
		}
	}
}
